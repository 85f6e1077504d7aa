"""The curves of a study that is going on: which points are shown, and what is said of them.

This file knows runs as they stand; how curves are drawn stands in ``curves``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from musicrel.presentation.study import curves, progress
from musicrel.presentation.study.curve_frame import Frame
from musicrel.presentation.study.curves import Axis, Series, Split

if TYPE_CHECKING:
    from musicrel.experiment.study.results import CurvePoint
    from musicrel.experiment.study.run_watch import RunNow

Shown = Literal["valid", "train", "both"]

MOST_POINTS: Final = 160
"""Of a train curve; more are not told apart, and take longer to draw."""
_SPLITS: Final[dict[Shown, tuple[Split, ...]]] = {
    "valid": ("valid",),
    "train": ("train",),
    "both": ("valid", "train"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveChoice:
    """What of the curves the user wants to see.

    Attributes:
        axis: what runs to the right.
        shown: what the losses were measured on.
        logarithmic: whether losses stand at their logarithm.
    """

    axis: Axis = "step"
    shown: Shown = "valid"
    logarithmic: bool = False


def series(runs: Sequence[RunNow], choice: CurveChoice) -> list[Series]:
    """The curves of all runs; those of train are means over equally many steps in all runs."""
    longest = max((len(run.train) for run in runs), default=0)
    each = max(-(-longest // MOST_POINTS), 1)
    found = []
    for split in _SPLITS[choice.shown]:
        for run in runs:
            points = run.valid if split == "valid" else run.train
            placed = tuple((_place(point, choice.axis), point.nats) for point in points)
            thin = placed if split == "valid" else thinned(placed, each)
            found.append(Series(arm=run.arm, points=thin, split=split))
    return found


def thinned(points: Sequence[curves.Point], each: int) -> tuple[curves.Point, ...]:
    """The means of every ``each`` points; the last ones too, where they are fewer."""
    groups = (points[first : first + each] for first in range(0, len(points), each))
    return tuple(
        (sum(x for x, _ in group) / len(group), sum(y for _, y in group) / len(group))
        for group in groups
    )


def pointed(
    found: Sequence[Series], frame: Frame, axis: Axis, x: float, unit: str = "nats/note"
) -> str:
    """The losses at pixel ``x`` in words, as in '500 steps: vanilla 2.100 · relative 2.000'."""
    place = frame.place(x)
    said: dict[tuple[str, str], list[float]] = {}
    for one in found:
        if one.points and place >= 0:
            nearest = min(one.points, key=lambda point: abs(point[0] - place))
            said.setdefault((one.arm, one.split), []).append(nearest[1])
    if not said or place > frame.right:
        return ""
    splits = {split for _, split in said}
    words = [
        f"{arm}{f' ({split})' if len(splits) > 1 else ''} {sum(losses) / len(losses):.3f}"
        for (arm, split), losses in said.items()
    ]
    return f"{_told(place, axis, unit)}: {'  ·  '.join(words)} {unit}"


def _told(place: float, axis: Axis, unit: str) -> str:
    if axis == "seconds":
        return progress.duration(place)
    return f"{round(place):,} {'steps' if axis == 'step' else curves.learned(unit)}"


def _place(point: CurvePoint, axis: Axis) -> float:
    return float(getattr(point, axis))
