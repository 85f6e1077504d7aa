"""Learning curves as a drawing: one thin line a run, one heavy line an arm, its name at the end.

This file knows numbers and lines; it knows nothing of runs, files or of how a drawing is painted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from musicrel.presentation.drawing import Drawing, Item, Line, Text, shortened
from musicrel.presentation.palette import LIGHT, Theme

Axis = Literal["step", "tokens", "seconds"]
Point = tuple[float, float]

_WIDTH: Final = 760
_HEIGHT: Final = 420
_LEFT: Final = 64.0
_RIGHT: Final = 150.0
_TOP: Final = 44.0
_BOTTOM: Final = 52.0
_SIZE: Final = 12.0
_TICKS: Final = 6
_FAINT: Final = 0.35
_APART: Final = 15.0
"""Pixels between the names at the right."""
_AXES: Final = {"step": "steps", "tokens": "tokens", "seconds": "seconds of learning"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The curve of one run.

    Attributes:
        arm: whose runs are drawn in one colour.
        points: (place on the axis, loss), from left to right.
    """

    arm: str
    points: tuple[Point, ...]


def draw(
    series: Sequence[Series],
    *,
    title: str,
    axis: Axis = "tokens",
    logarithmic: bool = False,
    theme: Theme = LIGHT,
) -> Drawing:
    """Draw the curves.

    Args:
        series: of all runs; those without points are left out.
        title: above them.
        axis: what runs to the right.
        logarithmic: whether losses stand at their logarithm.
        theme: colours.
    """
    shown = [one for one in series if one.points]
    frame = _Frame.around([point for one in shown for point in one.points], logarithmic=logarithmic)
    items = [*_grid(frame, axis, theme)]
    arms = list(dict.fromkeys(one.arm for one in shown))
    names: list[tuple[float, str, str]] = []
    for place, arm in enumerate(arms):
        colour = theme.voice_edges[place % len(theme.voice_edges)]
        of_arm = [one.points for one in shown if one.arm == arm]
        middle = mean(of_arm)
        faint = _mixed(colour, theme.lane, _FAINT)
        items += [_line(points, frame, faint, 1.0) for points in of_arm if len(of_arm) > 1]
        items.append(_line(middle, frame, colour, 2.5))
        names.append((frame.y(middle[-1][1]), f"{arm} {middle[-1][1]:.3f}", colour))
    items += _names(names)
    heading = Text(x=_LEFT, y=24, text=title, size=15, colour=theme.text, bold=True)
    return Drawing(
        width=_WIDTH,
        height=_HEIGHT,
        background=theme.lane,
        title=f"{title}: " + (", ".join(name for _, name, _ in names) or "no evaluation yet"),
        items=(heading, *items),
    )


def mean(runs: Sequence[Sequence[Point]]) -> tuple[Point, ...]:
    """The mean over runs, place by place, as far as the shortest goes."""
    return tuple(
        (
            sum(x for x, _ in at_place) / len(at_place),
            sum(y for _, y in at_place) / len(at_place),
        )
        for at_place in zip(*runs, strict=False)
    )


def ticks(low: float, high: float) -> list[float]:
    """About six round numbers from ``low`` to ``high``: multiples of 1, 2 or 5 times ten to n."""
    step = 10 ** math.floor(math.log10((high - low) / _TICKS))
    step *= next(unit for unit in (1, 2, 5, 10) if (high - low) / (unit * step) <= _TICKS)
    first = math.ceil(low / step - 1e-9)
    return [place * step for place in range(first, math.floor(high / step + 1e-9) + 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """Which numbers the picture spans, and where they stand."""

    right: float
    low: float
    high: float
    logarithmic: bool

    @classmethod
    def around(cls, points: Sequence[Point], *, logarithmic: bool) -> _Frame:
        losses = [loss for _, loss in points] or [0.5, 1.0]
        low, high = min(losses), max(losses)
        room = max((high - low) * 0.05, 0.01)
        low = low * 0.95 if logarithmic else low - room
        right = max((place for place, _ in points), default=1.0) or 1.0
        return cls(right=right, low=low, high=high + room, logarithmic=logarithmic)

    def x(self, place: float) -> float:
        return _LEFT + place / self.right * (_WIDTH - _LEFT - _RIGHT)

    def y(self, loss: float) -> float:
        low, high, here = (self._placed(value) for value in (self.low, self.high, loss))
        return _TOP + (high - here) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    def _placed(self, loss: float) -> float:
        return math.log(max(loss, 1e-6)) if self.logarithmic else loss


def _grid(frame: _Frame, axis: Axis, theme: Theme) -> list[Item]:
    left, right, bottom = _LEFT, _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    items: list[Item] = []
    for loss in ticks(frame.low, frame.high):
        y = frame.y(loss)
        items.append(Line(points=((left, y), (right, y)), colour=theme.line_beat))
        items.append(_label(left - 8, y + 4, f"{loss:g}", theme, "end"))
    for place in ticks(0.0, frame.right):
        x = frame.x(place)
        items.append(Line(points=((x, bottom), (x, bottom + 5)), colour=theme.line_bar))
        items.append(_label(x, bottom + 19, _short(place), theme, "middle"))
    items.append(Line(points=((left, bottom), (right, bottom)), colour=theme.line_bar))
    items.append(_label((left + right) / 2, _HEIGHT - 12, _AXES[axis], theme, "middle"))
    items.append(_label(left, _TOP - 6, "nats/note on valid", theme, "start"))
    return items


def _label(
    x: float, y: float, text: str, theme: Theme, anchor: Literal["start", "middle", "end"]
) -> Text:
    return Text(x=x, y=y, text=text, size=_SIZE, colour=theme.quiet, anchor=anchor)


def _line(points: Sequence[Point], frame: _Frame, colour: str, width: float) -> Line:
    placed = tuple((frame.x(place), frame.y(loss)) for place, loss in points)
    return Line(points=placed if len(placed) > 1 else placed * 2, colour=colour, width=width)


def _names(names: Sequence[tuple[float, str, str]]) -> list[Item]:
    """The names of the arms beside the ends of their curves, moved apart where they meet."""
    items: list[Item] = []
    above = 0.0
    for y, name, colour in sorted(names):
        above = max(y + 4, above + _APART)
        text = shortened(name, _SIZE, _RIGHT - 12)
        items.append(
            Text(x=_WIDTH - _RIGHT + 8, y=above, text=text, size=_SIZE, colour=colour, bold=True)
        )
    return items


def _short(number: float) -> str:
    """12,000,000 as 12 M, 40,000 as 40 k."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"


def _mixed(colour: str, ground: str, share: float) -> str:
    channels = [
        round(share * int(colour[place : place + 2], 16))
        + round((1 - share) * int(ground[place : place + 2], 16))
        for place in (1, 3, 5)
    ]
    return "#" + "".join(f"{min(channel, 255):02x}" for channel in channels)
