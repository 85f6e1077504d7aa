"""Runners of training runs: in this process, or in a child process on this machine.

A run in a child process survives its parent. It receives requests through its folder, and its
events are read from there. A run that is already running is joined, not started a second time.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import torch

from musicrel.errors import MusicrelError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runs import child_process, folder_lock, run_control
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training.train import train
from musicrel.experiment.training.train_events import TrainEvent, from_json
from musicrel.jobs import Control

_POLL_SECONDS: Final = 0.1
_TERMINATION_SECONDS: Final = 10.0


RunEvents: TypeAlias = Generator[TrainEvent | None, None, None]
"""Events of a run; None: no new event, yielded so that the consumer is called regularly."""


class Runner(Protocol):
    """A way to run the training run queued in a folder."""

    def run(self, folder: Path, control: Control) -> RunEvents:
        """Start or resume the run, until it is finished or ``control`` stops it.

        Raises:
            MusicrelError: the run failed.
        """
        ...


class InProcess:
    """Runs in this process, one step between two events.

    Args:
        device: on which to train.
        threads: number of threads of torch.
    """

    def __init__(self, device: torch.device | str = "cpu", threads: int = 1) -> None:
        self._device, self._threads = device, threads

    def run(self, folder: Path, control: Control) -> RunEvents:
        """See ``Runner``."""
        queued = recipe.parse(RunFolder(folder).recipe_toml(), "recipe.toml")
        yield from train(
            queued,
            folder,
            resume=True,
            device=self._device,
            threads=self._threads,
            control=control,
        )


class InSubprocess:
    """Runs in a child process on this machine.

    Args:
        device: a value of ``--device``.
        threads: number of threads of torch.
        program: the command that runs musicrel.
    """

    def __init__(
        self,
        device: str = "auto",
        threads: int = 1,
        program: Sequence[str] = child_process.PROGRAM,
    ) -> None:
        self._options = ("--device", device, "--threads", str(threads))
        self._program = program

    def run(self, folder: Path, control: Control) -> RunEvents:
        """See ``Runner``; closing the generator early cancels the run."""
        run, sent = RunFolder(folder), "run"
        offset = run.log.end_offset()
        process = None if folder_lock.writer(folder) is not None else self._start(folder)
        ended = False
        try:
            while not ended:
                if (command := control.command()) != sent:
                    run_control.send_request(folder, "resume" if command == "run" else command)
                    sent = command
                ended = _has_ended(folder, process)  # checked before the last events are read
                if ended and process is None and run.state() == "crashed":
                    process, ended = self._start(folder), False  # the joined process died
                lines, offset = run.log.follow(offset)
                yield from filter(None, map(from_json, lines))
                if not lines and not ended:
                    yield None
                    time.sleep(_POLL_SECONDS)
        finally:
            if not ended:
                run_control.send_request(folder, "cancel")
            _wait(process)
        _check(folder, process)

    def _start(self, folder: Path) -> subprocess.Popen[bytes]:
        return child_process.start(folder, self._options, self._program)


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


def _check(folder: Path, process: subprocess.Popen[bytes] | None) -> None:
    """Raise the error message of the run's process if it failed."""
    stopped = 130
    if process is None or process.returncode in (0, stopped):
        return
    line = child_process.last_line(folder) or f"its process ended with {process.returncode}"
    raise MusicrelError(line.removeprefix("musicrel train: "))
