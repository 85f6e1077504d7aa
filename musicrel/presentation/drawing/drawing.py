"""A drawing as plain data: rectangles, lines, areas, texts and a raster, painted in their order.

Lengths are pixels of a screen at 96 dots an inch, (0, 0) is the upper left corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Anchor = Literal["start", "middle", "end"]
Pixels = npt.NDArray[np.uint8]

_LETTER_WIDTH: Final = 0.56
"""Mean width of a sans serif letter, in font sizes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectangle:
    x: float  # left edge
    y: float  # upper edge
    width: float
    height: float
    fill: str
    # colour of an outline of one pixel inside the rectangle; None: no outline
    edge: str | None = None
    opacity: float = 1.0  # of the fill, 0 to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    points: tuple[tuple[float, float], ...]  # (x, y), at least two
    colour: str
    width: float = 1.0
    dashed: bool = False  # dashed in SVG; PNG draws it solid


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A filled polygon."""

    points: tuple[tuple[float, float], ...]  # (x, y) of the corners, at least three
    fill: str
    opacity: float = 1.0  # of the fill, 0 to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    x: float  # position of ``anchor``
    y: float
    text: str
    size: float
    colour: str
    anchor: Anchor = "start"
    bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Raster:
    """An image whose pixels are drawn as rectangles with sharp edges."""

    x: float  # left edge
    y: float  # upper edge
    width: float
    height: float
    pixels: Pixels  # uint8 (rows, columns, 3), red, green and blue


Item: TypeAlias = Rectangle | Line | Area | Text | Raster


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Items on a background."""

    width: int  # pixels
    height: int  # pixels
    background: str
    title: str  # description in one sentence, for screen readers
    items: tuple[Item, ...]  # in painting order


def width_of(text: str, size: float) -> float:
    """Estimate the width of ``text`` in pixels; fonts differ."""
    return len(text) * size * _LETTER_WIDTH


def shortened(text: str, size: float, width: float) -> str:
    """Return ``text``, cut with an ellipsis where it is wider than ``width`` pixels."""
    if width_of(text, size) <= width:
        return text
    return text[: max(int(width / (size * _LETTER_WIDTH)) - 1, 0)].rstrip() + "…"


def shortened_inside(text: str, size: float, width: float) -> str:
    """Return ``text``, without its middle where it is wider than ``width`` pixels."""
    if width_of(text, size) <= width:
        return text
    letters = max(int(width / (size * _LETTER_WIDTH)) - 1, 2)
    return f"{text[: letters - letters // 2].rstrip()}…{text[-(letters // 2) :].lstrip()}"
