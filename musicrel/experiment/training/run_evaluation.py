"""What a run measures on its way, and the small piece it may write then.

This file knows one run's evaluations; it knows nothing of when they are due.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from contextlib import closing

from musicrel.errors import ModelError
from musicrel.experiment.objectives.evaluation import Evaluation
from musicrel.experiment.runs import memory
from musicrel.experiment.training import finalize, samples
from musicrel.experiment.training.calibration import Weighed, Writing, weigh
from musicrel.experiment.training.train_events import (
    TrainEvaluated,
    TrainEvaluating,
    TrainEvent,
    TrainSampled,
    TrainWeighed,
    TrainWriting,
)
from musicrel.experiment.training.trainer import Trainer
from musicrel.generation.events import Generated
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.families.transformer import Transformer
from musicrel.score import files
from musicrel.tokens.vocabulary import vocabulary


class Measuring:
    """The evaluations of a run.

    Args:
        trainer: of the run.
        goes_on: whether they are still wanted; asked between two pieces.
        hold: the same, waiting while the user pauses.
    """

    def __init__(
        self,
        trainer: Trainer,
        goes_on: Callable[[], bool],
        hold: Callable[[], Generator[TrainEvent, None, bool]],
    ) -> None:
        self._trainer, self._goes_on, self._hold = trainer, goes_on, hold
        self._vocabulary = vocabulary(trainer.recipe.data.vocabulary)

    def on_valid(self) -> Generator[TrainEvent, None, bool]:
        """Evaluate on valid, keep the weights if they are the best; False: the end was asked."""
        trainer = self._trainer
        counters = trainer.counters
        told = trainer.objective.told(trainer.learner.averaged.config)[0]
        evaluation = yield from self.of(trainer.learner.averaged, "valid", told)
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
            yield from self._sampled()
        return True

    def _beside(
        self, told: tuple[str, ...]
    ) -> Generator[TrainEvent, None, dict[str, float] | None]:
        """What is measured besides valid; None when the end was asked meanwhile."""
        objective, found = self._trainer.objective, {}
        for split in objective.beside:
            evaluation = yield from self.of(self._trainer.learner.averaged, split, told)
            if evaluation is None:
                return None
            found[split] = float(getattr(evaluation, objective.figure))
        return found

    def weighed(self, model: Transformer) -> Generator[TrainEvent, None, bool]:
        """Weigh the tables of ``model`` by what it writes; False: the end was asked meanwhile."""
        trainer = self._trainer
        rounds, seed = trainer.recipe.training.weighed, trainer.recipe.training.seed
        if not rounds:
            return True
        loaded = LoadedModel.unsaved(model, finalize.card(trainer), self._vocabulary)
        done, last = self._take_up(model), None
        with closing(weigh(loaded, trainer.data.pieces["train"], rounds, seed, done)) as job:
            for told in job:
                if isinstance(told, Weighed):  # kept first: a round told of is never made again
                    self._keep(model, told.round)
                if told != last:
                    yield _of_round(told, trainer.counters.step, rounds)
                last = told
                if not (yield from self._hold()):
                    return False
        return True

    def _keep(self, model: Transformer, number: int) -> None:
        """Store the tables as a round left them: a run that is taken up goes on from there."""
        trainer, tables = self._trainer, model.counterpoint
        if tables is not None:
            trainer.folder.save_round(number, tables.state_dict(), trainer.counters.best_sha256)

    def _take_up(self, model: Transformer) -> int:
        """Give ``model`` the tables of the last round that is done; its number, 0 for none."""
        trainer, tables = self._trainer, model.counterpoint
        kept, number = trainer.folder.latest_round(trainer.counters.best_sha256)
        if tables is not None and number:
            tables.load_state_dict(kept)
        return number

    def of(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Generator[TrainEvent, None, Evaluation | None]:
        """The losses of a split; None when the end was asked meanwhile."""
        objective, done = self._trainer.objective, 0
        job = objective.evaluate(model, split, given)
        try:
            while self._goes_on():
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
            finalize.card(trainer),
            self._vocabulary,
            self._goes_on,
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


def _of_round(told: Writing | Weighed, step: int, rounds: int) -> TrainEvent:
    """What ``weigh`` tells as an event of the run."""
    if isinstance(told, Weighed):
        return TrainWeighed(step=step, round=told.round, rounds=rounds, astray=told.astray)
    return TrainWriting(
        step=step, round=told.round, rounds=rounds, done=told.done, pieces=told.pieces
    )
