"""Copies that are dragged with the mouse."""

from __future__ import annotations

import pytest

from musicrel.chorale import Chorale
from musicrel.editing.copies import copy_by
from musicrel.editing.notes import Note, voice_notes
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError

PIECE = Chorale.of([(72, 67, 64, 48)] * 4 + [(74, -1, 64, 48)] * 12)
NOTE = Selection(voices=(1,), start=2, stop=3)


def test_copy_leaves_the_note_in_place() -> None:
    """The copy is selected."""
    edit = copy_by(PIECE, NOTE, steps=8, semitones=2)
    assert voice_notes(edit.piece, 1) == [Note(0, 4, 67, 1), Note(8, 12, 69, 1)]
    assert edit.selection == Selection(voices=(1,), start=8, stop=12)


def test_copy_replaces_what_is_under_it() -> None:
    """Also a part of the note itself."""
    edit = copy_by(PIECE, NOTE, steps=2, semitones=1)
    assert voice_notes(edit.piece, 1) == [Note(0, 2, 67, 1), Note(2, 6, 68, 1)]


def test_copy_after_the_end_adds_a_bar() -> None:
    """The piece grows."""
    edit = copy_by(PIECE, NOTE, steps=14, semitones=0)
    assert edit.piece.steps == 32


def test_selection_without_notes_changes_nothing() -> None:
    """The piece is the same object."""
    silence = Selection(voices=(1,), start=8, stop=9)
    assert copy_by(PIECE, silence, steps=1, semitones=0).piece is PIECE


def test_copy_before_the_beginning_is_refused() -> None:
    """The sentence gives the way out."""
    with pytest.raises(UsageError, match="would begin before the piece does"):
        copy_by(PIECE, NOTE, steps=-1, semitones=0)
