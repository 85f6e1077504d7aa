"""Plots of differences between arms: an interval for each pair, a dot for each piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from musicrel.experiment.study.statistics import MIN_EFFECT, Comparison
from musicrel.presentation.drawing.drawing import (
    Area,
    Drawing,
    Item,
    Line,
    Rectangle,
    Text,
    shortened,
    width_of,
)
from musicrel.presentation.report.differences import PieceDifference, most_different
from musicrel.presentation.study import line_ends
from musicrel.presentation.study.curve_frame import ticks
from musicrel.presentation.words import display_names
from musicrel.presentation.words.palette import LIGHT, Theme

_WIDTH: Final = 760
_ROW: Final = 30.0
_TOP: Final = 34.0
_BELOW: Final = 52.0
"""Heights of a row, above the first row and below the last one."""
_NAMES: Final = 230.0
"""Greatest width of the names beside the rows."""
_VALUES: Final = 70.0
_RIGHT: Final = 14.0
_DOTS_HEIGHT: Final = 300
_DOTS_TOP: Final = 40.0
_DOTS_LEFT: Final = 64.0
_DOTS_BOTTOM: Final = 262.0
_RADIUS: Final = 3.2
_SIZE: Final = 12.0
_ROOM: Final = 0.06
"""Share of the range that is left free on both sides."""
_BAND_OPACITY: Final = 0.7


@dataclass(frozen=True, slots=True)
class _Axis:
    """A linear axis: its range, and where it begins and ends in pixels."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def intervals(pairs: Sequence[Comparison], theme: Theme = LIGHT) -> Drawing:
    """Draw the mean difference of each pair and its confidence interval, the largest first.

    The grey band is the range of differences that are too small to matter.

    Args:
        pairs: at least one; all in one unit.
    """
    pairs = sorted(pairs, key=lambda pair: -pair.difference)
    shared = len({pair.first for pair in pairs}) == 1
    labels = [_arm(pair.second) if shared else f"{_arm(pair.first)} − {_arm(pair.second)}"
              for pair in pairs]  # fmt: skip
    left = min(max(width_of(label, _SIZE) for label in labels), _NAMES) + 24
    ends = [end for pair in pairs for end in (pair.low, pair.high)]
    axis = _axis([*ends, -MIN_EFFECT, MIN_EFFECT], left, _WIDTH - _RIGHT - _VALUES)
    bottom = _TOP + _ROW * len(pairs)
    first, other = (_arm(pairs[0].first), "the arm") if shared else ("the first arm", "the second")
    items: list[Item] = [
        *_band(axis, _TOP, bottom, theme),
        *_across(axis, _TOP, bottom, theme),
        *_sides(axis, first, theme),
    ]
    for row, (pair, label) in enumerate(zip(pairs, labels, strict=True)):
        items += _interval(pair, label, axis, _TOP + _ROW * (row + 0.5), theme)
    title = f"{pairs[0].unit}, loss of {first} minus that of {other}"
    middle = (axis.start + axis.end) / 2
    items.append(line_ends.axis_label(middle, bottom + 42, title, theme, "middle"))
    return Drawing(
        width=_WIDTH,
        height=round(bottom + _BELOW),
        background=theme.lane,
        title="; ".join(pair.sentence for pair in pairs),
        items=tuple(items),
    )


def dots(
    pieces: Sequence[PieceDifference], pair: Comparison, *, marked: int = 10, theme: Theme = LIGHT
) -> Drawing:
    """Draw a dot for the difference of each piece, from the smallest to the largest.

    Args:
        pair: the compared arms; its mean and interval are drawn across.
        marked: number of pieces with the largest differences that are filled; others are pale.
    """
    ordered = sorted(pieces, key=lambda piece: piece.difference)
    bold = {id(one) for one in most_different(ordered)[:marked]}
    values = [piece.difference for piece in ordered]
    axis = _axis([*values, pair.low, pair.high, 0.0], _DOTS_BOTTOM, _DOTS_TOP)
    across = _Axis(-0.5, len(ordered) - 0.5, _DOTS_LEFT, _WIDTH - _RIGHT)
    items: list[Item] = [*_up(axis, across, pair, theme)]
    for rank, piece in enumerate(ordered):
        place = across.place(rank), axis.place(piece.difference)
        fill = theme.accent if id(piece) in bold else theme.faint
        items.append(_dot(place, fill))
    return Drawing(
        width=_WIDTH,
        height=_DOTS_HEIGHT,
        background=theme.lane,
        title=(
            f"Difference of {len(ordered)} {pair.observations} between {_arm(pair.first)} and "
            f"{_arm(pair.second)}, from {values[0]:+.3f} to {values[-1]:+.3f} {pair.unit}"
        ),
        items=tuple(items),
    )


def _arm(name: str) -> str:
    return display_names.arm(name)


def _axis(values: Sequence[float], start: float, end: float) -> _Axis:
    low, high = min(values), max(values)
    room = max(high - low, 1e-9) * _ROOM
    return _Axis(low - room, high + room, start, end)


def _band(axis: _Axis, top: float, bottom: float, theme: Theme) -> list[Item]:
    """Draw the range of differences that are too small to matter."""
    left, right = (axis.place(end) for end in (-MIN_EFFECT, MIN_EFFECT))
    return [
        Rectangle(
            x=left, y=top, width=right - left, height=bottom - top, fill=theme.line_beat,
            opacity=_BAND_OPACITY,
        )
    ]  # fmt: skip


def _across(axis: _Axis, top: float, bottom: float, theme: Theme) -> list[Item]:
    """Draw the ticks of a horizontal axis, and a line at 0."""
    items: list[Item] = []
    for tick in ticks(axis.low, axis.high):
        x = axis.place(tick)
        zero = abs(tick) < 1e-12  # noqa: PLR2004
        colour = theme.quiet if zero else theme.line_beat
        items.append(Line(points=((x, top), (x, bottom)), colour=colour))
        text = _signed(tick)
        items.append(line_ends.axis_label(x, bottom + 18, text, theme, "middle"))
    return items


def _sides(axis: _Axis, first: str, theme: Theme) -> list[Item]:
    """Draw which arm has the lower loss on either side of 0."""
    zero = axis.place(0.0)
    return [
        line_ends.axis_label(zero - 8, _TOP - 12, f"← {first} has the lower loss", theme, "end"),
        line_ends.axis_label(zero + 8, _TOP - 12, f"{first} has the higher loss →", theme, "start"),
    ]


def _interval(pair: Comparison, label: str, axis: _Axis, y: float, theme: Theme) -> list[Item]:
    """Draw the row of a pair: name, interval, mean, value."""
    colour = theme.quiet if pair.better is None else theme.accent
    low, mean, high = (axis.place(value) for value in (pair.low, pair.difference, pair.high))
    name = shortened(label, _SIZE, axis.start - 20)
    return [
        Text(x=axis.start - 12, y=y + 4, text=name, size=_SIZE, colour=theme.text, anchor="end"),
        Line(points=((low, y), (high, y)), colour=colour, width=2.5),
        *(Line(points=((x, y - 4), (x, y + 4)), colour=colour, width=2.0) for x in (low, high)),
        _dot((mean, y), colour, radius=5.0),
        Text(
            x=_WIDTH - _RIGHT, y=y + 4, text=f"{_signed(pair.difference, 3)}", size=_SIZE,
            colour=colour, anchor="end", bold=pair.better is not None,
        ),
    ]  # fmt: skip


def _up(axis: _Axis, across: _Axis, pair: Comparison, theme: Theme) -> list[Item]:
    """Draw the axes of the dot plot, the confidence interval as a band and the mean as a line."""
    left, right = across.start, across.end
    high, low = axis.place(pair.high), axis.place(pair.low)
    items: list[Item] = [
        Rectangle(
            x=left, y=high, width=right - left, height=low - high, fill=theme.line_beat,
            opacity=_BAND_OPACITY,
        )
    ]  # fmt: skip
    for tick in ticks(axis.low, axis.high):
        y = axis.place(tick)
        colour = theme.quiet if abs(tick) < 1e-12 else theme.line_beat  # noqa: PLR2004
        items.append(Line(points=((left, y), (right, y)), colour=colour))
        items.append(line_ends.axis_label(left - 8, y + 4, _signed(tick), theme, "end"))
    mean = axis.place(pair.difference)
    items.append(Line(points=((left, mean), (right, mean)), colour=theme.accent, dashed=True))
    words = f"{pair.unit}, {_arm(pair.first)} minus {_arm(pair.second)}"
    order = f"{pair.observations}, ordered by difference"
    items.append(line_ends.axis_label(left, _DOTS_TOP - 16, words, theme, "start"))
    middle = (left + right) / 2
    items.append(line_ends.axis_label(middle, _DOTS_BOTTOM + 24, order, theme, "middle"))
    return items


def _dot(place: tuple[float, float], fill: str, radius: float = _RADIUS) -> Area:
    return Area(points=line_ends.disc(*place, radius), fill=fill)


def _signed(value: float, digits: int | None = None) -> str:
    """Return a number with its sign, and a minus sign in place of a hyphen."""
    if abs(value) < 1e-12:  # noqa: PLR2004
        return "0"
    text = f"{value:+.{digits}f}" if digits else f"{value:+.4g}"
    return text.replace("-", "\N{MINUS SIGN}")
