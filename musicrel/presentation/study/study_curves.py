"""The learning curves of a study in progress: visible points and values at the pointer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Final, Literal

from musicrel.presentation.study import curves, progress
from musicrel.presentation.study.curve_frame import Frame
from musicrel.presentation.study.curves import Axis, Series, Split
from musicrel.presentation.words import display_names, names

if TYPE_CHECKING:
    from musicrel.experiment.study.results import CurvePoint
    from musicrel.experiment.study.run_watch import RunStatus

Shown = Literal["valid", "train", "both"]

MAX_POINTS: Final = 160
"""Points of a training curve at most; more cannot be distinguished."""
_SPLITS: Final[dict[Shown, tuple[Split, ...]]] = {
    "valid": ("valid",),
    "train": ("train",),
    "both": ("valid", "train"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveChoice:
    """The user's choice of curves.

    Attributes:
        axis: quantity of the x axis.
        shown: splits of the losses.
        logarithmic: True for a logarithmic loss axis.
    """

    axis: Axis = "step"
    shown: Shown = "valid"
    logarithmic: bool = False


def series(runs: Sequence[RunStatus], choice: CurveChoice) -> list[Series]:
    """Return the curves of all runs; training curves are averaged over blocks of steps."""
    longest = max((len(run.train) for run in runs), default=0)
    each = max(-(-longest // MAX_POINTS), 1)
    found = []
    for split in _SPLITS[choice.shown]:
        for run in runs:
            points = run.valid if split == "valid" else run.train
            placed = tuple((_x_value(point, choice.axis), point.nats) for point in points)
            thin = placed if split == "valid" else thinned(placed, each)
            found.append(Series(arm=display_names.arm(run.arm), points=thin, split=split))
    return found


def thinned(points: Sequence[curves.Point], each: int) -> tuple[curves.Point, ...]:
    """Return the means of blocks of ``each`` points; the last block may be shorter."""
    groups = (points[first : first + each] for first in range(0, len(points), each))
    return tuple(
        (sum(x for x, _ in group) / len(group), sum(y for _, y in group) / len(group))
        for group in groups
    )


def losses_at(
    found: Sequence[Series], frame: Frame, axis: Axis, x: float, unit: str = "nats/note"
) -> str:
    """Describe the losses at pixel ``x``, as '500 steps: Vanilla 2.100 · Relative 2.000'."""
    x_value = frame.x_value(x)
    found_losses: dict[tuple[str, Split], list[float]] = {}
    for one in found:
        if one.points and x_value >= 0:
            nearest = min(one.points, key=lambda point: abs(point[0] - x_value))
            found_losses.setdefault((one.arm, one.split), []).append(nearest[1])
    if not found_losses or x_value > frame.right:
        return ""
    splits = {split for _, split in found_losses}
    words = [
        f"{arm}{f' ({names.SPLITS[split]})' if len(splits) > 1 else ''} {fmean(losses):.3f}"
        for (arm, split), losses in found_losses.items()
    ]
    return f"{_x_text(x_value, axis, unit)}: {'  ·  '.join(words)} {unit}"


def _x_text(x_value: float, axis: Axis, unit: str) -> str:
    if axis == "seconds":
        return progress.duration(x_value)
    return f"{round(x_value):,} {'steps' if axis == 'step' else curves.examples(unit)}"


def _x_value(point: CurvePoint, axis: Axis) -> float:
    return float(getattr(point, axis))
