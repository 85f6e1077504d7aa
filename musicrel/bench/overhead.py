"""The overhead part of ``musicrel bench``: the cost of a run's events, checks and checkpoints.

Bare training steps and the steps of a run take turns, one by one, for every arm of a study: the
same recipe, data and threads. A checkpoint is counted as a share of the steps between two.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Final

import torch

from musicrel.bench.timing import Row, best, row
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import study as studies
from musicrel.experiment.training.train import TrainStep, train
from musicrel.experiment.training.trainer import Trainer
from musicrel.model import devices

STUDY: Final = "quick"
_REPEATS: Final = 10
_NEVER: Final = 1_000_000_000
"""Steps between two evaluations or checkpoints that do not take place."""


def rows(device: str, threads: int, study: str = STUDY, repeats: int = _REPEATS) -> list[Row]:
    """Return three rows for each arm of ``study``: bare step, step of a run, checkpoint."""
    devices.use_threads(threads)
    resolved = torch.device(devices.resolve(device))
    found: list[Row] = []
    for arm in studies.load(study).arms:
        with tempfile.TemporaryDirectory() as folder:
            prefix = f"training step, {study} study, {arm.name}"
            found += _arm_rows(prefix, arm.recipe, Path(folder), resolved, repeats)
    return found


def _arm_rows(
    prefix: str, recipe: Recipe, folder: Path, device: torch.device, repeats: int
) -> list[Row]:
    bare_folder = RunFolder(folder / "bare")
    bare_folder.create(recipe.to_toml())
    trainer = Trainer(recipe, bare_folder, device, 1)
    run, checkpoint = f"{prefix}, in a run", f"{prefix}, checkpoint"
    works: dict[str, Callable[[], object]] = {
        prefix: _bare_step(trainer),
        run: _run_step(recipe, folder / "run", device),
        checkpoint: trainer.save,
    }
    for work in works.values():
        work()  # preparations are not part of the cost
    found = best(works, repeats)
    share = found[checkpoint] / recipe.training.checkpoint_every / found[prefix]
    return [
        row(prefix, 1e3 * found[prefix], "ms"),
        row(run, 1e3 * found[run], "ms", prefix, found[run] / found[prefix]),
        row(checkpoint, 1e3 * found[checkpoint], "ms", f"{prefix}, spread over all steps", share),
    ]


def _bare_step(trainer: Trainer) -> Callable[[], object]:
    """Return the work of one step: batch, forward, backward, update."""
    numbers = count()

    def step() -> None:
        number = next(numbers)
        trainer.learner.step(trainer.objective.at(number), number, 1e-3)

    return step


def _run_step(recipe: Recipe, folder: Path, device: torch.device) -> Callable[[], object]:
    """Return the work of one step of a whole run, its event written to the run's folder."""
    training = replace(recipe.training, evaluate_every=_NEVER, checkpoint_every=_NEVER)
    events = train(replace(recipe, training=training), folder, device=device)

    def step() -> None:
        while not isinstance(next(events), TrainStep):
            pass

    return step
