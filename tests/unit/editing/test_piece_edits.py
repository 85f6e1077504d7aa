"""Properties of a piece, fermatas, and bars."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import MAX_STEPS, REST, Chorale, Key, Meter, spans
from musicrel.corpus import bundled
from musicrel.editing import piece_edits
from musicrel.editing.notes import voice_notes
from musicrel.editing.piece_edits import properties, with_properties
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from musicrel.score import files
from tests.helpers.music import Case

ALL = (0, 1, 2, 3)


def some(start: int, stop: int, *voices: int) -> Selection:
    """Select steps of some voices, by default all."""
    return Selection(voices=voices or ALL, start=start, stop=stop)


# ---------------------------------------------------------------- properties


def test_properties_are_set_and_the_notes_stay(hymn: Chorale) -> None:
    """All at once."""
    wanted = piece_edits.Properties(
        title="Evening",
        composer="N. N.",
        key=Key("F", "major"),
        meter=Meter(3, 4),
        pickup=4,
        tempo=96.0,
    )
    piece = with_properties(hymn, wanted).piece
    assert properties(piece) == wanted
    assert np.array_equal(piece.pitches, hymn.pitches)
    assert np.array_equal(piece.onsets, hymn.onsets)
    assert piece.bar_line_steps() == [4, 16, 28, 40]
    assert with_properties(piece, properties(hymn)).piece == hymn


def test_the_same_properties_change_nothing(case: Case) -> None:
    """The piece stays the same object."""
    assert with_properties(case.piece, properties(case.piece)).piece is case.piece


def test_titles_are_one_line(hymn: Chorale) -> None:
    """Without spaces at the ends."""
    wanted = replace(properties(hymn), title=" Abide\n with me ", composer="\tW. H. Monk")
    piece = with_properties(hymn, wanted).piece
    assert (piece.title, piece.composer) == ("Abide with me", "W. H. Monk")


@pytest.mark.parametrize("tempo", [5.0, 600.0])
def test_the_slowest_and_the_fastest_tempo_are_possible(hymn: Chorale, tempo: float) -> None:
    """Both limits are included."""
    assert with_properties(hymn, replace(properties(hymn), tempo=tempo)).piece.tempo == tempo


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"pickup": 16}, "the pickup is 16 sixteenths: expected less than a bar of 4/4, 0 to 15"),
        ({"pickup": -1}, "the pickup is -1 sixteenths"),
        ({"pickup": 12, "meter": Meter(3, 4)}, "less than a bar of 3/4, 0 to 11"),
        ({"tempo": 4.5}, "the tempo is 4.5: expected 5 to 600 quarter notes a minute"),
        ({"tempo": 601.0}, "the tempo is 601"),
        ({"tempo": float("nan")}, "the tempo is nan"),
    ],
)
def test_impossible_properties_are_refused(
    hymn: Chorale, change: dict[str, Any], reason: str
) -> None:
    """With what was expected."""
    with pytest.raises(UsageError, match=reason):
        with_properties(hymn, replace(properties(hymn), **change))


@pytest.mark.parametrize(
    ("tonic", "semitones"),
    [("C", 0), ("D", 2), ("F", 5), ("F#", -6), ("Gb", -6), ("G", -5), ("Bb", -2), ("B", -1)],
)
def test_a_piece_is_transposed_the_nearer_way(hymn: Chorale, tonic: str, semitones: int) -> None:
    """A tritone goes down; the key is spelled as chosen."""
    key = Key(tonic, "major")
    piece = piece_edits.transposed_to(hymn, key).piece
    assert piece == replace(hymn.transposed(semitones), key=key)
    assert (piece is hymn) == (tonic == "C")


def test_a_piece_without_a_key_is_transposed_from_its_scale(hymn: Chorale) -> None:
    """A minor key stands for the scale of its relative major."""
    unknown = replace(hymn, key=None)
    for key in (Key("D", "major"), Key("B", "minor")):
        piece = piece_edits.transposed_to(unknown, key).piece
        assert piece == replace(hymn.transposed(2), key=key)


def test_transposing_refuses_another_mode_and_impossible_pitches(hymn: Chorale) -> None:
    """Nothing is lost."""
    with pytest.raises(UsageError, match="in C major cannot be transposed to A minor: choose a ma"):
        piece_edits.transposed_to(hymn, Key("A", "minor"))
    high = Chorale.of(np.full((4, 4), 126), key=Key("C", "major"))
    with pytest.raises(UsageError, match="higher than G9"):
        piece_edits.transposed_to(high, Key("D", "major"))


# ---------------------------------------------------------------- fermatas


def test_a_fermata_stands_on_the_last_note_of_the_selection(hymn: Chorale) -> None:
    """A second time it is removed; the selection stays."""
    edit = piece_edits.toggle_fermata(hymn, some(0, 16))
    assert spans(edit.piece.fermatas) == [(12, 16)]
    assert edit.selection == some(0, 16)
    assert piece_edits.toggle_fermata(edit.piece, some(13, 14, 0)).piece == hymn


def test_other_fermatas_stay(hymn: Chorale) -> None:
    """Before and after the one that is set or removed."""
    others = replace(hymn, fermatas=(np.arange(48) < 4) | (np.arange(48) >= 44))
    edit = piece_edits.toggle_fermata(others, some(20, 21))
    assert spans(edit.piece.fermatas) == [(0, 4), (20, 24), (44, 48)]
    assert piece_edits.toggle_fermata(edit.piece, some(20, 21)).piece == others


def test_a_fermata_is_that_of_the_uppermost_voice(hymn: Chorale) -> None:
    """It is printed on the soprano, so it covers the soprano's note, also set from the bass."""
    edit = piece_edits.toggle_fermata(hymn, some(8, 9, 3))
    assert spans(edit.piece.fermatas) == [(12, 16)]
    silent = Chorale.of(np.where(np.arange(4) == 3, hymn.pitches, REST))
    assert spans(piece_edits.toggle_fermata(silent, some(8, 9, 3)).piece.fermatas) == [(8, 16)]


def test_the_whole_fermata_is_removed(hymn: Chorale) -> None:
    """Also from a note that is shorter than it."""
    long = replace(hymn, fermatas=np.arange(48) >= 40)
    assert not piece_edits.toggle_fermata(long, some(47, 48, 0)).piece.fermatas.any()


def test_rests_have_no_fermata(hymn: Chorale) -> None:
    """A note must be selected."""
    with pytest.raises(UsageError, match="select the note that the fermata stands on"):
        piece_edits.toggle_fermata(hymn, some(0, 4, 1))


def test_fermatas_are_those_of_the_corpus() -> None:
    """Set again from each phrase's end, every fermata of the bundled chorales covers its steps."""
    for piece in bundled.load("valid"):
        bare = replace(piece, fermatas=np.zeros(piece.steps, dtype=np.bool_))
        for start, stop in spans(piece.fermatas):
            edit = piece_edits.toggle_fermata(bare, some(max(start - 8, 0), stop))
            assert spans(edit.piece.fermatas) == [(start, stop)]


def test_fermatas_come_back_from_musicxml(case: Case, tmp_path: Path) -> None:
    """The same steps, on any note in any voice."""
    bare = replace(case.piece, fermatas=np.zeros(case.piece.steps, dtype=np.bool_))
    try:
        marked = piece_edits.toggle_fermata(bare, case.selection).piece
    except UsageError:
        pytest.skip("only rests are selected")
    files.write(marked, tmp_path / "piece.musicxml")
    back = files.read(tmp_path / "piece.musicxml")
    steps = min(back.steps, marked.steps)
    assert spans(back.fermatas[:steps]) == spans(marked.fermatas[:steps])


# ---------------------------------------------------------------- bars


def test_bars_are_added_at_the_end(hymn: Chorale) -> None:
    """An incomplete one is completed; the new ones are selected."""
    edit = piece_edits.add_bars(hymn, 2)
    assert edit.piece == hymn.padded(32)
    assert edit.selection == some(48, 80)
    assert edit.source_T is None
    part = piece_edits.add_bars(hymn.cropped(0, 44))
    assert (part.piece.steps, part.selection) == (64, some(48, 64))


def test_bars_are_inserted_before_the_bar_of_a_step(hymn: Chorale) -> None:
    """They are selected; what was there moves on."""
    edit = piece_edits.insert_bars(hymn, 21, 2)
    assert edit.selection == some(16, 48)
    assert edit.piece.cropped(0, 16) == hymn.cropped(0, 16)
    assert (edit.piece.pitches[16:48] == REST).all()
    assert edit.piece.cropped(48, 80) == hymn.cropped(16, 48)


def test_a_pickup_becomes_a_bar_after_inserted_ones(hymn: Chorale) -> None:
    """It is filled up with rests before its notes, which keep their place in the bar."""
    piece = hymn.cropped(12, 48)
    edit = piece_edits.insert_bars(piece, 2)
    assert edit.selection == some(0, 16)
    assert (edit.piece.pickup, edit.piece.steps) == (0, 64)
    assert edit.piece.bars == piece.bars + 1
    assert (edit.piece.pitches[:28] == REST).all()
    assert edit.piece.cropped(28, 64) == piece


def test_inserting_at_the_end_adds(hymn: Chorale) -> None:
    """After the last bar."""
    assert piece_edits.insert_bars(hymn, 48).piece == hymn.padded(16)


def test_inserted_bars_are_removed_again(case: Case) -> None:
    """Notes held across the bar line have become two; everything else is as before."""
    piece = replace(case.piece, pickup=case.piece.pickup % 2 * 3)
    step = int(case.rng.integers(piece.pickup, piece.steps))
    inserted = piece_edits.insert_bars(piece, step, 2)
    assert inserted.selection is not None
    removed = piece_edits.remove_bars(inserted.piece, inserted.selection).piece
    assert np.array_equal(removed.pitches, piece.pitches)
    assert np.array_equal(removed.fermatas, piece.fermatas)
    assert removed.pickup == piece.pickup
    differ = np.flatnonzero((removed.onsets != piece.onsets).any(axis=1)).tolist()
    assert differ in ([], [inserted.selection.start])


def test_removed_bars_are_gone_in_all_voices(hymn: Chorale) -> None:
    """All that the selection touches; the bar after them is selected."""
    edit = piece_edits.remove_bars(hymn, some(14, 17, 2))
    assert edit.piece == hymn.cropped(32, 48)
    assert edit.selection == some(0, 16, 2)
    last = piece_edits.remove_bars(hymn, some(40, 41, 2))
    assert last.piece == hymn.cropped(0, 32)
    assert last.selection == some(16, 32, 2)


def test_a_removed_pickup_leaves_whole_bars(hymn: Chorale) -> None:
    """A remaining one stays."""
    piece = hymn.cropped(12, 48)
    assert piece_edits.remove_bars(piece, some(0, 1)).piece == hymn.cropped(16, 48)
    middle = piece_edits.remove_bars(piece, some(4, 5)).piece
    assert (middle.pickup, middle.steps) == (4, 20)


def test_a_note_held_across_all_removed_bars_stays_one() -> None:
    """One that begins in them begins after them, also if the one before has its pitch."""
    pitches = np.full((48, 4), REST)
    pitches[:, 0], pitches[20:40, 1], pitches[:, 2], pitches[:, 3] = 72, 67, 60, 48
    onsets = np.zeros((48, 4), dtype=np.bool_)
    onsets[0, [0, 2, 3]] = onsets[20, [1, 2]] = onsets[16, 3] = True
    piece = piece_edits.remove_bars(Chorale.of(pitches, onsets=onsets), some(16, 32)).piece
    found = [[(n.start, n.stop) for n in voice_notes(piece, voice)] for voice in ALL]
    assert found == [[(0, 32)], [(16, 24)], [(0, 16), (16, 32)], [(0, 16), (16, 32)]]


def test_locks_move_with_their_cells(case: Case) -> None:
    """The notes under them are the same; new cells are free."""
    locks = case.rng.random((case.piece.steps, 4)) < 0.3
    for edit in (
        piece_edits.insert_bars(case.piece, int(case.rng.integers(case.piece.steps))),
        piece_edits.add_bars(case.piece),
    ):
        moved = edit.moved(locks)
        assert edit.selection is not None
        assert not moved[edit.selection.start : edit.selection.stop].any()
        assert edit.piece.pitches[moved].tolist() == case.piece.pitches[locks].tolist()


def test_locks_of_removed_bars_are_gone(hymn: Chorale) -> None:
    """The others stay on their notes."""
    locks = hymn.onsets
    edit = piece_edits.remove_bars(hymn, some(16, 17))
    assert np.array_equal(edit.moved(locks), np.delete(locks, slice(16, 32), axis=0))


def test_at_least_one_bar_is_kept(hymn: Chorale) -> None:
    """The last one cannot be removed."""
    with pytest.raises(UsageError, match="all bars would be removed: keep at least one"):
        piece_edits.remove_bars(hymn, some(0, 33))


def test_impossible_bars_are_refused(hymn: Chorale) -> None:
    """No bars, a place outside the piece, or too many."""
    with pytest.raises(UsageError, match="number of bars is 0: expected at least 1"):
        piece_edits.add_bars(hymn, 0)
    with pytest.raises(UsageError, match="number of bars is -1"):
        piece_edits.insert_bars(hymn, 0, -1)
    with pytest.raises(UsageError, match="step 49 is not in the piece: expected 0 to 48"):
        piece_edits.insert_bars(hymn, 49)
    for edit in (piece_edits.add_bars, lambda p, count: piece_edits.insert_bars(p, 0, count)):
        with pytest.raises(UsageError, match="longer than 16,384 sixteenths"):
            edit(hymn, MAX_STEPS // 16)
