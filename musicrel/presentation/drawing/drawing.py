"""A drawing as plain data: rectangles, lines, areas, texts and a raster, painted in their order.

Lengths are pixels of a screen at 96 dots an inch, (0, 0) is the upper left corner. ``svg`` and
``png`` paint drawings; this file knows nothing of them, nor of music.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Anchor = Literal["start", "middle", "end"]
Pixels = npt.NDArray[np.uint8]

_LETTER_WIDTH: Final = 0.56
"""Of a sans serif font's letters on average, in sizes of the font."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectangle:
    """A filled rectangle.

    Attributes:
        x: left edge.
        y: upper edge.
        width: to the right.
        height: downwards.
        fill: ``#rrggbb``.
        edge: colour of a line of one pixel inside its rim, None: no line.
        opacity: of the filling, 0 to 1.
    """

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str | None = None
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line through points.

    Attributes:
        points: (x, y), at least two.
        colour: ``#rrggbb``.
        width: of the pen.
        dashed: whether it has gaps; a PNG has none.
    """

    points: tuple[tuple[float, float], ...]
    colour: str
    width: float = 1.0
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A filled polygon.

    Attributes:
        points: (x, y) of its corners, at least three.
        fill: ``#rrggbb``.
        opacity: of the filling, 0 to 1.
    """

    points: tuple[tuple[float, float], ...]
    fill: str
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A line of text.

    Attributes:
        x: where ``anchor`` is.
        y: of the line the letters stand on.
        text: what is written.
        size: of the font.
        colour: ``#rrggbb``.
        anchor: which part of the text is at ``x``.
        bold: heavy letters.
    """

    x: float
    y: float
    text: str
    size: float
    colour: str
    anchor: Anchor = "start"
    bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Raster:
    """A picture made of dots, each a small rectangle with sharp edges.

    Attributes:
        x: left edge.
        y: upper edge.
        width: to the right.
        height: downwards.
        pixels: uint8 (rows, columns, 3), red, green and blue of each dot.
    """

    x: float
    y: float
    width: float
    height: float
    pixels: Pixels


Item: TypeAlias = Rectangle | Line | Area | Text | Raster


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What is painted, and on what.

    Attributes:
        width: pixels.
        height: pixels.
        background: ``#rrggbb``.
        title: what it shows, in one sentence for those who cannot see it.
        items: in the order they are painted.
    """

    width: int
    height: int
    background: str
    title: str
    items: tuple[Item, ...]


def width_of(text: str, size: float) -> float:
    """About how wide ``text`` is; fonts differ."""
    return len(text) * size * _LETTER_WIDTH


def shortened(text: str, size: float, width: float) -> str:
    """``text``, or as much of it as ``width`` holds and an ellipsis."""
    if width_of(text, size) <= width:
        return text
    return text[: max(int(width / (size * _LETTER_WIDTH)) - 1, 0)].rstrip() + "…"
