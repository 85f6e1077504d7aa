"""Mean sizes of effects by rank of weight, a line for each model, on two logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from musicrel.analysis.claims.intervals import Estimate
from musicrel.presentation.ablation import interval_chart
from musicrel.presentation.ablation.interval_chart import ChartFrame
from musicrel.presentation.comparison import chart
from musicrel.presentation.drawing.drawing import Area, Drawing, Item, Line, Rectangle, Text
from musicrel.presentation.words.palette import Theme

_HEIGHT: Final = 420
_LEFT: Final = 76.0
_TOP: Final = 70.0
_RIGHT: Final = 24.0
_BOTTOM: Final = 352.0
_BAND: Final = 0.2
_TICKS: Final = (1, 2, 4, 8, 16, 32, 64)
_SMALLEST: Final = 1e-6
"""The smallest effect that is drawn, in nats."""


class RankPoint(NamedTuple):
    rank: float
    size: Estimate  # mean size of the effects, at least 0


def draw(lines: Sequence[Sequence[RankPoint]], frame: ChartFrame, theme: Theme) -> Drawing:
    """Draw the lines with their intervals as bands.

    Args:
        lines: the points of each model by rising rank, at least one in all.
    """
    plot = _Plot.of([point for line in lines for point in line])
    items: list[Item] = [*_grid(plot, frame.axis, theme)]
    for number, line in enumerate(lines):
        items += _line(line, plot, interval_chart.colour(number, theme))
    items += interval_chart.texts(frame, _HEIGHT, theme)
    return Drawing(
        width=chart.PAGE, height=_HEIGHT, background=theme.panel, title=frame.title,
        items=tuple(items),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Plot:
    """The ranges of the axes."""

    last: float  # the largest rank
    low: int  # power of ten at the lower edge
    high: int  # power of ten at the upper edge

    @classmethod
    def of(cls, points: Sequence[RankPoint]) -> _Plot:
        ends = [max(end, _SMALLEST) for point in points for end in point.size]
        low, high = math.floor(math.log10(min(ends))), math.ceil(math.log10(max(ends)))
        return cls(max(*(point.rank for point in points), 2), low, max(high, low + 1))

    def x(self, rank: float) -> float:
        return _LEFT + math.log(rank) / math.log(self.last) * (chart.PAGE - _RIGHT - _LEFT)

    def y(self, size: float) -> float:
        power = math.log10(max(size, _SMALLEST))
        return _BOTTOM - (power - self.low) / (self.high - self.low) * (_BOTTOM - _TOP)


def _grid(plot: _Plot, axis: str, theme: Theme) -> Iterator[Item]:
    right = chart.PAGE - _RIGHT
    for power in range(plot.low, plot.high + 1):
        y = plot.y(10.0**power)
        yield Rectangle(x=_LEFT, y=y, width=right - _LEFT, height=1, fill=theme.line_bar)
        yield Text(x=_LEFT - 8, y=y + 4, text=f"{10.0**power:g}", size=chart.SMALL,
                   colour=theme.quiet, anchor="end")  # fmt: skip
    for rank in _TICKS:
        if rank <= plot.last:
            yield Text(x=plot.x(rank), y=_BOTTOM + 16, text=f"{rank}", size=chart.SMALL,
                       colour=theme.quiet, anchor="middle")  # fmt: skip
    yield Text(x=right, y=_BOTTOM + 36, text=axis, size=chart.TEXT, colour=theme.quiet,
               anchor="end")  # fmt: skip


def _line(line: Sequence[RankPoint], plot: _Plot, fill: str) -> Iterator[Item]:
    if len(line) > 1:
        upper = [(plot.x(point.rank), plot.y(point.size.high)) for point in line]
        lower = [(plot.x(point.rank), plot.y(point.size.low)) for point in line]
        yield Area(points=(*upper, *reversed(lower)), fill=fill, opacity=_BAND)
        middle = tuple((plot.x(point.rank), plot.y(point.size.value)) for point in line)
        yield Line(points=middle, colour=fill, width=2)
    for point in line:
        yield interval_chart.disc(plot.x(point.rank), plot.y(point.size.value), fill)
