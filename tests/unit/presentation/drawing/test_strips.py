"""Drawings cut into strips for pages."""

from __future__ import annotations

import itertools

from musicrel.presentation.drawing.drawing import Area, Drawing, Item, Line, Rectangle, Text
from musicrel.presentation.drawing.strips import Strip, strips
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.words.palette import LIGHT
from tests.helpers.music import random_chorale


def drawing(*items: Item) -> Drawing:
    """Return a drawing of items."""
    return Drawing(width=100, height=1000, background="#ffffff", title="", items=items)


def row(top: float, height: float) -> Rectangle:
    """Return a rectangle as a row."""
    return Rectangle(x=0, y=top, width=9, height=height, fill="#000000")


def test_rows_are_kept_whole() -> None:
    """Rows that fit share a strip; items that touch are one row."""
    items = (row(0, 10), row(10, 20), row(40, 30), row(80, 30), row(50, 5))

    assert strips(drawing(*items), 1000) == (Strip(0, 110),)
    assert strips(drawing(*items), 70) == (Strip(0, 70), Strip(80, 110))
    assert strips(drawing(*items), 60) == (Strip(0, 30), Strip(40, 70), Strip(80, 110))


def test_a_row_too_high_has_a_strip_of_its_own() -> None:
    """It is not cut."""
    assert strips(drawing(row(0, 90), row(100, 5)), 20) == (Strip(0, 90), Strip(100, 105))
    assert strips(drawing(), 20) == ()


def test_all_kinds_of_items_have_room() -> None:
    """Texts stand on their line, and have descenders."""
    items = (
        Text(x=0, y=50, text="a", size=12, colour="#000000"),
        Line(points=((0, 70), (9, 60)), colour="#000000"),
        Area(points=((0, 90), (9, 80), (9, 95)), fill="#000000"),
    )

    assert strips(drawing(*items), 16) == (Strip(38, 54), Strip(60, 70), Strip(80, 95))


def test_the_systems_of_a_roll_are_kept_whole() -> None:
    """The heading stands with the first one."""
    roll = roll_drawing.draw(random_chorale(3, 700), LIGHT)
    found = strips(roll, 600)

    assert len(found) == 4
    assert found[0].top < 40 < found[0].bottom
    assert all(above.bottom < below.top for above, below in itertools.pairwise(found))
