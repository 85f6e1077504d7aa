"""Note input from the keyboard."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import MAX_STEPS, RANGES, REST, Chorale, Key, Voice
from musicrel.editing import note_input
from musicrel.editing.note_input import DURATION_NAMES, DURATIONS, Cursor
from musicrel.editing.notes import Note, note_at, voice_end, voice_notes
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from musicrel.score.notation.spelling import spell
from tests.helpers.music import Case

START = Cursor(voice=0, step=0)


def typed(piece: Chorale, keys: str, cursor: Cursor = START) -> tuple[Chorale, Cursor]:
    """Enter letters, 0 for a rest, 3 to 7 and the dot for durations, < for Backspace."""
    for key in keys:
        if key in DURATIONS:
            cursor = cursor.with_duration(DURATIONS[key])
        elif key == ".":
            cursor = cursor.with_dot()
        elif key == "0":
            edit, cursor = note_input.rest(piece, cursor)
            piece = edit.piece
        elif key == "<":
            edit, cursor = note_input.backspace(piece, cursor)
            piece = edit.piece
        else:
            edit, cursor = note_input.enter(piece, cursor, key)
            piece = edit.piece
    return piece, cursor


def of_voice(piece: Chorale, voice: int = 0) -> list[tuple[int, int, int]]:
    """Start, stop and pitch of every note of a voice."""
    return [(note.start, note.stop, note.pitch) for note in voice_notes(piece, voice)]


def test_a_melody_is_typed(empty: Chorale) -> None:
    """In the key signature, here G major; letters in any case, durations as in MuseScore."""
    piece, cursor = typed(empty, "Gab5.c4b5A6f7g")
    assert of_voice(piece) == [
        *((0, 4, 67), (4, 8, 69), (8, 12, 71), (12, 18, 72)),
        *((18, 20, 71), (20, 24, 69), (24, 32, 66), (32, 48, 67)),
    ]
    assert cursor == Cursor(voice=0, step=48, duration=16)


def test_the_note_entered_is_selected(empty: Chorale) -> None:
    """Alone."""
    edit, _ = note_input.enter(empty, Cursor(voice=2, step=6), "D")
    assert edit.selection == Selection(voices=(2,), start=6, stop=10)


@pytest.mark.parametrize("voice", Voice)
@pytest.mark.parametrize("letter", "ABCDEFG")
def test_the_first_note_is_in_the_middle_of_the_range(
    empty: Chorale, voice: Voice, letter: str
) -> None:
    """A fourth from it at most."""
    edit, _ = note_input.enter(empty, Cursor(voice=voice, step=0), letter)
    note = note_at(edit.piece, voice, 0)
    assert note is not None
    assert abs(note.pitch - sum(RANGES[voice]) // 2) <= 6
    assert spell(note.pitch, empty.key).step == letter


@pytest.mark.parametrize("fifths", range(-6, 7))
def test_a_letter_is_at_most_a_fourth_away(fifths: int) -> None:
    """From the note before, whatever lies between; it is the letter with the key signature."""
    key = Key.of(7 * fifths, "major")
    empty = Chorale.of(np.full((64, 4), REST), key=key)
    rng = np.random.default_rng(fifths + 6)
    letters = "".join(rng.choice(list("ABCDEFG"), 24))
    piece, _ = typed(empty, letters)
    notes = voice_notes(piece, 0)
    for before, note in itertools.pairwise(notes):
        assert abs(note.pitch - before.pitch) <= 6
    assert "".join(spell(note.pitch, key).step for note in notes) == letters
    scale = {(key.pitch_class + degree) % 12 for degree in (0, 2, 4, 5, 7, 9, 11)}
    assert {note.pitch % 12 for note in notes} <= scale


def test_a_piece_without_key_has_no_signature(empty: Chorale) -> None:
    """F is F natural."""
    assert of_voice(typed(replace(empty, key=None), "gf")[0])[1] == (4, 8, 65)


def test_a_repeated_letter_is_a_second_note(empty: Chorale) -> None:
    """Not a longer one."""
    assert of_voice(typed(empty, "gg")[0]) == [(0, 4, 67), (4, 8, 67)]


def test_notes_and_rests_cut_what_is_there(hymn: Chorale) -> None:
    """Nothing in other voices changes."""
    piece, cursor = typed(hymn, "6c5040", replace(START, step=2))
    assert of_voice(piece)[:3] == [(0, 2, 72), (2, 10, 72), (16, 20, 79)]
    assert np.array_equal(piece.pitches[:, 1:], hymn.pitches[:, 1:])
    assert cursor.step == 16


def test_the_piece_grows_by_a_bar_at_the_end(empty: Chorale) -> None:
    """For the note that needs it, so that there is no empty bar after the last."""
    piece, cursor = typed(empty, "7gg")
    assert (piece.steps, cursor.step) == (32, 32)
    assert typed(piece, "5g", cursor)[0].steps == 48
    assert typed(piece, "0", cursor)[0].steps == 48
    assert typed(piece, "5g", replace(cursor, step=30))[0].steps == 48


def test_the_longest_piece_takes_no_more() -> None:
    """Nothing is lost."""
    longest = Chorale.of(np.full((MAX_STEPS, 4), 60))
    cursor = Cursor(voice=0, step=voice_end(longest, 0))
    for key in ("C", "0"):
        with pytest.raises(UsageError, match="longer than 16,384 sixteenths"):
            typed(longest, key, cursor)


def test_durations_are_those_of_musescore() -> None:
    """From the sixteenth on key 3 to the whole note on key 7."""
    assert [*DURATIONS.items()] == [("3", 1), ("4", 2), ("5", 4), ("6", 8), ("7", 16)]
    assert [*DURATION_NAMES] == [*DURATIONS.values()]


def test_durations_have_dots() -> None:
    """A second dot removes the first, another duration too; a sixteenth has none."""
    dotted = START.with_dot()
    assert [START.with_duration(d).with_dot().length for d in (2, 4, 8, 16)] == [3, 6, 12, 24]
    assert dotted.with_dot() == START
    assert dotted.with_duration(8).length == 8
    with pytest.raises(UsageError, match="a sixteenth is the shortest note and cannot be dotted"):
        START.with_duration(1).with_dot()


def test_backspace_takes_back_what_was_typed(empty: Chorale) -> None:
    """Notes and rests; at the start it does nothing."""
    piece, cursor = typed(empty, "ga0b<<<")
    assert (of_voice(piece), cursor.step) == ([(0, 4, 67)], 4)
    piece, cursor = typed(piece, "<<", cursor)
    assert (of_voice(piece), cursor.step) == ([], 0)
    edit, _ = note_input.backspace(piece, cursor)
    assert edit.piece is piece
    assert edit.selection is None


def test_backspace_selects_the_note_before(empty: Chorale) -> None:
    """After a rest there is none."""
    piece, cursor = typed(empty, "gab")
    edit, cursor = note_input.backspace(piece, cursor)
    assert edit.selection == Selection(voices=(0,), start=4, stop=8)
    piece, cursor = typed(edit.piece, "0c", cursor)
    assert note_input.backspace(piece, cursor)[0].selection is None


def test_backspace_removes_empty_bars_past_the_least(empty: Chorale) -> None:
    """Not those with a note of any voice, nor that of the cursor."""
    piece, cursor = typed(empty, "7ggg")
    assert piece.steps == 48
    assert note_input.backspace(piece, cursor)[0].piece.steps == 48
    edit, cursor = note_input.backspace(piece, cursor, least=16)
    assert (edit.piece.steps, cursor.step) == (32, 32)
    low, _ = note_input.enter(edit.piece, replace(START, voice=3, step=20), "G")
    assert note_input.backspace(low.piece, cursor, least=16)[0].piece.steps == 32
    first, _ = note_input.backspace(edit.piece, replace(START, step=30), least=0)
    assert first.piece.steps == 16
    assert first.selection == Selection(voices=(0,), start=0, stop=16)


def test_backspace_goes_through_rests_without_an_edit(empty: Chorale) -> None:
    """By its duration, but not past a note."""
    piece, _ = typed(empty, "g")
    edit, cursor = note_input.backspace(piece, Cursor(voice=0, step=10))
    assert (edit.piece is piece, cursor.step) == (True, 6)
    assert note_input.backspace(piece, cursor)[1].step == 4


def test_typing_and_taking_back_restores(case: Case) -> None:
    """After the last note of a voice."""
    voice = case.selection.voices[0]
    cursor = Cursor(voice=voice, step=voice_end(case.piece, voice))
    edit, after = note_input.enter(case.piece, cursor, "C")
    back, at = note_input.backspace(edit.piece, after)
    assert at == cursor
    assert np.array_equal(back.piece.pitches[: case.piece.steps], case.piece.pitches)
    assert np.array_equal(back.piece.onsets[: case.piece.steps], case.piece.onsets)


def test_the_cursor_moves_by_notes(hymn: Chorale) -> None:
    """In rests by its duration, within the piece."""
    bass = Cursor(voice=3, step=0)
    assert bass.next(hymn).step == 8
    assert bass.next(hymn).previous(hymn) == bass
    assert replace(bass, step=3).next(hymn).step == 8
    assert replace(bass, step=3).previous(hymn).step == 0
    alto = Cursor(voice=1, step=46)
    assert (alto.next(hymn).step, alto.previous(hymn).step) == (48, 42)
    assert alto.next(hymn).next(hymn).step == 48
    assert Cursor(voice=1, step=2).previous(hymn).step == 0


def test_the_cursor_stops_at_the_notes_in_its_way(empty: Chorale) -> None:
    """From both sides."""
    piece, _ = typed(empty, "g", replace(START, step=10))
    assert replace(START, step=8).next(piece).step == 10
    assert replace(START, step=16).previous(piece).step == 14


def test_the_cursor_changes_its_voice() -> None:
    """Within the four."""
    assert START.in_voice(1).voice == 1
    assert START.in_voice(-1) == START
    assert START.in_voice(9).voice == Voice.BASS


def test_a_cursor_past_a_shorter_piece_still_enters(empty: Chorale) -> None:
    """After Undo the piece may be shorter than where the cursor was."""
    edit, cursor = note_input.enter(empty, Cursor(voice=0, step=40), "G")
    assert (edit.piece.steps, cursor.step) == (48, 44)
    back, _ = note_input.backspace(empty, Cursor(voice=0, step=40))
    assert back.selection is None
    assert note_at(edit.piece, 0, 40) == Note(40, 44, 67, 0)
