"""One training run as a job: yields an event a step, writes its folder, returns its result.

This file knows the order of a run; a step is ``trainer``'s, files are ``run_folder``'s, the end is
``finishing``'s.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import torch

from musicrel import jobs, paths
from musicrel.errors import UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.run_control import Answer, FolderControl
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training import finalize, init_from
from musicrel.experiment.training.run_evaluation import Measuring
from musicrel.experiment.training.train_events import (
    TrainEvaluated,
    TrainEvaluating,
    TrainEvent,
    TrainFinished,
    TrainMemoryShort,
    TrainPaused,
    TrainResult,
    TrainResumed,
    TrainRolledBack,
    TrainSampled,
    TrainSaved,
    TrainStarted,
    TrainStep,
    TrainStopped,
    TrainWeighed,
    TrainWriting,
    to_json,
)
from musicrel.experiment.training.trainer import Trainer
from musicrel.jobs import Control, Job, KeepRunning
from musicrel.model import devices
from musicrel.model.families.model_families import build

__all__ = [
    "TrainEvaluated", "TrainEvaluating", "TrainEvent", "TrainFinished", "TrainMemoryShort",
    "TrainPaused", "TrainResult", "TrainResumed", "TrainRolledBack", "TrainSampled", "TrainSaved",
    "TrainStarted", "TrainStep", "TrainStopped", "TrainWeighed", "TrainWriting", "train",
]  # fmt: skip


def train(
    recipe_: Recipe,
    folder: Path,
    *,
    resume: bool = False,
    device: torch.device | str = "cpu",
    threads: int = 1,
    control: Control | None = None,
    since: int | None = None,
) -> Job[TrainEvent, TrainResult]:
    """Train in ``folder``, recording every event there.

    Where the recipe begins with another one that is not made yet, the events of that run come
    first, recorded in ``folder/base``, between a ``TrainStarted`` of this one and the next.

    Args:
        recipe_: what to do.
        folder: the run's folder; new, unless ``resume``.
        resume: go on from the last checkpoint in the folder, or begin what waits there.
        device: where to learn.
        threads: of torch.
        control: asked before each step, beside ``control.jsonl`` in the folder: ``stop`` saves and
            ends, ``pause`` waits.
        since: byte of ``control.jsonl`` from which on its wishes count; None: those made from now.

    Raises:
        UsageError: the folder holds another run, or none to resume.
        DataError: a split has no pieces, or the data have changed since the run began.
        FileError: the folder cannot be written, is gone, or another process writes there.
        ModelError: the loss explodes whatever the rate, or memory does not suffice.
    """
    devices.use_threads(threads)
    run_folder, heeded = RunFolder(folder), FolderControl(folder, since)
    with ExitStack() as locked:
        if resume:
            then = recipe.parse(run_folder.recipe_toml(), "recipe.toml")
            _check_same(recipe_, then, str(folder))
            locked.enter_context(run_folder.lock())
        before = init_from.first(recipe_)
        if before is not None:
            if not resume:
                _check_data(recipe_, before)
                run_folder.begin(recipe_.to_toml())
                locked.enter_context(run_folder.lock())
            either = run_control.Either(heeded, control or KeepRunning())
            how = {"device": device, "threads": threads, "control": either}
            made = yield from _made_before(recipe_, before, run_folder, **how)
            if made is not None:
                return made
        trainer = Trainer(recipe_, run_folder, torch.device(device), threads)
        notes = trainer.restore() if resume else ()
        if not resume and before is None:  # a recipe that cannot be followed leaves no folder
            run_folder.begin(recipe_.to_toml())
            locked.enter_context(run_folder.lock())
        notes += (*_reported(trainer), *trainer.learner.notes)
        result: TrainResult = yield from _recorded(
            _Run(trainer, control or KeepRunning(), heeded).events(notes), run_folder
        )
    return result


def _made_before(
    recipe_: Recipe,
    before: Recipe,
    run_folder: RunFolder,
    **how: Any,
) -> Job[TrainEvent, TrainResult | None]:
    """Make the run that comes first, or what is missing of it; how it stands, None: it is done.

    The run's own folder tells that it has begun with that, and that it stopped there.
    """
    folder = run_folder.path / init_from.BASE
    base, begun = RunFolder(folder), (folder / "recipe.toml").exists()
    if begun:
        then = recipe.parse(base.recipe_toml(), "recipe.toml")
        _check_same(before, then, f"{folder}, made before {recipe_.name!r},")
    if base.result() is not None:
        return None
    note = f"begins with {before.name}, made first in {folder}"
    parameters = build(recipe_.config()).parameter_count
    yield _told(TrainStarted(step=0, parameters=parameters, tokens=0, notes=(note,)), run_folder)
    result = yield from train(before, folder, resume=begun, **how)
    if result.finished:
        return None
    yield _told(TrainStopped(step=0, saved=True), run_folder)
    return result


def _check_data(*recipes: Recipe) -> None:
    """See that there is something to learn from, before a folder is made."""
    for recipe_ in recipes:
        dataset.check_splits(dataset.load(recipe_.data.source))


def _recorded(
    job: Job[TrainEvent, TrainResult], folder: RunFolder
) -> Generator[TrainEvent, None, TrainResult]:
    """The events of ``job``, each written down before it is told."""
    return jobs.mapped(job, lambda event: _told(event, folder))


def _told(event: TrainEvent, folder: RunFolder) -> TrainEvent:
    """``event``, written down."""
    folder.append_event(to_json(event))
    return event


class _Run:
    """The order of a run: what is due when, and what the user wants."""

    def __init__(self, trainer: Trainer, control: Control, heeded: FolderControl) -> None:
        self._trainer, self._control, self._heeded = trainer, control, heeded
        self._measuring = Measuring(
            trainer, lambda: self._asked() in ("run", "pause"), self._goes_on
        )

    def events(self, notes: tuple[str, ...]) -> Job[TrainEvent, TrainResult]:
        """The whole run, up to its budget or to the user's stop."""
        trainer = self._trainer
        yield TrainStarted(
            step=trainer.counters.step,
            parameters=trainer.learner.model.parameter_count,
            tokens=trainer.counters.tokens,
            notes=notes,
        )
        while True:
            if self._evaluation_is_due() and not (yield from self._measuring.on_valid()):
                break
            if self._saving_is_due():
                yield trainer.save()
            if trainer.progress >= 1.0:
                result = yield from self._finish()
                if result is None:
                    break
                return result
            if not (yield from self._goes_on()):
                break
            yield from trainer.step()
        return (yield from self._end())

    def _evaluation_is_due(self) -> bool:
        counters, every = self._trainer.counters, self._trainer.recipe.training.evaluate_every
        return counters.evaluated != counters.step and (
            counters.step % every == 0 or self._trainer.progress >= 1.0
        )

    def _saving_is_due(self) -> bool:
        step, every = self._trainer.counters.step, self._trainer.recipe.training.checkpoint_every
        due = (step > 0 and step % every == 0) or self._trainer.progress >= 1.0
        return due and not self._trainer.is_saved

    def _asked(self) -> Answer:
        """What is wanted now: of the folder and of the control, whatever ends sooner."""
        answers = (self._heeded.asked(), self._control.wish())
        return max(answers, key=("run", "pause", "stop", "cancel").index)

    def _goes_on(self) -> Generator[TrainEvent, None, bool]:
        """Whether the next step is wanted; waits while the user pauses."""
        step, asked = self._trainer.counters.step, self._asked()
        if asked == "pause":
            yield TrainPaused(step=step)
            asked = run_control.after_pause(self._asked)
            if asked == "run":
                yield TrainResumed(step=step)
        return asked == "run"

    def _finish(self) -> Generator[TrainEvent, None, TrainResult | None]:
        """Write model, figures and result; None when the end was asked before."""
        trainer = self._trainer
        written = trainer.folder.result()
        if written is not None:
            return TrainResult.from_json(written)
        result = yield from finalize.finish(trainer, self._measuring.of, self._measuring.weighed)
        if result is None:
            return None
        counters = trainer.counters
        yield TrainFinished(
            step=counters.step,
            tokens=counters.tokens,
            seconds=counters.seconds,
            valid=result.valid or math.nan,
            test=result.test or math.nan,
        )
        return result

    def _end(self) -> Generator[TrainEvent, None, TrainResult]:
        """Save, unless the run was cancelled, and tell that it stopped."""
        trainer, cancelled = self._trainer, self._asked() == "cancel"
        if not cancelled and not trainer.is_saved:
            yield trainer.save()
        yield TrainStopped(step=trainer.counters.step, saved=not cancelled)
        return finalize.result(trainer, finished=False)


def _reported(trainer: Trainer) -> tuple[str, ...]:
    """Keep what is to be said of the data in the run's folder; its first line."""
    report, path = trainer.data.report, trainer.folder.path / "data.txt"
    if not report:
        return ()
    trainer.folder.writing(lambda: paths.write_text(path, report + "\n"))
    return (f"{report.splitlines()[0]}; {path} tells of each",)


def _check_same(now: Recipe, then: Recipe, folder: str) -> None:
    if now.fingerprint != then.fingerprint:
        raise UsageError(
            f"{folder} holds a run of recipe {then.name!r} with other values than {now.name!r} has "
            "now: go on with its own recipe.toml, or choose another --out"
        )
