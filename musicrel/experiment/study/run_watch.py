"""The status of one run, read from its folder while it is running.

Each poll reads only the events added since the last one, so that watching a long run costs no more
than watching a short one.
"""

from __future__ import annotations

import contextlib
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from musicrel.errors import MusicrelError
from musicrel.experiment.runs import events
from musicrel.experiment.runs.events import TrainEvaluated, TrainEvent, TrainStep
from musicrel.experiment.runs.run_folder import RunFolder, RunState, read_json_object
from musicrel.experiment.study.study import PlannedRun
from musicrel.language import tr
from musicrel.validated import convert

RESULTS: Final = "results.json"

Trend = Literal["falls", "level", "rises"]
Ending = Trend | Literal["unknown"]
"""The trend of a finished run; unknown with too few evaluations."""

SHARE: Final = 0.25
"""Share of the steps at the end in which the slope is measured."""
LIMIT: Final = 0.01
"""Least change of the loss over that share that is called a trend, in the unit of the loss."""
_LEAST: Final = 3
_MAX_REMARKS: Final = 50
"""Newest messages to the user that are kept."""
_FIGURES: Final = ("step", "tokens", "progress", "seconds", "tokens_per_second", "memory")


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
    valid: tuple[TrainEvaluated, ...] = ()
    train: tuple[TrainStep, ...] = ()
    samples: tuple[events.TrainSampled, ...] = ()  # pieces it generated
    remarks: tuple[str, ...] = ()  # messages to the user, oldest first
    result: events.TrainResult | None = None  # None until the run ends
    rate: float | None = None  # learning rate that a trial of a search tries; None for other runs
    share: float = 1.0  # share of the budget of a run that it has; less than 1 for a trial
    recorded: Ending | None = None  # its ending in the results of its study; counts without a log

    @property
    def loss(self) -> float | None:
        """Return the validation loss of the final weights, or the best so far; None without any."""
        if self.result is not None and self.result.finished:
            return self.result.valid
        return min((point.nats for point in self.valid), default=None)

    def sample_file(self, sample: events.TrainSampled) -> Path:
        """Return the file of a sample: it is in the folder of the run, whatever path is logged."""
        return self.folder / "samples" / Path(sample.file).name

    @property
    def ending(self) -> Ending | None:
        """Return the trend of the validation loss at the end of a finished run."""
        if self.result is None:
            return None
        return (trend(self.valid) or "unknown") if self.valid else self.recorded


def trend(points: Sequence[TrainEvaluated]) -> Trend | None:
    """Return whether the loss still falls at the end of a run, is level or rises."""
    if len(points) < _LEAST:
        return None
    change = slope(points) * SHARE * points[-1].step
    if abs(change) < LIMIT:
        return "level"
    return "falls" if change < 0 else "rises"


def slope(points: Sequence[TrainEvaluated]) -> float:
    """Return the slope at the end in nats per step; robust to a single noisy evaluation.

    The median of the slopes between all pairs of evaluations in the last quarter of the steps
    (Theil 1950; Sen 1968, "Estimates of the regression coefficient based on Kendall's tau", J. Am.
    Stat. Assoc. 63).
    """
    begin = (1 - SHARE) * points[-1].step
    late = [point for point in points if point.step >= begin]
    if len(late) < _LEAST:
        late = list(points[-_LEAST:])
    return statistics.median(
        (right.nats - left.nats) / (right.step - left.step)
        for left, right in combinations(late, 2)
        if right.step > left.step
    )


class RunWatch:
    """An observer of one run."""

    def __init__(self, folder: Path, arm: str, seed: int, **known: Any) -> None:
        """Observe the run in ``folder``, of whose ``RunStatus`` some fields are ``known``."""
        self._folder = RunFolder(folder)
        self._initial = RunStatus(arm=arm, seed=seed, folder=folder, **known)
        self._now, self._version_is_checked, self._offset = self._initial, False, 0
        self._reset()

    def poll(self, *, check_process: bool) -> RunStatus:
        """Return the current status; the same object as long as nothing changes."""
        lines, offset = self._folder.log.follow(self._offset)
        if offset < self._offset:  # the folder holds another run now
            self._reset()
        self._offset = offset
        for event in map(events.read, lines):
            if isinstance(event, TrainEvent):
                self._apply(event)
        if lines:
            kept: dict[str, Any] = {name: tuple(values) for name, values in self._kept.items()}
            kept["remarks"] = kept["remarks"][-_MAX_REMARKS:]
            self._now = replace(self._now, **self._values, **kept)
        if check_process and (lines or self._now.result is None):
            self._update_state()
        return self._now

    def _reset(self) -> None:
        self._now = self._initial
        self._values: dict[str, Any] = {}
        self._kept: dict[str, list[Any]] = {"valid": [], "train": [], "samples": [], "remarks": []}

    def _update_state(self) -> None:
        if not self._version_is_checked and (self._folder.path / "recipe.toml").exists():
            self._folder.check_version()
            self._version_is_checked = True
        state, result = self._folder.state(), self._folder.result()
        if state == "finished" and self._now.state != "finished":
            self._now = replace(self._now, progress=1.0, evaluating=None)
        if (state, result) != (self._now.state, self._now.result):
            self._now = replace(self._now, state=state, result=result)

    def _apply(self, event: TrainEvent) -> None:
        values, kept = self._values, self._kept
        values["evaluating"] = None
        kept["remarks"] += _remarks(event)
        if isinstance(event, events.TrainStarted | events.TrainRolledBack):
            self._rewind(event.step)
        match event:
            case TrainStep():
                kept["train"].append(event)
                values.update((name, getattr(event, name)) for name in _FIGURES)
            case events.TrainStarted():
                values.update(step=event.step, parameters=event.parameters)
            case events.TrainEvaluating():
                values["evaluating"] = event.split, event.done, event.pieces
            case events.TrainCalibrating():
                task = tr("its own samples, calibration round {round} of {rounds}",
                          round=event.round, rounds=event.rounds)  # fmt: skip
                values["evaluating"] = task, event.done, event.pieces
            case TrainEvaluated():
                kept["valid"].append(event)
            case events.TrainSampled():
                others = [one for one in kept["samples"] if one.step != event.step]
                kept["samples"] = [*others, event]

    def _rewind(self, step: int) -> None:
        """Drop what is repeated after ``step``."""
        for name in ("valid", "train", "samples"):
            self._kept[name] = [one for one in self._kept[name] if one.step <= step]


def watches(folder: Path, runs: Iterable[PlannedRun]) -> list[RunWatch]:
    trends = {(run.arm, run.seed): run.trend for run in recorded(folder).runs}
    return [
        RunWatch(folder / run.folder, run.arm, run.seed, rate=run.rate, share=run.share,
                 recorded=trends.get((run.arm, run.seed)) if run.rate is None else None)
        for run in runs
    ]  # fmt: skip


class _RecordedRun(msgspec.Struct):
    arm: str
    seed: int
    trend: Ending | None = None


class Recorded(msgspec.Struct):
    """Entries in the results of a study, for runs whose logs and models are gone."""

    runs: list[_RecordedRun] = []
    machine: dict[str, Any] = {}
    commit: str | list[str] = ""


def recorded(folder: Path) -> Recorded:
    """Return the entries in ``folder``; none where the results are missing or damaged."""
    with contextlib.suppress(MusicrelError):
        return convert(read_json_object(folder / RESULTS) or {}, Recorded, RESULTS)
    return Recorded()


def read_all(folder: Path, runs: Iterable[PlannedRun]) -> tuple[RunStatus, ...]:
    return tuple(watch.poll(check_process=True) for watch in watches(folder, runs))


def _remarks(event: TrainEvent) -> Iterable[str]:
    match event:
        case events.TrainStarted():
            yield from event.notes
        case events.TrainRolledBack():
            yield (
                tr(
                    "{reason}: resuming from step {step} with {rate_factor:g} of the learning rate",
                    reason=event.reason,
                    step=event.step,
                    rate_factor=event.rate_factor,
                )
            )
        case events.TrainMemoryShort():
            yield tr("out of memory: each batch is split into {parts} parts", parts=event.parts)
        case events.TrainNoted():
            yield event.note
        case events.TrainFinished(stopped=reason) if reason:
            yield tr("stopped early: {reason}", reason=reason)
