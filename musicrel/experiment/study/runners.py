"""Where a run is carried out: in this process, or in one of its own on this machine.

A run in its own process survives whoever started it; it is steered through its folder and watched
by reading its events along. One that is already at work is joined, not started a second time.

This file knows processes and folders; it knows nothing of studies.
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
from musicrel.jobs import Control, Wish

_SECONDS_BETWEEN_LOOKS: Final = 0.1
_PATIENCE: Final = 10.0
_LONGEST_SENTENCE: Final = 2000


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing new has happened; told now and then, so that whoever iterates stays awake."""


Watched: TypeAlias = Generator[TrainEvent | Waiting, None, None]


class Runner(Protocol):
    """Carries out the run that waits in a folder."""

    def run(self, folder: Path, control: Control) -> Watched:
        """Begin it or go on with it, to its end or until ``control`` wants it to stop.

        Raises:
            MusicrelError: the run failed.
        """
        ...


class InProcess:
    """Runs in this process, one step between two events.

    Args:
        device: where to learn.
        threads: of torch.
    """

    def __init__(self, device: torch.device | str = "cpu", threads: int = 1) -> None:
        self._device, self._threads = device, threads

    def run(self, folder: Path, control: Control) -> Watched:
        """See ``Runner``."""
        waiting = recipe.parse(RunFolder(folder).recipe_toml(), "recipe.toml")
        yield from train(
            waiting,
            folder,
            resume=True,
            device=self._device,
            threads=self._threads,
            control=control,
        )


class Local:
    """Runs in a process of its own on this machine.

    Args:
        device: as ``--device`` takes it.
        threads: of torch.
        program: the words that call musicrel.
    """

    def __init__(
        self, device: str = "auto", threads: int = 1, program: Sequence[str] | None = None
    ) -> None:
        self._words = ["--device", device, "--threads", str(threads)]
        self._program = tuple(program or child_process.PROGRAM)

    def run(self, folder: Path, control: Control) -> Watched:
        """See ``Runner``; closed in the middle, the run is cancelled."""
        run, steering = RunFolder(folder), _Steering(folder, control)
        offset = run.end_of_events()
        process = None if folder_lock.writer(folder) is not None else self._start(folder)
        ended = False
        try:
            while not ended:
                steering.pass_on()
                ended = _has_ended(folder, process)  # looked at before the last events are read
                if ended and process is None and run.state() == "crashed":
                    process, ended = self._start(folder), False  # the one that was joined died
                lines, offset = run.follow(offset)
                for line in lines:
                    event = from_json(line)
                    if event is not None:
                        yield event
                if not lines and not ended:
                    yield Waiting()
                    time.sleep(_SECONDS_BETWEEN_LOOKS)
        finally:
            if not ended:
                run_control.ask(folder, "cancel")
            _wait(process)
        _check(folder, process)

    def _start(self, folder: Path) -> subprocess.Popen[bytes]:
        words = ["train", "--recipe", str(folder / "recipe.toml"), "--out", str(folder)]
        words += ["--resume", "--since", str(run_control.length(folder)), *self._words]
        return child_process.start(words, folder / child_process.LOG, self._program)


class _Steering:
    """Passes what is wanted on to a run's folder, once for every change."""

    def __init__(self, folder: Path, control: Control) -> None:
        self._folder, self._control = folder, control
        self._told: Wish = "run"

    def pass_on(self) -> None:
        wish = self._control.wish()
        if wish != self._told:
            self._told = wish
            run_control.ask(self._folder, "resume" if wish == "run" else wish)


def _has_ended(folder: Path, process: subprocess.Popen[bytes] | None) -> bool:
    if process is not None:
        return process.poll() is not None
    return folder_lock.writer(folder) is None


def _wait(process: subprocess.Popen[bytes] | None) -> None:
    """Wait for the end of a process that was asked to end, and help in the end."""
    if process is None:
        return
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _check(folder: Path, process: subprocess.Popen[bytes] | None) -> None:
    """Raise what the run's process said when it failed."""
    stopped = 130
    if process is None or process.returncode in (0, stopped):
        return
    said = (folder / child_process.LOG).read_text(encoding="utf-8", errors="replace").strip()
    sentence = said.splitlines()[-1] if said else f"its process ended with {process.returncode}"
    raise MusicrelError(sentence.removeprefix("musicrel train: ")[:_LONGEST_SENTENCE])
