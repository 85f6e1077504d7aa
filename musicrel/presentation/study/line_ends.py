"""What tells lines of a picture apart beside their colour: names at their ends, and marks.

There are four colours. The first four lines have no marks, the next four have dots, then come
squares, then triangles; each name has the mark of its line.

This file knows places and letters; it knows nothing of what is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from musicrel.presentation.drawing.drawing import Area, Item, Text, shortened, width_of
from musicrel.presentation.words.palette import Theme

SIZE: Final = 12.0
"""Of the letters."""
APART: Final = 15.0
"""Pixels between two names."""
_COLOURS: Final = 4
_ROOM_OF_MARK: Final = 12.0
_RADIUS: Final = 3.5
_ABOVE: Final = 4.0
"""Pixels from the middle of a name's letters down to the line they stand on."""
_BOLDER: Final = 1.1
"""Heavy letters are wider."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineEnd:
    """The end of a line.

    Attributes:
        y: where it ends, in pixels.
        name: of the line; shortened where it does not fit.
        value: written after the name, always whole; "" for none.
        number: of the line among all, from 0; decides its colour and mark.
    """

    y: float
    name: str
    value: str = ""
    number: int = 0


def colour(number: int, theme: Theme) -> str:
    """The colour of a line."""
    return theme.voice_edges[number % len(theme.voice_edges)]


def marks(number: int, points: Sequence[Point], fill: str, most: int = 12) -> list[Item]:
    """The marks of a line on about ``most`` of its points, the last one among them."""
    corners = _corners(number)
    if corners is None:
        return []
    each = max(-(-len(points) // most), 1)
    chosen = [*reversed(points)][::each]
    return [Area(points=tuple((x + dx, y + dy) for dx, dy in corners), fill=fill)
            for x, y in chosen]  # fmt: skip


def room(ends: Sequence[LineEnd]) -> float:
    """Pixels that the widest name needs."""
    return _indent(ends) + max((_width(_said(end)) for end in ends), default=0.0)


def names(
    ends: Sequence[LineEnd], theme: Theme, *, x: float, width: float, box: tuple[float, float]
) -> list[Item]:
    """The names beside the ends of their lines, moved apart where they meet.

    Args:
        ends: of all lines.
        theme: colours.
        x: left edge of the names.
        width: room for each of them.
        box: the upper and lower edge of where they may stand.
    """
    items: list[Item] = []
    indent = _indent(ends)
    ordered = sorted(ends, key=lambda end: (end.y, end.number))
    for end, y in zip(ordered, spread([end.y for end in ordered], *box), strict=True):
        fill = colour(end.number, theme)
        left = width - indent - _width(f" {end.value}" if end.value else "")
        text = _said(end, shortened(end.name, SIZE * _BOLDER, left))
        items += marks(end.number, [(x + _RADIUS, y)], fill)
        items.append(Text(x=x + indent, y=y + _ABOVE, text=text, size=SIZE, colour=fill, bold=True))
    return items


def spread(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Places as near to the ``wanted`` ones as it goes, ``APART`` and between the edges.

    Args:
        wanted: rising.
        top: the least.
        bottom: the most, as far as there is room for all.
    """
    found: list[float] = []
    for y in wanted:
        found.append(max(y, found[-1] + APART if found else top))
    limit = max(bottom, top + APART * (len(found) - 1))
    for place in range(len(found) - 1, -1, -1):
        found[place] = min(found[place], limit)
        limit = found[place] - APART
    return found


def _said(end: LineEnd, name: str | None = None) -> str:
    name = end.name if name is None else name
    return f"{name} {end.value}" if end.value else name


def _width(text: str) -> float:
    return width_of(text, SIZE * _BOLDER)


def _indent(ends: Sequence[LineEnd]) -> float:
    """Room for marks, where any line has one."""
    return _ROOM_OF_MARK if any(_corners(end.number) for end in ends) else 0.0


def _corners(number: int) -> tuple[Point, ...] | None:
    """The corners of a line's mark around its point; None: it has none."""
    return _SHAPES[number // _COLOURS % len(_SHAPES)]


def _polygon(corners: int, turned: float, radius: float) -> tuple[Point, ...]:
    angles = [2 * math.pi * (corner + turned) / corners for corner in range(corners)]
    return tuple((radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles)


_SHAPES: Final[tuple[tuple[Point, ...] | None, ...]] = (
    None,
    _polygon(12, 0.0, _RADIUS),
    _polygon(4, 0.5, _RADIUS * 1.25),
    _polygon(3, 0.0, _RADIUS * 1.4),
)
