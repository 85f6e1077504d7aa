"""Learning curves as a drawing: a thin line per run, a bold line per arm with its name.

The bold line is the mean over the seeds of an arm, as far as all of them have come. The band around
it is the 95 % confidence interval of the mean. A line of one evaluation is drawn as a dot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from musicrel.experiment.study import statistics
from musicrel.presentation.drawing.drawing import Area, Drawing, Item, Line, Text
from musicrel.presentation.study import line_ends
from musicrel.presentation.study.curve_frame import (
    BOTTOM,
    HEIGHT,
    LEFT,
    MAX_TICKS,
    TOP,
    WIDTH,
    Frame,
    ticks,
)
from musicrel.presentation.study.line_ends import LineEnd
from musicrel.presentation.words.palette import LIGHT, Theme

Axis = Literal["step", "tokens", "seconds"]
Point = tuple[float, float]

EMPTY: Final = "Curves appear after the first evaluation."
_RIGHT: Final = (84.0, WIDTH / 2)
"""Least and greatest width for names."""
_PIXELS_A_TICK: Final = 70.0
_FAINT: Final = 0.35
_FAINTER: Final = 0.16
"""Opacity of the confidence band."""
_DOT: Final = 3.5
"""Radius of the dot of a run with one evaluation."""
_AXES: Final = {"step": "steps", "seconds": "seconds of training"}
_LONG_TIMES: Final = ((7200.0, 3600.0, "hours of training"), (120.0, 60.0, "minutes of training"))
"""Least maximum of a time axis for a unit, seconds per unit, and its label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The validation losses of one run."""

    arm: str  # of the run; runs of an arm share a colour
    points: tuple[Point, ...]  # (position on the x axis, loss), from left to right


def draw(
    series: Sequence[Series],
    *,
    title: str,
    unit: str = "nats/note",
    axis: Axis = "tokens",
    logarithmic: bool = False,
    theme: Theme = LIGHT,
) -> Drawing:
    """Draw the curves.

    Args:
        series: of all runs; those without points are omitted.
        logarithmic: True for a logarithmic loss axis.
    """
    frame, arms = framed(series, logarithmic=logarithmic), _by_arm(series)
    shown = any(arms.values())
    across = x_unit(axis, frame.right, unit)
    items: list[Item] = [
        Text(x=LEFT, y=24, text=title, size=15, colour=theme.text, bold=True),
        *(
            _grid(frame, across, theme, f"{unit} on validation")
            if shown
            else _nothing(frame, theme)
        ),
    ]
    ends: list[LineEnd] = []
    for number, (arm, runs) in enumerate(arms.items()):
        if runs:
            items += _arm(runs, frame, number, theme)
            ends.append(_end(arm, number, mean(runs)[-1], frame))
    items += line_ends.names(
        ends, theme, x=frame.edge + 8, width=WIDTH - frame.edge - 12, box=(TOP, BOTTOM + 30)
    )
    return Drawing(
        width=WIDTH,
        height=HEIGHT,
        background=theme.lane,
        title=describe(title, [(end.name, end.value) for end in ends], unit),
        items=tuple(items),
    )


def framed(series: Sequence[Series], *, logarithmic: bool = False) -> Frame:
    """Return the frame that ``draw`` uses; arguments as of ``draw``."""
    points = [point for one in series for point in one.points]
    losses = [loss for _, loss in points] or [0.5, 1.0]
    low, high = min(losses), max(losses)
    room = max((high - low) * 0.05, 0.01)
    named = [LineEnd(y=0.0, name=arm, value=f"{low:.3f}", number=number)
             for number, (arm, runs) in enumerate(_by_arm(series).items()) if runs]  # fmt: skip
    least, most = _RIGHT
    return Frame(
        edge=WIDTH - min(max(line_ends.room(named) + 14, least), most),
        right=max((place for place, _ in points), default=1.0) or 1.0,
        low=low * 0.95 if logarithmic else max(low - room, 0.0),
        high=high + room,
        logarithmic=logarithmic,
    )


def describe(title: str, ends: Sequence[tuple[str, str]], unit: str) -> str:
    """Describe curves for screen readers by name and last loss of each."""
    if not ends:
        return f"{title}: no evaluation yet"
    return f"{title}: {', '.join(f'{name} {loss}' for name, loss in ends)} {unit}"


def examples(unit: str) -> str:
    """Return the noun for training examples of a loss in ``unit``: tokens, or as the unit."""
    each = unit.partition("/")[2]
    return "tokens" if each in ("note", "token") else f"{each}s"


def mean(runs: Sequence[Sequence[Point]]) -> tuple[Point, ...]:
    """Return the mean over runs, point by point, up to the end of the shortest."""
    return tuple(
        (
            sum(x for x, _ in at_place) / len(at_place),
            sum(y for _, y in at_place) / len(at_place),
        )
        for at_place in zip(*runs, strict=False)
    )


def interval(runs: Sequence[Sequence[Point]]) -> tuple[tuple[float, float, float], ...]:
    """Return the 95 % confidence interval of the mean over two or more runs, point by point."""
    middle = mean(runs)
    losses = np.array([[loss for _, loss in run[: len(middle)]] for run in runs])
    halves = statistics.mean_half_width(losses).tolist()
    return tuple((x, y - half, y + half) for (x, y), half in zip(middle, halves, strict=True))


def _by_arm(series: Sequence[Series]) -> dict[str, list[tuple[Point, ...]]]:
    """Return the points of the runs of each arm; the place of an arm gives colour and marker."""
    found: dict[str, list[tuple[Point, ...]]] = {one.arm: [] for one in series}
    for one in series:
        if one.points:
            found[one.arm].append(one.points)
    return found


def _arm(runs: Sequence[Sequence[Point]], frame: Frame, number: int, theme: Theme) -> list[Item]:
    """Draw an arm: the confidence band of its mean, each run, and their mean."""
    items: list[Item] = []
    colour, middle = line_ends.colour(number, theme), mean(runs)
    band = interval(runs) if len(runs) > 1 and len(middle) > 1 else ()
    if band:
        low, high = ([(frame.x(x), min(max(frame.y(ends[side]), TOP), BOTTOM)) for x, *ends in band]
                     for side in (0, 1))  # fmt: skip
        items.append(Area(points=(*high, *reversed(low)), fill=colour, opacity=_FAINTER))
    faint = _mixed(colour, theme.lane, _FAINT)
    if len(runs) > 1:
        items += [_line(points, frame, faint, 1.0) for points in runs]
    bold = _line(middle, frame, colour, 2.5)
    marked = bold.points if isinstance(bold, Line) else ()
    return [*items, bold, *line_ends.marks(number, marked, colour)]


def _grid(frame: Frame, across: tuple[float, str], theme: Theme, loss_axis: str) -> list[Item]:
    edge = frame.edge
    items: list[Item] = []
    for loss in ticks(frame.low, frame.high):
        y = frame.y(loss)
        items.append(Line(points=((LEFT, y), (edge, y)), colour=theme.line_beat))
        items.append(line_ends.axis_label(LEFT - 8, y + 4, f"{loss:.4g}", theme, "end"))
    each, words = across
    for place in ticks(
        0.0, frame.right / each, min(int((edge - LEFT) / _PIXELS_A_TICK), MAX_TICKS)
    ):
        x = frame.x(place * each)
        items.append(Line(points=((x, BOTTOM), (x, BOTTOM + 5)), colour=theme.line_bar))
        items.append(line_ends.axis_label(x, BOTTOM + 19, short_number(place), theme, "middle"))
    items.append(Line(points=((LEFT, BOTTOM), (edge, BOTTOM)), colour=theme.line_bar))
    items.append(line_ends.axis_label((LEFT + edge) / 2, HEIGHT - 12, words, theme, "middle"))
    items.append(line_ends.axis_label(LEFT, TOP - 6, loss_axis, theme, "start"))
    return items


def _nothing(frame: Frame, theme: Theme) -> list[Item]:
    """Draw empty axes with a message."""
    corner = ((LEFT, TOP), (LEFT, BOTTOM), (frame.edge, BOTTOM))
    middle = ((LEFT + frame.edge) / 2, (TOP + BOTTOM) / 2)
    return [
        Line(points=corner, colour=theme.line_bar),
        line_ends.axis_label(*middle, EMPTY, theme, "middle"),
    ]


def _line(points: Sequence[Point], frame: Frame, colour: str, width: float) -> Line | Area:
    """Return the line through points, or a dot if there is a single one."""
    placed = tuple((frame.x(place), frame.y(loss)) for place, loss in points)
    if len(placed) > 1:
        return Line(points=placed, colour=colour, width=width)
    return Area(points=line_ends.disc(*placed[0], _DOT), fill=colour)


def _end(arm: str, number: int, last: Point, frame: Frame) -> LineEnd:
    place, loss = last
    return LineEnd(x=frame.x(place), y=frame.y(loss), name=arm, value=f"{loss:.3f}", number=number)


def x_unit(axis: Axis, right: float, unit: str) -> tuple[float, str]:
    """Return the divisor and the label of the x axis."""
    for seconds, each, words in _LONG_TIMES if axis == "seconds" else ():
        if right >= seconds:
            return each, words
    return 1.0, examples(unit) if axis == "tokens" else _AXES[axis]


def short_number(number: float) -> str:
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.4g}{letter}"
    return f"{number:.4g}"


def _mixed(colour: str, ground: str, share: float) -> str:
    channels = [
        round(share * int(colour[place : place + 2], 16))
        + round((1 - share) * int(ground[place : place + 2], 16))
        for place in (1, 3, 5)
    ]
    return "#" + "".join(f"{min(channel, 255):02x}" for channel in channels)
