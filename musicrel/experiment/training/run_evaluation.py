"""Evaluations, samples and calibration within a training run."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from contextlib import closing
from typing import Final

from musicrel import legacy
from musicrel.errors import GenerationError, ModelError
from musicrel.experiment.objectives.evaluation import Evaluation
from musicrel.experiment.runs import memory
from musicrel.experiment.training import finalize
from musicrel.experiment.training.calibration import (
    CalibrationProgress,
    CalibrationRound,
    calibrate,
)
from musicrel.experiment.training.train_events import (
    TrainCalibrated,
    TrainCalibrating,
    TrainEvaluated,
    TrainEvaluating,
    TrainEvent,
    TrainSampled,
)
from musicrel.experiment.training.trainer import Trainer
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.events import Generated
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.model.families.transformer import Transformer
from musicrel.score import files
from musicrel.tokens.vocabulary import vocabulary

SAMPLE: Final = GenerationRequest(bars=8, seed=0, quality="draft")
"""The request of all samples during training."""


class RunEvaluation:
    """The evaluations of a run.

    Args:
        may_continue: returns False to interrupt the evaluation; called between two pieces.
    """

    def __init__(
        self,
        trainer: Trainer,
        may_continue: Callable[[], bool],
        wait: Callable[[], Generator[TrainEvent, None, bool]],
    ) -> None:
        self._trainer, self._may_continue, self._wait = trainer, may_continue, wait
        self._vocabulary = vocabulary(trainer.recipe.data.vocabulary)

    def evaluate_validation(self) -> Generator[TrainEvent, None, bool]:
        """Evaluate on validation and keep the best weights; return False if interrupted."""
        trainer = self._trainer
        counters = trainer.counters
        given = trainer.objective.condition_sets(trainer.learner.averaged.config)[0]
        evaluation = yield from self.evaluate_split(trainer.learner.averaged, "valid", given)
        if evaluation is None:
            return False
        valid = evaluation.nats_per_note
        beside = yield from self._evaluate_extra_splits(given)
        if beside is None:
            return False
        if not math.isfinite(valid):
            yield trainer.roll_back(f"the loss on validation is {valid}")
            return True
        trainer.note_validation(valid)
        if counters.best is None or valid < counters.best:
            counters.best, counters.best_step = valid, counters.step
            counters.best_sha256 = finalize.keep_best(trainer)
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
        return True

    def _evaluate_extra_splits(
        self, given: tuple[str, ...]
    ) -> Generator[TrainEvent, None, dict[str, float] | None]:
        """Evaluate the objective's extra splits; return None if interrupted."""
        objective, found = self._trainer.objective, {}
        for split in objective.extra_splits:
            evaluation = yield from self.evaluate_split(
                self._trainer.learner.averaged, split, given
            )
            if evaluation is None:
                return None
            found[split] = float(getattr(evaluation, objective.metric))
        return found

    def calibrate(self, model: Transformer) -> Generator[TrainEvent, None, bool]:
        """Calibrate the tables of ``model`` on its own samples; return False if interrupted."""
        trainer = self._trainer
        rounds, seed = trainer.recipe.training.calibration_rounds, trainer.recipe.training.seed
        if not rounds:
            return True
        loaded = LoadedModel.unsaved(model, finalize.card(trainer), self._vocabulary)
        done, last = self._restore_tables(model), None
        with closing(calibrate(loaded, trainer.data.pieces["train"], rounds, seed, done)) as job:
            for event in job:
                if isinstance(event, CalibrationRound) and model.counterpoint is not None:
                    trainer.folder.save_calibration(  # before it is reported
                        event.round, model.counterpoint.state_dict(), trainer.counters.best_sha256
                    )
                if event != last:
                    yield _to_event(event, trainer.counters.step, rounds)
                last = event
                if not (yield from self._wait()):
                    return False
        return True

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
    ) -> Generator[TrainEvent, None, Evaluation | None]:
        """Evaluate ``model`` on a split; return None if interrupted."""
        objective, done = self._trainer.objective, 0
        job = objective.evaluate(model, split, given)
        try:
            while self._may_continue():
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
            if not memory.is_out_of_memory(reason):
                raise
            raise ModelError(
                f"memory does not suffice to evaluate on {split}: free some and resume"
            ) from reason
        finally:
            job.close()
        return None

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
        """Generate the sample; None if interrupted, or if the model cannot generate one yet."""
        network, card = self._trainer.learner.averaged, finalize.card(self._trainer)
        job = generate(LoadedModel.unsaved(network, card, self._vocabulary), SAMPLE)
        try:
            while self._may_continue():
                next(job)
        except StopIteration as end:
            piece: Generated = end.value
            return piece
        except GenerationError:
            return None
        finally:
            job.close()
        return None


def _to_event(event: CalibrationProgress | CalibrationRound, step: int, rounds: int) -> TrainEvent:
    if isinstance(event, CalibrationRound):
        return TrainCalibrated(
            step=step, round=event.round, rounds=rounds, divergence=event.divergence
        )
    return TrainCalibrating(
        step=step, round=event.round, rounds=rounds, done=event.done, pieces=event.pieces
    )
