"""The app is killed while a document is edited."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.helpers.kill_app import kill_often

pytestmark = pytest.mark.slow


def test_at_most_the_last_edit_is_lost(tmp_path: Path) -> None:
    """20 kills; ``python -m tests.helpers.kill_app 200`` does the same."""
    assert kill_often(20, tmp_path / "home") == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_termination_asks_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    """The app ends by itself, and its document comes back."""
    home = tmp_path / "home"
    assert kill_often(1, home) == []
    environment = {**os.environ, "MUSICREL_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen([sys.executable, "-m", "musicrel"], env=environment) as process:
        records = home / "recovered"
        qtbot.waitUntil(lambda: process.pid in _owners(records), timeout=60_000)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0

    assert len(list(records.glob("*.window"))) == 1
    assert list(records.glob("*.lock")) == []


def _owners(records: Path) -> set[int]:
    """Return the processes that have a record; a lock may be empty, or vanish, at any time."""
    owners = set[int]()
    for lock in records.glob("*.lock"):
        with contextlib.suppress(OSError):
            owners.update(int(word) for word in lock.read_text(encoding="utf-8").split()[:1])
    return owners
