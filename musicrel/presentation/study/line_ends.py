"""Names at the ends of lines, and markers that distinguish lines of one colour.

There are four colours. The first four lines have no markers, the next four have dots, then squares,
then triangles; each name has the marker of its line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from musicrel.presentation.drawing.drawing import Anchor, Area, Item, Text, shortened, width_of
from musicrel.presentation.words.palette import Theme

SIZE: Final = 12.0
"""Font size of names."""
APART: Final = 15.0
"""Distance of two names in pixels."""
_COLOURS: Final = 4
_ROOM_OF_MARK: Final = 12.0
_RADIUS: Final = 3.5
_ABOVE: Final = 4.0
"""Pixels from the centre of a name to its baseline."""
_BESIDE: Final = 8.0
"""Pixels from the end of a line to its name."""
_BOLDER: Final = 1.1
"""Width of bold letters relative to regular ones."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineEnd:
    y: float  # of the end, in pixels
    name: str  # of the line; shortened if it does not fit
    value: str = ""  # text after the name, never shortened; "" for none
    number: int = 0  # index of the line, from 0; gives its colour and marker
    x: float | None = None  # of the end, in pixels; None: at the edge of the plot


def colour(number: int, theme: Theme) -> str:
    return theme.voice_edges[number % len(theme.voice_edges)]


def axis_label(x: float, y: float, text: str, theme: Theme, anchor: Anchor) -> Text:
    """Return a label of an axis, in the size of the names."""
    return Text(x=x, y=y, text=text, size=SIZE, colour=theme.quiet, anchor=anchor)


def marks(number: int, points: Sequence[Point], fill: str, most: int = 12) -> list[Item]:
    """Return the markers of a line at about ``most`` of its points, the last one included."""
    corners = _corners(number)
    if corners is None:
        return []
    each = max(-(-len(points) // most), 1)
    chosen = [*reversed(points)][::each]
    return [Area(points=tuple((x + dx, y + dy) for dx, dy in corners), fill=fill)
            for x, y in chosen]  # fmt: skip


def disc(x: float, y: float, radius: float = _RADIUS) -> tuple[Point, ...]:
    """Return the corners of a polygon that looks like a disc."""
    return tuple((x + dx, y + dy) for dx, dy in _polygon(12, 0.0, radius))


def room(ends: Sequence[LineEnd]) -> float:
    """Return the width of the widest name in pixels."""
    return _indent(ends) + max((_width(_label(end)) for end in ends), default=0.0)


def names(
    ends: Sequence[LineEnd], theme: Theme, *, x: float, width: float, box: tuple[float, float]
) -> list[Item]:
    """Return the names beside the ends of their lines, moved apart where they overlap."""
    items: list[Item] = []
    indent = _indent(ends)
    ordered = sorted(ends, key=lambda end: (end.y, end.number))
    for end, y in zip(ordered, spread([end.y for end in ordered], *box), strict=True):
        fill = colour(end.number, theme)
        left = width - indent - _width(f" {end.value}" if end.value else "")
        text = _label(end, shortened(end.name, SIZE * _BOLDER, left))
        here = x if end.x is None else min(end.x + _BESIDE, x)
        items += marks(end.number, [(here + _RADIUS, y)], fill)
        place = here + indent
        items.append(Text(x=place, y=y + _ABOVE, text=text, size=SIZE, colour=fill, bold=True))
    return items


def spread(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return positions close to the ``wanted`` ones, at least ``APART`` and between the limits."""
    found: list[float] = []
    for y in wanted:
        found.append(max(y, found[-1] + APART if found else top))
    limit = max(bottom, top + APART * (len(found) - 1))
    for place in range(len(found) - 1, -1, -1):
        found[place] = min(found[place], limit)
        limit = found[place] - APART
    return found


def _label(end: LineEnd, name: str | None = None) -> str:
    name = end.name if name is None else name
    return f"{name} {end.value}" if end.value else name


def _width(text: str) -> float:
    return width_of(text, SIZE * _BOLDER)


def _indent(ends: Sequence[LineEnd]) -> float:
    """Return the width of markers, 0 if no line has one."""
    return _ROOM_OF_MARK if any(_corners(end.number) for end in ends) else 0.0


def _corners(number: int) -> tuple[Point, ...] | None:
    """Return the corners of a line's marker around its point; None without a marker."""
    return _SHAPES[number // _COLOURS % len(_SHAPES)]


def _polygon(corners: int, rotation: float, radius: float) -> tuple[Point, ...]:
    angles = [2 * math.pi * (corner + rotation) / corners for corner in range(corners)]
    return tuple((radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles)


_SHAPES: Final[tuple[tuple[Point, ...] | None, ...]] = (
    None,
    _polygon(12, 0.0, _RADIUS),
    _polygon(4, 0.5, _RADIUS * 1.25),
    _polygon(3, 0.0, _RADIUS * 1.4),
)
