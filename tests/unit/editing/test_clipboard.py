"""Copy, cut, paste and duplicate."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import MAX_STEPS, REST, Chorale, Voice, spans
from musicrel.editing import note_edits
from musicrel.editing.clipboard import Clip, copy, cut, duplicate, paste
from musicrel.editing.notes import Note, notes_in, voice_notes
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from tests.helpers.music import Case

BAR = Selection(voices=(0, 1, 2, 3), start=16, stop=32)


def of_voice(piece: Chorale, voice: int = 0) -> list[tuple[int, int, int]]:
    """Start, stop and pitch of every note of a voice."""
    return [(note.start, note.stop, note.pitch) for note in voice_notes(piece, voice)]


def soprano(start: int, stop: int) -> Selection:
    """Select steps of the soprano."""
    return Selection(voices=(0,), start=start, stop=stop)


def start_of(clip: Clip, selection: Selection) -> int:
    """Return the step that a clip was copied from."""
    return selection.stop - clip.length


def test_pasting_onto_itself_changes_nothing(case: Case) -> None:
    """Held notes stay held, and fermatas where they are."""
    clip = copy(case.piece, case.selection)
    assert paste(case.piece, clip, start_of(clip, case.selection)).piece is case.piece


def test_cutting_and_pasting_restores(case: Case) -> None:
    """A note that began before the selection is restored from there on."""
    clip, edit = cut(case.piece, case.selection)
    restored = paste(edit.piece, clip, start_of(clip, case.selection)).piece
    assert notes_in(edit.piece, case.selection) == []
    if not clip.tied:
        assert restored == case.piece
    start = start_of(clip, case.selection)
    assert np.array_equal(restored.pitches[start:], case.piece.pitches[start:])


def test_a_clip_is_the_same_after_the_clipboard(case: Case) -> None:
    """It travels as JSON text."""
    clip = copy(case.piece, case.selection)
    assert Clip.from_json(clip.to_json()) == clip


def test_a_clip_sounds_the_same_elsewhere(case: Case) -> None:
    """In a new piece, where nothing is tied; the copy of the copy is the copy."""
    clip = copy(case.piece, case.selection)
    empty = Chorale.of(np.full((160, 4), REST))
    pasted = paste(empty, clip, 40)
    assert pasted.selection is not None
    again = copy(pasted.piece, pasted.selection)
    assert (again.notes, again.fermatas) == (clip.notes, clip.fermatas)


def test_a_duplicate_leaves_the_original(case: Case) -> None:
    """And what is before it; other voices stay to the bit."""
    whole = Selection(voices=case.selection.voices, start=0, stop=case.selection.stop)
    edit = duplicate(case.piece, case.selection)
    stop = max([case.selection.stop, *(n.stop for n in notes_in(case.piece, case.selection))])
    assert np.array_equal(edit.piece.pitches[:stop], case.piece.pitches[:stop])
    assert [(n.start, n.pitch) for n in notes_in(edit.piece, whole)][:1] == [
        (n.start, n.pitch) for n in notes_in(case.piece, whole)
    ][:1]
    steps = case.piece.steps
    assert np.array_equal(edit.piece.onsets[:steps, case.others], case.piece.onsets[:, case.others])


def test_a_copied_note_starts_where_it_is_pasted(hymn: Chorale) -> None:
    """From whichever of its steps it was copied; it cuts what it covers and is selected."""
    for step in (5, 6, 7):
        clip = copy(hymn, soprano(step, step + 1))
        edit = paste(hymn, clip, 10)
        assert of_voice(edit.piece)[2:4] == [(8, 10, 76), (10, 14, 74)]
        assert edit.selection is not None
        assert notes_in(edit.piece, edit.selection) == [Note(10, 14, 74, 0)]


def test_rests_are_pasted(hymn: Chorale) -> None:
    """A passage replaces all that lies at its place, and ends in the rests it was copied with."""
    thinned = note_edits.delete(hymn, soprano(4, 8)).piece
    edit = paste(thinned, copy(thinned, soprano(0, 8)), 16)
    assert of_voice(edit.piece)[2:5] == [(12, 16, 77), (16, 20, 72), (24, 28, 76)]
    assert edit.selection == soprano(16, 24)


def test_a_note_held_into_the_passage_is_tied_or_begins_anew(hymn: Chorale) -> None:
    """Tied after a note of its pitch; the notes before stay as they are."""
    held = note_edits.resize(hymn, soprano(12, 16), 2).piece
    clip = copy(held, Selection(voices=(0,), start=16, stop=32))
    assert clip.tied == (0,)
    tied = paste(held, clip, 24).piece
    assert of_voice(tied)[5:7] == [(20, 26, 77), (26, 28, 79)]
    new = paste(held, clip, 32).piece
    assert of_voice(new)[7:10] == [(28, 32, 74), (32, 34, 77), (34, 36, 79)]


def test_pasting_at_the_end_adds_bars(hymn: Chorale) -> None:
    """Whole ones."""
    edit = paste(hymn, copy(hymn, BAR), 48)
    assert edit.piece.steps == 64
    assert edit.selection == replace(BAR, start=48, stop=64)
    assert paste(hymn, copy(hymn, soprano(0, 4)), 47).piece.steps == 64


def test_voices_are_pasted_elsewhere_in_their_order(hymn: Chorale) -> None:
    """From the given voice down."""
    clip = copy(hymn, soprano(0, 8))
    edit = paste(hymn, clip, 0, Voice.TENOR)
    assert of_voice(edit.piece, 2) == [(0, 4, 72), (4, 8, 74)]
    assert edit.selection == Selection(voices=(2,), start=0, stop=8)
    bass = copy(hymn, Selection(voices=(3,), start=0, stop=8))
    assert of_voice(paste(hymn, bass, 0, 0).piece)[0] == (0, 8, 48)


def test_too_many_voices_do_not_fit(hymn: Chorale) -> None:
    """The sentence names them."""
    with pytest.raises(
        UsageError, match="notes of 4 voices do not fit below the alto: paste at a higher voice"
    ):
        paste(hymn, copy(hymn, BAR), 0, 1)


@pytest.mark.parametrize("step", [-1, 49])
def test_pasting_outside_the_piece_is_refused(hymn: Chorale, step: int) -> None:
    """Before the start and after the end."""
    with pytest.raises(UsageError, match=f"outside the piece, at step {step}: choose a place"):
        paste(hymn, copy(hymn, BAR), step)


def test_fermatas_go_with_the_soprano(hymn: Chorale) -> None:
    """They replace those at their place; other voices leave them alone."""
    marked = replace(hymn, fermatas=(np.arange(48) >= 12) & (np.arange(48) < 16))
    pasted = paste(marked, copy(marked, soprano(8, 16)), 24).piece
    assert np.flatnonzero(pasted.fermatas).tolist() == [*range(12, 16), *range(28, 32)]
    without = paste(pasted, copy(marked, soprano(0, 8)), 8).piece
    assert np.flatnonzero(without.fermatas).tolist() == [*range(28, 32)]
    bass = copy(marked, Selection(voices=(3,), start=8, stop=16))
    assert paste(marked, bass, 24).piece.fermatas.tolist() == marked.fermatas.tolist()
    assert paste(marked, copy(marked, soprano(8, 16)), 24, 1).piece.fermatas[28:].sum() == 0


def test_voices_that_rest_are_not_copied_with_a_held_note(hymn: Chorale) -> None:
    """The passage begins before the selection, where they were not selected."""
    piece = note_edits.delete(hymn, soprano(4, 8)).piece
    clip = copy(piece, Selection(voices=(0, 3), start=4, stop=6))
    assert (clip.voices, clip.notes) == ((3,), (Note(0, 8, 48, 3),))
    assert of_voice(paste(piece, clip, 16).piece) == of_voice(piece)


def test_a_fermata_goes_with_a_duplicate_up_to_the_bar_line(hymn: Chorale) -> None:
    """Its note ends there, too."""
    held = note_edits.resize(hymn, soprano(28, 32), 2).piece
    marked = replace(held, fermatas=(np.arange(48) >= 28) & (np.arange(48) < 34))
    assert spans(duplicate(marked, BAR).piece.fermatas) == [(28, 32), (44, 48)]


def test_a_duplicated_note_follows_itself(hymn: Chorale) -> None:
    """From whichever of its steps; the copy is selected, for the next one."""
    edit = duplicate(hymn, soprano(1, 2))
    assert of_voice(edit.piece)[:3] == [(0, 4, 72), (4, 8, 72), (8, 12, 76)]
    assert edit.selection == soprano(4, 8)


def test_whole_bars_are_duplicated_in_the_bars_after_them(hymn: Chorale) -> None:
    """A note that is held into the bar after them ends at the bar line."""
    held = note_edits.resize(hymn, soprano(28, 32), 2).piece
    edit = duplicate(held, BAR)
    assert edit.selection == replace(BAR, start=32, stop=48)
    assert of_voice(edit.piece)[4:] == [
        *((16, 20, 79), (20, 24, 77), (24, 28, 76), (28, 32, 74)),
        *((32, 36, 79), (36, 40, 77), (40, 44, 76), (44, 48, 74)),
    ]


def test_rests_alone_are_not_duplicated(hymn: Chorale) -> None:
    """The piece stays the same object."""
    assert duplicate(hymn, Selection(voices=(1,), start=0, stop=4)).piece is hymn


def test_the_limit_of_length_holds() -> None:
    """Nothing is lost."""
    longest = Chorale.of(np.full((MAX_STEPS, 4), 60))
    with pytest.raises(UsageError, match="longer than 16,384 sixteenths"):
        duplicate(longest, soprano(MAX_STEPS - 16, MAX_STEPS))


CLIP: dict[str, Any] = {
    "voices": [0, 3],
    "length": 8,
    "notes": [[0, 4, 72, 0], [4, 12, 74, 0], [0, 8, 48, 3]],
    "tied": [3],
    "fermatas": [[4, 8]],
}


def test_a_clip_is_read_from_json() -> None:
    """Another window may have written it."""
    assert Clip.from_json(json.dumps(CLIP)) == Clip(
        voices=(0, 3),
        length=8,
        notes=(Note(0, 4, 72, 0), Note(4, 12, 74, 0), Note(0, 8, 48, 3)),
        tied=(3,),
        fermatas=((4, 8),),
    )


@pytest.mark.parametrize(
    "damage",
    [
        {"voices": []},
        {"voices": [3, 0]},
        {"voices": [0, 4]},
        {"voices": None},
        {"voices": [False, 3]},
        {"voices": [0.0, 3]},
        {"length": 0},
        {"length": 8.0},
        {"length": True},
        {"length": MAX_STEPS + 1},
        {"notes": [[0, 4, 72]]},
        {"notes": [[0, 4, 72, 1]]},
        {"notes": [[0, 4, 128, 0]]},
        {"notes": [[0, 4, -1, 0]]},
        {"notes": [[0, 4.5, 72, 0]]},
        {"notes": [[-2, 4, 72, 0]]},
        {"notes": [[4, 4, 72, 0]]},
        {"notes": [[8, 12, 72, 0]]},
        {"notes": [[0, 4, 72, 0], [3, 6, 72, 0]]},
        {"notes": [[0, MAX_STEPS + 1, 72, 0]]},
        {"notes": [[0, 4, 72, [0]]]},
        {"notes": "none"},
        {"tied": [1]},
        {"fermatas": [[4, 13]]},
        {"fermatas": [[4, 4]]},
        {"fermatas": [[1, 2, 3]]},
        {"fermatas": [[0.0, 4]]},
    ],
)
def test_damaged_text_is_refused(damage: dict[str, Any]) -> None:
    """Any program can write to the clipboard."""
    with pytest.raises(UsageError, match="the clipboard holds no notes of a piece"):
        Clip.from_json(json.dumps({**CLIP, **damage}))


@pytest.mark.parametrize("text", ["", "a", "[]", "null", "{}", "3", "[" * 100_000])
def test_other_text_is_refused(text: str) -> None:
    """It is no error of the program."""
    with pytest.raises(UsageError, match="copy some first"):
        Clip.from_json(text)
