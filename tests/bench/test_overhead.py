"""What events, checks and checkpoints cost, beside the learning itself.

    python -m tests.bench.test_overhead

prints the shares; the tests hold gross bounds only, since machines are busy.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from musicrel.experiment.data import dataset
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import study
from musicrel.experiment.training.learner import Learner
from musicrel.experiment.training.train import TrainStep, train
from musicrel.experiment.training.trainer import Trainer

CPU = torch.device("cpu")


@dataclass(frozen=True, slots=True, kw_only=True)
class Overhead:
    """Seconds; medians.

    Attributes:
        step: of a bare step: batch, forward, backward, update.
        events: what the job adds to a step: event, checks, memory.
        checkpoint: of storing a state.
        every: steps between checkpoints.
    """

    step: float
    events: float
    checkpoint: float
    every: int

    @property
    def share(self) -> float:
        """What is added, as a share of the bare loop."""
        return (self.events + self.checkpoint / self.every) / self.step


def measure(wanted: Recipe, steps: int = 10, times: int = 3) -> Overhead:
    """Measure a recipe's own size; ``steps`` bare steps and ``times`` checkpoints."""
    with tempfile.TemporaryDirectory() as folder:
        run = RunFolder(Path(folder) / "run")
        run.begin(wanted.to_toml())
        trainer = Trainer(wanted, run, CPU, 1)
        step = _median(_bare(wanted, trainer.learner), steps)
        checkpoint = _median(lambda _: trainer.save(), times)
    every = wanted.training.checkpoint_every
    return Overhead(step=step, events=events_cost(), checkpoint=checkpoint, every=every)


def events_cost(steps: int = 300) -> float:
    """Seconds the job adds to a step: with a tiny model, where the step itself is short."""
    part = recipe.ModelPart(scheme="sinusoidal", width=16, layers=1, heads=2, feedforward=16)
    training = recipe.TrainingPart(
        steps=steps, batch=1, evaluate_every=10 * steps, checkpoint_every=10 * steps
    )
    tiny = Recipe(name="tiny", model=part, data=recipe.DataPart(window=8), training=training)
    bare = _median(_bare(tiny, Learner(tiny, CPU)), steps)
    with tempfile.TemporaryDirectory() as folder:
        marks = []
        for event in train(tiny, Path(folder) / "run"):
            marks.append(time.perf_counter())
            if isinstance(event, TrainStep) and event.step == steps - 1:
                break
    whole = statistics.median(after - before for before, after in itertools.pairwise(marks))
    return max(whole - bare, 0.0)


def _bare(wanted: Recipe, learner: Learner) -> Callable[[int], object]:
    pieces = dataset.load(wanted.data.source).pieces["train"]
    batches = dataset.Batches(pieces, wanted.data, wanted.training.batch, wanted.training.seed)
    return lambda number: learner.step(batches.at(number), number, 1e-3)


def _median(work: Callable[[int], object], times: int) -> float:
    took = []
    for number in range(times):
        began = time.perf_counter()
        work(number)
        took.append(time.perf_counter() - began)
    return statistics.median(took)


def test_events_cost_less_than_a_few_milliseconds() -> None:
    """A step of a model worth training takes a hundred times as long."""
    assert events_cost(100) < 0.005


def test_a_run_costs_little_more_than_its_bare_loop() -> None:
    """The arms of the quick study; 3 % is the aim, 10 % the bound on a busy machine."""
    for arm in study.load("quick").arms:
        assert measure(arm.recipe, steps=3).share < 0.1


def main() -> int:
    """Print the shares of the shipped studies' arms."""
    for name in ("smoke", "quick", "full"):
        for arm in study.load(name).arms:
            found = measure(arm.recipe)
            sys.stdout.write(
                f"{name} {arm.name}: step {1e3 * found.step:.1f} ms, events "
                f"{1e3 * found.events:.2f} ms, checkpoint {1e3 * found.checkpoint:.1f} ms every "
                f"{found.every}: {100 * found.share:.2f} %\n"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
