"""A high drawing cut into strips for pages, between its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from musicrel.presentation.drawing.drawing import Area, Drawing, Item, Line, Raster, Rectangle, Text


class Strip(NamedTuple):
    """A part of a drawing: its upper and lower edge in pixels."""

    top: float
    bottom: float


def strips(drawing: Drawing, height: float) -> tuple[Strip, ...]:
    """Cut ``drawing`` where nothing is drawn, into strips of at most ``height`` pixels.

    A row that is higher than that has a strip of its own.
    """
    found: list[Strip] = []
    for row in _rows([_edges(item) for item in drawing.items]):
        if found and row.bottom - found[-1].top <= height:
            found[-1] = Strip(found[-1].top, row.bottom)
        else:
            found.append(row)
    return tuple(found)


def _rows(spans: Sequence[Strip]) -> Iterator[Strip]:
    """Yield ranges of y that items fill without a gap, from the top down."""
    row: Strip | None = None
    for span in sorted(spans):
        if row is not None and span.top > row.bottom:
            yield row
            row = span
        row = span if row is None else Strip(row.top, max(row.bottom, span.bottom))
    if row is not None:
        yield row


def _edges(item: Item) -> Strip:
    match item:
        case Rectangle() | Raster():
            return Strip(item.y, item.y + item.height)
        case Line() | Area():
            heights = [y for _, y in item.points]
            return Strip(min(heights), max(heights))
        case Text():
            return Strip(item.y - item.size, item.y + item.size / 3)
