"""Edits of notes: on random pieces what must always hold, on a small one what they do."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from musicrel.chorale import (
    MAX_STEPS,
    RANGES,
    REST,
    Chorale,
    Key,
    Lyric,
    Mark,
    Meter,
    Voice,
    spans,
)
from musicrel.errors import UsageError
from musicrel.project import piece_bytes
from musicrel.score.editing import clipboard, note_edits, note_input, piece_edits
from musicrel.score.editing.clipboard import Clip
from musicrel.score.editing.draft import Edit, carried
from musicrel.score.editing.note_edits import copy_by, fitting_voice
from musicrel.score.editing.note_input import DURATIONS, Cursor
from musicrel.score.editing.notes import (
    Note,
    extent,
    note_at,
    note_before,
    notes,
    notes_in,
    span_between,
    voice_end,
    voice_notes,
)
from musicrel.score.editing.selection import Selection
from musicrel.score.notation.spelling import signature, spell
from musicrel.ui.document.document import Document
from tests.helpers.music import Case, of_voice, random_chorale, some, soprano, with_words

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
    "copy": lambda piece, selection: copy_by(piece, selection, steps=14, semitones=0),
    "bass": lambda piece, selection: note_edits.change_voice(piece, selection, 3),
}


# ---------------------------------------------------------------- words


def verse(piece: Chorale, voice: int = 0) -> dict[int, str]:
    """Return the words of a voice by step."""
    return {word.step: word.text for word in piece.lyrics if word.voice == voice}


@pytest.fixture
def worded(hymn: Chorale) -> Chorale:
    """Return the hymn with a word under each note of the first bar of the soprano."""
    words = ["wo", "la", "mi", "re"]
    lyrics = [Lyric(Voice.SOPRANO, 1, 4 * place, word) for place, word in enumerate(words)]
    return replace(hymn, lyrics=tuple(lyrics))


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (lambda p: note_edits.delete(p, soprano(4, 8)), {0: "wo", 8: "mi", 12: "re"}),
        (lambda p: note_edits.move(p, soprano(4, 8), semitones=3),
         {0: "wo", 4: "la", 8: "mi", 12: "re"}),
        (lambda p: note_edits.move(p, soprano(4, 8), steps=4), {0: "wo", 8: "la", 12: "re"}),
        (lambda p: note_edits.move(p, soprano(0, 8), steps=4), {4: "wo", 8: "la", 12: "re"}),
        (lambda p: note_edits.split(p, soprano(4, 8)), {0: "wo", 4: "la", 8: "mi", 12: "re"}),
        (lambda p: note_edits.join(p, soprano(0, 8)), {0: "wo", 8: "mi", 12: "re"}),
        (lambda p: note_edits.resize(p, soprano(4, 8), 2),
         {0: "wo", 4: "la", 10: "mi", 12: "re"}),
        (lambda p: note_edits.put(p, Note(2, 4, 60, 0)),
         {0: "wo", 4: "la", 8: "mi", 12: "re"}),
        (lambda p: note_edits.replace_note(p, Note(4, 8, 74, 0), Note(5, 7, 74, 0)),
         {0: "wo", 5: "la", 8: "mi", 12: "re"}),
        (lambda p: copy_by(p, soprano(0, 8), steps=16, semitones=0),
         {0: "wo", 4: "la", 8: "mi", 12: "re", 16: "wo", 20: "la"}),
        (lambda p: clipboard.paste(p, clipboard.copy(p, soprano(2, 10)), 16),
         {0: "wo", 4: "la", 8: "mi", 12: "re", 18: "la", 22: "mi"}),
        (lambda p: clipboard.paste(p, clipboard.copy(p, soprano(16, 24)), 0),
         {8: "mi", 12: "re"}),
        (lambda p: piece_edits.insert_bar(p, 0), {16: "wo", 20: "la", 24: "mi", 28: "re"}),
        (lambda p: piece_edits.remove_bars(p, some(0, 16)), {}),
        (lambda p: piece_edits.take_bars(p, replace(p, lyrics=()), 0, 16),
         {0: "wo", 4: "la", 8: "mi", 12: "re"}),
        (lambda p: piece_edits.take_bars(
            replace(p, lyrics=p.lyrics[:2]), replace(p, lyrics=p.lyrics[1:]), 4, 16),
         {0: "wo", 4: "la", 8: "mi", 12: "re"}),
        (lambda p: piece_edits.transposed_to(p, Key("E", "major")),
         {0: "wo", 4: "la", 8: "mi", 12: "re"}),
        (lambda p: piece_edits.with_properties(p, pickup=4, meter=Meter(3, 4)),
         {0: "wo", 4: "la", 8: "mi", 12: "re"}),
    ],
)  # fmt: skip
def test_words_go_with_their_notes(
    worded: Chorale, edit: Callable[[Chorale], Edit], expected: dict[int, str]
) -> None:
    """A note that is split keeps its syllable on the first part, joined ones that of the first."""
    assert verse(edit(worded).piece) == expected


def test_words_go_to_another_voice_with_their_notes(worded: Chorale) -> None:
    piece = note_edits.change_voice(worded, soprano(4, 12), Voice.ALTO).piece
    assert (verse(piece), verse(piece, Voice.ALTO)) == ({0: "wo", 12: "re"}, {4: "la", 8: "mi"})


# ---------------------------------------------------------------- what holds for all edits


@pytest.mark.parametrize("name", EDITS)
def test_other_voices_and_the_old_piece_stay_to_the_bit(case: Case, name: str) -> None:
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
def test_an_edit_of_rests_changes_nothing(hymn: Chorale, name: str) -> None:
    """It returns the piece itself, so that Undo gets no step."""
    rests = Selection(voices=(1, 2), start=4, stop=12)
    edit = EDITS[name](hymn, rests)
    assert edit.piece is hymn
    assert edit.selection == rests


def test_moving_up_and_down_restores(case: Case) -> None:
    up = note_edits.move(case.piece, case.selection, semitones=7)
    assert up.selection is not None
    assert note_edits.move(up.piece, up.selection, semitones=-7).piece == case.piece


def test_moving_into_silence_and_back_restores(case: Case) -> None:
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
    whole = Selection(voices=(0, 3), start=0, stop=48)
    for degrees in range(-9, 10):
        moved = note_edits.move_by_scale(hymn, whole, degrees).piece
        assert note_edits.move_by_scale(moved, whole, -degrees).piece == hymn


def test_splitting_and_joining_restores(case: Case) -> None:
    for note in notes_in(case.piece, case.selection):
        if note.length > 1:
            one = Selection.of_note(note)
            split = note_edits.split(case.piece, one)
            assert len(notes(split.piece)) == len(notes(case.piece)) + 1
            assert note_edits.join(split.piece, one).piece == case.piece


def test_deleting_leaves_the_other_notes(case: Case) -> None:
    left = notes(note_edits.delete(case.piece, case.selection).piece)
    assert {*left} == {*notes(case.piece)} - {*notes_in(case.piece, case.selection)}


def test_lengthening_and_shortening_before_a_rest_restores(case: Case) -> None:
    for note in notes_in(case.piece, case.selection):
        free = (case.piece.pitches[note.stop : note.stop + 2, note.voice] == REST).all()
        if free and note.stop + 2 <= case.piece.steps:
            longer = note_edits.resize(case.piece, Selection.of_note(note), 2)
            assert longer.selection is not None
            assert note_edits.resize(longer.piece, longer.selection, -2).piece == case.piece


# ---------------------------------------------------------------- put, replace, delete


def test_a_note_cuts_what_it_covers(empty: Chorale) -> None:
    piece = note_edits.put(empty, Note(0, 8, 72, 0)).piece
    piece = note_edits.put(piece, Note(8, 12, 74, 0)).piece
    inside = note_edits.put(piece, Note(4, 6, 71, 0))
    assert of_voice(inside.piece) == [(0, 4, 72), (4, 6, 71), (8, 12, 74)]
    assert inside.selection == soprano(4, 6)
    across = note_edits.put(piece, Note(6, 10, 71, 0))
    assert of_voice(across.piece) == [(0, 6, 72), (6, 10, 71)]


def test_a_note_beside_one_of_its_pitch_is_a_second_one_and_after_the_end_adds_bars(
    empty: Chorale,
) -> None:
    piece = note_edits.put(note_edits.put(empty, Note(0, 4, 72, 0)).piece, Note(4, 8, 72, 0)).piece
    assert of_voice(piece) == [(0, 4, 72), (4, 8, 72)]

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
    with pytest.raises(UsageError, match=reason):
        note_edits.put(hymn, note)


@pytest.mark.parametrize("pitch", [0, 127])
def test_the_lowest_and_the_highest_pitch_are_possible(hymn: Chorale, pitch: int) -> None:
    assert of_voice(note_edits.put(hymn, Note(0, 4, pitch, 0)).piece)[0] == (0, 4, pitch)


# ---------------------------------------------------------------- move


def test_of_ragged_notes_only_a_part_is_selected(empty: Chorale) -> None:
    piece = empty
    for note in (Note(0, 4, 72, 0), Note(9, 12, 74, 0), Note(0, 4, 60, 1), Note(4, 8, 62, 1)):
        piece = note_edits.put(piece, note).piece
    edit = note_edits.move(piece, Selection(voices=(0, 1), start=0, stop=8), steps=4)
    assert edit.selection == Selection(voices=(0, 1), start=7, stop=9)
    assert note_edits.move(edit.piece, edit.selection, steps=-4).piece == piece


def test_a_selection_after_a_move_ends_with_the_piece(empty: Chorale) -> None:
    piece = note_edits.put(empty, Note(0, 8, 72, 0)).piece
    edit = note_edits.move(piece, soprano(0, 32), steps=2)
    assert edit.piece.steps == 32
    assert edit.selection == soprano(2, 32)


def test_a_leading_note_goes_up_to_the_tonic() -> None:
    piece = Chorale.of([[68, REST, REST, REST]] * 4, key=Key("A", "minor"))
    assert of_voice(note_edits.move_by_scale(piece, soprano(0, 4), 1).piece) == [(0, 4, 69)]


def test_the_selection_after_an_edit_means_the_notes_it_wrote(case: Case) -> None:
    found = notes_in(case.piece, case.selection)
    if found and extent(found).stop + 5 <= case.piece.steps:
        edit = note_edits.move(case.piece, case.selection, steps=5)
        assert edit.selection is not None
        wrote = {note._replace(start=note.start + 5, stop=note.stop + 5) for note in found}
        assert wrote <= {*notes_in(edit.piece, edit.selection)}


PIECE = Chorale.of([(72, 67, 64, 48)] * 4 + [(74, -1, 64, 48)] * 12)
NOTE = Selection(voices=(1,), start=2, stop=3)


def test_copy_leaves_the_note_in_place_and_replaces_what_is_under_the_new_one() -> None:
    edit = copy_by(PIECE, NOTE, steps=8, semitones=2)
    assert voice_notes(edit.piece, 1) == [Note(0, 4, 67, 1), Note(8, 12, 69, 1)]
    assert edit.selection == Selection(voices=(1,), start=8, stop=12)

    edit = copy_by(PIECE, NOTE, steps=2, semitones=1)
    assert voice_notes(edit.piece, 1) == [Note(0, 2, 67, 1), Note(2, 6, 68, 1)]


PLACING = Chorale.of([(72, 67, 60, 48)] * 16)
SILENCE = Chorale.of([(REST,) * 4] * 16)


@pytest.mark.parametrize(
    ("piece", "pitches", "voices"),
    [
        (PLACING, (79, 66, 61, 50, 90, 30), [0, 1, 2, 3, 0, 3]),
        (SILENCE, (76, 65, 58, 45), [0, 1, 2, 3]),
    ],
    ids=["among voices", "in silence"],
)
def test_voice_is_the_nearest_one_that_can_sing_the_note(
    piece: Chorale, pitches: tuple[int, ...], voices: list[int]
) -> None:
    assert [fitting_voice(piece, 8, pitch, RANGES) for pitch in pitches] == voices


def test_resting_voice_is_preferred() -> None:
    """Its last note and its neighbours must fit."""
    rows = [(72, 67, 60, 48)] * 8 + [(72, REST, 60, 48)] * 8
    assert fitting_voice(Chorale.of(rows), 10, 69, RANGES) == 1


KEYS = [Key.of(number, mode) for number in range(12) for mode in ("major", "minor")]
SCALE = {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10)}


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_a_scale_rises_degree_by_degree(key: Key) -> None:
    tonic = 48 + key.pitch_class
    scale = [tonic + 12 * octave + step for octave in (0, 1) for step in SCALE[key.mode]]
    assert [note_edits.by_degrees(tonic, key, number) for number in range(14)] == scale
    assert [note_edits.by_degrees(pitch, key, -n) for n, pitch in enumerate(scale)] == [tonic] * 14


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_a_letter_has_the_signature_of_the_key(key: Key) -> None:
    for pitch in range(48, 84):
        for letter in note_edits.LETTERS:
            found = note_edits.nearest(letter, pitch, key)
            assert spell(found, key).step == letter
            assert abs(note_edits.degree(found, key) - note_edits.degree(pitch, key)) <= 3


def test_keys_with_more_than_seven_signs_use_their_common_spelling() -> None:
    assert signature(Key("D#", "major")) == -3
    assert note_edits.by_degrees(63, Key("D#", "major"), 2) == 67


def thinned(piece: Chorale) -> Chorale:
    return note_edits.delete(piece, soprano(4, 8)).piece


OLD = Note(4, 8, 74, 0)
BAR = Selection(voices=(0, 1, 2, 3), start=32, stop=48)


@pytest.mark.parametrize(
    ("edit", "voice", "found", "selected"),
    [
        (lambda p: note_edits.replace_note(p, OLD, Note(6, 10, 71, 0)), 0,
         [(0, 4, 72), (6, 10, 71), (12, 16, 77)], soprano(6, 10)),
        (lambda p: note_edits.replace_note(p, OLD, OLD._replace(voice=1)), 1, [(4, 8, 74)], None),
        (lambda p: note_edits.delete(p, soprano(6, 7)), 0,
         [(0, 4, 72), (8, 12, 76)], soprano(6, 7)),
        (lambda p: note_edits.move(p, soprano(5, 6), steps=6, semitones=-1), 0,
         [(0, 4, 72), (8, 10, 76), (10, 14, 73), (16, 20, 79)], soprano(11, 12)),
        (lambda p: note_edits.move(thinned(p), soprano(0, 12), steps=16), 0,
         [(12, 16, 77), (16, 20, 72), (24, 28, 76)], soprano(16, 28)),
        (lambda p: note_edits.move(thinned(p), soprano(0, 8), steps=4), 0,
         [(4, 8, 72), (8, 12, 76)], soprano(4, 8)),
        (lambda p: note_edits.move(note_edits.delete(p, soprano(0, 4)).piece, soprano(0, 8),
                                   steps=-4), 0, [(0, 4, 74)], soprano(0, 4)),
        (lambda p: note_edits.move(p, soprano(0, 4), semitones=36), 0, [(0, 4, 108)], None),
        (lambda p: note_edits.resize(p, soprano(0, 4), 2), 0,
         [(0, 6, 72), (6, 8, 74), (8, 12, 76)], soprano(0, 6)),
        (lambda p: note_edits.resize(p, soprano(0, 4), 4), 0, [(0, 8, 72), (8, 12, 76)], None),
        (lambda p: note_edits.resize(p, soprano(0, 4), 7), 0, [(0, 11, 72), (11, 12, 76)], None),
        (lambda p: note_edits.resize(p, soprano(0, 4), -3), 0, [(0, 1, 72)], None),
        (lambda p: note_edits.split(p, soprano(0, 4)), 0, [(0, 2, 72), (2, 4, 72)], None),
        (lambda p: note_edits.split(p, Selection(voices=(0, 3), start=0, stop=8), 5), 3,
         [(0, 5, 48), (5, 8, 48)], None),
        (lambda p: note_edits.split(p, Selection(voices=(0, 3), start=0, stop=8), 5), 0,
         [(0, 4, 72), (4, 5, 74), (5, 8, 74)], None),
        (lambda p: note_edits.split(note_edits.put(p, Note(0, 3, 60, 1)).piece,
                                    Selection(voices=(1,), start=0, stop=3)), 1,
         [(0, 1, 60), (1, 3, 60)], None),
        (lambda p: note_edits.join(thinned(p), Selection(voices=(0, 3), start=0, stop=12)), 0,
         [(0, 12, 72), (12, 16, 77)], None),
        (lambda p: note_edits.join(thinned(p), Selection(voices=(0, 3), start=0, stop=12)), 3,
         [(0, 16, 48)], None),
        (lambda p: note_edits.change_voice(p, soprano(4, 12), 3), 3,
         [(0, 4, 48), (4, 8, 74), (8, 12, 76)], Selection(voices=(3,), start=4, stop=12)),
        (lambda p: note_edits.change_voice(p, soprano(4, 12), 3), 0,
         [(0, 4, 72), (12, 16, 77)], None),
        (lambda p: note_edits.change_voice(p, Selection(voices=(0, 1), start=0, stop=4), 2), 2,
         [(0, 4, 72)], Selection(voices=(2,), start=0, stop=4)),
    ],
)  # fmt: skip
def test_an_edit_of_the_hymn(
    hymn: Chorale,
    edit: Callable[[Chorale], Edit],
    voice: int,
    found: list[tuple[int, int, int]],
    selected: Selection | None,
) -> None:
    made = edit(hymn)
    assert of_voice(made.piece, voice)[: len(found)] == found
    assert selected in (None, made.selection)


def test_the_last_note_of_every_selected_voice_gets_another_length(hymn: Chorale) -> None:
    edit = note_edits.resize(hymn, BAR, -2)
    assert of_voice(edit.piece)[-2:] == [(40, 44, 72), (44, 46, 72)]
    assert of_voice(edit.piece, 3)[-1] == (40, 46, 48)
    assert edit.selection == BAR


def test_moving_past_the_end_adds_bars(hymn: Chorale) -> None:
    edit = note_edits.move(hymn, soprano(44, 48), steps=2)
    assert (edit.piece.steps, of_voice(edit.piece)[-1]) == (64, (46, 50, 72))


@pytest.mark.parametrize(
    "edit",
    [
        lambda p: note_edits.replace_note(p, OLD, OLD),
        lambda p: note_edits.change_voice(p, soprano(4, 12), 0),
        lambda p: note_edits.put(p, OLD),
    ],
    ids=["pitch", "voice", "put"],
)
def test_an_edit_to_what_is_there_changes_nothing(
    hymn: Chorale, edit: Callable[[Chorale], Edit]
) -> None:
    assert edit(hymn).piece is hymn


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda p: note_edits.replace_note(p, Note(4, 8, 73, 0), Note(4, 8, 75, 0)),
         "no longer in the piece: select it again"),
        (lambda p: note_edits.move(p, soprano(1, 6), steps=-1), "begin before the piece does"),
        (lambda p: copy_by(p, soprano(2, 3), steps=-1, semitones=0), "begin before the piece does"),
        (lambda p: note_edits.move(p, soprano(0, 4), semitones=56), "higher than G9"),
        (lambda p: note_edits.resize(p, soprano(0, 4), -4), "shorter than a sixteenth"),
        (lambda p: note_edits.split(note_edits.put(p, Note(0, 1, 72, 0)).piece, soprano(0, 1)),
         "a sixteenth is the shortest note"),
        (lambda p: note_edits.split(p, soprano(0, 8), 4), "put the cursor inside a note"),
        (lambda p: note_edits.join(p, soprano(0, 4)), "select two or more to join them"),
        (lambda p: note_edits.change_voice(p, Selection(voices=(0, 1, 3), start=0, stop=4), 1),
         "select the notes of one voice, then move them"),
    ],
    ids=itertools.count(),
)  # fmt: skip
def test_an_impossible_edit_says_why(
    hymn: Chorale, edit: Callable[[Chorale], Edit], reason: str
) -> None:
    with pytest.raises(UsageError, match=reason):
        edit(hymn)


def test_locks_of_a_piece_of_the_same_length_stay(hymn: Chorale) -> None:
    locks = hymn.onsets
    assert np.array_equal(Edit(piece=hymn).moved(locks), locks)
    longer = Edit(piece=hymn.padded(4)).moved(locks)
    assert np.array_equal(longer[:48], locks)
    assert not longer[48:].any()


def test_locks_follow_the_steps_that_are_left(hymn: Chorale) -> None:
    edit = Edit(piece=hymn.cropped(0, 3), source_T=np.array([5, -1, 0]))
    locks = np.zeros((48, 4), dtype=np.bool_)
    locks[[0, 5], [1, 2]] = True
    assert np.argwhere(edit.moved(locks)).tolist() == [[0, 2], [2, 1]]


@dataclass
class Session:
    rng: np.random.Generator
    piece: Chorale
    clip: Clip = field(default=Clip(voices=(0,), length=4, notes=(Note(0, 4, 72, 0),)))

    def number(self, low: int, high: int) -> int:
        return int(self.rng.integers(low, high + 1))

    def selection(self) -> Selection:
        voices = self.rng.choice(4, size=self.number(1, 4), replace=False)
        start = self.number(0, self.piece.steps - 1)
        stop = min(start + self.number(1, 24), self.piece.steps)
        return Selection(voices=tuple(sorted(map(int, voices))), start=start, stop=stop)

    def cut(self, piece: Chorale, selection: Selection) -> Edit:
        self.clip, edit = clipboard.cut(piece, selection)
        return edit

    def enter(self, piece: Chorale, selection: Selection) -> Edit:
        cursor = note_input.Cursor(
            voice=selection.voices[0],
            step=self.number(0, piece.steps),
            duration=int(self.rng.choice([*note_input.DURATIONS.values()])),
            dotted=self.number(0, 1) == 1,
        )
        letter = "ABCDEFG"[self.number(0, 6)]
        entries: list[Callable[[], tuple[Edit, note_input.Cursor]]] = [
            lambda: note_input.enter(piece, cursor, letter),
            lambda: note_input.rest(piece, cursor),
            lambda: note_input.tie(piece, cursor),
            lambda: note_input.backspace(piece, cursor),
        ]
        return entries[self.number(0, 3)]()[0]

    def set_properties(self, piece: Chorale, _: Selection) -> Edit:
        return piece_edits.with_properties(
            piece,
            title="",
            key=Key.of(self.number(0, 11), "minor") if self.number(0, 3) else None,
            meter=Meter(self.number(2, 6), int(self.rng.choice([2, 4, 8]))),
            pickup=self.number(0, 8),
            tempo=self.number(5, 600),
        )

    def edit(self) -> Edit:
        number, of = self.number, self.selection()
        edits: list[Callable[[Chorale, Selection], Edit]] = [
            note_edits.delete,
            lambda p, s: note_edits.move(p, s, steps=number(-8, 8), semitones=number(-3, 3)),
            lambda p, s: note_edits.move_by_scale(p, s, number(-3, 3)),
            lambda p, s: note_edits.resize(p, s, number(-3, 5)),
            lambda p, s: note_edits.split(p, s, number(s.start, s.stop) if number(0, 1) else None),
            note_edits.join,
            lambda p, s: note_edits.change_voice(p, s, number(0, 3)),
            clipboard.duplicate,
            self.cut,
            lambda p, s: clipboard.paste(p, self.clip, s.start, number(0, 3)),
            piece_edits.toggle_fermata,
            lambda p, s: piece_edits.insert_bar(p, s.start),
            piece_edits.remove_bars,
            lambda p, _: piece_edits.add_bar(p),
            lambda p, _: piece_edits.transposed_to(p, Key.of(number(0, 11), "minor")),
            self.set_properties,
            *([self.enter] * 4),
        ]
        return edits[number(0, len(edits) - 1)](self.piece, of)


@pytest.mark.parametrize("seed", range(20))
def test_a_long_session_of_edits_leaves_valid_pieces_and_is_undone_to_the_bit(seed: int) -> None:
    session = Session(np.random.default_rng(seed), with_words(random_chorale(seed, 48)))
    document = Document()
    document.show_piece(session.piece)
    stored = [piece_bytes.to_bytes(session.piece)]
    while len(stored) <= 100:
        with contextlib.suppress(UsageError):
            edit = session.edit()
            assert edit.selection is None or edit.selection.stop <= edit.piece.steps
            assert edit.moved(np.ones((session.piece.steps, 4), dtype=np.bool_)).shape == (
                edit.piece.steps,
                4,
            )
            session.piece = edit.piece
            document.apply(edit)
            stored.append(piece_bytes.to_bytes(edit.piece))

    while stored:
        assert document.piece is not None
        assert piece_bytes.to_bytes(document.piece) == stored.pop()
        document.undo()


ALL = (0, 1, 2, 3)


@pytest.fixture
def marked(hymn: Chorale) -> Chorale:
    return piece_edits.toggle_fermata(hymn, some(12, 16)).piece


def test_the_uppermost_note_carries_the_fermata(marked: Chorale) -> None:
    assert spans(carried(marked, [Note(12, 16, 77, 0)])) == [(12, 16)]
    assert not carried(marked, [Note(8, 16, 52, 3)]).any()
    resting = note_edits.delete(marked, some(12, 16, 0)).piece
    assert spans(carried(resting, [Note(8, 16, 52, 3)])) == [(12, 16)]


def test_a_fermata_goes_with_the_last_note_under_it_and_is_removed_over_rests(
    marked: Chorale,
) -> None:
    without_soprano = note_edits.delete(marked, some(12, 16, 0)).piece
    assert spans(without_soprano.fermatas) == [(12, 16)]
    assert not note_edits.delete(without_soprano, some(12, 16, 3)).piece.fermatas.any()

    silent = replace(note_edits.delete(marked, some(0, 16)).piece, fermatas=marked.fermatas)
    assert not piece_edits.toggle_fermata(silent, some(15, 16)).piece.fermatas.any()


def test_a_fermata_over_rests_of_old_stays(marked: Chorale) -> None:
    silent = replace(marked, fermatas=np.arange(48) < 4).cropped(0, 48)
    rests = note_edits.delete(silent, some(0, 8)).piece
    over_rests = replace(rests, fermatas=np.arange(48) < 4)
    assert note_edits.delete(over_rests, some(40, 48)).piece.fermatas[:4].all()


def test_a_fermata_moves_with_its_note_and_replaces_the_one_at_its_place(marked: Chorale) -> None:
    for voices in ((0,), ALL):
        moved = note_edits.move(marked, some(12, 16, *voices), steps=16).piece
        assert spans(moved.fermatas) == [(28, 32)]
    assert spans(note_edits.move(marked, some(12, 16, 3), steps=8).piece.fermatas) == [(12, 16)]
    assert spans(note_edits.move(marked, some(12, 16), semitones=1).piece.fermatas) == [(12, 16)]

    both = piece_edits.toggle_fermata(marked, some(28, 32)).piece
    moved = note_edits.move(both, some(12, 16, 0), steps=14).piece
    assert spans(moved.fermatas)[0][0] == 26
    without = note_edits.move(both, some(4, 8, 0), steps=24).piece
    assert spans(without.fermatas) == [(12, 16)]


@pytest.mark.parametrize("voices", [(0,), ALL])
def test_a_fermata_is_cut_and_pasted_with_its_note(
    marked: Chorale, voices: tuple[int, ...]
) -> None:
    for start, stop in ((12, 16), (8, 16), (14, 15)):
        clip, edit = clipboard.cut(marked, some(start, stop, *voices))
        assert not edit.piece.fermatas.any()
        pasted = clipboard.paste(edit.piece, clip, 32).piece
        assert len(spans(pasted.fermatas)) == 1


def test_what_a_cut_removes_is_on_the_clipboard(case: Case) -> None:
    clip, edit = clipboard.cut(case.piece, case.selection)
    lost = carried(case.piece, notes_in(case.piece, case.selection))
    assert not (edit.piece.fermatas & lost).any()
    held = sum(stop - start for start, stop in clip.fermatas)
    assert held >= lost[case.selection.stop - clip.length :].sum()


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


def test_a_melody_is_typed(empty: Chorale) -> None:
    """In the key signature, here G major; letters in any case, durations as in MuseScore."""
    piece, cursor = typed(empty, "Gab5.c4b5A6f7g")
    assert of_voice(piece) == [
        *((0, 4, 67), (4, 8, 69), (8, 12, 71), (12, 18, 72)),
        *((18, 20, 71), (20, 24, 69), (24, 32, 66), (32, 48, 67)),
    ]
    assert cursor == Cursor(voice=0, step=48, duration=16)


def test_letters_and_degrees_are_those_of_the_key_in_force(empty: Chorale) -> None:
    change = Mark(kind="key", start=16, stop=16, value=Key("Eb", "major"))
    piece, _ = typed(replace(empty, marks=(change,)), "Gabcgabc")
    assert piece.pitches[::4, 0].tolist() == [67, 69, 71, 72, 67, 68, 70, 72]
    moved = note_edits.move_by_scale(piece, Selection(voices=(0,), start=8, stop=28), 1).piece
    assert moved.pitches[8:28:4, 0].tolist() == [72, 74, 68, 70, 72]


@pytest.mark.parametrize("voice", Voice)
@pytest.mark.parametrize("letter", "ABCDEFG")
def test_the_first_note_is_in_the_middle_of_the_range(
    empty: Chorale, voice: Voice, letter: str
) -> None:
    edit, _ = note_input.enter(empty, Cursor(voice=voice, step=0), letter)
    note = note_at(edit.piece, voice, 0)
    assert note is not None
    assert abs(note.pitch - sum(RANGES[voice]) // 2) <= 6
    assert spell(note.pitch, empty.key).step == letter


@pytest.mark.parametrize("fifths", range(-6, 7))
def test_a_letter_is_at_most_a_fourth_away(fifths: int) -> None:
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
    assert of_voice(typed(replace(empty, key=None), "gf")[0])[1] == (4, 8, 65)


def test_notes_and_rests_cut_what_is_there(hymn: Chorale) -> None:
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
    longest = Chorale.of(np.full((MAX_STEPS, 4), 60))
    cursor = Cursor(voice=0, step=voice_end(longest, 0))
    for key in ("C", "0"):
        with pytest.raises(UsageError, match="longer than 16,384 sixteenths"):
            typed(longest, key, cursor)


def test_durations_have_dots() -> None:
    dotted = START.with_dot()
    assert [START.with_duration(d).with_dot().length for d in (2, 4, 8, 16)] == [3, 6, 12, 24]
    assert dotted.with_dot() == START
    assert dotted.with_duration(8).length == 8
    with pytest.raises(UsageError, match="a sixteenth is the shortest note and cannot be dotted"):
        START.with_duration(1).with_dot()


def test_backspace_takes_back_what_was_typed(empty: Chorale) -> None:
    piece, cursor = typed(empty, "ga0b<<<")
    assert (of_voice(piece), cursor.step) == ([(0, 4, 67)], 4)
    piece, cursor = typed(piece, "<<", cursor)
    assert (of_voice(piece), cursor.step) == ([], 0)
    edit, _ = note_input.backspace(piece, cursor)
    assert edit.piece is piece
    assert edit.selection is None


def test_backspace_selects_the_note_before_through_rests_without_an_edit(empty: Chorale) -> None:
    piece, cursor = typed(empty, "gab")
    edit, cursor = note_input.backspace(piece, cursor)
    assert edit.selection == Selection(voices=(0,), start=4, stop=8)
    piece, cursor = typed(edit.piece, "0c", cursor)
    assert note_input.backspace(piece, cursor)[0].selection is None

    piece, _ = typed(empty, "g")
    edit, cursor = note_input.backspace(piece, Cursor(voice=0, step=10))
    assert (edit.piece is piece, cursor.step) == (True, 6)
    assert note_input.backspace(piece, cursor)[1].step == 4


def test_backspace_removes_empty_bars_past_the_least(empty: Chorale) -> None:
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


def test_typing_and_taking_back_restores(case: Case) -> None:
    voice = case.selection.voices[0]
    cursor = Cursor(voice=voice, step=voice_end(case.piece, voice))
    edit, after = note_input.enter(case.piece, cursor, "C")
    back, at = note_input.backspace(edit.piece, after)
    assert at == cursor
    assert np.array_equal(back.piece.pitches[: case.piece.steps], case.piece.pitches)
    assert np.array_equal(back.piece.onsets[: case.piece.steps], case.piece.onsets)


def test_the_cursor_moves_by_notes(hymn: Chorale) -> None:
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
    piece, _ = typed(empty, "g", replace(START, step=10))
    assert replace(START, step=8).next(piece).step == 10
    assert replace(START, step=16).previous(piece).step == 14


def test_the_cursor_changes_its_voice() -> None:
    assert START.in_voice(1).voice == 1
    assert START.in_voice(-1) == START
    assert START.in_voice(9).voice == Voice.BASS


def test_a_cursor_past_a_shorter_piece_still_enters(empty: Chorale) -> None:
    edit, cursor = note_input.enter(empty, Cursor(voice=0, step=40), "G")
    assert (edit.piece.steps, cursor.step) == (48, 44)
    back, _ = note_input.backspace(empty, Cursor(voice=0, step=40))
    assert back.selection is None
    assert note_at(edit.piece, 0, 40) == Note(40, 44, 67, 0)


SMALL = Chorale.of([[72, REST, REST, 48]] * 4 + [[74, REST, REST, 48]] * 4 + [[REST] * 4] * 4)


def test_notes_are_listed_voice_by_voice_and_found_at_and_before_a_step() -> None:
    assert notes(SMALL) == [Note(0, 4, 72, 0), Note(4, 8, 74, 0), Note(0, 8, 48, 3)]
    assert notes(SMALL)[2].length == 8

    assert note_at(SMALL, 0, 3) == Note(0, 4, 72, 0)
    assert note_at(SMALL, 1, 3) is None
    assert note_at(SMALL, 0, 12) is None
    assert note_at(SMALL, 0, -1) is None

    assert note_before(SMALL, 0, 12) == Note(4, 8, 74, 0)
    assert note_before(SMALL, 0, 4) == Note(0, 4, 72, 0)
    assert note_before(SMALL, 0, 0) is None
    assert voice_end(SMALL, 0) == 8
    assert voice_end(SMALL, 1) == 0


def test_a_selection_means_and_touches_the_whole_notes_that_sound_in_it() -> None:
    one_step = Selection(voices=(0, 3), start=5, stop=6)
    assert notes_in(SMALL, one_step) == [Note(4, 8, 74, 0), Note(0, 8, 48, 3)]
    assert notes_in(SMALL, Selection(voices=(0, 1, 2, 3), start=8, stop=12)) == []

    selection = Selection(voices=(0, 1), start=4, stop=8)
    assert selection.touches(Note(0, 5, 72, 0))
    assert selection.touches(Note(7, 16, 67, 1))
    assert not selection.touches(Note(0, 4, 72, 0))
    assert not selection.touches(Note(8, 12, 72, 0))
    assert not selection.touches(Note(4, 8, 60, 2))


@pytest.mark.parametrize(
    ("ends", "span"),
    [
        ((4.0, 4.0), (4, 8)), ((5.7, 5.7), (4, 8)), ((4.2, 5.9), (4, 6)), ((11.0, 3.0), (2, 12)),
        ((15.9, 15.9), (14, 16)), ((14.0, 40.0), (14, 16)),
    ],
)  # fmt: skip
def test_notes_drawn_with_the_mouse_lie_on_eighths(
    ends: tuple[float, float], span: tuple[int, int]
) -> None:
    assert span_between(ends, 16) == span
