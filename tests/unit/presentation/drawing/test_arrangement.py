"""Drawings side by side and one below the other."""

from __future__ import annotations

import numpy as np

from musicrel.presentation.drawing import arrangement
from musicrel.presentation.drawing.drawing import Area, Drawing, Item, Line, Raster, Rectangle, Text

ITEMS: tuple[Item, ...] = (
    Rectangle(x=1, y=2, width=3, height=4, fill="#000000"),
    Line(points=((1, 2), (3, 4)), colour="#000000"),
    Area(points=((1, 2), (3, 4), (5, 6)), fill="#000000"),
    Text(x=1, y=2, text="A", size=9, colour="#000000"),
    Raster(x=1, y=2, width=3, height=4, pixels=np.zeros((1, 1, 3), dtype=np.uint8)),
)
FIRST = Drawing(width=10, height=20, background="#ffffff", title="one", items=ITEMS)
SECOND = Drawing(width=30, height=15, background="#111111", title="two", items=ITEMS)


def places(items: tuple[Item, ...]) -> list[tuple[float, float]]:
    """Return the first point of each item."""
    return [
        item.points[0] if isinstance(item, (Line, Area)) else (item.x, item.y) for item in items
    ]


def test_drawings_are_side_by_side() -> None:
    """The second begins at the right edge of the first; the higher one decides."""
    both = arrangement.beside((FIRST, SECOND))

    assert (both.width, both.height, both.background) == (40, 20, "#ffffff")
    assert both.title == "one; two"
    assert places(both.items) == [(1, 2)] * 5 + [(11, 2)] * 5


def test_drawings_are_one_below_the_other() -> None:
    """The second begins at the lower edge of the first; the wider one decides."""
    both = arrangement.below((FIRST, SECOND))

    assert (both.width, both.height) == (30, 35)
    assert places(both.items) == [(1, 2)] * 5 + [(1, 22)] * 5
