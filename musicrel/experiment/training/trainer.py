"""What a run carries from step to step, and how it survives what goes wrong in one.

A loss that explodes takes the run back to its last checkpoint, with half the rate. Memory that does
not suffice makes it read its batches in parts. Neither changes what a batch is.

This file knows one run's learner, data order and counters; it knows nothing of evaluations or of
when anything is due.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

import torch

from musicrel.errors import DataError, ModelError
from musicrel.experiment.data import dataset, position_limits
from musicrel.experiment.objectives import objectives
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs import environment, memory
from musicrel.experiment.runs.checkpoints import all_finite
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training import init_from
from musicrel.experiment.training.learner import DivergedError, Learner, StepLoss
from musicrel.experiment.training.schedule import rate
from musicrel.experiment.training.train_events import (
    TrainMemoryShort,
    TrainRolledBack,
    TrainSaved,
    TrainStep,
)

_MOST_ROLLBACKS: Final = 5
_SMOOTHING: Final = 0.9
_FARTHEST_RISE: Final = 3.0
"""Nats the smoothed loss may stand above its lowest value: no sound run has come near it."""
_WORST_BEYOND_GUESSING: Final = 5.0
"""A step may lose so many times what guessing blindly does, ln V."""


@dataclass(slots=True)
class Counters:
    """What changes from step to step, besides tensors; stored in every checkpoint.

    Attributes:
        step: steps made.
        tokens: real targets seen.
        seconds: spent learning.
        best: lowest loss on valid, nats/note.
        best_step: the step it was found after.
        best_sha256: of the weights that were kept then.
        evaluated: the step of the last evaluation.
        rate_factor: what the schedule's rate is multiplied with.
        rollbacks: how often the loss exploded.
        parts: how many parts a batch is read in, for want of memory.
        smooth: the loss, smoothed.
        lowest: the lowest that ``smooth`` was.
    """

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    best: float | None = None
    best_step: int = 0
    best_sha256: str = ""
    evaluated: int = 0
    rate_factor: float = 1.0
    rollbacks: int = 0
    parts: int = 1
    smooth: float | None = None
    lowest: float = math.inf


class Trainer:
    """The learner of a run with everything that decides its next step.

    Args:
        recipe: what to do.
        folder: where checkpoints go.
        device: where to learn.
        threads: of torch; told in the checkpoints.

    Raises:
        DataError: a split has no pieces.
        UsageError: the model's positions do not reach as far as what is read.
    """

    def __init__(
        self, recipe: Recipe, folder: RunFolder, device: torch.device, threads: int
    ) -> None:
        self.recipe, self.folder, self.device = recipe, folder, device
        self.data = dataset.load(recipe.data.source)
        dataset.check_splits(self.data)
        position_limits.check(recipe, self.data)
        self.objective = objectives.of(recipe, self.data)
        self.learner = self._new_learner()
        self.machine, self.commit = environment.machine(device, threads), environment.commit()
        self.counters = Counters()
        self._worst = _WORST_BEYOND_GUESSING * self.objective.guess
        self._saved: int | None = None
        self._sitting_tokens, self._sitting_seconds = 0, 0.0

    def _new_learner(self) -> Learner:
        begins = init_from.model(self.recipe, self.folder.path)
        return Learner(self.recipe, self.device, begins)

    @property
    def progress(self) -> float:
        """Share of the budget used; 1 or a little more at the end."""
        training, counters = self.recipe.training, self.counters
        if training.tokens:
            return counters.tokens / training.tokens
        if training.minutes:
            return counters.seconds / (60.0 * training.minutes)
        return counters.step / training.steps

    @property
    def is_saved(self) -> bool:
        """Whether the newest checkpoint is of this very step."""
        return self._saved == self.counters.step

    def step(self) -> Iterator[TrainStep | TrainMemoryShort | TrainRolledBack]:
        """Make a step; when the loss explodes, go back instead.

        Raises:
            ModelError: it explodes whatever the rate, or memory holds not even one sequence.
        """
        began, number = time.perf_counter(), self.counters.step
        batch = self.objective.at(number)
        now = self.counters.rate_factor * rate(self.recipe.training, number, self.progress)
        try:
            loss = yield from self._learned(batch, now)
            self._check_explosion(loss)
        except DivergedError as reason:
            yield self.roll_back(str(reason))
            return
        counters, tokens = self.counters, batch.tokens
        seconds = time.perf_counter() - began
        counters.step += 1
        counters.tokens += tokens
        counters.seconds += seconds
        self._sitting_tokens += tokens
        self._sitting_seconds += seconds
        yield TrainStep(
            step=counters.step,
            tokens=counters.tokens,
            progress=min(self.progress, 1.0),
            nats=loss.nats,
            gradient_norm=loss.gradient_norm,
            rate=now,
            tokens_per_second=self._sitting_tokens / self._sitting_seconds,
            seconds=counters.seconds,
            memory=memory.resident_bytes(),
        )

    def save(self) -> TrainSaved | TrainRolledBack:
        """Store a checkpoint; weights that are no numbers are never stored, the run goes back."""
        state = self.learner.state()
        if not all_finite(state):
            return self.roll_back(f"after step {self.counters.step} weights are no numbers")
        entry = {
            **asdict(self.counters),
            "machine": self.machine,
            "recipe": self.recipe.fingerprint,
            "data": self.data.sha256,
            "begun_with": self.learner.begun_with,
        }
        self.folder.save_checkpoint(self.counters.step, state, entry)
        self._saved = self.counters.step
        return TrainSaved(step=self.counters.step)

    def restore(self) -> tuple[str, ...]:
        """Go on from the newest checkpoint that is whole; what the user should know of it.

        Raises:
            DataError: the data have changed since.
        """
        entry = self._load_latest()
        self.folder.mend(self.counters.step)
        if not self.folder.events():
            return ()
        if entry is None:
            return ("no checkpoint was written yet: the run starts anew",)
        before = entry.get("machine")
        if before == self.machine:
            return ()
        change = f"the run was made with {before}, now it is {self.machine}: "
        return (change + "it goes on, but not to the same last bit",)

    def roll_back(self, reason: str) -> TrainRolledBack:
        """Go back to the last checkpoint, or to the start, with half the rate.

        Raises:
            ModelError: it was done too often already.
        """
        now = self.counters
        if now.rollbacks >= _MOST_ROLLBACKS:
            raise ModelError(
                f"the loss exploded again after the rate was halved {now.rollbacks} times "
                f"({reason}): lower the learning rate"
            )
        if self._load_latest() is None:
            self.learner, self.counters = self._new_learner(), Counters()
        back = self.counters
        back.rate_factor, back.rollbacks = now.rate_factor / 2, now.rollbacks + 1
        back.seconds, back.parts = now.seconds, now.parts
        self.save()  # a death must not forget the halved rate
        return TrainRolledBack(
            step=back.step,
            exploded=now.step,
            reason=reason,
            rate_factor=back.rate_factor,
            count=back.rollbacks,
        )

    def _learned(
        self, batch: dataset.Batch, now: float
    ) -> Generator[TrainMemoryShort, None, StepLoss]:
        """Learn from ``batch``, in as many parts as memory asks for; the loss."""
        while True:
            try:
                return self.learner.step(batch, self.counters.step, now, self._parts)
            except (RuntimeError, MemoryError) as reason:
                if not memory.is_exhausted(reason):
                    raise
            yield self._halved(len(batch.ids_BT))

    @property
    def _parts(self) -> int:
        """How many parts a step's sequences are read in, one after the other."""
        return self.counters.parts * self.recipe.training.accumulate

    def _halved(self, sequences: int) -> TrainMemoryShort:
        if self._parts >= sequences:
            raise ModelError(
                f"memory does not hold even one sequence of {self.recipe.data.window} tokens: "
                "lower window, width or layers in the recipe"
            )
        memory.release(self.device)
        most = -(-sequences // self.recipe.training.accumulate)
        self.counters.parts = min(2 * self.counters.parts, most)
        return TrainMemoryShort(step=self.counters.step, parts=self._parts)

    def _check_explosion(self, loss: StepLoss) -> None:
        counters = self.counters
        before = loss.nats if counters.smooth is None else counters.smooth
        counters.smooth = _SMOOTHING * before + (1 - _SMOOTHING) * loss.nats
        counters.lowest = min(counters.lowest, counters.smooth)
        if loss.nats > self._worst or counters.smooth > counters.lowest + _FARTHEST_RISE:
            raise DivergedError(
                f"the loss of step {counters.step} is {loss.nats:.3f} nats, after a lowest "
                f"smoothed loss of {counters.lowest:.3f}"
            )

    def _load_latest(self) -> dict[str, Any] | None:
        """Take learner and counters from the newest whole checkpoint; what else it says."""
        state = self.folder.latest_checkpoint()
        if state is None:
            return None
        tensors, entry = state
        if entry.get("data") != self.data.sha256:
            raise DataError(
                f"the data {self.recipe.data.source!r} are not those the run began with: put them "
                "back, or start anew in another folder"
            )
        if entry.get("begun_with", "") != self.learner.begun_with:
            raise DataError(
                f"the model {self.recipe.training.begins!r} is not the one the run began with: put "
                "that back, or start anew in another folder"
            )
        self.learner.load_state(tensors)
        known = {field.name for field in fields(Counters)}
        self.counters = Counters(**{name: entry[name] for name in known & set(entry)})
        self._saved = self.counters.step
        return entry
