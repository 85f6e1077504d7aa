"""Evaluations, samples and calibration of a training run, and its end: model card and result."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Generator
from contextlib import closing
from typing import Any, Final

from musicrel import jobs, legacy
from musicrel.corpus.splits import Split
from musicrel.errors import GenerationError, ModelError
from musicrel.experiment.objectives.evaluation import Evaluation
from musicrel.experiment.runs import environment, events, run_control
from musicrel.experiment.runs.events import (
    TrainCalibrated,
    TrainEvaluated,
    TrainEvaluating,
    TrainEvent,
    TrainPaused,
    TrainResult,
    TrainResumed,
    TrainSampled,
)
from musicrel.experiment.runs.run_control import FolderCommand, RunControl
from musicrel.experiment.training.calibration import calibrate
from musicrel.experiment.training.trainer import Trainer
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.events import Generated
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Control
from musicrel.model import checkpoint
from musicrel.model.card import WEIGHTS, Card
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.learned import BeyondTableError
from musicrel.score import files
from musicrel.tokens.vocabulary import vocabulary

SAMPLE: Final = GenerationRequest(bars=8, seed=0, quality="draft")


_MEASURED: Final[tuple[Split, ...]] = ("valid", "test")
_LATE: Final = 0.75

REFUSED: Final = "refused"
"""Value in place of the figure of a length that the model does not accept."""


class StopRequestedError(Exception):
    """The user stops the run."""


class RunEvaluation:
    """The evaluations of a run and its end, interrupted when the user stops it."""

    def __init__(self, trainer: Trainer, control: Control, folder_control: RunControl) -> None:
        self._trainer, self._control, self._folder_control = trainer, control, folder_control
        self._vocabulary = vocabulary(trainer.recipe.data.vocabulary)

    def _requested_command(self) -> FolderCommand:
        answers = (self._folder_control.requested(), self._control())
        return max(answers, key=("run", "pause", "stop", "cancel").index)

    def _check(self) -> None:
        if self._requested_command() not in ("run", "pause"):
            raise StopRequestedError

    def _wait(self) -> Generator[TrainEvent]:
        step, requested = self._trainer.counters.step, self._requested_command()
        if requested == "pause":
            yield TrainPaused(step=step)
            requested = run_control.wait_while_paused(self._requested_command)
            if requested == "run":
                yield TrainResumed(step=step)
        if requested != "run":
            raise StopRequestedError

    def evaluate_validation(self) -> Generator[TrainEvent]:
        trainer = self._trainer
        counters = trainer.counters
        given = trainer.objective.condition_sets(trainer.learner.averaged.config)[0]
        evaluation = yield from self.evaluate_split(trainer.learner.averaged, "valid", given)
        valid = evaluation.nats_per_note
        objective, beside = trainer.objective, {}
        for split in objective.extra_splits:
            found = yield from self.evaluate_split(trainer.learner.averaged, split, given)
            beside[split] = float(getattr(found, objective.metric))
        if not math.isfinite(valid):
            yield trainer.roll_back(f"the loss on validation is {valid}")
            return
        trainer.note_validation(valid)
        if counters.best is None or valid < counters.best:
            counters.best, counters.best_step = valid, counters.step
            counters.best_sha256 = keep_best(trainer)
        yield TrainEvaluated(
            step=counters.step,
            tokens=counters.tokens,
            valid=valid,
            best=counters.best,
            seconds=counters.seconds,
            beside=beside,
        )
        if trainer.recipe.training.samples:
            yield from self._write_sample()

    def _calibrate(self, model: Transformer) -> Generator[TrainEvent]:
        """Calibrate the tables of ``model`` on its own samples, if the recipe asks for it."""
        trainer = self._trainer
        training = trainer.recipe.training
        if not training.calibration_rounds:
            return
        loaded = LoadedModel.unsaved(model, card(trainer), self._vocabulary)
        done, last = self._restore_tables(model), None
        pieces, step = trainer.data.pieces["train"], trainer.counters.step
        with closing(calibrate(loaded, pieces, training, done, step)) as job:
            for event in job:
                if isinstance(event, TrainCalibrated) and model.counterpoint is not None:
                    trainer.folder.save_calibration(  # before it is reported
                        event.round, model.counterpoint.state_dict(), trainer.counters.best_sha256
                    )
                if event != last:
                    yield event
                last = event
                yield from self._wait()

    def _restore_tables(self, model: Transformer) -> int:
        """Load the tables of the last stored round; return its number, 0 for none."""
        trainer, tables = self._trainer, model.counterpoint
        kept, number = trainer.folder.latest_calibration(trainer.counters.best_sha256)
        if tables is not None and number:
            try:
                tables.load_state_dict({legacy.tensor_name(name): t for name, t in kept.items()})
            except RuntimeError as reason:
                raise ModelError(
                    f"the tables of round {number} are of another model: {reason}"
                ) from reason
        return number

    def evaluate_split(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Generator[TrainEvent, None, Evaluation]:
        objective, step, done = self._trainer.objective, self._trainer.counters.step, 0
        try:
            with closing(objective.evaluate(model, split, given)) as job:
                while True:
                    self._check()
                    try:
                        next(job)
                    except StopIteration as end:
                        evaluation: Evaluation = end.value
                        return evaluation
                    done += 1
                    yield TrainEvaluating(
                        step=step, split=split, given=given, done=done,
                        pieces=objective.count(split),
                    )  # fmt: skip
        except (RuntimeError, MemoryError) as reason:
            if not environment.is_out_of_memory(reason):
                raise
            raise ModelError(
                f"memory does not suffice to evaluate on {split}: free some and resume"
            ) from reason

    def _write_sample(self) -> Generator[TrainEvent]:
        trainer = self._trainer
        piece = self._generate_sample()
        if piece is None:
            return
        path = trainer.folder.path / "samples" / f"step-{trainer.counters.step}.json"
        trainer.folder.guarded_write(lambda: files.write(piece.chorale, path))
        yield TrainSampled(
            step=trainer.counters.step,
            file=f"{path.parent.name}/{path.name}",
            nats_per_note=piece.nats_per_note,
        )

    def _generate_sample(self) -> Generated | None:
        loaded = LoadedModel.unsaved(
            self._trainer.learner.averaged, card(self._trainer), self._vocabulary
        )
        try:
            return jobs.run(generate(loaded, SAMPLE), lambda _: self._check())
        except GenerationError:
            return None

    def finish(self) -> Generator[TrainEvent, None, TrainResult]:
        """Calibrate and evaluate the best weights, write model and result.

        Test is used here and nowhere else, and not for a trial.
        """
        trainer, best = self._trainer, _best(self._trainer)
        yield from self._calibrate(best)
        condition_sets = trainer.objective.condition_sets(best.config)
        figures: dict[tuple[str, ...], dict[str, Evaluation]] = {}
        for given in condition_sets:
            for split in _MEASURED[:1] if trainer.recipe.training.trial else _MEASURED:
                evaluation = yield from self.evaluate_split(best, split, given)
                figures.setdefault(given, {})[split] = evaluation
        further = yield from self._further(best)
        primary = figures[condition_sets[0]]
        _write_model(trainer, best, figures, further)
        test = primary.get("test")
        ended = dataclasses.replace(
            result(trainer, finished=True),
            valid=primary["valid"].nats_per_note,
            test=None if test is None else test.nats_per_note,
            test_pieces=() if test is None else test.pieces,
            further=further,
            stopped=trainer.stopped,
        )
        trainer.folder.write_result(ended)
        return ended

    def _further(self, best: Transformer) -> Generator[TrainEvent, None, dict[str, float | str]]:
        """Evaluate the objective's final splits; lengths the model does not accept are ``REFUSED``.

        A trial has none.
        """
        objective, found = self._trainer.objective, dict[str, float | str]()
        given = objective.condition_sets(best.config)[0]
        for split in () if self._trainer.recipe.training.trial else objective.final_splits:
            try:
                evaluation = yield from self.evaluate_split(best, split, given)
                found[split] = getattr(evaluation, objective.metric)
            except BeyondTableError:
                found[split] = REFUSED
        return found


def result(trainer: Trainer, *, finished: bool) -> TrainResult:
    counters = trainer.counters
    return TrainResult(
        finished=finished,
        step=counters.step,
        tokens=counters.tokens,
        seconds=counters.seconds,
        valid=counters.best,
        test=None,
        parameters=trainer.learner.model.parameter_count,
        peak_bytes=environment.peak_bytes(trainer.device),
        rollbacks=counters.rollbacks,
    )


def keep_best(trainer: Trainer) -> str:
    """Store the averaged weights as the best so far; return the sha256 of the file."""
    folder = trainer.folder
    weights, known = trainer.learner.averaged, card(trainer)
    folder.guarded_write(lambda: checkpoint.save(folder.best, weights, known))
    return hashlib.sha256((folder.best / WEIGHTS).read_bytes()).hexdigest()


def card(trainer: Trainer, **more: Any) -> Card:
    """Return the model card of the current weights; ``more`` fields override."""
    counters, recipe = trainer.counters, trainer.recipe
    pieces = trainer.data.sizes
    training = {
        "step": counters.step,
        "tokens": counters.tokens,
        "seconds": round(counters.seconds, 1),
        "machine": trainer.machine,
    }
    if trainer.learner.init_sha256:
        training["begun_with_sha256"] = trainer.learner.init_sha256
    if trainer.soft_targets.sha256:
        training["teachers_sha256"] = list(trainer.soft_targets.sha256)
    fields: dict[str, Any] = {
        "name": recipe.name,
        "config": trainer.learner.model.config,
        "vocabulary": trainer.objective.vocabulary,
        "parameters": trainer.learner.model.parameter_count,
        "data": {"name": trainer.data.name, "sha256": trainer.data.sha256, "pieces": pieces},
        "recipe": recipe.to_tables(),
        "training": training,
        "valid_nats_per_note": counters.best,
        "commit": trainer.commit,
    }
    return Card(**fields | more)


def _best(trainer: Trainer) -> Transformer:
    """Load the best weights and check that they are those that were kept."""
    loaded = checkpoint.load(trainer.folder.best, str(trainer.device))
    if loaded.sha256 != trainer.counters.best_sha256:
        raise ModelError(
            f"{trainer.folder.best} does not hold the weights that were stored there: "
            "start the run again in another folder"
        )
    return loaded.network


def _write_model(
    trainer: Trainer,
    best: Transformer,
    figures: dict[tuple[str, ...], dict[str, Evaluation]],
    further: dict[str, float | str],
) -> None:
    known, trial = card(trainer), trainer.recipe.training.trial
    further_figures = {trainer.objective.metric: further} if further else {}
    losses: dict[str, Any] = {
        "+".join(given): {split: found.nats_per_note for split, found in of_splits.items()}
        for given, of_splits in figures.items()
    }
    full = dataclasses.replace(
        known,
        figures={} if trial else losses | further_figures,
        valid_nats_per_note=next(iter(losses.values()))["valid"],
        test_nats_per_note=next(iter(losses.values())).get("test"),
        training={
            **known.training,
            "best_step": trainer.counters.best_step,
            **_final_slope(trainer),
        },
    )
    trainer.folder.guarded_write(lambda: checkpoint.save(trainer.folder.model, best, full))


def _final_slope(trainer: Trainer) -> dict[str, float]:
    """Return the slope of the validation loss over the last quarter.

    Its unit is nats/note per million tokens; the dictionary is empty for a single point.
    """
    points = [
        (event.tokens / 1e6, event.valid)
        for event in map(events.read, trainer.folder.events())
        if isinstance(event, TrainEvaluated)
    ]
    late = [point for point in points if point[0] >= _LATE * points[-1][0]] if points else []
    if len(late) < 2 or late[-1][0] == late[0][0]:  # noqa: PLR2004  # a slope has two ends
        return {}
    slope = (late[-1][1] - late[0][1]) / (late[-1][0] - late[0][0])
    return {"final_slope_nats_per_million_tokens": round(slope, 5)}
