"""What is known of one run while it goes on, read along from its folder.

Only what was added since the last look is read, so that a run of a night costs no more to watch
than one of a minute. This file knows events; it knows nothing of how they are shown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from musicrel.experiment.runs.run_folder import FORMAT, VERSION, RunFolder, RunState, check_version
from musicrel.experiment.study.results import CurvePoint
from musicrel.experiment.training.train_events import (
    TrainEvaluated,
    TrainEvaluating,
    TrainEvent,
    TrainMemoryShort,
    TrainResult,
    TrainRolledBack,
    TrainSampled,
    TrainStarted,
    TrainStep,
    TrainWriting,
    from_json,
)

_MOST_REMARKS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A small piece a run wrote on its way: after so many steps, and how sure it was of it."""

    step: int
    file: Path
    nats_per_note: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunNow:
    """A run as it stands.

    Attributes:
        arm: of the study; the name of its folder where it is alone.
        seed: of its recipe.
        folder: where it lies.
        state: see ``RunState``.
        step: steps made.
        tokens: learned.
        progress: share of the budget used, 0 to 1.
        seconds: spent learning.
        tokens_per_second: since it was started or resumed; 0 before the first step.
        memory: bytes its process holds.
        parameters: of its model; 0 before it has begun.
        evaluating: split or what else, pieces done and pieces in all, while it evaluates.
        valid: losses on valid at each evaluation.
        train: losses of the steps.
        samples: pieces it wrote.
        remarks: what the user should know, in the order it came.
        result: how it ended; None before.
    """

    arm: str
    seed: int
    folder: Path
    state: RunState = "queued"
    step: int = 0
    tokens: int = 0
    progress: float = 0.0
    seconds: float = 0.0
    tokens_per_second: float = 0.0
    memory: int = 0
    parameters: int = 0
    evaluating: tuple[str, int, int] | None = None
    valid: tuple[CurvePoint, ...] = ()
    train: tuple[CurvePoint, ...] = ()
    samples: tuple[Sample, ...] = ()
    remarks: tuple[str, ...] = ()
    result: TrainResult | None = None

    @property
    def loss(self) -> float | None:
        """Nats/note on valid: of what is kept, or the best so far; None before there is any."""
        if self.result is not None and self.result.finished:
            return self.result.valid
        return min((point.nats for point in self.valid), default=None)


class RunWatch:
    """Follows one run.

    Args:
        folder: of the run; it need not be there yet.
        arm: of the study.
        seed: of its recipe.
    """

    def __init__(self, folder: Path, arm: str, seed: int) -> None:
        self._folder = RunFolder(folder)
        self._first = RunNow(arm=arm, seed=seed, folder=folder)
        self._now = self._first
        self._offset = 0
        self._is_ours = False
        self._valid: list[CurvePoint] = []
        self._train: list[CurvePoint] = []
        self._samples: list[Sample] = []
        self._remarks: list[str] = []

    def look(self, *, thoroughly: bool) -> RunNow:
        """How the run stands now; the same object while nothing has changed.

        Args:
            thoroughly: look whether its process lives, too.

        Raises:
            FileError: the folder cannot be read, or a result is damaged.
            UsageError: the run is of another version.
        """
        lines, offset = self._folder.follow(self._offset)
        if offset < self._offset:
            self._forget()
        self._offset = offset
        for line in lines:
            event = from_json(line)
            if event is not None:
                self._take(event)
        if lines:
            self._now = replace(
                self._now,
                valid=tuple(self._valid),
                train=tuple(self._train),
                samples=tuple(self._samples),
                remarks=tuple(self._remarks[-_MOST_REMARKS:]),
            )
        if thoroughly and (lines or self._now.result is None):
            self._look_around()
        return self._now

    def _look_around(self) -> None:
        if not self._is_ours and (self._folder.path / "recipe.toml").exists():
            check_version(self._folder.path / "run.json", FORMAT, VERSION)
            self._is_ours = True
        state, values = self._folder.state(), self._folder.result()
        result = TrainResult.from_json(values) if values is not None else None
        if state == "finished" and self._now.state != "finished":
            self._now = replace(self._now, progress=1.0, evaluating=None)
        if (state, result) != (self._now.state, self._now.result):
            self._now = replace(self._now, state=state, result=result)

    def _forget(self) -> None:
        """Begin anew: another run lies there now."""
        self._now = self._first
        for kept in (self._valid, self._train, self._samples, self._remarks):
            kept.clear()

    def _take(self, event: TrainEvent) -> None:
        now = self._now
        match event:
            case TrainStarted():
                self._return_to(event.step)
                self._remarks += event.notes
                now = replace(now, step=event.step, parameters=event.parameters)
            case TrainRolledBack():
                self._return_to(event.step)
                self._remarks.append(
                    f"{event.reason}: went on from step {event.step} with "
                    f"{event.rate_factor:g} of the rate"
                )
            case TrainStep():
                self._train.append(_point(event, event.nats))
                now = _stepped(now, event)
            case TrainEvaluating() | TrainWriting():
                now = replace(now, evaluating=(_what(event), event.done, event.pieces))
            case TrainEvaluated():
                self._valid.append(_point(event, event.valid))
                now = replace(now, evaluating=None)
            case TrainSampled():
                self._add_sample(event)
            case TrainMemoryShort():
                self._remarks.append(
                    f"memory was short: batches are learned in {event.parts} parts"
                )
            case _:
                now = replace(now, evaluating=None)
        self._now = now

    def _return_to(self, step: int) -> None:
        """Forget what is made again from ``step`` on."""
        self._valid = [point for point in self._valid if point.step <= step]
        self._train = [point for point in self._train if point.step <= step]
        self._samples = [sample for sample in self._samples if sample.step <= step]

    def _add_sample(self, event: TrainSampled) -> None:
        file = self._first.folder / "samples" / Path(event.file).name
        sample = Sample(step=event.step, file=file, nats_per_note=event.nats_per_note)
        self._samples = [other for other in self._samples if other.step != event.step] + [sample]


def _stepped(now: RunNow, event: TrainStep) -> RunNow:
    return replace(
        now,
        step=event.step,
        tokens=event.tokens,
        progress=event.progress,
        seconds=event.seconds,
        tokens_per_second=event.tokens_per_second,
        memory=event.memory,
        evaluating=None,
    )


def _point(event: TrainStep | TrainEvaluated, nats: float) -> CurvePoint:
    return CurvePoint(step=event.step, tokens=event.tokens, seconds=event.seconds, nats=nats)


def _what(event: TrainEvaluating | TrainWriting) -> str:
    """What is evaluated."""
    if isinstance(event, TrainEvaluating):
        return event.split
    return f"what it writes itself, round {event.round} of {event.rounds}"
