"""Rows of training: a step of relative attention beside a fused one, and the cost of a run.

Relative attention is computed in tiles in training. It is measured beside vanilla attention, which
is fused, and beside the explicit path, which materialises all scores: the same model, batch and
threads, the alternatives taking turns. Vanilla and relative are compared at half the length, too,
and in bfloat16 where the machine has arithmetic for it.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the customary name

from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.events import TrainStep
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import study as studies
from musicrel.experiment.training.train import train
from musicrel.experiment.training.trainer import Trainer
from musicrel.model import devices
from musicrel.model.families.transformer import Transformer
from musicrel.model.networks import build
from training.bench.rows import Row, Work, best, each_beside_the_last, row
from training.bench.workloads import LAYERS, WIDTH, config

_NEVER: Final = 1_000_000_000
"""Steps between two evaluations or checkpoints that do not take place."""


def training(
    device: str,
    threads: int | None,
    *,
    length: int = 1024,
    batch: int = 2,
    width: int = WIDTH,
    layers: int = LAYERS,
) -> list[Row]:
    """Return the seconds of a step: forward, backward and update; tests use smaller sizes."""
    devices.use_threads(threads)
    models = {
        name: build(config(scheme, length, width, layers)).to(devices.resolve(device)).train()
        for name, scheme in (("vanilla", "sinusoidal"), ("relative", "relative"))
    }
    found = _steps(models, batch, length, explicit=True) + _steps(models, 2 * batch, length // 2)
    if devices.without_bfloat16(str(models["vanilla"].embed_token.weight.device)):
        return found
    found += _steps(models, 2 * batch, length // 2, mixed=True)
    return found + _steps(models, batch, length, mixed=True)


def _steps(
    models: dict[str, Transformer],
    batch: int,
    length: int,
    *,
    explicit: bool = False,
    mixed: bool = False,
) -> list[Row]:
    prefix, suffix = f"training step, {batch} x {length:,} tokens,", ", mixed" if mixed else ""
    works = {
        f"{prefix} {name}{suffix}": _step(model, batch, length, mixed=mixed)
        for name, model in models.items()
    }
    if explicit:
        work = _step(models["relative"], batch, length, explicit=True)
        works[f"{prefix} relative, scores written out"] = work
    for work in works.values():
        work()  # preparations are not part of the cost
    return each_beside_the_last(works)


def _step(
    model: Transformer, batch: int, length: int, *, explicit: bool = False, mixed: bool = False
) -> Work:
    device = model.embed_token.weight.device
    ids = torch.randint(model.config.tokens, (batch, length + 1), device=device)
    size = batch, length, len(model.config.conditions)
    conditions = torch.zeros(size, dtype=torch.int64, device=device)
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)

    def step() -> None:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device.type, torch.bfloat16, enabled=mixed):
            logits = model(ids[:, :-1], conditions, record=explicit).logits_BTV
        loss = F.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten())
        torch.autograd.backward(loss)
        optimizer.step()
        if device.type == "cuda":
            torch.cuda.synchronize(device)

    return step


def overhead(
    device: str, threads: int | None, study: str = "quick", repeats: int = 10
) -> list[Row]:
    """Return three rows for each arm of ``study``: bare step, step of a run, checkpoint.

    Bare training steps and those of a run, with its events and checks, take turns, one by one: the
    same recipe, data and threads. A checkpoint is counted as a share of the steps between two.
    """
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
    works: dict[str, Work] = {
        prefix: partial(_bare_step, trainer, count()),
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


def _bare_step(trainer: Trainer, numbers: count[int]) -> None:
    """Do the work of one step: batch, forward, backward, update."""
    number = next(numbers)
    trainer.learner.step(trainer.objective.at(number), number, 1e-3)


def _run_step(recipe: Recipe, folder: Path, device: torch.device) -> Work:
    """Return the work of one step of a whole run, its event written to the run's folder."""
    training = replace(recipe.training, evaluate_every=_NEVER, checkpoint_every=_NEVER)
    events = train(replace(recipe, training=training), folder, device=device)

    def step() -> None:
        while not isinstance(next(events), TrainStep):
            pass

    return step
