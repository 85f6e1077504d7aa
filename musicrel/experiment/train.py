"""One training run as a job: yields an event a step, writes its folder, returns its result.

This file knows the order of a run; one step is ``learner``'s, files are ``run_folder``'s.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import torch

from musicrel import jobs
from musicrel.corpus.splits import Split
from musicrel.errors import DataError, UsageError
from musicrel.experiment import data, recipe, versions
from musicrel.experiment.evaluation import Evaluation, evaluate
from musicrel.experiment.learner import Learner
from musicrel.experiment.recipe import Recipe
from musicrel.experiment.run_folder import RunFolder
from musicrel.experiment.schedule import rate
from musicrel.jobs import Control, Job, KeepRunning
from musicrel.model import checkpoint, devices
from musicrel.model.card import Card
from musicrel.tokens import conditions
from musicrel.tokens.vocabulary import vocabulary

_SECONDS_BETWEEN_LOOKS: Final = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainStarted:
    """The run begins, or goes on from ``step``."""

    step: int
    parameters: int
    tokens: int
    notes: tuple[str, ...] = ()
    """What the user should know, such as that a resumed run cannot be bit-exact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainStep:
    """A step was made.

    Attributes:
        step: steps made so far.
        tokens: real targets seen so far.
        progress: share of the budget used, 0 to 1.
        nats: mean loss of this step's targets.
        gradient_norm: before clipping.
        rate: learning rate used.
        tokens_per_second: since the run was started or resumed.
    """

    step: int
    tokens: int
    progress: float
    nats: float
    gradient_norm: float
    rate: float
    tokens_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainEvaluated:
    """The averaged weights were evaluated on valid, whole pieces, nats/note."""

    step: int
    tokens: int
    valid: float
    best: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSaved:
    """A checkpoint was written."""

    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainResult:
    """How the run ended.

    Attributes:
        finished: whether the budget was used up; False: stopped and saved.
        step: steps made.
        tokens: real targets seen.
        seconds: spent learning, all sittings together.
        valid: nats/note of the best averaged weights.
        test: nats/note on test, None while unfinished.
    """

    finished: bool
    step: int
    tokens: int
    seconds: float
    valid: float | None
    test: float | None


TrainEvent: TypeAlias = TrainStarted | TrainStep | TrainEvaluated | TrainSaved


@dataclass(slots=True)
class _Counters:
    """What changes from step to step, besides tensors."""

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    best: float | None = None
    best_step: int = 0


def train(
    recipe_: Recipe,
    folder: Path,
    *,
    resume: bool = False,
    device: torch.device | str = "cpu",
    threads: int = 1,
    control: Control | None = None,
) -> Job[TrainEvent, TrainResult]:
    """Train in ``folder``, recording every event there.

    Args:
        recipe_: what to do.
        folder: the run's folder; new, unless ``resume``.
        resume: go on from the last checkpoint in the folder.
        device: where to learn.
        threads: of torch.
        control: asked after each step; ``stop`` saves and ends, ``pause`` waits.

    Raises:
        UsageError: the folder holds another run, or none to resume.
        DataError: a split has no pieces.
        FileError: the folder cannot be written.
    """
    devices.use_threads(threads)
    run = _Run(recipe_, RunFolder(folder), torch.device(device), threads, resume=resume)
    for event in run.events(control or KeepRunning()):
        run.folder.append_event({"event": type(event).__name__, **asdict(event)})
        yield event
    return run.finish()


class _Run:
    """A run in progress: the learner, the data and the counters."""

    def __init__(
        self,
        recipe_: Recipe,
        folder: RunFolder,
        device: torch.device,
        threads: int,
        *,
        resume: bool,
    ) -> None:
        self.recipe, self.folder, self._device = recipe_, folder, device
        if resume:
            _check_same(recipe_, recipe.parse(folder.recipe_toml(), "recipe.toml"))
        self._data = data.load(recipe_.data.source)
        _check_splits(self._data)
        training = recipe_.training
        self._batches = data.Batches(
            self._data.pieces["train"], recipe_.data, training.batch, training.seed
        )
        self._learner = Learner(recipe_, device)
        self._vocabulary = vocabulary(recipe_.data.vocabulary)
        self._machine = versions.machine(device, threads)
        self._commit = versions.commit()
        self._counters = _Counters()
        self._notes: tuple[str, ...] = ()
        if resume:
            self._restore()
        else:  # only now, so that a recipe that cannot be followed leaves no folder behind
            folder.begin(recipe_.to_toml())

    def events(self, control: Control) -> Iterator[TrainEvent]:
        """The whole run, up to its budget or to the user's stop."""
        counters, training = self._counters, self.recipe.training
        yield TrainStarted(
            step=counters.step,
            parameters=self._learner.model.parameter_count,
            tokens=counters.tokens,
            notes=self._notes,
        )
        began, tokens_before = time.perf_counter(), counters.tokens
        while self._progress() < 1.0 and _goes_on(control):
            yield self._step(began, tokens_before)
            if counters.step % training.evaluate_every == 0 or self._progress() >= 1.0:
                yield self._evaluated()
            if counters.step % training.checkpoint_every == 0:
                yield self._saved()
        yield self._saved()

    def finish(self) -> TrainResult:
        """The result; once the budget is used up the model and ``result.json`` are written."""
        counters = self._counters
        finished = self._progress() >= 1.0
        test = self._write_model() if finished else None
        result = TrainResult(
            finished=finished,
            step=counters.step,
            tokens=counters.tokens,
            seconds=counters.seconds,
            valid=counters.best,
            test=test,
        )
        if finished:
            self.folder.write_result(asdict(result))
        return result

    def _progress(self) -> float:
        training = self.recipe.training
        if training.tokens:
            return self._counters.tokens / training.tokens
        return self._counters.step / training.steps

    def _step(self, began: float, tokens_before: int) -> TrainStep:
        counters, training = self._counters, self.recipe.training
        step_began = time.perf_counter()
        batch = self._batches.at(counters.step)
        now = rate(training, counters.step, self._progress())
        loss = self._learner.step(batch, counters.step, now)
        counters.step += 1
        counters.tokens += batch.tokens
        ended = time.perf_counter()
        counters.seconds += ended - step_began
        return TrainStep(
            step=counters.step,
            tokens=counters.tokens,
            progress=min(self._progress(), 1.0),
            nats=loss.nats,
            gradient_norm=loss.gradient_norm,
            rate=now,
            tokens_per_second=(counters.tokens - tokens_before) / (ended - began),
        )

    def _evaluated(self) -> TrainEvaluated:
        counters = self._counters
        valid = self._evaluation("valid", conditions.FROM_PLACE_ALONE).nats_per_note
        if counters.best is None or valid < counters.best:
            counters.best, counters.best_step = valid, counters.step
            checkpoint.save(self.folder.path / "best", self._learner.averaged, self._card())
        return TrainEvaluated(
            step=counters.step, tokens=counters.tokens, valid=valid, best=counters.best
        )

    def _saved(self) -> TrainSaved:
        counters = {**asdict(self._counters), "machine": self._machine}
        counters["recipe"] = self.recipe.fingerprint
        self.folder.save_checkpoint(self._counters.step, self._learner.state(), counters)
        return TrainSaved(step=self._counters.step)

    def _restore(self) -> None:
        state = self.folder.latest_checkpoint()
        if state is None:
            self.folder.forget_events_after(-1)
            self._notes = ("no checkpoint was written yet: the run starts anew",)
            return
        tensors, counters = state
        self._learner.load_state(tensors)
        machine = counters.pop("machine")
        if machine != self._machine:
            before = f"the run was made with {machine}, now it is {self._machine}: "
            self._notes = (before + "it goes on, but not to the same last bit",)
        counters.pop("recipe")
        self._counters = _Counters(**counters)
        self.folder.forget_events_after(self._counters.step)

    def _evaluation(self, split: Split, given: tuple[str, ...]) -> Evaluation:
        pieces = self._data.pieces[split]
        return jobs.run(evaluate(self._learner.averaged, pieces, self._vocabulary, given))

    def _card(self, **more: Any) -> Card:
        counters, recipe_ = self._counters, self.recipe
        pieces = {split: len(pieces) for split, pieces in self._data.pieces.items()}
        training = {
            "step": counters.step,
            "tokens": counters.tokens,
            "seconds": round(counters.seconds, 1),
            "machine": self._machine,
        }
        return Card(
            name=recipe_.name,
            config=self._learner.model.config,
            vocabulary={"name": self._vocabulary.name, "symbols": self._vocabulary.symbols()},
            parameters=self._learner.model.parameter_count,
            data={"name": self._data.name, "sha256": self._data.sha256, "pieces": pieces},
            recipe=asdict(recipe_),
            training=training,
            valid_nats_per_note=counters.best,
            commit=self._commit,
            **more,
        )

    def _write_model(self) -> float:
        """Write the best averaged weights with all their figures; the loss on test."""
        best = checkpoint.load(self.folder.path / "best", self._device)
        self._learner.averaged.load_state_dict(best.model.state_dict())
        everything = tuple(self._learner.model.config.conditions)
        figures: dict[str, dict[str, float]] = {}
        for told in dict.fromkeys((conditions.FROM_PLACE_ALONE, everything)):
            of_splits = {split: self._evaluation(split, told) for split in ("valid", "test")}
            figures["+".join(told)] = {
                split: evaluation.nats_per_note for split, evaluation in of_splits.items()
            }
        honest = figures["+".join(conditions.FROM_PLACE_ALONE)]
        card = self._card(figures=figures, test_nats_per_note=honest["test"])
        training = {**card.training, "best_step": self._counters.best_step, **self._final_slope()}
        card = Card(
            **{name: getattr(card, name) for name in Card.__slots__} | {"training": training}
        )
        checkpoint.save(self.folder.model, self._learner.averaged, card)
        return honest["test"]

    def _final_slope(self) -> dict[str, float]:
        """How the loss on valid moved over the last quarter, nats/note a million tokens."""
        points = [
            (event["tokens"] / 1e6, event["valid"])
            for event in self.folder.events()
            if event["event"] == "TrainEvaluated"
        ]
        late = [point for point in points if point[0] >= 0.75 * points[-1][0]] if points else []
        if len(late) < 2 or late[-1][0] == late[0][0]:  # noqa: PLR2004  # a slope has two ends
            return {}
        slope = (late[-1][1] - late[0][1]) / (late[-1][0] - late[0][0])
        return {"final_slope_nats_per_million_tokens": round(slope, 5)}


def _goes_on(control: Control) -> bool:
    """Whether the next step is wanted; waits while the user pauses."""
    while (wish := control.wish()) == "pause":
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    return wish != "stop"


def _check_splits(loaded: data.DataSet) -> None:
    for split, pieces in loaded.pieces.items():
        if not pieces:
            raise DataError(
                f"the {split} split of {loaded.name!r} is empty: at least one piece is needed"
            )


def _check_same(now: Recipe, then: Recipe) -> None:
    if now.fingerprint != then.fingerprint:
        raise UsageError(
            f"the folder holds a run of recipe {then.name!r} with other values than "
            f"{now.name!r} has now: resume it with its own recipe.toml, or choose another --out"
        )
