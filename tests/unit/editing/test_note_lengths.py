"""Edits of the length and the voice of notes: resize, split, join, change of voice."""

from __future__ import annotations

import pytest

from musicrel.chorale import Chorale
from musicrel.editing import note_edits
from musicrel.editing.notes import Note, note_at, voice_notes
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError


def of_voice(piece: Chorale, voice: int = 0) -> list[tuple[int, int, int]]:
    """Start, stop and pitch of every note of a voice."""
    return [(note.start, note.stop, note.pitch) for note in voice_notes(piece, voice)]


def soprano(start: int, stop: int) -> Selection:
    """Select steps of the soprano."""
    return Selection(voices=(0,), start=start, stop=stop)


def test_a_longer_note_delays_the_next(hymn: Chorale) -> None:
    """So two quarters become a dotted quarter and an eighth; notes that would be empty are gone."""
    edit = note_edits.resize(hymn, soprano(0, 4), 2)
    assert of_voice(edit.piece)[:3] == [(0, 6, 72), (6, 8, 74), (8, 12, 76)]
    assert edit.selection == soprano(0, 6)
    assert of_voice(note_edits.resize(hymn, soprano(0, 4), 4).piece)[:2] == [
        (0, 8, 72),
        (8, 12, 76),
    ]
    assert of_voice(note_edits.resize(hymn, soprano(0, 4), 7).piece)[:2] == [
        (0, 11, 72),
        (11, 12, 76),
    ]


def test_the_last_note_of_every_selected_voice_gets_another_length(hymn: Chorale) -> None:
    """The selection stays where it is, if it still means the same notes."""
    bar = Selection(voices=(0, 1, 2, 3), start=32, stop=48)
    edit = note_edits.resize(hymn, bar, -2)
    assert of_voice(edit.piece)[-2:] == [(40, 44, 72), (44, 46, 72)]
    assert of_voice(edit.piece, 3)[-1] == (40, 46, 48)
    assert edit.selection == bar


def test_a_note_keeps_a_sixteenth(hymn: Chorale) -> None:
    """At least."""
    assert of_voice(note_edits.resize(hymn, soprano(0, 4), -3).piece)[0] == (0, 1, 72)
    with pytest.raises(UsageError, match="shorter than a sixteenth"):
        note_edits.resize(hymn, soprano(0, 4), -4)


def test_a_note_is_split_in_the_middle_or_at_a_step(hymn: Chorale) -> None:
    """Of an odd number of sixteenths the second part is longer."""
    assert of_voice(note_edits.split(hymn, soprano(0, 4)).piece)[:2] == [(0, 2, 72), (2, 4, 72)]
    bass = Selection(voices=(0, 3), start=0, stop=8)
    at = note_edits.split(hymn, bass, 5).piece
    assert of_voice(at, 3)[:2] == [(0, 5, 48), (5, 8, 48)]
    assert of_voice(at)[:3] == [(0, 4, 72), (4, 5, 74), (5, 8, 74)]
    odd = note_edits.put(hymn, Note(0, 3, 60, 1)).piece
    assert of_voice(note_edits.split(odd, Selection(voices=(1,), start=0, stop=3)).piece, 1) == [
        (0, 1, 60),
        (1, 3, 60),
    ]


def test_what_cannot_be_split_says_why(hymn: Chorale) -> None:
    """A sixteenth, or a place where a note begins."""
    short = note_edits.put(hymn, Note(0, 1, 72, 0)).piece
    with pytest.raises(UsageError, match="a sixteenth is the shortest note"):
        note_edits.split(short, soprano(0, 1))
    with pytest.raises(UsageError, match="put the cursor inside a note"):
        note_edits.split(hymn, soprano(0, 8), 4)


def test_notes_are_joined_in_the_pitch_of_the_first(hymn: Chorale) -> None:
    """In every voice with more than one; rests between them are filled."""
    thinned = note_edits.delete(hymn, soprano(4, 8)).piece
    bar = Selection(voices=(0, 3), start=0, stop=12)
    joined = note_edits.join(thinned, bar).piece
    assert of_voice(joined)[:2] == [(0, 12, 72), (12, 16, 77)]
    assert of_voice(joined, 3)[0] == (0, 16, 48)
    with pytest.raises(UsageError, match="select two or more to join them"):
        note_edits.join(hymn, soprano(0, 4))


def test_notes_change_their_voice(hymn: Chorale) -> None:
    """The target is cut; the notes stay selected."""
    edit = note_edits.change_voice(hymn, soprano(4, 12), 3)
    assert of_voice(edit.piece, 3)[:3] == [(0, 4, 48), (4, 8, 74), (8, 12, 76)]
    assert of_voice(edit.piece)[:2] == [(0, 4, 72), (12, 16, 77)]
    assert edit.selection == Selection(voices=(3,), start=4, stop=12)
    assert note_edits.change_voice(hymn, soprano(4, 12), 0).piece is hymn


def test_several_voices_do_not_fit_into_one(hymn: Chorale) -> None:
    """Also if only two of the selected ones have notes; one is enough."""
    with pytest.raises(UsageError, match="select the notes of one voice, then move them"):
        note_edits.change_voice(hymn, Selection(voices=(0, 1, 3), start=0, stop=4), 1)
    edit = note_edits.change_voice(hymn, Selection(voices=(0, 1), start=0, stop=4), 2)
    assert edit.selection == Selection(voices=(2,), start=0, stop=4)
    assert note_at(edit.piece, 2, 0) == Note(0, 4, 72, 2)
