"""A thumbnail of a piece as rectangles: changed notes in colour, all others muted."""

from __future__ import annotations

from typing import Final, NamedTuple

from musicrel.chorale import Chorale
from musicrel.presentation.takes import changes
from musicrel.presentation.takes.changes import Changes

_LEAST: Final = 2.0
"""Least width and height in pixels of a note."""
_CHANGED: Final = 3.0
"""Least height of a changed note, which is seen among many."""
_GAP: Final = 1.0
"""Pixels between two notes."""


class Box(NamedTuple):
    """A note in pixels."""

    left: float
    top: float  # upper edge
    width: float
    height: float
    voice: int  # 0 soprano ... 3 bass
    muted: bool  # True if the piece before has the same note


class Thumbnail(NamedTuple):
    """The boxes of a piece, muted ones first, and its changes; None without a piece before."""

    boxes: tuple[Box, ...]
    changes: Changes | None


def draw(piece: Chorale, before: Chorale | None, width: float, height: float) -> Thumbnail:
    """Return the thumbnail of a piece; its rows are those from the lowest to the highest note.

    Args:
        before: the piece it was made from; None: no note is muted.
        width: of the picture in pixels.
        height: of the picture in pixels.
    """
    notes = changes.notes_of(piece)
    made = changes.compare(piece, before) if before is not None else None
    low = min((note.pitch for note in notes), default=0)
    rows = max((note.pitch for note in notes), default=0) - low + 1
    wide, tall = width / max(piece.steps, 1), height / rows
    boxes = []
    for note in notes:
        muted = made is not None and note not in made.new
        thick = max(tall, _LEAST if muted or made is None else _CHANGED)
        boxes.append(
            Box(
                left=note.start * wide,
                top=height - max((note.pitch - low + 1) * tall, thick),
                width=max((note.stop - note.start) * wide - _GAP, _LEAST),
                height=thick,
                voice=note.voice,
                muted=muted,
            )
        )
    return Thumbnail(tuple(sorted(boxes, key=lambda box: not box.muted)), made)
