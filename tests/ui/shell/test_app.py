"""The process: what it imports, what it does with errors, how it ends."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from musicrel.ui.app import LOG_FILE, Alarm
from tests.helpers.models import tiny_model_directory

SHOWN_AND_CLOSED = """
import sys
from PySide6.QtCore import QTimer
from musicrel.ui import app, main_window

def shown(window):
    print("torch" in sys.modules)
    QTimer.singleShot(0, window.close)

class Window(main_window.MainWindow):
    def __init__(self):
        super().__init__()
        self.painted.connect(lambda: shown(self))

app.MainWindow = Window
sys.exit(app.main(["musicrel"]))
"""


WITHOUT_WARMING_UP = """
from musicrel.ui.jobs.generation_service import ModelShelf
ModelShelf.warm_up = lambda *asked: (event for event in ())
"""


def start(home: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run Python of our own with ``home`` as the user's folder."""
    environment = {**os.environ, "MUSICREL_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_window_is_shown_before_torch_is_imported(home: Path) -> None:
    """Closed at once, while the model is loading, the app ends well."""
    tiny_model_directory(home / "models" / "tiny")

    ended = start(home, SHOWN_AND_CLOSED)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.split() == ["False"]
    assert (home / LOG_FILE).read_text() == ""


def test_folder_that_cannot_be_written_keeps_nobody_out(tmp_path: Path) -> None:
    """The log goes to the terminal then."""
    (tmp_path / "file").write_text("no folder")

    ended = start(tmp_path / "file", WITHOUT_WARMING_UP + SHOWN_AND_CLOSED)

    assert ended.returncode == 0
    assert "not remembered" in ended.stderr


def test_error_that_nobody_caught_is_logged_and_told(
    home: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """From any thread; the user reads one sentence, the log has the rest."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    alarm = Alarm()
    alarm.install()
    caplog.set_level(logging.CRITICAL)
    with qtbot.waitSignal(alarm.rang) as told:
        thread = threading.Thread(target=lambda: 1 // 0)
        thread.start()
        thread.join()

    assert str(home / LOG_FILE) in told.args[0]
    assert "ZeroDivisionError" in caplog.text
    with qtbot.waitSignal(alarm.rang):
        sys.excepthook(ValueError, ValueError("odd"), None)
    assert "odd" in caplog.text
