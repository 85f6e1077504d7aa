"""Several drawings as one, side by side or one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from musicrel.presentation.drawing.drawing import Area, Drawing, Item, Line


def beside(drawings: Sequence[Drawing]) -> Drawing:
    """Return drawings from left to right, on the background of the first."""
    lefts = [sum(one.width for one in drawings[:place]) for place in range(len(drawings))]
    return replace(
        drawings[0],
        width=sum(one.width for one in drawings),
        height=max(one.height for one in drawings),
        title="; ".join(one.title for one in drawings),
        items=tuple(
            moved(item, left, 0)
            for one, left in zip(drawings, lefts, strict=True)
            for item in one.items
        ),
    )


def below(drawings: Sequence[Drawing]) -> Drawing:
    """Return drawings from the top down, on the background of the first."""
    tops = [sum(one.height for one in drawings[:place]) for place in range(len(drawings))]
    return replace(
        drawings[0],
        width=max(one.width for one in drawings),
        height=sum(one.height for one in drawings),
        title="; ".join(one.title for one in drawings),
        items=tuple(
            moved(item, 0, top)
            for one, top in zip(drawings, tops, strict=True)
            for item in one.items
        ),
    )


def moved(item: Item, right: float, down: float) -> Item:
    """Return an item at another place, in pixels."""
    match item:
        case Line() | Area():
            return replace(item, points=tuple((x + right, y + down) for x, y in item.points))
        case _:
            return replace(item, x=item.x + right, y=item.y + down)
