"""The status of one run, read from its folder while it is running.

Each poll reads only the events added since the last one, so that watching a long run costs no more
than watching a short one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Final

from musicrel.experiment.runs.event_log import EventDict
from musicrel.experiment.runs.run_folder import RunFolder, RunState
from musicrel.experiment.runs.stored_values import fits
from musicrel.experiment.study.learning_curve import CurvePoint
from musicrel.experiment.study.study import Study
from musicrel.experiment.training.train_events import (
    TrainCalibrating,
    TrainEvaluated,
    TrainEvaluating,
    TrainEvent,
    TrainFinished,
    TrainMemoryShort,
    TrainResult,
    TrainRolledBack,
    TrainSampled,
    TrainStarted,
    TrainStep,
    from_json,
)

_MAX_REMARKS: Final = 50
_FIGURES: Final = ("step", "tokens", "progress", "seconds", "tokens_per_second", "memory")
"""Figures of the last step that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A piece that a run generated after ``step``, with the mean surprisal of its notes."""

    step: int
    file: Path
    nats_per_note: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStatus:
    arm: str  # name of the arm; for a run alone, the name of its recipe
    seed: int
    folder: Path
    state: RunState = "queued"
    step: int = 0  # number of steps so far
    tokens: int = 0  # number of training tokens so far
    progress: float = 0.0  # share of the budget used, 0 to 1
    seconds: float = 0.0  # seconds of training so far
    tokens_per_second: float = 0.0  # since it was started or resumed; 0 before the first step
    memory: int = 0  # resident memory of its process, in bytes
    parameters: int = 0  # number of parameters of its model; 0 before the start
    # the task, pieces done and pieces in all, during an evaluation
    evaluating: tuple[str, int, int] | None = None
    valid: tuple[CurvePoint, ...] = ()  # validation loss at each evaluation
    train: tuple[CurvePoint, ...] = ()  # losses of the steps
    samples: tuple[Sample, ...] = ()  # pieces it generated
    remarks: tuple[str, ...] = ()  # messages to the user, oldest first
    result: TrainResult | None = None  # None until the run ends
    rate: float | None = None  # learning rate that a trial of a search tries; None for other runs
    share: float = 1.0  # share of the budget of a run that it has; less than 1 for a trial

    @property
    def loss(self) -> float | None:
        """Return the validation loss of the final weights, or the best so far; None without any."""
        if self.result is not None and self.result.finished:
            return self.result.valid
        return min((point.nats for point in self.valid), default=None)


class RunWatch:
    """An observer of one run.

    Args:
        folder: folder of the run; it need not exist yet.
    """

    def __init__(
        self, folder: Path, arm: str, seed: int, rate: float | None = None, share: float = 1.0
    ) -> None:
        self._folder = RunFolder(folder)
        self._initial = RunStatus(arm=arm, seed=seed, folder=folder, rate=rate, share=share)
        self._now = self._initial
        self._offset = 0
        self._version_is_checked = False
        self._valid: list[CurvePoint] = []
        self._train: list[CurvePoint] = []
        self._samples: list[Sample] = []
        self._remarks: list[str] = []

    def poll(self, *, check_process: bool) -> RunStatus:
        """Return the current status; the same object as long as nothing changes."""
        lines, offset = self._folder.log.follow(self._offset)
        if offset < self._offset:
            self._reset()
        self._offset = offset
        for are_steps, group in groupby(lines, _is_step):
            if are_steps:
                self._add_steps([*group])
                continue
            for event in map(from_json, group):
                if event is not None:
                    self._apply(event)
        if lines:
            self._now = replace(
                self._now,
                valid=tuple(self._valid),
                train=tuple(self._train),
                samples=tuple(self._samples),
                remarks=tuple(self._remarks[-_MAX_REMARKS:]),
            )
        if check_process and (lines or self._now.result is None):
            self._update_state()
        return self._now

    def _update_state(self) -> None:
        if not self._version_is_checked and (self._folder.path / "recipe.toml").exists():
            self._folder.check_version()
            self._version_is_checked = True
        state, result = self._folder.state(), TrainResult.of(self._folder)
        if state == "finished" and self._now.state != "finished":
            self._now = replace(self._now, progress=1.0, evaluating=None)
        if (state, result) != (self._now.state, self._now.result):
            self._now = replace(self._now, state=state, result=result)

    def _reset(self) -> None:
        """Drop everything: the folder holds another run now."""
        self._now = self._initial
        for values in (self._valid, self._train, self._samples, self._remarks):
            values.clear()

    def _apply(self, event: TrainEvent) -> None:
        now = self._now
        match event:
            case TrainStarted():
                self._rewind(event.step)
                self._remarks += event.notes
                now = replace(now, step=event.step, parameters=event.parameters)
            case TrainRolledBack():
                self._rewind(event.step)
                self._remarks.append(
                    f"{event.reason}: resuming from step {event.step} with "
                    f"{event.rate_factor:g} of the learning rate"
                )
            case TrainEvaluating() | TrainCalibrating():
                now = replace(now, evaluating=(_task(event), event.done, event.pieces))
            case TrainEvaluated():
                self._valid.append(_valid_point(event))
                now = replace(now, evaluating=None)
            case TrainSampled():
                self._add_sample(event)
            case TrainMemoryShort():
                self._remarks.append(f"out of memory: each batch is split into {event.parts} parts")
            case _:
                self._remarks += _early_end(event)
                now = replace(now, evaluating=None)
        self._now = now

    def _add_steps(self, lines: Sequence[EventDict]) -> None:
        """Take over the losses of steps, and the figures of the last one.

        The others are not read in full: nearly all events of a log are steps.
        """
        points = (_step_point(line) for line in lines)
        self._train += [point for point in points if point is not None]
        steps = (event for event in map(from_json, reversed(lines)) if event is not None)
        last = next(steps, None)
        if last is not None:
            figures = {name: getattr(last, name) for name in _FIGURES}
            self._now = replace(self._now, evaluating=None, **figures)

    def _rewind(self, step: int) -> None:
        """Drop what is repeated after ``step``."""
        self._valid = [point for point in self._valid if point.step <= step]
        self._train = [point for point in self._train if point.step <= step]
        self._samples = [sample for sample in self._samples if sample.step <= step]

    def _add_sample(self, event: TrainSampled) -> None:
        file = self._initial.folder / "samples" / Path(event.file).name
        sample = Sample(step=event.step, file=file, nats_per_note=event.nats_per_note)
        self._samples = [other for other in self._samples if other.step != event.step] + [sample]


def read(folder: Path, arm: str, seed: int) -> RunStatus:
    """Return the status of a run without checking its process."""
    return RunWatch(folder, arm, seed).poll(check_process=False)


def read_all(folder: Path, study: Study) -> list[RunStatus]:
    """Return the status of all runs but trials of the study in ``folder``.

    Their processes are not checked.
    """
    return [read(folder / run.folder, run.arm, run.seed) for run in study.runs]


def _is_step(line: EventDict) -> bool:
    return line.get("event") == TrainStep.__name__


def _step_point(line: EventDict) -> CurvePoint | None:
    """Return the loss of a step; None if the event is damaged."""
    if not fits(CurvePoint, line):
        return None
    try:
        step, tokens, nats = line["step"], line["tokens"], line["nats"]
    except KeyError:
        return None
    return CurvePoint(step=step, tokens=tokens, seconds=line.get("seconds", 0.0), nats=nats)


def _valid_point(event: TrainEvaluated) -> CurvePoint:
    return CurvePoint(step=event.step, tokens=event.tokens, seconds=event.seconds, nats=event.valid)


def _early_end(event: TrainEvent) -> list[str]:
    """Return a remark if a run has ended before its budget."""
    early = isinstance(event, TrainFinished) and event.stopped
    return [f"stopped early: {early}"] if early else []


def _task(event: TrainEvaluating | TrainCalibrating) -> str:
    if isinstance(event, TrainEvaluating):
        return event.split
    return f"its own samples, calibration round {event.round} of {event.rounds}"
