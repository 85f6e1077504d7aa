"""Means with their intervals on a common axis, in groups of rows; one dot for each model."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from musicrel.analysis.claims.intervals import Estimate
from musicrel.presentation.comparison import chart
from musicrel.presentation.drawing.drawing import (
    Area,
    Drawing,
    Item,
    Rectangle,
    Text,
    shortened,
    width_of,
)
from musicrel.presentation.words.palette import Theme

_LEFT: Final = 350.0
_RIGHT: Final = 30.0
_HEADING: Final = 30
_TOP: Final = 62
_GROUP: Final = 30
_VALUE: Final = 15
_ROW_GAP: Final = 9
_FOOT: Final = 62
_RADIUS: Final = 4.0
_CORNERS: Final = 12
_TITLE: Final = 16.0
_TICK: Final = 6.0
_OVER: Final = 0.05
"""Share of the distance of two ticks by which a value may exceed the last one."""


@dataclass(frozen=True, slots=True)
class ChartValue:
    # the mean with its interval; None: the model has none, its place stays empty
    estimate: Estimate | None
    others: tuple[float, ...] = ()  # values to compare it with, drawn as thin ticks


@dataclass(frozen=True, slots=True)
class ChartRow:
    """The means of a quantity."""

    label: str
    values: tuple[ChartValue, ...]


@dataclass(frozen=True, slots=True)
class ChartGroup:
    """Rows under a title."""

    title: str
    rows: tuple[ChartRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartFrame:
    """The texts around a chart."""

    title: str
    axis: str  # name and unit of the values
    models: tuple[str, ...]  # names by the order of the values
    caption: str  # the command and the seed, below the chart


def draw(groups: Sequence[ChartGroup], frame: ChartFrame, theme: Theme) -> Drawing:
    """Draw the groups from the top down."""
    scale = _Scale.of(groups)
    row_height = _VALUE * len(frame.models) + _ROW_GAP
    items: list[Item] = []
    y = float(_TOP)
    for group in groups:
        text = shortened(group.title, chart.TEXT, chart.PAGE - 2 * chart.MARGIN)
        items.append(Text(x=chart.MARGIN, y=y + 20, text=text, size=chart.TEXT,
                          colour=theme.text, bold=True))  # fmt: skip
        y += _GROUP
        for row in group.rows:
            items += _row(row, y, scale, theme)
            y += row_height
    axes = (*_axis(scale, y, frame.axis, theme), *texts(frame, round(y) + _FOOT, theme))
    return Drawing(
        width=chart.PAGE, height=round(y) + _FOOT, background=theme.panel, title=frame.title,
        items=(*axes, *items),
    )  # fmt: skip


def texts(frame: ChartFrame, height: int, theme: Theme) -> Iterator[Item]:
    """Draw the title, the legend of the models and the caption of a chart of this height."""
    yield Text(x=chart.MARGIN, y=_HEADING, text=frame.title, size=_TITLE, colour=theme.text,
               bold=True)  # fmt: skip
    x = chart.MARGIN + _RADIUS
    for number, name in enumerate(frame.models):
        yield disc(x, _HEADING + 20, colour(number, theme))
        yield Text(x=x + 10, y=_HEADING + 24, text=name, size=chart.TEXT, colour=theme.text)
        x += 34 + width_of(name, chart.TEXT)
    caption = shortened(frame.caption, chart.SMALL, chart.PAGE - 2 * chart.MARGIN)
    yield Text(x=chart.MARGIN, y=height - 10, text=caption, size=chart.SMALL, colour=theme.quiet)


def colour(number: int, theme: Theme) -> str:
    """Return the colour of a model: the first two are A and B."""
    colours = (*theme.models, *theme.voice_edges)
    return colours[number % len(colours)]


def disc(x: float, y: float, fill: str) -> Area:
    angles = [2 * math.pi * corner / _CORNERS for corner in range(_CORNERS)]
    points = tuple((x + _RADIUS * math.cos(a), y + _RADIUS * math.sin(a)) for a in angles)
    return Area(points=points, fill=fill)


@dataclass(frozen=True, slots=True)
class _Scale:
    """The range of the axis, which holds 0."""

    low: float  # the value at the left edge
    high: float  # the value at the right edge
    step: float  # distance of ticks

    @classmethod
    def of(cls, groups: Sequence[ChartGroup]) -> _Scale:
        values = [value for group in groups for row in group.rows for value in row.values]
        ends = [0.0]
        for value in values:
            ends += (*(value.estimate or ()), *value.others)
        step = chart.round_step((max(ends) - min(ends)) / 2)
        low = math.floor(min(ends) / step + _OVER) * step
        high = math.ceil(max(ends) / step - _OVER) * step
        return cls(low, max(high, low + step), step)

    @property
    def ticks(self) -> list[float]:
        count = round((self.high - self.low) / self.step)
        return [round(self.low + place * self.step, 12) + 0.0 for place in range(count + 1)]

    def x(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return _LEFT + share * (chart.PAGE - _RIGHT - _LEFT)


def _row(row: ChartRow, y: float, scale: _Scale, theme: Theme) -> Iterator[Item]:
    middle = y + _VALUE * len(row.values) / 2 + 4
    label = shortened(row.label, chart.TEXT, _LEFT - 2 * chart.MARGIN)
    yield Text(x=chart.MARGIN, y=middle, text=label, size=chart.TEXT, colour=theme.text)
    for number, value in enumerate(row.values):
        at = y + _VALUE * (number + 0.5)
        for other in value.others:
            yield Rectangle(x=scale.x(other), y=at - _TICK, width=1, height=2 * _TICK,
                            fill=theme.faint, opacity=0.5)  # fmt: skip
        if value.estimate is not None:
            mean, low, high = map(scale.x, value.estimate)
            fill = colour(number, theme)
            yield Rectangle(x=low, y=at - 1, width=max(high - low, 1), height=2, fill=fill)
            yield disc(mean, at, fill)


def _axis(scale: _Scale, bottom: float, name: str, theme: Theme) -> Iterator[Item]:
    for tick in scale.ticks:
        line = theme.quiet if tick == 0 else theme.line_bar
        yield Rectangle(x=scale.x(tick), y=_TOP, width=1, height=bottom - _TOP, fill=line)
        text = f"{tick:g}".replace("-", "−")
        yield Text(x=scale.x(tick), y=bottom + 14, text=text, size=chart.SMALL, colour=theme.quiet,
                   anchor="middle")  # fmt: skip
    yield Text(x=chart.PAGE - _RIGHT, y=bottom + 32, text=name, size=chart.TEXT,
               colour=theme.quiet, anchor="end")  # fmt: skip
