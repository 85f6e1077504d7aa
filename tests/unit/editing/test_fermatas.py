"""Fermatas go where the notes go that carry them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, spans
from musicrel.editing import clipboard, note_edits, piece_edits
from musicrel.editing.fermatas import carried
from musicrel.editing.notes import Note, notes_in
from musicrel.editing.selection import Selection
from tests.helpers.music import Case

ALL = (0, 1, 2, 3)


def some(start: int, stop: int, *voices: int) -> Selection:
    """Select steps of some voices, by default all."""
    return Selection(voices=voices or ALL, start=start, stop=stop)


@pytest.fixture
def marked(hymn: Chorale) -> Chorale:
    """Build the hymn with a fermata on the last quarter of the first bar."""
    return piece_edits.toggle_fermata(hymn, some(12, 16)).piece


def test_the_uppermost_note_carries_the_fermata(marked: Chorale) -> None:
    """The soprano, or another voice while it rests."""
    assert spans(carried(marked, [Note(12, 16, 77, 0)])) == [(12, 16)]
    assert not carried(marked, [Note(8, 16, 52, 3)]).any()
    resting = note_edits.delete(marked, some(12, 16, 0)).piece
    assert spans(carried(resting, [Note(8, 16, 52, 3)])) == [(12, 16)]


def test_a_fermata_goes_with_the_last_note_under_it(marked: Chorale) -> None:
    """It stays as long as another voice sounds."""
    without_soprano = note_edits.delete(marked, some(12, 16, 0)).piece
    assert spans(without_soprano.fermatas) == [(12, 16)]
    assert not note_edits.delete(without_soprano, some(12, 16, 3)).piece.fermatas.any()


def test_a_fermata_over_rests_of_old_stays(marked: Chorale) -> None:
    """An edit elsewhere does not remove what it did not touch."""
    silent = replace(marked, fermatas=np.arange(48) < 4).cropped(0, 48)
    rests = note_edits.delete(silent, some(0, 8)).piece
    over_rests = replace(rests, fermatas=np.arange(48) < 4)
    assert note_edits.delete(over_rests, some(40, 48)).piece.fermatas[:4].all()


def test_a_fermata_over_rests_is_removed(marked: Chorale) -> None:
    """Also where no note can be selected."""
    silent = replace(note_edits.delete(marked, some(0, 16)).piece, fermatas=marked.fermatas)
    assert not piece_edits.toggle_fermata(silent, some(15, 16)).piece.fermatas.any()


def test_a_fermata_moves_with_its_note(marked: Chorale) -> None:
    """With the soprano, alone or with all voices; not with another voice, and not in pitch."""
    for voices in ((0,), ALL):
        moved = note_edits.move(marked, some(12, 16, *voices), steps=16).piece
        assert spans(moved.fermatas) == [(28, 32)]
    assert spans(note_edits.move(marked, some(12, 16, 3), steps=8).piece.fermatas) == [(12, 16)]
    assert spans(note_edits.move(marked, some(12, 16), semitones=1).piece.fermatas) == [(12, 16)]


def test_a_moved_fermata_replaces_the_one_at_its_place(marked: Chorale) -> None:
    """Its note replaces the one there, too."""
    both = piece_edits.toggle_fermata(marked, some(28, 32)).piece
    moved = note_edits.move(both, some(12, 16, 0), steps=14).piece
    assert spans(moved.fermatas)[0][0] == 26
    without = note_edits.move(both, some(4, 8, 0), steps=24).piece
    assert spans(without.fermatas) == [(12, 16)]


@pytest.mark.parametrize("voices", [(0,), ALL])
def test_a_fermata_is_cut_and_pasted_with_its_note(
    marked: Chorale, voices: tuple[int, ...]
) -> None:
    """There is one, wherever it is pasted, and whichever part of the note was selected."""
    for start, stop in ((12, 16), (8, 16), (14, 15)):
        clip, edit = clipboard.cut(marked, some(start, stop, *voices))
        assert not edit.piece.fermatas.any()
        pasted = clipboard.paste(edit.piece, clip, 32).piece
        assert len(spans(pasted.fermatas)) == 1


def test_what_a_cut_removes_is_on_the_clipboard(case: Case) -> None:
    """No fermata is lost."""
    clip, edit = clipboard.cut(case.piece, case.selection)
    lost = carried(case.piece, notes_in(case.piece, case.selection))
    assert not (edit.piece.fermatas & lost).any()
    held = sum(stop - start for start, stop in clip.fermatas)
    assert held >= lost[case.selection.stop - clip.length :].sum()
