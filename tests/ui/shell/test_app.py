"""The process: imports, uncaught exceptions, exit."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from musicrel.ui.app import LOG_FILE, CrashReporter
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.models import tiny_model_directory

SHOWN_AND_CLOSED = """
import sys
from PySide6.QtCore import QTimer
from musicrel.ui import app
from musicrel.ui.shell import main_window

def shown(window):
    print([name for name in ("torch", "pyqtgraph") if name in sys.modules])
    QTimer.singleShot(0, window.close)

class Window(main_window.MainWindow):
    def __init__(self):
        super().__init__()
        self.painted.connect(lambda: shown(self))

app.MainWindow = Window
sys.exit(app.main(["musicrel"]))
"""


WITHOUT_WARMING_UP = """
from musicrel.ui.jobs.generation_service import ModelCache
ModelCache.warm_up = lambda *asked: (event for event in ())
"""


TOO_BUSY = "a job did not end in time"
"""On a loaded machine torch may take longer to import than the app waits."""


def start(home: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run Python code with ``home`` as the user's folder."""
    environment = {**os.environ, "MUSICREL_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_window_is_shown_before_torch_and_pyqtgraph_are_imported(home: Path) -> None:
    """The app exits cleanly when it is closed while the model is loading."""
    tiny_model_directory(home / "models" / "tiny")

    ended = start(home, SHOWN_AND_CLOSED)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.split() == ["[]"]
    log = (home / LOG_FILE).read_text().splitlines()
    assert [line for line in log if not line.endswith(TOO_BUSY)] == []


def test_app_starts_without_a_writable_folder(tmp_path: Path) -> None:
    """The log goes to stderr."""
    (tmp_path / "file").write_text("no folder")

    ended = start(tmp_path / "file", WITHOUT_WARMING_UP + SHOWN_AND_CLOSED)

    assert ended.returncode == 0
    assert "cannot be saved" in ended.stderr


def test_uncaught_exception_is_logged_and_reported(
    home: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """This works for all threads; the report is one sentence, the log has the traceback."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    reporter = CrashReporter()
    reporter.install()
    caplog.set_level(logging.CRITICAL)
    with qtbot.waitSignal(reporter.crashed) as signal:
        thread = threading.Thread(target=lambda: 1 // 0)
        thread.start()
        thread.join()

    assert str(home / LOG_FILE) in signal.args[0]
    assert "ZeroDivisionError" in caplog.text
    with qtbot.waitSignal(reporter.crashed):
        sys.excepthook(ValueError, ValueError("odd"), None)
    assert "odd" in caplog.text


@pytest.mark.parametrize(
    ("reported_on", "stays", "opened", "is_shown"),
    [
        ("compose", False, "attention", False),
        ("attention", False, "compose", False),
        ("compose", False, "experiment", False),
        ("compose", True, "attention", True),
        ("experiment", False, "compose", True),
        ("compose", False, "compose", True),
    ],
)
def test_an_error_belongs_to_its_page(
    reported_on: str,
    opened: str,
    *,
    stays: bool,
    is_shown: bool,
    app_controller: AppController,
    window: MainWindow,
) -> None:
    """On another page it is gone, unless it is true there, too, or was not seen yet."""
    window.pages.open(reported_on)
    app_controller.messages.report("an error", stays=stays)

    window.pages.open(opened)

    assert (window.compose_page.banner.message == "An error") == is_shown
