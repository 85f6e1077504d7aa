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

from tests.faults.kill_study import kill_study
from tests.helpers.kill_app import kill_often
from tests.helpers.kill_project import survive


def test_at_most_the_last_edit_is_lost(tmp_path: Path) -> None:
    assert kill_often(20, tmp_path / "home") == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_termination_asks_nothing(qtbot: QtBot, tmp_path: Path) -> None:
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


def test_a_kill_loses_at_most_the_edit_that_was_being_written(tmp_path: Path) -> None:
    found = survive(20, tmp_path)
    assert found["kills"] == 20
    assert found["snapshots read"] > 0


@pytest.mark.timeout(3600)  # minutes; more on a busy machine
def test_a_killed_study_equals_an_undisturbed_one(tmp_path: Path) -> None:
    report = kill_study(tmp_path, kills=20, seed=1)
    assert report.in_a_write > 0
    assert report.problems == []
    assert report.kills == 20
