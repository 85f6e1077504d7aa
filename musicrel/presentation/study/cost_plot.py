"""A log-log plot of a cost by length: powers are straight lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from musicrel.presentation.drawing.drawing import Drawing, Item, Line, Text
from musicrel.presentation.study import line_ends
from musicrel.presentation.study.line_ends import LineEnd
from musicrel.presentation.words.palette import LIGHT, Theme

_SIZE: Final = (760, 420)
_LEFT, _TOP, _RIGHT, _BOTTOM = 76.0, 44.0, 596.0, 372.0
"""Edges of the plot area; names are to the right of it."""
_UNITS: Final = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CostCurve:
    """The cost of one arm by length."""

    name: str  # label at its end
    points: tuple[tuple[float, float], ...]  # (length, value), both above 0, by length
    estimated: int = 0  # number of estimates at the end, drawn dashed


def draw(lines: Sequence[CostCurve], *, title: str, unit: str, theme: Theme = LIGHT) -> Drawing:
    shown = [line for line in lines if line.points]
    places = [point for line in shown for point in line.points]
    plot = _Plot(
        (min(x for x, _ in places), max(x for x, _ in places)),
        (min(y for _, y in places), max(y for _, y in places)),
    )
    items: list[Item] = [
        Text(x=_LEFT, y=24.0, text=title, size=15.0, colour=theme.text, bold=True),
        *_grid(plot, sorted({x for x, _ in places}), unit, theme),
    ]
    ends = []
    for number, line in enumerate(shown):
        items += _line(plot, line, number, theme)
        ends.append(LineEnd(y=plot.y(line.points[-1][1]), name=line.name, number=number))
    width, height = _SIZE
    items += line_ends.names(
        ends, theme, x=_RIGHT + 10, width=width - _RIGHT - 14, box=(_TOP, _BOTTOM + 30)
    )
    return Drawing(
        width=width, height=height, background=theme.lane, title=title, items=tuple(items)
    )


@dataclass(frozen=True, slots=True)
class _Plot:
    """The ranges of both axes."""

    across: tuple[float, float]
    up: tuple[float, float]

    def x(self, value: float) -> float:
        return _LEFT + _share(value, self.across) * (_RIGHT - _LEFT)

    def y(self, value: float) -> float:
        return _BOTTOM - _share(value, self.up) * (_BOTTOM - _TOP)


def _share(value: float, ends: tuple[float, float]) -> float:
    low, high = (math.log(end) for end in ends)
    return (math.log(value) - low) / (high - low) if high > low else 0.5


def _grid(plot: _Plot, lengths: Sequence[float], unit: str, theme: Theme) -> list[Item]:
    items: list[Item] = []
    low, high = (math.log10(end) for end in plot.up)
    for power in range(math.ceil(low), math.floor(high) + 1):
        y = plot.y(10.0**power)
        items.append(Line(points=((_LEFT, y), (_RIGHT, y)), colour=theme.line_bar, width=1.0))
        tick = prefixed(10.0**power, unit)
        items.append(line_ends.axis_label(_LEFT - 8, y + 4, tick, theme, "end"))
    items += [
        line_ends.axis_label(plot.x(length), _BOTTOM + 20, f"{length:,.0f}", theme, "middle")
        for length in lengths
    ]
    items.append(
        line_ends.axis_label((_LEFT + _RIGHT) / 2, _BOTTOM + 40, "tokens", theme, "middle")
    )
    return items


def _line(plot: _Plot, line: CostCurve, number: int, theme: Theme) -> list[Item]:
    colour = line_ends.colour(number, theme)
    placed = tuple((plot.x(x), plot.y(y)) for x, y in line.points)
    measured = len(placed) - line.estimated
    items: list[Item] = []
    if measured > 1:
        items.append(Line(points=placed[:measured], colour=colour, width=2.5))
    if line.estimated and len(placed) > 1:
        items.append(
            Line(points=placed[max(measured - 1, 0) :], colour=colour, width=1.5, dashed=True)
        )
    return [*items, *line_ends.marks(number, placed, colour)]


def prefixed(value: float, unit: str) -> str:
    """Return a number with an SI prefix and unit: 1,500,000 B as 1.5 MB."""
    size, letter = next((pair for pair in _UNITS if abs(value) >= pair[0]), _UNITS[-1])
    return f"{value / size:.3g} {letter}{unit}"
