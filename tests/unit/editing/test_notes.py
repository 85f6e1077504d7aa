"""Notes of a piece and of a selection."""

from __future__ import annotations

import pytest

from musicrel.chorale import REST, Chorale
from musicrel.editing.notes import (
    Note,
    extent,
    note_at,
    note_before,
    notes,
    notes_in,
    span_between,
    voice_end,
)
from musicrel.editing.selection import Selection

PIECE = Chorale.of([[72, REST, REST, 48]] * 4 + [[74, REST, REST, 48]] * 4 + [[REST] * 4] * 4)


def test_the_notes_of_a_piece_are_listed_voice_by_voice() -> None:
    """With voice and half-open steps."""
    assert notes(PIECE) == [Note(0, 4, 72, 0), Note(4, 8, 74, 0), Note(0, 8, 48, 3)]
    assert notes(PIECE)[2].length == 8


def test_a_selection_means_the_whole_notes_that_sound_in_it() -> None:
    """Also where it covers one step of them; rests are no notes."""
    one_step = Selection(voices=(0, 3), start=5, stop=6)
    assert notes_in(PIECE, one_step) == [Note(4, 8, 74, 0), Note(0, 8, 48, 3)]
    assert notes_in(PIECE, Selection(voices=(0, 1, 2, 3), start=8, stop=12)) == []


def test_a_selection_touches_the_notes_that_sound_in_it() -> None:
    """Those of its voices; both ends are half-open."""
    selection = Selection(voices=(0, 1), start=4, stop=8)
    assert selection.touches(Note(0, 5, 72, 0))
    assert selection.touches(Note(7, 16, 67, 1))
    assert not selection.touches(Note(0, 4, 72, 0))
    assert not selection.touches(Note(8, 12, 72, 0))
    assert not selection.touches(Note(4, 8, 60, 2))


def test_the_note_at_a_step_is_found() -> None:
    """None for rests and outside the piece."""
    assert note_at(PIECE, 0, 3) == Note(0, 4, 72, 0)
    assert note_at(PIECE, 1, 3) is None
    assert note_at(PIECE, 0, 12) is None
    assert note_at(PIECE, 0, -1) is None


def test_the_note_before_a_step_may_end_long_before() -> None:
    """It is the last that begins before it."""
    assert note_before(PIECE, 0, 12) == Note(4, 8, 74, 0)
    assert note_before(PIECE, 0, 4) == Note(0, 4, 72, 0)
    assert note_before(PIECE, 0, 0) is None
    assert voice_end(PIECE, 0) == 8
    assert voice_end(PIECE, 1) == 0


def test_the_extent_of_notes_contains_them() -> None:
    """All of them, in all their voices."""
    assert extent(notes(PIECE)) == Selection(voices=(0, 3), start=0, stop=8)


@pytest.mark.parametrize(
    ("ends", "span"),
    [
        ((4.0, 4.0), (4, 8)),
        ((5.7, 5.7), (4, 8)),
        ((4.2, 5.9), (4, 6)),
        ((11.0, 3.0), (2, 12)),
        ((15.9, 15.9), (14, 16)),
        ((14.0, 40.0), (14, 16)),
    ],
)
def test_notes_drawn_with_the_mouse_lie_on_eighths(
    ends: tuple[float, float], span: tuple[int, int]
) -> None:
    """A click is a quarter."""
    assert span_between(ends, 16) == span
