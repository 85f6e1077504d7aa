"""Runs in this process, one at a time, one step between two polls."""

from __future__ import annotations

from pathlib import Path

import torch

from musicrel.experiment.recipe import recipe
from musicrel.experiment.runners.runner import Node, RunPoll
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training.train import train
from musicrel.experiment.training.train_events import TrainEvent, TrainResult
from musicrel.jobs import Control, Job


class InProcess:
    """Runs in this process. A paused run waits inside ``poll``."""

    slots = 1

    def __init__(self, device: torch.device | str = "cpu", threads: int = 1) -> None:
        self._device, self._threads = device, threads
        self._jobs: dict[Path, Job[TrainEvent, TrainResult]] = {}

    def nodes(self) -> tuple[Node, ...]:
        return ()

    def submit(self, folder: Path, control: Control) -> None:
        queued = recipe.parse(RunFolder(folder).recipe_toml(), "recipe.toml")
        self._jobs[folder] = train(
            queued,
            folder,
            resume=True,
            device=self._device,
            threads=self._threads,
            control=control,
        )

    def poll(self, folder: Path) -> RunPoll:
        try:
            next(self._jobs[folder])
        except StopIteration:
            return RunPoll(state="ended")
        return RunPoll(state="running")

    def cancel(self, folder: Path) -> None:
        if folder in self._jobs:
            self._jobs.pop(folder).close()

    def collect(self, folder: Path) -> None:
        del self._jobs[folder]
