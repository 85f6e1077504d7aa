"""One training run as a job: yields an event a step, writes its folder, returns its result.

This file knows the order of a run; a step is ``trainer``'s, files are ``run_folder``'s, the end is
``finishing``'s.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import torch

from musicrel import paths
from musicrel.errors import ModelError, UsageError
from musicrel.experiment import finishing, memory, recipe, samples
from musicrel.experiment.evaluation import Evaluation
from musicrel.experiment.recipe import Recipe
from musicrel.experiment.run_folder import RunFolder
from musicrel.experiment.train_events import (
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
from musicrel.experiment.trainer import Trainer
from musicrel.experiment.wishes import Answer, FolderControl
from musicrel.generation.events import Generated
from musicrel.jobs import Control, Job, KeepRunning
from musicrel.model import devices
from musicrel.model.transformer import Transformer
from musicrel.score import files
from musicrel.tokens.vocabulary import vocabulary

__all__ = [
    "TrainEvaluated", "TrainEvaluating", "TrainEvent", "TrainFinished", "TrainMemoryShort",
    "TrainPaused", "TrainResult", "TrainResumed", "TrainRolledBack", "TrainSampled", "TrainSaved",
    "TrainStarted", "TrainStep", "TrainStopped", "train",
]  # fmt: skip

_SECONDS_BETWEEN_LOOKS: Final = 0.2


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
            _check_same(recipe_, recipe.parse(run_folder.recipe_toml(), "recipe.toml"))
            locked.enter_context(run_folder.lock())
        trainer = Trainer(recipe_, run_folder, torch.device(device), threads)
        notes = trainer.restore() if resume else ()
        if not resume:  # only now, so that a recipe that cannot be followed leaves no folder behind
            run_folder.begin(recipe_.to_toml())
            locked.enter_context(run_folder.lock())
        notes += (*_reported(trainer), *trainer.learner.notes)
        result: TrainResult = yield from _recorded(
            _Run(trainer, control or KeepRunning(), heeded).events(notes), run_folder
        )
    return result


def _recorded(
    job: Job[TrainEvent, TrainResult], folder: RunFolder
) -> Generator[TrainEvent, None, TrainResult]:
    """The events of ``job``, each written down before it is told."""
    try:
        while True:
            try:
                event = next(job)
            except StopIteration as end:
                result: TrainResult = end.value
                return result
            folder.append_event(to_json(event))
            yield event
    finally:
        job.close()


class _Run:
    """The order of a run: what is due when, and what the user wants."""

    def __init__(self, trainer: Trainer, control: Control, heeded: FolderControl) -> None:
        self._trainer, self._control, self._heeded = trainer, control, heeded
        self._vocabulary = vocabulary(trainer.recipe.data.vocabulary)

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
            if self._evaluation_is_due() and not (yield from self._evaluate()):
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
            while (asked := self._asked()) == "pause":
                time.sleep(_SECONDS_BETWEEN_LOOKS)
            if asked == "run":
                yield TrainResumed(step=step)
        return asked == "run"

    def _evaluate(self) -> Generator[TrainEvent, None, bool]:
        """Evaluate on valid, keep the weights if they are the best; False: the end was asked."""
        trainer = self._trainer
        counters = trainer.counters
        told = trainer.objective.told(trainer.learner.averaged.config)[0]
        evaluation = yield from self._evaluation(trainer.learner.averaged, "valid", told)
        if evaluation is None:
            return False
        valid = evaluation.nats_per_note
        beside = yield from self._beside(told)
        if beside is None:
            return False
        if not math.isfinite(valid):
            yield trainer.roll_back(f"the loss on valid is {valid}")
            return True
        counters.evaluated = counters.step
        if counters.best is None or valid < counters.best:
            counters.best, counters.best_step = valid, counters.step
            counters.best_sha256 = finishing.keep_best(trainer)
        yield TrainEvaluated(
            step=counters.step,
            tokens=counters.tokens,
            valid=valid,
            best=counters.best,
            seconds=counters.seconds,
            beside=beside,
        )
        if trainer.recipe.training.samples:
            yield from self._sampled()
        return True

    def _beside(
        self, told: tuple[str, ...]
    ) -> Generator[TrainEvent, None, dict[str, float] | None]:
        """What is measured besides valid; None when the end was asked meanwhile."""
        objective, found = self._trainer.objective, {}
        for split in objective.beside:
            evaluation = yield from self._evaluation(self._trainer.learner.averaged, split, told)
            if evaluation is None:
                return None
            found[split] = float(getattr(evaluation, objective.figure))
        return found

    def _evaluation(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Generator[TrainEvent, None, Evaluation | None]:
        """The losses of a split; None when the end was asked meanwhile."""
        objective, done = self._trainer.objective, 0
        job = objective.evaluate(model, split, given)
        try:
            while self._asked() in ("run", "pause"):
                try:
                    next(job)
                except StopIteration as end:
                    evaluation: Evaluation = end.value
                    return evaluation
                done += 1
                yield TrainEvaluating(
                    step=self._trainer.counters.step,
                    split=split,
                    given=given,
                    done=done,
                    pieces=objective.count(split),
                )
        except (RuntimeError, MemoryError) as reason:
            if not memory.is_exhausted(reason):
                raise
            raise ModelError(
                f"memory does not suffice to evaluate on {split}: free some and resume"
            ) from reason
        finally:
            job.close()
        return None

    def _sampled(self) -> Generator[TrainEvent]:
        trainer = self._trainer
        piece: Generated | None = samples.written(
            trainer.learner.averaged,
            finishing.card(trainer),
            self._vocabulary,
            lambda: self._asked() in ("run", "pause"),
        )
        if piece is None:
            return
        path = trainer.folder.sample(trainer.counters.step)
        chorale = piece.chorale
        trainer.folder.writing(lambda: files.write(chorale, path))
        yield TrainSampled(
            step=trainer.counters.step,
            file=f"{path.parent.name}/{path.name}",
            nats_per_note=piece.nats_per_note,
        )

    def _finish(self) -> Generator[TrainEvent, None, TrainResult | None]:
        """Write model, figures and result; None when the end was asked before."""
        trainer = self._trainer
        written = trainer.folder.result()
        if written is not None:
            return TrainResult.from_json(written)
        result = yield from finishing.finish(trainer, self._evaluation)
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
        return finishing.result(trainer, finished=False)


def _reported(trainer: Trainer) -> tuple[str, ...]:
    """Keep what is to be said of the data in the run's folder; its first line."""
    report, path = trainer.data.report, trainer.folder.path / "data.txt"
    if not report:
        return ()
    trainer.folder.writing(lambda: paths.write_text(path, report + "\n"))
    return (f"{report.splitlines()[0]}; {path} tells of each",)


def _check_same(now: Recipe, then: Recipe) -> None:
    if now.fingerprint != then.fingerprint:
        raise UsageError(
            f"the folder holds a run of recipe {then.name!r} with other values than "
            f"{now.name!r} has now: resume it with its own recipe.toml, or choose another --out"
        )
