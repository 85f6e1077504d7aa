"""A training run as a job: yields events, writes its folder and returns its result."""

from __future__ import annotations

import dataclasses
from collections.abc import Generator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import torch

from musicrel import jobs, paths
from musicrel.errors import UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.run_control import FolderCommand, RunControl
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training import finalize, init_from, needed_runs, teachers
from musicrel.experiment.training.run_evaluation import RunEvaluation
from musicrel.experiment.training.train_events import (
    READ_BY_TEACHERS,
    TrainCalibrated,
    TrainCalibrating,
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
    to_json,
)
from musicrel.experiment.training.trainer import Trainer, TrialDivergedError
from musicrel.jobs import Control, Job, KeepRunning
from musicrel.model import devices
from musicrel.model.families.model_families import build

__all__ = [
    "TrainCalibrated", "TrainCalibrating", "TrainEvaluated", "TrainEvaluating", "TrainEvent",
    "TrainFinished", "TrainMemoryShort", "TrainPaused", "TrainResult", "TrainResumed",
    "TrainRolledBack", "TrainSampled", "TrainSaved", "TrainStarted", "TrainStep",
    "TrainStopped", "train",
]  # fmt: skip


_MAX_CHANGES = 10
"""Changes of the data that are noted; the others are only counted."""


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
    """Train in ``folder`` and record every event there.

    If the recipe is initialised or distilled from other recipes whose runs do not exist yet, the
    events of those runs come first, recorded in ``folder/base`` and ``folder/teacher-1`` ..., each
    after a ``TrainStarted`` of this run.

    Args:
        folder: folder of the run; new, unless ``resume``.
        since: byte of ``control.jsonl`` from which entries count; None: from its current end.
    """
    devices.use_threads(threads)
    run_folder, folder_control = RunFolder(folder), RunControl(folder, since)
    with ExitStack() as locked:
        if resume:
            stored = recipe.parse(run_folder.recipe_toml(), "recipe.toml")
            _check_same(recipe_, stored, str(folder))
            locked.enter_context(run_folder.lock())
        earlier = _earlier_runs(recipe_)
        if earlier:
            if not resume:
                for each in (recipe_, *earlier.values()):  # before a folder is made
                    dataset.check_splits(dataset.load(each.data.source))
                run_folder.create(recipe_.to_toml())
                locked.enter_context(run_folder.lock())
            controls = run_control.CombinedControl(folder_control, control or KeepRunning())
            options = {"device": device, "threads": threads, "control": controls}
            for name, each in earlier.items():
                stopped = yield from _run_earlier(recipe_, each, run_folder, name, **options)
                if stopped is not None:
                    return stopped
        trainer = Trainer(recipe_, run_folder, torch.device(device), threads)
        notes = trainer.restore() if resume else ()
        if not resume and not earlier:  # an invalid recipe leaves no folder
            run_folder.create(recipe_.to_toml())
            locked.enter_context(run_folder.lock())
        notes += (*_save_report(trainer), *trainer.learner.notes)
        job = _Run(trainer, control or KeepRunning(), folder_control).events(notes)
        return (yield from jobs.map_events(job, lambda event: _record(event, run_folder)))


def _earlier_runs(recipe_: Recipe) -> dict[str, Recipe]:
    """Return the recipes of the runs that ``recipe_`` needs, by the name of their folder."""
    needed_runs.check(recipe_)
    base = init_from.base_recipe(recipe_)
    return ({} if base is None else {init_from.BASE: base}) | teachers.recipes(recipe_)


def _run_earlier(
    recipe_: Recipe,
    earlier: Recipe,
    run_folder: RunFolder,
    name: str,
    **options: Any,
) -> Job[TrainEvent, TrainResult | None]:
    """Make or resume a run that ``recipe_`` needs, in the folder ``name``.

    The run's own folder records that it started with this one and that it stopped there.
    """
    folder = run_folder.path / name
    before, exists = RunFolder(folder), (folder / "recipe.toml").exists()
    if exists:
        stored = recipe.parse(before.recipe_toml(), "recipe.toml")
        _check_same(earlier, stored, f"{folder}, made before {recipe_.name!r},")
    if before.result() is not None:
        return None
    how = "initialised" if name == init_from.BASE else "distilled"
    note = f"{how} from {earlier.name}, which is trained first in {folder}"
    parameters = build(recipe_.config()).parameter_count
    yield _record(TrainStarted(step=0, parameters=parameters, tokens=0, notes=(note,)), run_folder)
    result = yield from train(earlier, folder, resume=exists, **options)
    if result.finished:
        return None
    yield _record(TrainStopped(step=0, saved=True), run_folder)
    return result


def _record(event: TrainEvent, folder: RunFolder) -> TrainEvent:
    folder.append_event(to_json(event))
    return event


class _Run:
    """The order of a run: steps, evaluations, checkpoints and the user's requests."""

    def __init__(self, trainer: Trainer, control: Control, folder_control: RunControl) -> None:
        self._trainer, self._control, self._folder_control = trainer, control, folder_control
        self._evaluation = RunEvaluation(
            trainer, lambda: self._requested_command() in ("run", "pause"), self._may_continue
        )

    def events(self, notes: tuple[str, ...]) -> Job[TrainEvent, TrainResult]:
        """Run up to the budget, to the end by the recipe's rule or to the user's stop."""
        trainer = self._trainer
        yield TrainStarted(
            step=trainer.counters.step,
            parameters=trainer.learner.model.parameter_count,
            tokens=trainer.counters.tokens,
            notes=notes,
        )
        try:
            return (yield from self._train())
        except TrialDivergedError as reason:
            return (yield from self._end_trial(str(reason)))

    def _train(self) -> Job[TrainEvent, TrainResult]:
        trainer = self._trainer
        may_train = yield from self._read_by_teachers()
        while may_train:
            if self._evaluation_is_due() and not (
                yield from self._evaluation.evaluate_validation()
            ):
                break
            if self._saving_is_due():
                yield trainer.save()
            if trainer.ended:
                result = yield from self._finish()
                if result is None:
                    break
                return result
            if not (yield from self._may_continue()):
                break
            yield from trainer.step()
        return (yield from self._end())

    def _read_by_teachers(self) -> Generator[TrainEvent, None, bool]:
        """Let the teachers read where it was not done before; return False if interrupted."""
        trainer = self._trainer
        with closing(trainer.soft_targets.read_missing(trainer.device)) as job:
            for done, pieces in job:
                yield TrainEvaluating(
                    step=trainer.counters.step,
                    split=READ_BY_TEACHERS,
                    given=trainer.recipe.data.conditions,
                    done=done,
                    pieces=pieces,
                )
                if not (yield from self._may_continue()):
                    return False
        return True

    def _evaluation_is_due(self) -> bool:
        counters, every = self._trainer.counters, self._trainer.recipe.training.evaluate_every
        return counters.evaluated != counters.step and (
            counters.step % every == 0 or self._trainer.ended
        )

    def _saving_is_due(self) -> bool:
        step, every = self._trainer.counters.step, self._trainer.recipe.training.checkpoint_every
        due = (step > 0 and step % every == 0) or self._trainer.ended
        return due and not self._trainer.is_saved

    def _requested_command(self) -> FolderCommand:
        answers = (self._folder_control.requested(), self._control.command())
        return max(answers, key=("run", "pause", "stop", "cancel").index)

    def _may_continue(self) -> Generator[TrainEvent, None, bool]:
        """Return whether to continue; waits while the user pauses."""
        step, requested = self._trainer.counters.step, self._requested_command()
        if requested == "pause":
            yield TrainPaused(step=step)
            requested = run_control.wait_while_paused(self._requested_command)
            if requested == "run":
                yield TrainResumed(step=step)
        return requested == "run"

    def _finish(self) -> Generator[TrainEvent, None, TrainResult | None]:
        """Write model, figures and result; return None if the user stopped the run meanwhile."""
        trainer = self._trainer
        written = TrainResult.of(trainer.folder)
        if written is not None:
            return written
        result = yield from finalize.finish(
            trainer, self._evaluation.evaluate_split, self._evaluation.calibrate
        )
        if result is not None:
            yield _finished(result)
        return result

    def _end_trial(self, reason: str) -> Generator[TrainEvent, None, TrainResult]:
        """Write the result of a trial that diverged."""
        trainer = self._trainer
        known = finalize.result(trainer, finished=True)
        result = dataclasses.replace(known, valid=None, stopped=reason)
        trainer.folder.write_result(result.to_json())
        yield _finished(result)
        return result

    def _end(self) -> Generator[TrainEvent, None, TrainResult]:
        """Save, unless the run was cancelled, and report the stop."""
        trainer, cancelled = self._trainer, self._requested_command() == "cancel"
        if not cancelled and not trainer.is_saved:
            yield trainer.save()
        yield TrainStopped(step=trainer.counters.step, saved=not cancelled)
        return finalize.result(trainer, finished=False)


def _finished(result: TrainResult) -> TrainFinished:
    return TrainFinished(
        step=result.step,
        tokens=result.tokens,
        seconds=result.seconds,
        valid=result.valid,
        test=result.test,
        stopped=result.stopped,
    )


def _save_report(trainer: Trainer) -> tuple[str, ...]:
    """Write the report on the data to the run's folder; return notes with its first lines."""
    report, path = trainer.data.report, trainer.folder.path / "data.txt"
    if not report:
        return ()
    trainer.folder.guarded_write(lambda: paths.write_text(path, report + "\n"))
    head, *changes = report.splitlines()
    more = len(changes) - _MAX_CHANGES
    left = (f"{more} more changes are in {path}",) if more > 0 else ()
    return (f"{head}; see {path}", *changes[:_MAX_CHANGES], *left)


def _check_same(now: Recipe, stored: Recipe, folder: str) -> None:
    if now.fingerprint != stored.fingerprint:
        raise UsageError(
            f"{folder} holds a run of recipe {stored.name!r} with other values than {now.name!r} "
            "has now: resume with its own recipe.toml, or choose another --out"
        )
