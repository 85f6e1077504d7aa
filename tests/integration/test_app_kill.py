"""The app is killed while a document is edited."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.kill_app import kill_often

pytestmark = pytest.mark.slow


def test_at_most_the_last_edit_is_lost(tmp_path: Path) -> None:
    """Every start restores the document that the kill before has left."""
    assert kill_often(5, tmp_path / "home") == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_termination_asks_nothing(tmp_path: Path) -> None:
    """The app ends by itself, and its document comes back."""
    home = tmp_path / "home"
    assert kill_often(1, home) == []
    environment = {**os.environ, "MUSICREL_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen([sys.executable, "-m", "musicrel"], env=environment) as process:
        records = home / "recovered"
        while not list(records.glob("*.lock")) or _owner(records) != process.pid:
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0

    assert len(list(records.glob("*.window"))) == 1
    assert list(records.glob("*.lock")) == []


def _owner(records: Path) -> int:
    """Return the process that has the only record."""
    (lock,) = records.glob("*.lock")
    return int(lock.read_text(encoding="utf-8").split()[0] or 0)
