"""Studies that a test starts end with it."""

from __future__ import annotations

import subprocess
import sys

import psutil

from tests.helpers import processes

WAITS = "import sys; sys.stdin.read()"


def started(command: str) -> subprocess.Popen[bytes]:
    """Start a process that waits for the end of its input."""
    return subprocess.Popen([sys.executable, "-c", WAITS, command], stdin=subprocess.PIPE)


def test_a_study_is_ended() -> None:
    """Other processes, and studies from before, stay."""
    earlier = started("compare")
    with processes.ending_studies():
        study, other = started("compare"), started("play")

    assert not psutil.pid_exists(study.pid)
    for process in (earlier, other):
        process.communicate()
        assert process.returncode == 0
    study.communicate()
