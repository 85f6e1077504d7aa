"""Edits of notes: on random pieces what must always hold, on a small one what they do."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import MAX_STEPS, REST, Chorale, Key, Voice
from musicrel.editing import note_edits
from musicrel.editing.edit import Edit
from musicrel.editing.notes import Note, extent, notes, notes_in, voice_notes
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from tests.helpers.music import Case

EDITS: dict[str, Callable[[Chorale, Selection], Edit]] = {
    "delete": note_edits.delete,
    "move later": lambda piece, selection: note_edits.move(piece, selection, steps=3),
    "move up": lambda piece, selection: note_edits.move(piece, selection, semitones=1),
    "move far": lambda piece, selection: note_edits.move(piece, selection, steps=64, semitones=-12),
    "scale": lambda piece, selection: note_edits.move_by_scale(piece, selection, 2),
    "lengthen": lambda piece, selection: note_edits.resize(piece, selection, 3),
    "shorten": lambda piece, selection: note_edits.resize(piece, selection, -1),
    "split": note_edits.split,
    "split at": lambda piece, selection: note_edits.split(piece, selection, selection.start),
    "join": note_edits.join,
    "bass": lambda piece, selection: note_edits.change_voice(piece, selection, 3),
}


def of_voice(piece: Chorale, voice: int = 0) -> list[tuple[int, int, int]]:
    """Start, stop and pitch of every note of a voice."""
    return [(note.start, note.stop, note.pitch) for note in voice_notes(piece, voice)]


def soprano(start: int, stop: int) -> Selection:
    """Select steps of the soprano."""
    return Selection(voices=(0,), start=start, stop=stop)


# ---------------------------------------------------------------- what holds for all edits


@pytest.mark.parametrize("name", EDITS)
def test_other_voices_and_the_old_piece_stay_to_the_bit(case: Case, name: str) -> None:
    """Also if the edit is impossible; where the piece becomes longer the other voices rest."""
    before = case.piece.pitches.copy(), case.piece.onsets.copy()
    edit = Edit(piece=case.piece)
    with contextlib.suppress(UsageError):
        edit = EDITS[name](case.piece, case.selection)
    others = [voice for voice in case.others if name != "bass" or voice != Voice.BASS]
    after = edit.piece.pitches, edit.piece.onsets
    for new, old, own in zip(after, before, (case.piece.pitches, case.piece.onsets), strict=True):
        assert np.array_equal(own, old)
        assert np.array_equal(new[: case.piece.steps, others], old[:, others])
    assert (edit.piece.pitches[case.piece.steps :, others] == REST).all()
    assert (edit.piece is case.piece) == (edit.piece == case.piece)


@pytest.mark.parametrize("name", EDITS)
def test_a_selection_after_an_edit_lies_in_the_piece(case: Case, name: str) -> None:
    """It can be edited again at once."""
    with contextlib.suppress(UsageError):
        edit = EDITS[name](case.piece, case.selection)
        assert edit.selection is not None
        assert edit.selection.stop <= edit.piece.steps


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_of_rests_changes_nothing(hymn: Chorale, name: str) -> None:
    """It returns the piece itself, so that Undo gets no step."""
    rests = Selection(voices=(1, 2), start=4, stop=12)
    edit = EDITS[name](hymn, rests)
    assert edit.piece is hymn
    assert edit.selection == rests


def test_moving_up_and_down_restores(case: Case) -> None:
    """Bit for bit."""
    up = note_edits.move(case.piece, case.selection, semitones=7)
    assert up.selection is not None
    assert note_edits.move(up.piece, up.selection, semitones=-7).piece == case.piece


def test_moving_into_silence_and_back_restores(case: Case) -> None:
    """The moved notes stay selected and no others, for any shape of the passage."""
    steps = case.piece.steps
    alone = note_edits.move(case.piece.padded(steps), case.selection, steps=steps)
    assert alone.selection is not None
    moved = notes_in(alone.piece, alone.selection)
    assert [n._replace(start=n.start - steps, stop=n.stop - steps) for n in moved] == notes_in(
        case.piece, case.selection
    )
    back = note_edits.move(alone.piece, alone.selection, steps=-steps)
    assert back.piece == case.piece.padded(steps)


def test_degrees_up_and_down_restore_a_diatonic_piece(hymn: Chorale) -> None:
    """In any number."""
    whole = Selection(voices=(0, 3), start=0, stop=48)
    for degrees in range(-9, 10):
        moved = note_edits.move_by_scale(hymn, whole, degrees).piece
        assert note_edits.move_by_scale(moved, whole, -degrees).piece == hymn


def test_splitting_and_joining_restores(case: Case) -> None:
    """Note by note."""
    for note in notes_in(case.piece, case.selection):
        if note.length > 1:
            one = Selection.of_note(note)
            split = note_edits.split(case.piece, one)
            assert len(notes(split.piece)) == len(notes(case.piece)) + 1
            assert note_edits.join(split.piece, one).piece == case.piece


def test_deleting_leaves_the_other_notes(case: Case) -> None:
    """Those of the voice, too."""
    left = notes(note_edits.delete(case.piece, case.selection).piece)
    assert {*left} == {*notes(case.piece)} - {*notes_in(case.piece, case.selection)}


def test_putting_a_note_back_restores(case: Case) -> None:
    """A deleted one, in any order; its fermata is lost."""
    edit = note_edits.delete(case.piece, case.selection)
    for note in reversed(notes_in(case.piece, case.selection)):
        edit = note_edits.put(edit.piece, note)
    assert replace(edit.piece, fermatas=case.piece.fermatas) == case.piece


def test_lengthening_and_shortening_before_a_rest_restores(case: Case) -> None:
    """The end of a note is where it was."""
    for note in notes_in(case.piece, case.selection):
        free = (case.piece.pitches[note.stop : note.stop + 2, note.voice] == REST).all()
        if free and note.stop + 2 <= case.piece.steps:
            longer = note_edits.resize(case.piece, Selection.of_note(note), 2)
            assert longer.selection is not None
            assert note_edits.resize(longer.piece, longer.selection, -2).piece == case.piece


# ---------------------------------------------------------------- put, replace, delete


def test_a_note_cuts_what_it_covers(empty: Chorale) -> None:
    """One that began before ends there; one that began under it is gone."""
    piece = note_edits.put(empty, Note(0, 8, 72, 0)).piece
    piece = note_edits.put(piece, Note(8, 12, 74, 0)).piece
    inside = note_edits.put(piece, Note(4, 6, 71, 0))
    assert of_voice(inside.piece) == [(0, 4, 72), (4, 6, 71), (8, 12, 74)]
    assert inside.selection == soprano(4, 6)
    across = note_edits.put(piece, Note(6, 10, 71, 0))
    assert of_voice(across.piece) == [(0, 6, 72), (6, 10, 71)]


def test_a_note_beside_one_of_its_pitch_is_a_second_note(empty: Chorale) -> None:
    """It is not a longer one."""
    piece = note_edits.put(note_edits.put(empty, Note(0, 4, 72, 0)).piece, Note(4, 8, 72, 0)).piece
    assert of_voice(piece) == [(0, 4, 72), (4, 8, 72)]


def test_a_note_that_is_there_already_changes_nothing(hymn: Chorale) -> None:
    """No step of Undo is made."""
    assert note_edits.put(hymn, Note(4, 8, 74, 0)).piece is hymn


def test_a_note_after_the_end_adds_whole_bars(empty: Chorale) -> None:
    """With a pickup, too."""
    assert note_edits.put(empty, Note(32, 36, 72, 0)).piece.steps == 48
    assert note_edits.put(empty, Note(60, 66, 72, 0)).piece.steps == 80
    pickup = Chorale.of(np.full((10, 4), REST), pickup=4)
    assert note_edits.put(pickup, Note(10, 12, 72, 0)).piece.steps == 20
    assert note_edits.put(pickup, Note(6, 10, 72, 0)).piece.steps == 10


@pytest.mark.parametrize(
    ("note", "reason"),
    [
        (Note(-1, 4, 72, 0), "begin before the piece does: move it less far"),
        (Note(4, 4, 72, 0), "shorter than a sixteenth"),
        (Note(0, 4, 128, 0), "lower than C-1 or higher than G9"),
        (Note(0, 4, -1, 0), "lower than C-1 or higher than G9"),
        (Note(0, MAX_STEPS + 1, 72, 0), "longer than 16,384 sixteenths, the limit: remove bars"),
    ],
)
def test_an_impossible_note_is_refused(hymn: Chorale, note: Note, reason: str) -> None:
    """With what to do."""
    with pytest.raises(UsageError, match=reason):
        note_edits.put(hymn, note)


@pytest.mark.parametrize("pitch", [0, 127])
def test_the_lowest_and_the_highest_pitch_are_possible(hymn: Chorale, pitch: int) -> None:
    """Both limits are included."""
    assert of_voice(note_edits.put(hymn, Note(0, 4, pitch, 0)).piece)[0] == (0, 4, pitch)


def test_a_dragged_note_replaces_the_old_one(hymn: Chorale) -> None:
    """At another place and pitch, or in another voice."""
    old = Note(4, 8, 74, 0)
    edit = note_edits.replace_note(hymn, old, Note(6, 10, 71, 0))
    assert of_voice(edit.piece)[:3] == [(0, 4, 72), (6, 10, 71), (12, 16, 77)]
    assert edit.selection == soprano(6, 10)
    alto = note_edits.replace_note(hymn, old, old._replace(voice=1)).piece
    assert of_voice(alto, 1) == [(4, 8, 74)]
    assert note_edits.replace_note(hymn, old, old).piece is hymn


def test_a_note_that_is_gone_cannot_be_dragged(hymn: Chorale) -> None:
    """The piece has changed under the mouse."""
    with pytest.raises(UsageError, match="no longer in the piece: select it again"):
        note_edits.replace_note(hymn, Note(4, 8, 73, 0), Note(4, 8, 75, 0))


def test_a_note_is_deleted_whole(hymn: Chorale) -> None:
    """Wherever it is touched."""
    edit = note_edits.delete(hymn, soprano(6, 7))
    assert of_voice(edit.piece)[:2] == [(0, 4, 72), (8, 12, 76)]
    assert edit.selection == soprano(6, 7)


# ---------------------------------------------------------------- move


def test_a_moved_note_leaves_a_rest_and_cuts_what_is_in_the_way(hymn: Chorale) -> None:
    """It stays selected, also by a selection that covers a part of it."""
    edit = note_edits.move(hymn, soprano(5, 6), steps=6, semitones=-1)
    assert of_voice(edit.piece)[:4] == [(0, 4, 72), (8, 10, 76), (10, 14, 73), (16, 20, 79)]
    assert edit.selection == soprano(11, 12)


def test_a_passage_moves_with_its_rests(hymn: Chorale) -> None:
    """They replace what lies at their new place."""
    thinned = note_edits.delete(hymn, soprano(4, 8)).piece
    edit = note_edits.move(thinned, soprano(0, 12), steps=16)
    assert of_voice(edit.piece)[:3] == [(12, 16, 77), (16, 20, 72), (24, 28, 76)]
    assert edit.selection == soprano(16, 28)


def test_a_moved_selection_gathers_no_other_notes(hymn: Chorale) -> None:
    """The rest after the last selected note is not filled with the next one."""
    thinned = note_edits.delete(hymn, soprano(4, 8)).piece
    edit = note_edits.move(thinned, soprano(0, 8), steps=4)
    assert edit.selection == soprano(4, 8)
    assert of_voice(edit.piece)[:2] == [(4, 8, 72), (8, 12, 76)]


def test_of_ragged_notes_only_a_part_is_selected(empty: Chorale) -> None:
    """It is the part in which they sound, and no others: the next move moves the same notes."""
    piece = empty
    for note in (Note(0, 4, 72, 0), Note(9, 12, 74, 0), Note(0, 4, 60, 1), Note(4, 8, 62, 1)):
        piece = note_edits.put(piece, note).piece
    edit = note_edits.move(piece, Selection(voices=(0, 1), start=0, stop=8), steps=4)
    assert edit.selection == Selection(voices=(0, 1), start=7, stop=9)
    assert note_edits.move(edit.piece, edit.selection, steps=-4).piece == piece


def test_moving_past_the_end_adds_bars(hymn: Chorale) -> None:
    """Of rests in the other voices."""
    edit = note_edits.move(hymn, soprano(44, 48), steps=2)
    assert edit.piece.steps == 64
    assert of_voice(edit.piece)[-1] == (46, 50, 72)


def test_a_selection_after_a_move_ends_with_the_piece(empty: Chorale) -> None:
    """Its rests leave the piece, its note does not."""
    piece = note_edits.put(empty, Note(0, 8, 72, 0)).piece
    edit = note_edits.move(piece, soprano(0, 32), steps=2)
    assert edit.piece.steps == 32
    assert edit.selection == soprano(2, 32)


def test_nothing_moves_before_the_start(hymn: Chorale) -> None:
    """The piece stays as it is."""
    with pytest.raises(UsageError, match="begin before the piece does"):
        note_edits.move(hymn, soprano(1, 6), steps=-1)


def test_a_selection_that_reaches_before_the_start_is_shortened(hymn: Chorale) -> None:
    """Its notes fit."""
    thinned = note_edits.delete(hymn, soprano(0, 4)).piece
    edit = note_edits.move(thinned, soprano(0, 8), steps=-4)
    assert of_voice(edit.piece)[0] == (0, 4, 74)
    assert edit.selection == soprano(0, 4)


def test_pitches_may_leave_the_range_of_the_voice_but_not_of_midi(hymn: Chorale) -> None:
    """Rules mark the former."""
    high = note_edits.move(hymn, soprano(0, 4), semitones=36)
    assert of_voice(high.piece)[0] == (0, 4, 108)
    with pytest.raises(UsageError, match="higher than G9"):
        note_edits.move(hymn, soprano(0, 4), semitones=56)


@pytest.mark.parametrize(
    ("key", "pitches"),
    [
        (None, (74, 76, 77, 79)),
        (Key("C", "major"), (74, 76, 77, 79)),
        (Key("G", "major"), (74, 76, 78, 79)),
        (Key("C", "minor"), (74, 75, 77, 79)),
    ],
)
def test_degrees_are_those_of_the_key(key: Key | None, pitches: tuple[int, ...]) -> None:
    """Altered notes, F in G major and E in C minor, move to the notes of the signature."""
    melody = [72, 74, 76, 77]
    piece = Chorale.of([[pitch, REST, REST, REST] for pitch in melody for _ in range(4)], key=key)
    edit = note_edits.move_by_scale(piece, soprano(0, 16), 1)
    assert tuple(pitch for _, _, pitch in of_voice(edit.piece)) == pitches


def test_a_leading_note_goes_up_to_the_tonic() -> None:
    """G sharp in A minor."""
    piece = Chorale.of([[68, REST, REST, REST]] * 4, key=Key("A", "minor"))
    assert of_voice(note_edits.move_by_scale(piece, soprano(0, 4), 1).piece) == [(0, 4, 69)]


def test_the_selection_after_an_edit_means_the_notes_it_wrote(case: Case) -> None:
    """All of them."""
    found = notes_in(case.piece, case.selection)
    if found and extent(found).stop + 5 <= case.piece.steps:
        edit = note_edits.move(case.piece, case.selection, steps=5)
        assert edit.selection is not None
        wrote = {note._replace(start=note.start + 5, stop=note.stop + 5) for note in found}
        assert wrote <= {*notes_in(edit.piece, edit.selection)}
