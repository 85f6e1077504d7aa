"""Runs in child processes on this machine, several side by side if there is room.

A run in a child process survives its parent. It receives requests through its folder, and its
events are read from there. A run that is already running is joined, not started a second time.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from musicrel.errors import FileError, MusicrelError
from musicrel.experiment.runners.runner import Node, Requests, RunPoll
from musicrel.experiment.runs import child_process, folder_lock, run_control
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.jobs import Control

_TERMINATION_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.1
_STOPPED: Final = 130


@dataclass(slots=True)
class _Run:
    """A submitted run; ``process`` is None where another process's run was joined."""

    process: subprocess.Popen[bytes] | None
    requests: Requests


class LocalRunner:
    """Runs in child processes on this machine."""

    def __init__(
        self,
        device: str = "auto",
        threads: int = 1,
        slots: int = 1,
        program: Sequence[str] = child_process.PROGRAM,
    ) -> None:
        self.slots = slots
        self._options = ("--device", device, "--threads", str(threads))
        self._program = program
        self._runs: dict[Path, _Run] = {}

    def nodes(self) -> tuple[Node, ...]:
        return ()

    def submit(self, folder: Path, control: Control) -> None:
        process = None if folder_lock.writer(folder) is not None else self._start(folder)
        self._runs[folder] = _Run(process, Requests(folder, control))

    def poll(self, folder: Path) -> RunPoll:
        run = self._runs[folder]
        run.requests.forward()
        ended = _has_ended(folder, run.process)
        if ended and run.process is None and RunFolder(folder).state() == "crashed":
            run.process, ended = self._start(folder), False  # the joined process died
        return RunPoll(state="ended" if ended else "running")

    def cancel(self, folder: Path) -> None:
        run = self._runs.pop(folder, None)
        if run is None:
            return
        if run.process is None:
            cancel_joined(folder)
            return
        try:
            run_control.send_request(folder, "cancel")
        finally:
            _wait(run.process)

    def collect(self, folder: Path) -> None:
        run = self._runs.pop(folder)
        _wait(run.process)
        if run.process is not None:
            check_exit(folder, run.process.returncode)

    def _start(self, folder: Path) -> subprocess.Popen[bytes]:
        try:
            return child_process.start(folder, self._options, self._program)
        except OSError as reason:
            raise FileError(f"cannot start {folder}: {reason.strerror or reason}") from reason


def check_exit(folder: Path, code: int) -> None:
    """Raise the error message of the run's process if it failed.

    Args:
        code: exit code of its process; negative for a signal.
    """
    if code in (0, _STOPPED):
        return
    line = child_process.last_line(folder) or f"its process ended with {code}"
    raise MusicrelError(line.removeprefix("musicrel train: "))


def cancel_joined(folder: Path) -> None:
    """Ask the writer of a run to end without saving, and wait for that for some seconds."""
    run_control.send_request(folder, "cancel")
    deadline = time.monotonic() + _TERMINATION_SECONDS
    while folder_lock.writer(folder) is not None and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)


def _has_ended(folder: Path, process: subprocess.Popen[bytes] | None) -> bool:
    if process is not None:
        return process.poll() is not None
    return folder_lock.writer(folder) is None


def _wait(process: subprocess.Popen[bytes] | None) -> None:
    """Wait for the end of a process; kill it after a timeout."""
    if process is None:
        return
    try:
        process.wait(_TERMINATION_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
