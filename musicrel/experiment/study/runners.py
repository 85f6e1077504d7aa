"""Runners of training runs: in this process, or in a child process on this machine.

A run in a child process survives its parent. It receives requests through its folder, and its
events are read from there. A run that is already running is joined, not started a second time.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import torch

from musicrel.errors import MusicrelError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runs import child_process, folder_lock, run_control
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training.train import train
from musicrel.experiment.training.train_events import TrainEvent, from_json
from musicrel.jobs import Control, RunCommand

_POLL_SECONDS: Final = 0.1
_TERMINATION_SECONDS: Final = 10.0
_MAX_MESSAGE_LENGTH: Final = 2000


@dataclass(frozen=True, slots=True)
class Idle:
    """No new event; yielded regularly, so that the consumer can react to requests."""


RunEvents: TypeAlias = Generator[TrainEvent | Idle, None, None]


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
        self, device: str = "auto", threads: int = 1, program: Sequence[str] | None = None
    ) -> None:
        self._options = ["--device", device, "--threads", str(threads)]
        self._program = tuple(program or child_process.PROGRAM)

    def run(self, folder: Path, control: Control) -> RunEvents:
        """See ``Runner``; closing the generator early cancels the run."""
        run, forwarder = RunFolder(folder), _CommandForwarder(folder, control)
        offset = run.end_of_events()
        process = None if folder_lock.writer(folder) is not None else self._start(folder)
        ended = False
        try:
            while not ended:
                forwarder.forward()
                ended = _has_ended(folder, process)  # checked before the last events are read
                if ended and process is None and run.state() == "crashed":
                    process, ended = self._start(folder), False  # the joined process died
                lines, offset = run.follow(offset)
                for line in lines:
                    event = from_json(line)
                    if event is not None:
                        yield event
                if not lines and not ended:
                    yield Idle()
                    time.sleep(_POLL_SECONDS)
        finally:
            if not ended:
                run_control.send_request(folder, "cancel")
            _wait(process)
        _check(folder, process)

    def _start(self, folder: Path) -> subprocess.Popen[bytes]:
        arguments = ["train", "--recipe", str(folder / "recipe.toml"), "--out", str(folder)]
        arguments += ["--resume", "--since", str(run_control.end_offset(folder)), *self._options]
        return child_process.start(arguments, folder / child_process.LOG, self._program)


class _CommandForwarder:
    """Forwards the command of a control to the folder of a run, once per change."""

    def __init__(self, folder: Path, control: Control) -> None:
        self._folder, self._control = folder, control
        self._sent: RunCommand = "run"

    def forward(self) -> None:
        command = self._control.command()
        if command != self._sent:
            self._sent = command
            run_control.send_request(self._folder, "resume" if command == "run" else command)


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
    log = (folder / child_process.LOG).read_text(encoding="utf-8", errors="replace").strip()
    message = log.splitlines()[-1] if log else f"its process ended with {process.returncode}"
    raise MusicrelError(message.removeprefix("musicrel train: ")[:_MAX_MESSAGE_LENGTH])
