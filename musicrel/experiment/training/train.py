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
from musicrel.experiment.runs.events import (
    READ_BY_TEACHERS,
    TrainEvaluating,
    TrainEvent,
    TrainFinished,
    TrainResult,
    TrainStarted,
    TrainStopped,
)
from musicrel.experiment.runs.run_control import RunControl
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training import needed_models, run_evaluation
from musicrel.experiment.training.run_evaluation import RunEvaluation, StopRequestedError
from musicrel.experiment.training.trainer import Trainer, TrialDivergedError
from musicrel.jobs import Control, Job, keep_running
from musicrel.model import devices
from musicrel.model.networks import build

_MAX_CHANGES = 10


def train(
    recipe_: Recipe,
    folder: Path,
    *,
    resume: bool = False,
    device: torch.device | str = "cpu",
    threads: int = 1,
    control: Control = keep_running,
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
        earlier = needed_models.recipes(recipe_)
        if earlier:
            if not resume:
                for each in (recipe_, *earlier.values()):  # before a folder is made
                    dataset.check_splits(dataset.load(each.data.source))
                run_folder.create(recipe_.to_toml())
                locked.enter_context(run_folder.lock())
            controls = run_control.combined(folder_control.command, control)
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
        job = _Run(trainer, control, folder_control).events(notes)
        return (yield from jobs.map_events(job, lambda event: _record(event, run_folder)))


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
    how = "initialised" if name == needed_models.BASE else "distilled"
    note = f"{how} from {earlier.name}, which is trained first in {folder}"
    parameters = build(recipe_.config()).parameter_count
    yield _record(TrainStarted(step=0, parameters=parameters, tokens=0, notes=(note,)), run_folder)
    result = yield from train(earlier, folder, resume=exists, **options)
    if result.finished:
        return None
    yield _record(TrainStopped(step=0, saved=True), run_folder)
    return result


def _record(event: TrainEvent, folder: RunFolder) -> TrainEvent:
    folder.append_event(event)
    return event


class _Run(RunEvaluation):
    """The order of a run: steps, evaluations, checkpoints and the user's requests."""

    def events(self, notes: tuple[str, ...]) -> Job[TrainEvent, TrainResult]:
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
        except StopRequestedError:
            return (yield from self._end())

    def _train(self) -> Job[TrainEvent, TrainResult]:
        trainer = self._trainer
        yield from self._read_by_teachers()
        while True:
            step, training = trainer.counters.step, trainer.recipe.training
            due = step % training.evaluate_every == 0 or trainer.ended
            if due and trainer.counters.evaluated != step:
                yield from self.evaluate_validation()
            step = trainer.counters.step  # an evaluation may roll back
            due = (step > 0 and step % training.checkpoint_every == 0) or trainer.ended
            if due and not trainer.is_saved:
                yield trainer.save()
            if trainer.ended:
                return (yield from self._finish())
            yield from self._wait()
            yield from trainer.step()

    def _read_by_teachers(self) -> Generator[TrainEvent]:
        """Let the teachers read where it was not done before."""
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
                yield from self._wait()

    def _finish(self) -> Generator[TrainEvent, None, TrainResult]:
        written = self._trainer.folder.result()
        if written is not None:
            return written
        result = yield from self.finish()
        yield _finished(result)
        return result

    def _end_trial(self, reason: str) -> Generator[TrainEvent, None, TrainResult]:
        trainer = self._trainer
        known = run_evaluation.result(trainer, finished=True)
        result = dataclasses.replace(known, valid=None, stopped=reason)
        trainer.folder.write_result(result)
        yield _finished(result)
        return result

    def _end(self) -> Generator[TrainEvent, None, TrainResult]:
        """Save, unless the run was cancelled, and report the stop."""
        trainer, cancelled = self._trainer, self._requested_command() == "cancel"
        if not cancelled and not trainer.is_saved:
            yield trainer.save()
        yield TrainStopped(step=trainer.counters.step, saved=not cancelled)
        return run_evaluation.result(trainer, finished=False)


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
