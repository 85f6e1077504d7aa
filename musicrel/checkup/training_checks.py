"""Checks of training on the device: small models of the shipped kinds, 50 steps each.

There is no dropout, so that the first loss is that of the CPU.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Final

from musicrel.checkup.findings import Check, NotTriedError, Outcome
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.training.train import TrainStep, train
from musicrel.model import devices
from musicrel.model.devices import Precision

_RECIPES: Final = ("vanilla-base", "relative-base", "relative-infill-base")
_STEPS: Final = 50
_SAVED: Final = 40
"""Steps until the checkpoint of a run, from which it is resumed."""
_SOME: Final = 10
"""Steps whose mean losses are compared."""
_RATE: Final = 5e-3
"""Learning rate of the small models, which learn more slowly than whole ones at the same rate."""
_LEARNED: Final = 0.5
"""Nats by which the loss falls at least."""
_NEVER: Final = 1_000_000
_FIRST_LOSS_LIMIT: Final[dict[Precision, float]] = {"single": 1e-4, "mixed": 2e-2}
"""Differences of the first loss from that of the CPU that pass, in nats."""


def checks(device: str, threads: int) -> list[Check]:
    found = [
        Check(
            subject=f"training {name}",
            name=f"{_STEPS} steps, {precision} precision",
            work=partial(learns, small(name, precision), device, threads),
        )
        for name in _RECIPES
        for precision in _FIRST_LOSS_LIMIT
    ]
    resumed = partial(resumes, small(_RECIPES[-1], "single"), device, threads)
    return [*found, Check(subject=f"training {_RECIPES[-1]}", name="resumed", work=resumed)]


def small(name: str, precision: Precision) -> Recipe:
    """Return a shipped recipe with a small model and short windows."""
    whole = recipe.load(name)
    return replace(
        whole,
        model=replace(whole.model, width=32, layers=2, heads=2, feedforward=64, dropout=0.0),
        data=replace(whole.data, window=128),
        training=replace(
            whole.training,
            tokens=0,
            steps=_NEVER,
            batch=2,
            learning_rate=_RATE,
            warmup_steps=_SOME,
            precision=precision,
            evaluate_every=_NEVER,
            checkpoint_every=_SAVED,
        ),
    )


def learns(plan: Recipe, device: str, threads: int) -> Outcome:
    """Train, and compare the first loss with that of a step on the CPU in single precision."""
    precision = plan.training.precision
    if precision == "mixed" and (lacking := devices.without_bfloat16(device)):
        raise NotTriedError(lacking)
    with tempfile.TemporaryDirectory() as folder:
        losses = list(_losses(plan, Path(folder), _STEPS, device=device, threads=threads))
        single = replace(plan, training=replace(plan.training, precision="single"))
        (expected,) = _losses(single, Path(folder) / "cpu", 1, device="cpu", threads=threads)
    before, after = fmean(losses[:_SOME]), fmean(losses[-_SOME:])
    return Outcome(
        finding=f"loss from {before:.2f} to {after:.2f} nats; the first one differs from the CPU's "
        f"by {abs(losses[0] - expected):.1e}",
        figure=abs(losses[0] - expected),
        limit=_FIRST_LOSS_LIMIT[precision],
        holds=after < before - _LEARNED,
    )


def resumes(plan: Recipe, device: str, threads: int) -> Outcome:
    """Train beyond a checkpoint, resume from it, and compare the losses of the same step."""
    with tempfile.TemporaryDirectory() as folder:
        losses = partial(_losses, plan, Path(folder), device=device, threads=threads)
        whole, again = list(losses(_SAVED + 1)), list(losses(1, resume=True))
    off = abs(whole[-1] - again[0])
    return Outcome(
        finding=f"the loss of the next step differs by {off:.1e}",
        figure=off,
        limit=_FIRST_LOSS_LIMIT["single"],
    )


def _losses(
    plan: Recipe, folder: Path, steps: int, *, device: str, threads: int, resume: bool = False
) -> Iterator[float]:
    """Yield the losses of the first steps of a run in ``folder``."""
    with closing(train(plan, folder, device=device, threads=threads, resume=resume)) as events:
        made = (event.nats for event in events if isinstance(event, TrainStep))
        yield from islice(made, steps)
