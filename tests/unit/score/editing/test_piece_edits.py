"""Properties of a piece, fermatas, and bars."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel.analysis import cadences
from musicrel.analysis.corpus import bundled
from musicrel.chorale import MAX_STEPS, RANGES, REST, Chorale, Key, Mark, Meter, Voice, spans
from musicrel.errors import UsageError
from musicrel.score import files
from musicrel.score.editing import note_edits, piece_edits
from musicrel.score.editing.clipboard import Clip, copy, cut, duplicate, paste
from musicrel.score.editing.notes import Note, notes_in, voice_notes
from musicrel.score.editing.piece_edits import (
    bar_at,
    take_bars,
    toggle_slurs,
    with_marks,
    with_properties,
)
from musicrel.score.editing.selection import Selection
from tests.helpers.music import Case, of_voice, random_chorale, some, soprano

ALL = (0, 1, 2, 3)


# ---------------------------------------------------------------- properties


def marked(piece: Chorale, *rows: tuple[str, int, int, Any]) -> Chorale:
    marks = (Mark(kind=k, start=a, stop=b, value=v) for k, a, b, v in rows)  # type: ignore[arg-type]
    return replace(piece, marks=tuple(marks))


G, F = Key("G", "major"), Key("F", "major")


def test_key_tempo_and_ritardando_are_set_at_a_selection_and_removed(hymn: Chorale) -> None:
    place = Selection(voices=(0,), start=20, stop=32)
    piece = with_marks(hymn, place, key=G, tempo=60.0, percent=70.0).piece
    assert piece == marked(
        hymn, ("key", 16, 16, G), ("tempo", 20, 20, 60.0), ("slowing", 20, 32, 70.0)
    )
    changed = with_marks(piece, place, key=F, percent=50.0).piece
    assert (
        changed.marks
        == marked(
            hymn, ("key", 16, 16, F), ("tempo", 20, 20, 60.0), ("slowing", 20, 32, 50.0)
        ).marks
    )
    assert with_marks(changed, place, key=hymn.key, tempo=hymn.tempo, percent=100.0).piece == hymn
    assert with_marks(piece, place).piece is piece


def test_a_hairpin_over_the_selection_replaces_those_there(hymn: Chorale) -> None:
    place = Selection(voices=(0,), start=4, stop=12)
    piece = with_marks(hymn, place, hairpin="crescendo").piece
    assert piece == marked(hymn, ("hairpin", 4, 12, "crescendo"))
    later = replace(place, start=8, stop=16)
    assert with_marks(piece, later, hairpin="diminuendo").piece == marked(
        hymn, ("hairpin", 8, 16, "diminuendo")
    )
    assert with_marks(piece, place, hairpin="").piece == hymn


def test_a_slur_over_the_notes_of_a_voice_comes_and_goes(hymn: Chorale) -> None:
    place = Selection(voices=(0, 1, 3), start=0, stop=12)
    piece = toggle_slurs(hymn, place).piece
    assert piece == marked(hymn, ("slur", 0, 12, Voice.SOPRANO), ("slur", 0, 16, Voice.BASS))
    assert toggle_slurs(piece, Selection(voices=(0, 3), start=4, stop=12)).piece == hymn
    with pytest.raises(UsageError, match="a slur needs two notes of a voice: select them first"):
        toggle_slurs(hymn, Selection(voices=(0, 3), start=0, stop=4))


def test_a_dynamic_is_set_and_replaced(hymn: Chorale) -> None:
    place = Selection(voices=(0,), start=4, stop=8)
    piece = with_marks(hymn, place, dynamic="p").piece
    assert with_marks(piece, place, dynamic="ff").piece == marked(hymn, ("dynamic", 4, 4, "ff"))


def test_at_the_beginning_they_are_those_of_the_piece(hymn: Chorale) -> None:
    start = Selection(voices=(0,), start=0, stop=4)
    piece = with_marks(hymn, start, key=G, tempo=60.0).piece
    assert (piece.key, piece.tempo, piece.marks) == (G, 60.0, ())


def test_marks_move_with_the_bars_that_they_are_in(hymn: Chorale) -> None:
    piece = marked(
        hymn, ("key", 16, 16, G), ("tempo", 20, 20, 60.0), ("slowing", 28, 36, 70.0),
        ("key", 32, 32, F),
    )  # fmt: skip
    longer = piece_edits.insert_bar(piece, 16).piece
    assert [(m.kind, m.start, m.stop) for m in longer.marks] == [
        ("key", 32, 32), ("tempo", 36, 36), ("slowing", 44, 52), ("key", 48, 48),
    ]  # fmt: skip
    shorter = piece_edits.remove_bars(piece, Selection(voices=(0,), start=16, stop=32)).piece
    assert (
        shorter.marks
        == marked(
            hymn, ("key", 16, 16, F), ("tempo", 16, 16, 60.0), ("slowing", 16, 20, 70.0)
        ).marks
    )
    rest = piece_edits.remove_bars(piece, Selection(voices=(0,), start=0, stop=32)).piece
    assert (rest.key, rest.tempo, len(rest.marks)) == (F, 60.0, 1)


def test_properties_are_set_and_the_notes_stay(hymn: Chorale) -> None:
    wanted = {
        "title": "Evening", "composer": "N. N.", "key": Key("F", "major"), "meter": Meter(3, 4),
        "pickup": 4, "tempo": 96.0,
    }  # fmt: skip
    piece = with_properties(hymn, **wanted).piece
    assert {name: getattr(piece, name) for name in wanted} == wanted
    assert np.array_equal(piece.pitches, hymn.pitches)
    assert np.array_equal(piece.onsets, hymn.onsets)
    assert piece.bar_line_steps() == [4, 16, 28, 40]
    before = {name: getattr(hymn, name) for name in wanted}
    assert with_properties(piece, **before).piece == hymn
    assert with_properties(hymn, **before).piece is hymn


def test_titles_are_one_line(hymn: Chorale) -> None:
    piece = with_properties(hymn, title=" Abide\n with me ", composer="\tW. H. Monk").piece
    assert (piece.title, piece.composer) == ("Abide with me", "W. H. Monk")


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
    with pytest.raises(UsageError, match=reason):
        with_properties(hymn, **change)


@pytest.mark.parametrize(
    ("tonic", "semitones"),
    [("C", 0), ("D", 2), ("F", 5), ("F#", -6), ("Gb", -6), ("G", -5), ("Bb", -2), ("B", -1)],
)
def test_a_piece_is_transposed_the_nearer_way(hymn: Chorale, tonic: str, semitones: int) -> None:
    key = Key(tonic, "major")
    piece = piece_edits.transposed_to(hymn, key).piece
    assert piece == replace(hymn.transposed(semitones), key=key)
    assert (piece is hymn) == (tonic == "C")


@pytest.mark.parametrize(
    ("tonic", "expected"),
    [("Gb", "Db Gb Eb"), ("F#", "C# F# D#"), ("Cb", "Gb Cb Ab"), ("D", "A D B"), ("C", "G C A")],
)
def test_keys_within_a_piece_are_named_after_its_new_one(
    hymn: Chorale, tonic: str, expected: str
) -> None:
    home, other, minor = Key("C", "major"), Key("G", "major"), Key("A", "minor")
    rows = [("key", start, start, key) for start, key in ((8, other), (16, home), (20, minor))]
    piece = piece_edits.transposed_to(marked(hymn, *rows), Key(tonic, "major")).piece
    assert [mark.value.tonic for mark in piece.marks if isinstance(mark.value, Key)] == [
        *expected.split()
    ]


def test_a_piece_without_a_key_is_transposed_from_its_scale(hymn: Chorale) -> None:
    unknown = replace(hymn, key=None)
    for key in (Key("D", "major"), Key("B", "minor")):
        piece = piece_edits.transposed_to(unknown, key).piece
        assert piece == replace(hymn.transposed(2), key=key)


def test_transposing_refuses_another_mode_and_impossible_pitches(hymn: Chorale) -> None:
    with pytest.raises(UsageError, match="in C major cannot be transposed to A minor: choose a ma"):
        piece_edits.transposed_to(hymn, Key("A", "minor"))
    high = Chorale.of(np.full((4, 4), 126), key=Key("C", "major"))
    with pytest.raises(UsageError, match="higher than G9"):
        piece_edits.transposed_to(high, Key("D", "major"))


def test_transposing_by_an_interval_renames_the_key_and_keeps_the_cadences() -> None:
    piece = bundled.load("test")[0]
    assert piece.key is not None
    moved = piece_edits.transposed_by(piece, -2).piece

    assert moved.key == piece.key.transposed(-2)
    assert np.array_equal(
        moved.pitches[piece.pitches != REST] + 2, piece.pitches[piece.pitches != REST]
    )
    kinds = [[end.kind for end in cadences.phrase_ends(each)] for each in (piece, moved)]
    assert kinds[0] == kinds[1] != []
    assert piece_edits.transposed_by(piece, 0).piece is piece


@pytest.mark.parametrize("too_high", [-4, 0, 3, 9])
def test_a_piece_is_moved_the_nearest_way_to_where_most_notes_can_be_sung(too_high: int) -> None:
    for piece in bundled.load("test")[:5]:
        moved = piece.transposed(too_high)

        def outside(shift: int, piece: Chorale = moved) -> int:
            notes = [note for voice in Voice for note in voice_notes(piece, voice)]
            ranges = {note: RANGES[Voice(note.voice)] for note in notes}
            return sum(not low <= n.pitch + shift <= high for n, (low, high) in ranges.items())

        found = piece_edits.fitting_shift(moved, RANGES)
        fewest = min(outside(shift) for shift in range(-12, 13))
        assert outside(found) == sum(piece_edits.outside(moved, found, RANGES).values()) == fewest
        assert all(outside(shift) > fewest for shift in range(1 - abs(found), abs(found)))


# ---------------------------------------------------------------- fermatas


def test_a_fermata_stands_on_the_last_note_of_the_selection_and_others_stay(hymn: Chorale) -> None:
    edit = piece_edits.toggle_fermata(hymn, some(0, 16))
    assert spans(edit.piece.fermatas) == [(12, 16)]
    assert edit.selection == some(0, 16)
    assert piece_edits.toggle_fermata(edit.piece, some(13, 14, 0)).piece == hymn

    others = replace(hymn, fermatas=(np.arange(48) < 4) | (np.arange(48) >= 44))
    edit = piece_edits.toggle_fermata(others, some(20, 21))
    assert spans(edit.piece.fermatas) == [(0, 4), (20, 24), (44, 48)]
    assert piece_edits.toggle_fermata(edit.piece, some(20, 21)).piece == others

    # A note must be selected.
    with pytest.raises(UsageError, match="select the note that the fermata stands on"):
        piece_edits.toggle_fermata(hymn, some(0, 4, 1))


def test_a_fermata_is_that_of_the_uppermost_voice_and_removed_whole(hymn: Chorale) -> None:
    edit = piece_edits.toggle_fermata(hymn, some(8, 9, 3))
    assert spans(edit.piece.fermatas) == [(12, 16)]
    silent = Chorale.of(np.where(np.arange(4) == 3, hymn.pitches, REST))
    assert spans(piece_edits.toggle_fermata(silent, some(8, 9, 3)).piece.fermatas) == [(8, 16)]

    long = replace(hymn, fermatas=np.arange(48) >= 40)
    assert not piece_edits.toggle_fermata(long, some(47, 48, 0)).piece.fermatas.any()


def test_fermatas_are_those_of_the_corpus() -> None:
    for piece in bundled.load("valid"):
        bare = replace(piece, fermatas=np.zeros(piece.steps, dtype=np.bool_))
        for start, stop in spans(piece.fermatas):
            edit = piece_edits.toggle_fermata(bare, some(max(start - 8, 0), stop))
            assert spans(edit.piece.fermatas) == [(start, stop)]


def test_fermatas_come_back_from_musicxml(case: Case, tmp_path: Path) -> None:
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


def test_bars_are_added_at_the_end_by_pasting_too(hymn: Chorale) -> None:
    edit = piece_edits.add_bar(hymn)
    assert edit.piece == hymn.padded(16)
    assert edit.selection == some(48, 64)
    assert edit.source_T is None
    part = piece_edits.add_bar(hymn.cropped(0, 44))
    assert (part.piece.steps, part.selection) == (64, some(48, 64))

    edit = paste(hymn, copy(hymn, BAR), 48)
    assert edit.piece.steps == 64
    assert edit.selection == replace(BAR, start=48, stop=64)
    assert paste(hymn, copy(hymn, soprano(0, 4)), 47).piece.steps == 64


def test_bars_are_inserted_before_the_bar_of_a_step_and_a_pickup_becomes_a_bar(
    hymn: Chorale,
) -> None:
    edit = piece_edits.insert_bar(hymn, 21)
    assert edit.selection == some(16, 32)
    assert edit.piece.cropped(0, 16) == hymn.cropped(0, 16)
    assert (edit.piece.pitches[16:32] == REST).all()
    assert edit.piece.cropped(32, 64) == hymn.cropped(16, 48)

    piece = hymn.cropped(12, 48)
    edit = piece_edits.insert_bar(piece, 2)
    assert edit.selection == some(0, 16)
    assert (edit.piece.pickup, edit.piece.steps) == (0, 64)
    assert edit.piece.bars == piece.bars + 1
    assert (edit.piece.pitches[:28] == REST).all()
    assert edit.piece.cropped(28, 64) == piece


def test_inserted_bars_are_removed_again(case: Case) -> None:
    piece = replace(case.piece, pickup=case.piece.pickup % 2 * 3)
    step = int(case.rng.integers(piece.pickup, piece.steps))
    inserted = piece_edits.insert_bar(piece, step)
    assert inserted.selection is not None
    removed = piece_edits.remove_bars(inserted.piece, inserted.selection).piece
    assert np.array_equal(removed.pitches, piece.pitches)
    assert np.array_equal(removed.fermatas, piece.fermatas)
    assert removed.pickup == piece.pickup
    differ = np.flatnonzero((removed.onsets != piece.onsets).any(axis=1)).tolist()
    assert differ in ([], [inserted.selection.start])


def test_removed_bars_are_gone_in_all_voices_with_their_locks(hymn: Chorale) -> None:
    edit = piece_edits.remove_bars(hymn, some(14, 17, 2))
    assert edit.piece == hymn.cropped(32, 48)
    assert edit.selection == some(0, 16, 2)
    last = piece_edits.remove_bars(hymn, some(40, 41, 2))
    assert last.piece == hymn.cropped(0, 32)
    assert last.selection == some(16, 32, 2)

    locks = hymn.onsets
    edit = piece_edits.remove_bars(hymn, some(16, 17))
    assert np.array_equal(edit.moved(locks), np.delete(locks, slice(16, 32), axis=0))


def test_a_removed_pickup_leaves_whole_bars(hymn: Chorale) -> None:
    piece = hymn.cropped(12, 48)
    assert piece_edits.remove_bars(piece, some(0, 1)).piece == hymn.cropped(16, 48)
    middle = piece_edits.remove_bars(piece, some(4, 5)).piece
    assert (middle.pickup, middle.steps) == (4, 20)


def test_a_note_held_across_all_removed_bars_stays_one() -> None:
    pitches = np.full((48, 4), REST)
    pitches[:, 0], pitches[20:40, 1], pitches[:, 2], pitches[:, 3] = 72, 67, 60, 48
    onsets = np.zeros((48, 4), dtype=np.bool_)
    onsets[0, [0, 2, 3]] = onsets[20, [1, 2]] = onsets[16, 3] = True
    piece = piece_edits.remove_bars(Chorale.of(pitches, onsets=onsets), some(16, 32)).piece
    found = [[(n.start, n.stop) for n in voice_notes(piece, voice)] for voice in ALL]
    assert found == [[(0, 32)], [(16, 24)], [(0, 16), (16, 32)], [(0, 16), (16, 32)]]


def test_locks_move_with_their_cells(case: Case) -> None:
    locks = case.rng.random((case.piece.steps, 4)) < 0.3
    for edit in (
        piece_edits.insert_bar(case.piece, int(case.rng.integers(case.piece.steps))),
        piece_edits.add_bar(case.piece),
    ):
        moved = edit.moved(locks)
        assert edit.selection is not None
        assert not moved[edit.selection.start : edit.selection.stop].any()
        assert edit.piece.pitches[moved].tolist() == case.piece.pitches[locks].tolist()


def test_at_least_one_bar_is_kept(hymn: Chorale) -> None:
    """The last one cannot be removed."""
    with pytest.raises(UsageError, match="all bars would be removed: keep at least one"):
        piece_edits.remove_bars(hymn, some(0, 33))


def test_the_longest_piece_gets_no_bar() -> None:
    longest = Chorale.of(np.full((MAX_STEPS, 4), 60))
    for make in (piece_edits.add_bar, lambda piece: piece_edits.insert_bar(piece, 0)):
        with pytest.raises(UsageError, match="longer than 16,384 sixteenths"):
            make(longest)


def held(pitch: int, steps: int = 48) -> Chorale:
    return Chorale.of(np.full((steps, 4), pitch))


def test_the_notes_of_the_bar_are_those_of_the_other_piece() -> None:
    first, second = (replace(random_chorale(seed, 48), pickup=0) for seed in (1, 2))
    taken = take_bars(first, second, 16, 32).piece

    assert np.array_equal(taken.pitches[16:32], second.pitches[16:32])
    assert np.array_equal(taken.pitches[:16], first.pitches[:16])
    assert np.array_equal(taken.pitches[32:], first.pitches[32:])
    assert np.array_equal(taken.onsets[17:32], second.onsets[17:32])
    assert np.array_equal(taken.onsets[:16], first.onsets[:16])
    assert np.array_equal(taken.onsets[33:], first.onsets[33:])


def test_held_notes_are_cut_at_the_bar_lines_unless_they_go_on_and_locks_stay() -> None:
    taken = take_bars(held(60), held(64), 16, 32).piece
    assert np.flatnonzero(taken.onsets[:, 0]).tolist() == [0, 16, 32]
    assert taken.pitches[:, 0].tolist() == [60] * 16 + [64] * 16 + [60] * 16

    taken = take_bars(held(60), held(60), 16, 32).piece
    assert taken == held(60)

    edit = take_bars(held(60), held(64), 16, 32)
    cells = np.zeros((48, 4), dtype=np.bool_)
    cells[20, 2] = True
    assert np.array_equal(edit.moved(cells), cells)


@pytest.mark.parametrize(
    ("step", "expected"),
    [(0, (0, 4)), (3.9, (0, 4)), (4, (4, 16)), (15.5, (4, 16)), (39, (28, 40)), (99, (28, 40))],
)
def test_the_bar_at_a_step_begins_at_its_bar_line(step: float, expected: tuple[int, int]) -> None:
    piece = replace(held(60, 40), meter=Meter(3, 4), pickup=4)
    assert bar_at(piece, step) == expected


@pytest.mark.parametrize(
    "other", [held(64, 20), replace(held(64), pickup=4), replace(held(64), meter=Meter(3, 4))]
)
def test_a_piece_of_another_form_is_refused(other: Chorale) -> None:
    with pytest.raises(UsageError, match="expected the same meter and pickup, and at least 32"):
        take_bars(held(60), other, 16, 32)


BAR = Selection(voices=(0, 1, 2, 3), start=16, stop=32)


def start_of(clip: Clip, selection: Selection) -> int:
    return selection.stop - clip.length


def test_pasting_onto_itself_changes_nothing(case: Case) -> None:
    clip = copy(case.piece, case.selection)
    assert paste(case.piece, clip, start_of(clip, case.selection)).piece is case.piece


def test_cutting_and_pasting_restores(case: Case) -> None:
    clip, edit = cut(case.piece, case.selection)
    restored = paste(edit.piece, clip, start_of(clip, case.selection)).piece
    assert notes_in(edit.piece, case.selection) == []
    if not clip.tied:
        assert restored == case.piece
    start = start_of(clip, case.selection)
    assert np.array_equal(restored.pitches[start:], case.piece.pitches[start:])


def test_a_clip_is_the_same_after_the_clipboard(case: Case) -> None:
    clip = copy(case.piece, case.selection)
    assert Clip.from_json(clip.to_json()) == clip


def test_a_clip_sounds_the_same_elsewhere(case: Case) -> None:
    clip = copy(case.piece, case.selection)
    empty = Chorale.of(np.full((160, 4), REST))
    pasted = paste(empty, clip, 40)
    assert pasted.selection is not None
    again = copy(pasted.piece, pasted.selection)
    assert (again.notes, again.fermatas) == (clip.notes, clip.fermatas)


def test_a_duplicate_leaves_the_original(case: Case) -> None:
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
    for step in (5, 6, 7):
        clip = copy(hymn, soprano(step, step + 1))
        edit = paste(hymn, clip, 10)
        assert of_voice(edit.piece)[2:4] == [(8, 10, 76), (10, 14, 74)]
        assert edit.selection is not None
        assert notes_in(edit.piece, edit.selection) == [Note(10, 14, 74, 0)]


def test_rests_are_pasted(hymn: Chorale) -> None:
    thinned = note_edits.delete(hymn, soprano(4, 8)).piece
    edit = paste(thinned, copy(thinned, soprano(0, 8)), 16)
    assert of_voice(edit.piece)[2:5] == [(12, 16, 77), (16, 20, 72), (24, 28, 76)]
    assert edit.selection == soprano(16, 24)


def test_a_note_held_into_the_passage_is_tied_or_begins_anew(hymn: Chorale) -> None:
    held = note_edits.resize(hymn, soprano(12, 16), 2).piece
    clip = copy(held, Selection(voices=(0,), start=16, stop=32))
    assert clip.tied == (0,)
    tied = paste(held, clip, 24).piece
    assert of_voice(tied)[5:7] == [(20, 26, 77), (26, 28, 79)]
    new = paste(held, clip, 32).piece
    assert of_voice(new)[7:10] == [(28, 32, 74), (32, 34, 77), (34, 36, 79)]


def test_voices_are_pasted_elsewhere_in_their_order_if_they_fit(hymn: Chorale) -> None:
    clip = copy(hymn, soprano(0, 8))
    edit = paste(hymn, clip, 0, Voice.TENOR)
    assert of_voice(edit.piece, 2) == [(0, 4, 72), (4, 8, 74)]
    assert edit.selection == Selection(voices=(2,), start=0, stop=8)
    bass = copy(hymn, Selection(voices=(3,), start=0, stop=8))
    assert of_voice(paste(hymn, bass, 0, 0).piece)[0] == (0, 8, 48)

    with pytest.raises(
        UsageError, match="notes of 4 voices do not fit below the alto: paste at a higher voice"
    ):
        paste(hymn, copy(hymn, BAR), 0, 1)


def test_fermatas_go_with_the_soprano(hymn: Chorale) -> None:
    marked = replace(hymn, fermatas=(np.arange(48) >= 12) & (np.arange(48) < 16))
    pasted = paste(marked, copy(marked, soprano(8, 16)), 24).piece
    assert np.flatnonzero(pasted.fermatas).tolist() == [*range(12, 16), *range(28, 32)]
    without = paste(pasted, copy(marked, soprano(0, 8)), 8).piece
    assert np.flatnonzero(without.fermatas).tolist() == [*range(28, 32)]
    bass = copy(marked, Selection(voices=(3,), start=8, stop=16))
    assert paste(marked, bass, 24).piece.fermatas.tolist() == marked.fermatas.tolist()
    assert paste(marked, copy(marked, soprano(8, 16)), 24, 1).piece.fermatas[28:].sum() == 0


def test_voices_that_rest_are_not_copied_with_a_held_note(hymn: Chorale) -> None:
    piece = note_edits.delete(hymn, soprano(4, 8)).piece
    clip = copy(piece, Selection(voices=(0, 3), start=4, stop=6))
    assert (clip.voices, clip.notes) == ((3,), (Note(0, 8, 48, 3),))
    assert of_voice(paste(piece, clip, 16).piece) == of_voice(piece)


def test_a_fermata_goes_with_a_duplicate_up_to_the_bar_line(hymn: Chorale) -> None:
    held = note_edits.resize(hymn, soprano(28, 32), 2).piece
    marked = replace(held, fermatas=(np.arange(48) >= 28) & (np.arange(48) < 34))
    assert spans(duplicate(marked, BAR).piece.fermatas) == [(28, 32), (44, 48)]


def test_a_duplicated_note_follows_itself_up_to_the_limit_of_length(hymn: Chorale) -> None:
    edit = duplicate(hymn, soprano(1, 2))
    assert of_voice(edit.piece)[:3] == [(0, 4, 72), (4, 8, 72), (8, 12, 76)]
    assert edit.selection == soprano(4, 8)

    longest = Chorale.of(np.full((MAX_STEPS, 4), 60))
    with pytest.raises(UsageError, match="longer than 16,384 sixteenths"):
        duplicate(longest, soprano(MAX_STEPS - 16, MAX_STEPS))


def test_whole_bars_are_duplicated_in_the_bars_after_them(hymn: Chorale) -> None:
    held = note_edits.resize(hymn, soprano(28, 32), 2).piece
    edit = duplicate(held, BAR)
    assert edit.selection == replace(BAR, start=32, stop=48)
    assert of_voice(edit.piece)[4:] == [
        *((16, 20, 79), (20, 24, 77), (24, 28, 76), (28, 32, 74)),
        *((32, 36, 79), (36, 40, 77), (40, 44, 76), (44, 48, 74)),
    ]


CLIP: dict[str, Any] = {
    "voices": [0, 3], "length": 8, "notes": [[0, 4, 72, 0], [4, 12, 74, 0], [0, 8, 48, 3]],
    "tied": [3], "fermatas": [[4, 8]],
}  # fmt: skip


@pytest.mark.parametrize(
    "damage",
    [
        {"voices": []}, {"voices": [3, 0]}, {"voices": [0, 4]}, {"voices": None},
        {"voices": [False, 3]}, {"voices": [0.0, 3]}, {"length": 0}, {"length": 8.0},
        {"length": True}, {"length": MAX_STEPS + 1}, {"notes": [[0, 4, 72]]},
        {"notes": [[0, 4, 72, 1]]}, {"notes": [[0, 4, 128, 0]]}, {"notes": [[0, 4, -1, 0]]},
        {"notes": [[0, 4.5, 72, 0]]}, {"notes": [[-2, 4, 72, 0]]}, {"notes": [[4, 4, 72, 0]]},
        {"notes": [[8, 12, 72, 0]]}, {"notes": [[0, 4, 72, 0], [3, 6, 72, 0]]},
        {"notes": [[0, MAX_STEPS + 1, 72, 0]]}, {"notes": [[0, 4, 72, [0]]]}, {"notes": "none"},
        {"tied": [1]}, {"fermatas": [[4, 13]]}, {"fermatas": [[4, 4]]}, {"fermatas": [[1, 2, 3]]},
        {"fermatas": [[0.0, 4]]},
    ],
)  # fmt: skip
def test_damaged_text_is_refused(damage: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="the clipboard holds no notes of a piece"):
        Clip.from_json(json.dumps({**CLIP, **damage}))


@pytest.mark.parametrize("text", ["", "a", "[]", "null", "{}", "3", "[" * 100_000])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="copy some first"):
        Clip.from_json(text)
