"""The learning curves of a study: points to plot, values at the pointer, CSV.

The curve of an arm is the mean over its seeds, as far as all of them have come, with the 95 %
confidence interval of the mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.experiment.study import measures, statistics, study_text
from musicrel.language import count, decimal, tr
from musicrel.presentation.words import display_names
from musicrel.presentation.words.markdown import to_csv

if TYPE_CHECKING:
    from musicrel.experiment.runs.events import TrainEvaluated, TrainStep
    from musicrel.experiment.study.run_watch import RunStatus

Axis = Literal["step", "tokens", "seconds"]
Split = Literal["valid", "train"]
Shown = Literal["valid", "train", "both"]
Points = npt.NDArray[np.float64]
"""Positions on the x axis in the first row, losses in the second."""

_Losses: TypeAlias = "Sequence[TrainEvaluated | TrainStep]"
_Asked: TypeAlias = tuple[Axis, bool, bool, int]

MAX_POINTS: Final = 160
"""Points of a training curve at most; more cannot be distinguished."""
_SPLITS: Final[Mapping[Shown, tuple[Split, ...]]] = {
    "valid": ("valid",),
    "train": ("train",),
    "both": ("valid", "train"),
}
_LARGEST: Final = 1e15
"""Size below which a number is drawn: a run may diverge, and a log may be damaged."""
_LONG_HOURS: Final = 7200.0
_LONG_MINUTES: Final = 120.0
"""Least maximum in seconds of a time axis in hours, and of one in minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveChoice:
    axis: Axis = "step"
    shown: Shown = "valid"  # splits of the losses
    log_x: bool = False  # True for a logarithmic x axis
    log_y: bool = False  # True for a logarithmic loss axis


@dataclass(frozen=True, kw_only=True)
class ArmCurve:
    name: str  # of the arm; with its split where both are shown
    number: int  # index of the arm, which gives its colour and marker
    split: Split
    runs: tuple[Points, ...]  # the points of each run that has any

    @cached_property
    def stacked(self) -> Points:
        """Return the points of all runs up to the end of the shortest, [run, row, point]."""
        shortest = min(run.shape[1] for run in self.runs)
        return np.stack([run[:, :shortest] for run in self.runs])

    @cached_property
    def mean(self) -> Points:
        mean: Points = self.stacked.mean(axis=0)
        return mean

    @cached_property
    def interval(self) -> Points:
        """Return the lower and upper end of the 95 % confidence interval of the mean.

        Both are above 0, so that a logarithmic axis can show them; a single run has no interval:
        both are the mean. See ``statistics.mean_half_width``.
        """
        middle = self.mean[1]
        half = statistics.mean_half_width(self.stacked[:, 1]) if len(self.runs) > 1 else 0 * middle
        return np.stack([np.maximum(middle - half, 1e-6), middle + half])

    @property
    def alone(self) -> Points:
        """Return the points of runs, and of the mean, that have one evaluation and no line."""
        single = [run for run in (*self.runs, self.mean) if run.shape[1] == 1]
        return np.concatenate(single, axis=1) if single else np.empty((2, 0))

    def at(self, x: float) -> float:
        """Return the mean of the losses that each run has nearest to ``x``."""
        return float(np.mean([run[1, np.abs(run[0] - x).argmin()] for run in self.runs]))

    def spoken(self, axis: Axis, unit: str) -> str:
        """Describe the first, lowest and last loss, with the interval of the last."""
        xs, losses = self.mean
        best = int(np.argmin(losses))
        low, high = self.interval[:, -1]
        between = (
            tr(", 95 % interval {low:.3f} to {high:.3f}", low=low, high=high)
            if len(self.runs) > 1
            else ""
        )
        first, lowest, last = (
            tr("{loss:.3f} at {place}", loss=losses[place], place=x_text(xs[place], axis, unit))
            for place in (0, best, -1)
        )
        return tr(
            "{name}, {seeds}, {unit}; first {first}; lowest {lowest}; last {last}{between}",
            name=self.name, seeds=count(len(self.runs), "seed"), unit=measures.shown(unit),
            first=first, lowest=lowest, last=last, between=between,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    title: str
    arms: tuple[ArmCurve, ...]
    choice: CurveChoice
    unit: str = "nats/note"

    @property
    def description(self) -> str:
        if not self.arms:
            return tr("{title}: no evaluation yet", title=self.title)
        ends = ", ".join(f"{one.name} {decimal(one.mean[1, -1], '.3f')}" for one in self.arms)
        return f"{self.title}: {ends} {measures.shown(self.unit)}"

    @property
    def loss_label(self) -> str:
        unit = measures.shown(self.unit)
        labels: Mapping[Shown, str] = {
            "valid": tr("{unit} on validation", unit=unit),
            "train": tr("{unit} on training", unit=unit),
            "both": tr("{unit} on validation and training (dashed)", unit=unit),
        }
        return labels[self.choice.shown]

    @property
    def x_unit(self) -> tuple[float, str]:
        axis, right = self.choice.axis, self._right
        if axis != "seconds":
            return 1.0, tr("steps") if axis == "step" else shown_examples(self.unit)
        if not self.choice.log_x:  # pyqtgraph has no scale for logarithmic ticks
            if right >= _LONG_HOURS:
                return 3600.0, tr("hours of training")
            if right >= _LONG_MINUTES:
                return 60.0, tr("minutes of training")
        return 1.0, tr("seconds of training")

    def losses_at(self, x: float) -> str:
        """Describe the losses at ``x``, as '500 steps: Vanilla 2.100  ·  … nats/note'."""
        if not 0 <= x <= self._right:
            return ""
        words = "  ·  ".join(f"{curve.name} {decimal(curve.at(x), '.3f')}" for curve in self.arms)
        unit = measures.shown(self.unit)
        return f"{x_text(x, self.choice.axis, self.unit)}: {words} {unit}"

    @property
    def _right(self) -> float:
        return max((run[0, -1] for curve in self.arms for run in curve.runs), default=-math.inf)


class CurveReader:
    """A reader of the points of runs, which converts again only those that have changed."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Path, Split], tuple[_Asked, _Losses, Points]] = {}

    def read(self, runs: Sequence[RunStatus], choice: CurveChoice) -> tuple[ArmCurve, ...]:
        """Return the curves of all arms that have points.

        Training losses are averaged over blocks of steps. Points that a plot or a logarithmic axis
        cannot show are left out.
        """
        arms = list(dict.fromkeys(run.arm for run in runs))
        longest = max((len(run.train) for run in runs), default=0)
        each = max(-(-longest // MAX_POINTS), 1)
        found = []
        for split in _SPLITS[choice.shown]:
            suffix = tr(" (training)") if (split, choice.shown) == ("train", "both") else ""
            for number, arm in enumerate(arms):
                points = (self._points(run, split, choice, each) for run in runs if run.arm == arm)
                shown = tuple(one for one in points if one.size)
                name = display_names.arm(arm) + suffix
                if shown:
                    found.append(ArmCurve(name=name, number=number, split=split, runs=shown))
        return tuple(found)

    def _points(self, run: RunStatus, split: Split, choice: CurveChoice, each: int) -> Points:
        """Return the points of a run, converted again only if they or the choice have changed."""
        points: _Losses = getattr(run, split)
        asked = (choice.axis, choice.log_x, choice.log_y, each if split == "train" else 1)
        kept = self._kept.get((run.folder, split))
        if kept is None or kept[0] != asked or kept[1] != points:
            kept = self._kept[run.folder, split] = asked, points, _shown(points, *asked)
        return kept[2]


def _shown(points: _Losses, axis: Axis, log_x: bool, log_y: bool, each: int) -> Points:
    """Return positions and losses, averaged over ``each`` points, that the axes can show."""
    rows = [[getattr(point, name) for point in points] for name in (axis, "nats")]
    found = np.array(rows, dtype=np.float64)
    found = found[:, (np.abs(found) < _LARGEST).all(axis=0)]  # False for NaN
    if each > 1:
        found = thinned(found, each)
    ok = ((found[0] > 0) | (not log_x)) & ((found[1] > 0) | (not log_y))
    return found[:, ok]


def thinned(points: Points, each: int) -> Points:
    """Return the means of blocks of ``each`` points; the last block may be shorter."""
    firsts = np.arange(0, points.shape[1], each)
    if not firsts.size:
        return points
    sizes = np.diff([*firsts, points.shape[1]])
    means: Points = np.add.reduceat(points, firsts, axis=1) / sizes
    return means


def examples(unit: str) -> str:
    """Return the noun for training examples of a loss in ``unit``: tokens, or as the unit."""
    each = unit.partition("/")[2]
    return "tokens" if each in ("note", "token") else f"{each}s"


def shown_examples(unit: str) -> str:
    """Return ``examples`` in the language on the screen."""
    return tr("sequences") if examples(unit) == "sequences" else tr("tokens")


def as_csv(runs: Sequence[RunStatus], shown: Shown, unit: str) -> str:
    head = ("arm", "seed", "split", "step", examples(unit), "seconds", unit)
    return to_csv([head, *_rows(runs, shown)])


def _rows(runs: Sequence[RunStatus], shown: Shown) -> Iterator[tuple[str | float, ...]]:
    for run in runs:
        for split in _SPLITS[shown]:
            for point in getattr(run, split):
                values = (getattr(point, name) for name in ("step", "tokens", "seconds", "nats"))
                name = "validation" if split == "valid" else "training"
                yield (run.arm, run.seed, name, *values)


def x_text(x: float, axis: Axis, unit: str) -> str:
    """Return a place on the x axis, as '1,500 steps' or '2 min'."""
    if axis == "seconds":
        return study_text.duration(x)
    units = tr("steps") if axis == "step" else shown_examples(unit)
    return f"{decimal(round(x), ',')} {units}"
