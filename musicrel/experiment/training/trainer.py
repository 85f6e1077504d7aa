"""State of a run between steps, and recovery from failures within one.

If the loss diverges, the run is rolled back to its last checkpoint with half the learning rate. If
memory does not suffice, batches are split into micro-batches. Neither changes the content of a
batch.

If steps are captured (see ``learner``), a thread makes the next batches, and the loss of a step
is read when a few more have begun: the device never waits for the host. No step is left unread
where something else is due, so the events are the same and in the same order.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import msgspec
import torch

from musicrel.errors import DataError, ModelError
from musicrel.experiment.data import dataset
from musicrel.experiment.objectives import objectives
from musicrel.experiment.recipe.recipe import Recipe, TrainingPart
from musicrel.experiment.runs import environment
from musicrel.experiment.runs.events import (
    TrainMemoryShort,
    TrainNoted,
    TrainRolledBack,
    TrainSaved,
    TrainStep,
)
from musicrel.experiment.runs.run_folder import RunFolder, all_finite
from musicrel.experiment.training import needed_models
from musicrel.experiment.training.learner import DivergedError, Learner, StepInputs, StepLoss
from musicrel.experiment.training.needed_models import BASE, SoftTargets

StepEvent: TypeAlias = TrainStep | TrainMemoryShort | TrainNoted | TrainRolledBack
_UNREAD: Final = 2
"""Steps that are begun before the loss of the one before them is read."""
_AHEAD: Final = 3
"""Batches that are made before they are needed."""
_NOT_CAPTURED: Final = (
    "the training steps are run operation by operation, which takes longer, because CUDA cannot "
    "record them as a whole: {}"
)
_MAX_ROLLBACKS: Final = 5
_SMOOTHING: Final = 0.9
_MAX_RISE: Final = 3.0
"""Nats of the smoothed loss above its lowest value that count as divergence."""
_WORST_BEYOND_GUESSING: Final = 5.0
"""Multiple of the loss of a uniform prediction that counts as divergence."""


_Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


@dataclass(slots=True)
class Counters:
    """Values other than tensors that change from step to step; stored in every checkpoint."""

    step: _Count = 0
    tokens: _Count = 0  # real targets trained on
    seconds: float = 0.0  # time spent training
    best: float | None = None  # lowest loss on validation, nats/note
    best_step: _Count = 0
    best_sha256: str = ""  # SHA-256 of these weights
    evaluated: _Count = 0  # step of the last evaluation
    # loss at the last evaluation that counted as an improvement, see ``stop_gain``
    improved: float | None = None
    stale: _Count = 0  # evaluations since then
    rate_factor: float = 1.0
    rollbacks: _Count = 0
    parts: int = 1  # micro-batches per batch, raised when memory is short
    smooth: float | None = None
    lowest: float = math.inf  # lowest value of ``smooth``


@dataclass(frozen=True, slots=True)
class _Begun:
    """A step that has begun."""

    number: int
    targets: int
    tokens: int  # all targets so far, those of this step included
    rate: float
    time: float
    loss: Callable[[], StepLoss]  # waits for it


class _Ahead:
    """Inputs of steps, those of the next steps made by a thread."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "batches")
        self._made: dict[int, Future[StepInputs]] = {}

    def at(self, step: int, make: Callable[[int], StepInputs]) -> StepInputs:
        self._made = {
            number: self._made.get(number) or self._thread.submit(make, number)
            for number in range(step, step + 1 + _AHEAD)
        }
        return self._made[step].result()


class TrialDivergedError(Exception):
    """The loss of a trial diverged, which is its result."""


class Trainer:
    """The learner of a run with all that determines its next step."""

    def __init__(
        self, recipe: Recipe, folder: RunFolder, device: torch.device, threads: int
    ) -> None:
        self.recipe, self.folder, self.device = recipe, folder, device
        self.data = dataset.load(recipe.data.source)
        dataset.check_splits(self.data)
        dataset.check_positions(recipe, self.data)
        self.objective = objectives.for_recipe(recipe, self.data)
        self.soft_targets = SoftTargets(recipe, self.data, folder.path)
        self.learner = self._new_learner()
        self.machine, self.commit = environment.machine(device, threads), environment.commit()
        self.counters = Counters()
        self._worst = _WORST_BEYOND_GUESSING * self.objective.uniform_nats
        self._saved: int | None = None
        self._sitting_tokens, self._sitting_seconds = 0, 0.0
        self._begun: deque[_Begun] = deque()
        self._read_at = 0.0  # when the last loss was read
        self._ahead, self._noted = _Ahead(), ""

    @property
    def init_folder(self) -> Path | None:
        """Return the folder of the model that the run is initialised from; None: there is none."""
        if not self.recipe.training.init_from:
            return None
        return needed_models.model_folder(self.recipe, self.folder.path, BASE)

    def _new_learner(self) -> Learner:
        return Learner(self.recipe, self.device, self.init_folder)

    @property
    def progress(self) -> float:
        """Return the share of the budget used; slightly above 1 at the end of some runs."""
        return self._progress(self.counters.step, self.counters.tokens)

    def _progress(self, step: int, tokens: int) -> float:
        training = self.recipe.training
        if training.tokens:
            return tokens / training.tokens
        if training.minutes:
            return self.counters.seconds / (60.0 * training.minutes)
        return step / training.steps

    @property
    def stopped(self) -> str:
        """Return why the run ends before its budget by the recipe's rule; "" if it goes on."""
        training, counters = self.recipe.training, self.counters
        if not training.stop_after or counters.stale < training.stop_after or self.progress >= 1.0:
            return ""
        gain = f" of {training.stop_gain:g} nats" if training.stop_gain else ""
        times = f"{training.stop_after} evaluation{'s' if training.stop_after > 1 else ''}"
        return (
            f"no improvement{gain} on validation in {times}, at step {counters.step:,} after "
            f"{100 * self.progress:.0f} % of the budget"
        )

    @property
    def ended(self) -> bool:
        """Return whether the budget is used up, or the run ends before by the rule."""
        return self.progress >= 1.0 or bool(self.stopped)

    @property
    def is_due(self) -> bool:
        """Return whether an evaluation or a checkpoint follows, or the end."""
        training, step = self.recipe.training, self.counters.step
        every = training.evaluate_every, training.checkpoint_every
        return self.ended or any(step % steps == 0 for steps in every)

    @property
    def is_saved(self) -> bool:
        return self._saved == self.counters.step

    def note_validation(self, valid: float) -> None:
        counters = self.counters
        counters.evaluated = counters.step
        gain = math.inf if counters.improved is None else counters.improved - valid
        if gain > 0 and gain >= self.recipe.training.stop_gain:
            counters.improved, counters.stale = valid, 0
        else:
            counters.stale += 1

    def step(self) -> Generator[StepEvent]:
        """Begin a step; yield the events of those whose losses are read."""
        began, number = time.perf_counter(), self.counters.step
        is_captured = self.learner.is_captured
        inputs = self._ahead.at(number, self._inputs) if is_captured else self._inputs(number)
        now = self.counters.rate_factor * learning_rate(self.recipe.training, number, self.progress)
        try:
            loss = yield from self._learn(inputs, now)
        except DivergedError as reason:
            yield self.roll_back(str(reason))
            return
        if loss is None:  # an earlier step has diverged
            return
        counters, targets = self.counters, inputs.batch.tokens
        counters.step += 1
        counters.tokens += targets
        self._begun.append(_Begun(number, targets, counters.tokens, now, began, loss))
        yield from self.read(_UNREAD if self.learner.is_captured else 0)
        if self.learner.failure not in ("", self._noted):
            self._noted = self.learner.failure
            yield TrainNoted(step=counters.step, note=_NOT_CAPTURED.format(self._noted))

    def read(self, unread: int = 0) -> Generator[StepEvent]:
        """Read the losses of the steps that have begun, of all but the last ``unread``."""
        while len(self._begun) > unread:
            begun = self._begun.popleft()
            try:
                loss = begun.loss()
                self._check_explosion(loss, begun.number)
            except DivergedError as reason:
                self.counters.step = begun.number
                self.counters.tokens = begun.tokens - begun.targets
                yield self.roll_back(str(reason))
            else:
                yield self._event(begun, loss)

    def _event(self, begun: _Begun, loss: StepLoss) -> TrainStep:
        counters, now = self.counters, time.perf_counter()
        seconds = now - max(begun.time, self._read_at)
        self._read_at = now
        counters.seconds += seconds
        self._sitting_tokens += begun.targets
        self._sitting_seconds += seconds
        return TrainStep(
            step=begun.number + 1,
            tokens=begun.tokens,
            progress=min(self._progress(begun.number + 1, begun.tokens), 1.0),
            nats=loss.nats,
            gradient_norm=loss.gradient_norm,
            rate=begun.rate,
            tokens_per_second=self._sitting_tokens / self._sitting_seconds,
            seconds=counters.seconds,
            memory=environment.resident_bytes(),
        )

    def _inputs(self, number: int) -> StepInputs:
        batch = self.objective.at(number)
        return self.learner.prepare(batch, number, self.soft_targets.at(number, batch))

    def save(self) -> TrainSaved | TrainRolledBack:
        """Store a checkpoint; roll back instead if weights are not finite."""
        state = self.learner.state()
        if not all_finite(state):
            return self.roll_back(f"after step {self.counters.step} weights are not finite")
        entry = {
            **asdict(self.counters),
            "machine": self.machine,
            "recipe": self.recipe.fingerprint,
            "data": self.data.sha256,
            "begun_with": self.learner.init_sha256,
            "teachers": list(self.soft_targets.sha256),
        }
        self.folder.save_checkpoint(self.counters.step, state, entry)
        self._saved = self.counters.step
        return TrainSaved(step=self.counters.step)

    def restore(self) -> tuple[str, ...]:
        """Load the newest complete checkpoint; return notes for the user."""
        entry = self._load_latest()
        self.folder.repair(self.counters.step)
        if not self.folder.events():
            return ()
        if entry is None:
            return ("no checkpoint was written yet: the run starts from the beginning",)
        before = entry.get("machine")
        if before == self.machine:
            return ()
        change = f"the run was made with {before}, now it is {self.machine}: "
        return (change + "it continues, but not bit-exactly",)

    def roll_back(self, reason: str) -> TrainRolledBack:
        """Return to the last checkpoint, or to the start, with half the learning rate."""
        now = self.counters
        self._begun.clear()
        if self.recipe.training.trial:
            raise TrialDivergedError(f"diverged: {reason}")
        if now.rollbacks >= _MAX_ROLLBACKS:
            raise ModelError(
                f"the loss diverged again after the rate was halved {now.rollbacks} times "
                f"({reason}): lower the learning rate"
            )
        if self._load_latest() is None:
            self.learner, self.counters = self._new_learner(), Counters()
        back = self.counters
        back.rate_factor, back.rollbacks = now.rate_factor / 2, now.rollbacks + 1
        back.seconds, back.parts = now.seconds, now.parts
        self.save()  # keeps the halved rate if the process dies
        return TrainRolledBack(
            step=back.step,
            exploded=now.step,
            reason=reason,
            rate_factor=back.rate_factor,
            count=back.rollbacks,
        )

    def _learn(
        self, inputs: StepInputs, now: float
    ) -> Generator[StepEvent, None, Callable[[], StepLoss] | None]:
        """Begin to train on a batch, in as many micro-batches as memory requires.

        Return what waits for the loss; None if an earlier step turns out to have diverged.
        """
        number = self.counters.step
        while True:
            try:
                return self.learner.start(inputs, number, now, self._parts)
            except (RuntimeError, MemoryError) as reason:
                if not environment.is_out_of_memory(reason):
                    raise
            yield from self.read()
            if self.counters.step != number:
                return None
            yield self._halve_parts(len(inputs.batch.ids_BT))

    @property
    def _parts(self) -> int:
        return self.counters.parts * self.recipe.training.accumulate

    def _halve_parts(self, sequences: int) -> TrainMemoryShort:
        if self._parts >= sequences:
            raise ModelError(
                f"memory does not hold even one sequence of {self.recipe.data.window} tokens: "
                "lower window, width or layers in the recipe"
            )
        self.learner.forget_captured()
        environment.empty_cache(self.device)
        most = -(-sequences // self.recipe.training.accumulate)
        self.counters.parts = min(2 * self.counters.parts, most)
        return TrainMemoryShort(step=self.counters.step, parts=self._parts)

    def _check_explosion(self, loss: StepLoss, number: int) -> None:
        counters = self.counters
        before = loss.nats if counters.smooth is None else counters.smooth
        counters.smooth = _SMOOTHING * before + (1 - _SMOOTHING) * loss.nats
        counters.lowest = min(counters.lowest, counters.smooth)
        if loss.nats > self._worst or counters.smooth > counters.lowest + _MAX_RISE:
            raise DivergedError(
                f"the loss of step {number} is {loss.nats:.3f} nats, after a lowest "
                f"smoothed loss of {counters.lowest:.3f}"
            )

    def _load_latest(self) -> dict[str, Any] | None:
        """Load the newest complete checkpoint; return its values other than tensors."""
        state = self.folder.latest_checkpoint()
        if state is None:
            return None
        tensors, entry = state
        if entry.get("data") != self.data.sha256:
            raise DataError(
                f"the data {self.recipe.data.source!r} are not those the run started with: restore "
                "them, or start again in another folder"
            )
        if entry.get("begun_with", "") != self.learner.init_sha256:
            raise DataError(
                f"the model {self.recipe.training.init_from!r} is not the one "
                "the run started with: restore it, or start again in another folder"
            )
        if entry.get("teachers", []) != list(self.soft_targets.sha256):
            raise DataError(
                f"the teachers {', '.join(self.recipe.training.teachers)} are not those the run "
                "started with: restore them, or start again in another folder"
            )
        self.learner.load_state(tensors)
        self.counters = _counters(entry, self.recipe.training.batch)
        self._saved = self.counters.step
        return entry


def _counters(entry: Mapping[str, Any], most_parts: int) -> Counters:
    damage = "the counters of the newest checkpoint are damaged: delete its two files"
    try:
        found = msgspec.convert(entry, Counters)
    except msgspec.ValidationError as reason:
        raise DataError(damage) from reason
    if (
        not 0 <= found.seconds < math.inf
        or not 0 < found.rate_factor <= 1
        or not 1 <= found.parts <= most_parts
    ):
        raise DataError(damage)
    return found


def learning_rate(training: TrainingPart, step: int, progress: float) -> float:
    if training.decay == "warmup_linear":
        return training.learning_rate * _published(training, step)
    if training.schedule_steps:
        progress = step / training.schedule_steps
    warmup = min(1.0, (step + 1) / max(training.warmup_steps, 1))
    return training.learning_rate * warmup * _decay(training, step, min(progress, 1.0))


def _decay(training: TrainingPart, step: int, progress: float) -> float:
    if training.decay == "inverse_sqrt":  # Vaswani et al. 2017, eq. 3
        warmup = max(training.warmup_steps, 1)
        return math.sqrt(warmup / max(step + 1, warmup))
    left = 1.0 - progress
    if training.decay == "cosine":
        left = 0.5 * (1.0 + math.cos(math.pi * progress))
    return training.final_rate + (1.0 - training.final_rate) * left


def _published(training: TrainingPart, step: int) -> float:
    """Return ``get_linear_schedule_with_warmup`` of transformers: 0 at both ends."""
    if step < training.warmup_steps:
        return step / training.warmup_steps
    left = training.schedule_steps - step
    return max(left / (training.schedule_steps - training.warmup_steps), 0.0)
