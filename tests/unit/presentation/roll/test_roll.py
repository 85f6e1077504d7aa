"""The picture of a piano roll."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from musicrel.analysis import voice_leading
from musicrel.analysis.numeral import Numeral
from musicrel.analysis.rules import RULES
from musicrel.chorale import (
    REST,
    Chorale,
    Key,
    Meter,
    Provenance,
    Voice,
    onsets_where_pitch_changes,
)
from musicrel.editing.notes import Note
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.roll import lock_cells, marks, roll
from musicrel.presentation.roll.lock_cells import Span
from musicrel.presentation.roll.marks import Mark, RuleChanges
from musicrel.presentation.roll.roll import BarLine, Unison, describe, in_band, parts_in
from musicrel.presentation.roll.viewport import MAX_STEP_WIDTH, Viewport
from musicrel.ui.editing import numerals_layer
from tests.helpers.music import random_chorale

FOUR = [72, 67, 64, 48]


def chord(steps: int, *, pitches: list[int] = FOUR, **fields: object) -> Chorale:
    return Chorale.of([pitches] * steps, **fields)


def test_each_note_is_one_rectangle() -> None:
    piece = Chorale.of(
        [[72, REST, REST, 48], [72, REST, REST, 48], [REST, 67, REST, 48], [74, 67, REST, 48]]
    )

    assert roll.draw(piece).notes == (
        Note(0, 2, 72, 0),
        Note(0, 4, 48, 3),
        Note(2, 4, 67, 1),
        Note(3, 4, 74, 0),
    )


def test_repeated_note_is_another_rectangle() -> None:
    piece = chord(4)
    onsets = onsets_where_pitch_changes(piece.pitches)
    onsets[2, 0] = True

    drawn = roll.draw(replace(piece, onsets=onsets))

    assert [note for note in drawn.notes if note.voice == 0] == [
        Note(0, 2, 72, 0),
        Note(2, 4, 72, 0),
    ]


def test_voices_that_meet_are_a_unison_where_they_do() -> None:
    piece = Chorale.of([[64, 67, 64, 48], [67, 67, 64, 48], [67, 67, 64, 48], [67, 65, 64, 48]])
    onsets = piece.onsets.copy()
    onsets[2, 0] = True

    drawn = roll.draw(replace(piece, onsets=onsets))

    assert set(drawn.unisons) == {
        Unison(0, 1, 64, (0, 2)),
        Unison(1, 2, 67, (0, 1)),
        Unison(2, 3, 67, (0, 1)),
    }


def test_all_four_voices_may_meet_and_rests_never_do() -> None:
    piece = Chorale.of([[60] * 4, [REST] * 4])

    assert roll.draw(piece).unisons == (Unison(0, 1, 60, (0, 1, 2, 3)),)


def test_pickup_has_no_number_and_beats_of_a_compound_meter_are_eighths() -> None:
    drawn = roll.draw(chord(24, pickup=4))

    assert drawn.bars == (BarLine(4, 1), BarLine(20, 2))
    assert drawn.beats == (0, 8, 12, 16)

    drawn = roll.draw(chord(12, meter=Meter(6, 8)))

    assert drawn.beats == (2, 4, 6, 8, 10)


def test_fermatas_are_ranges_and_all_octaves_are_named() -> None:
    flags = np.zeros(12, dtype=np.bool_)
    flags[2:4] = flags[10:] = True

    assert roll.draw(chord(12, fermatas=flags)).fermatas == ((2, 4), (10, 12))

    assert roll.draw(chord(1)).octaves == ((36, "C2"), (48, "C3"), (60, "C4"), (72, "C5"))


def test_rows_grow_for_what_lies_outside() -> None:
    """The usual rows are always there, so that the sheet does not jump while it is written."""
    usual, low, silent = (
        roll.draw(chord(1)),
        roll.draw(chord(1, pitches=[90, 67, 64, 30])),
        roll.draw(chord(1, pitches=[REST] * 4)),
    )

    assert (usual.low, usual.high) == (silent.low, silent.high) == (35, 82)
    assert (low.low, low.high) == (29, 91)


@pytest.mark.parametrize(
    ("step", "pitch", "depth", "expected"),
    [
        (0.5, 72, 0.5, Note(0, 2, 72, 0)),
        (1.99, 72, 0.5, Note(0, 2, 72, 0)),
        (2.0, 72, 0.5, None),
        (0.5, 71, 0.5, None),
        (0.5, 64, 0.2, Note(0, 2, 64, 1)),
        (0.5, 64, 1.0, Note(0, 2, 64, 2)),
    ],
)
def test_note_at_a_point(step: float, pitch: int, depth: float, expected: Note | None) -> None:
    assert roll.draw(chord(2, pitches=[72, 64, 64, 48])).note_at(step, pitch, depth) == expected


def test_a_note_is_described() -> None:
    drawn = roll.draw(chord(6, pickup=2))

    assert drawn.describe(drawn.notes[0]) == "Soprano C5, pickup, beat 4½, dotted quarter"


def test_drawing_starts_at_the_first_changed_note_if_there_is_any() -> None:
    piece = chord(4)

    assert roll.changed_from(roll.draw(piece, written=1), roll.draw(piece, written=2)) is None

    before = Chorale.of([FOUR, FOUR, [REST] * 4])
    after = Chorale.of([FOUR, FOUR, [72, REST, REST, REST]])

    assert roll.changed_from(roll.draw(before), roll.draw(after)) == 0
    later = Chorale.of([FOUR, FOUR, [REST, 65, REST, REST]])
    assert roll.changed_from(roll.draw(before), roll.draw(later)) == 2


def test_another_meter_is_other_paper() -> None:
    piece = chord(24)
    drawn = roll.draw(piece)

    assert not roll.same_paper(None, drawn)
    assert not roll.same_paper(drawn, roll.draw(replace(piece, meter=Meter(3, 4))))
    assert roll.same_paper(drawn, roll.draw(chord(24, pitches=[60] * 4), written=3))


PLAN = Chorale.of([(72, REST, REST, REST)] * 4, title="Air")


def test_what_is_not_written_yet_is_silent() -> None:
    pitches = np.array(PLAN.pitches)
    pitches[:, 1] = UNKNOWN
    now = roll.padded_piece(PLAN, pitches, np.ones_like(PLAN.onsets))

    assert (now.pitches == PLAN.pitches).all()
    assert now.onsets[:, 0].all()
    assert not now.onsets[:, 1:].any()
    assert now.title == "Air"


def test_a_held_note_without_an_onset_begins_at_its_first_cell() -> None:
    """Else nothing of it would be drawn."""
    pitches = np.array(PLAN.pitches)
    pitches[:, 2] = (UNKNOWN, 55, 55, 57)
    now = roll.padded_piece(PLAN, pitches, np.zeros_like(PLAN.onsets))

    assert now.onsets[:, 2].tolist() == [False, True, False, True]


@pytest.fixture
def view() -> Viewport:
    """800 x 480 pixels of 200 steps and 48 rows, whole in sight."""
    return Viewport(width=812, height=480, steps=200, low=35, high=82).fitted()


def test_fitted_shows_the_whole_piece_unless_it_would_not_be_readable(view: Viewport) -> None:
    assert (view.step_width, view.row_height) == (4.0, 10.0)
    assert view.seen_steps == range(200)
    assert (view.x(0), view.x(200)) == (0, 800)
    assert (view.y(82), view.y(35)) == (0, 470)

    long = Viewport(width=812, height=480, steps=4000).fitted()
    short = Viewport(width=812, height=480, steps=4).fitted()

    assert long.step_width == 3.0
    assert long.seen_steps == range(271)
    assert short.step_width == 18.0


def test_pixels_and_steps_are_inverse(view: Viewport) -> None:
    moved = view.zoomed(4, 100).moved(left=333)

    assert moved.step_at(moved.x(17.25)) == pytest.approx(17.25)
    assert moved.pitch_at(moved.y(60)) == (60, 0.0)
    assert moved.pitch_at(moved.y(60) + 5) == (60, 0.5)


def test_zoom_keeps_the_step_under_the_mouse_within_bounds(view: Viewport) -> None:
    near = view.zoomed(3, 400)

    assert near.step_width == 12.0
    assert near.step_at(400) == pytest.approx(view.step_at(400))

    assert view.zoomed(1e6, 0).step_width == MAX_STEP_WIDTH
    assert view.zoomed(1e-6, 0).step_width == 1.0


def test_rows_always_fill_the_height(view: Viewport) -> None:
    assert view.stretched(0.1, 0).row_height == 10.0
    high = view.stretched(2, 240)
    assert high.row_height == 20.0
    assert high.pitch_at(240) == view.pitch_at(240)


def test_nobody_scrolls_past_an_end(view: Viewport) -> None:
    near = view.zoomed(4, 0)

    assert near.moved(left=-5).left == 0
    assert near.moved(left=1e9).left == 3200 - 812
    assert near.moved(left=1e9).of_size(4000, 480).left == 0
    assert near.moved(left=1e9).of_roll(10, 35, 82).left == 0
    assert near.moved(top=50).top == 0


def test_page_turns_when_the_place_leaves_it(view: Viewport) -> None:
    near = view.zoomed(4, 0)

    assert near.showing(20) is near
    scrolled = near.showing(100)
    assert scrolled.x(100) == pytest.approx(81.2)


def test_window_without_size_is_no_error() -> None:
    assert Viewport(steps=64).of_size(0, -3).fitted().seen_steps.start == 0


PICTURE = roll.draw(Chorale.of([[72, 67, 64, 48]] * 8 + [[74, 65, 62, 50]] * 8))


def some(voices: tuple[int, ...] = (1,), start: int = 4, stop: int = 8) -> Selection:
    return Selection(voices=voices, start=start, stop=stop)


@pytest.mark.parametrize(
    ("voices", "start", "stop", "text"),
    [
        ((), 0, 1, r"selected voices are \(\): expected at least one of 0 to 3"),
        ((2, 1), 0, 1, "in order"),
        ((4,), 0, 1, r"selected voices are \(4,\)"),
        ((0,), 3, 3, "selected steps are 3 to 3: expected at least one"),
        ((0,), -1, 3, "at least one, from 0"),
    ],
)
def test_nothing_cannot_be_selected(
    voices: tuple[int, ...], start: int, stop: int, text: str
) -> None:
    with pytest.raises(UsageError, match=text):
        some(voices, start, stop)


def test_notes_are_selected_from_beginning_to_end_and_joined_selections_cover_both() -> None:
    selected = Selection.of_note(PICTURE.notes[5])

    assert selected == some((1,), 8, 16)
    assert selected.cell == 33

    assert some((1,), 0, 2).joined(some((3,), 6, 7)) == some((1, 3), 0, 7)


def test_voices_are_put_in_and_out() -> None:
    assert some((1,)).toggled(3) == some((1, 3))
    assert some((1, 3)).toggled(1) == some((3,))
    assert some((1,)).toggled(1) == some((1,))


def test_selection_is_moved_and_stretched_within_the_piece() -> None:
    assert some((1, 2), 4, 8).moved(1, 0, 16) == some((1,), 5, 6)
    assert some((0,), 0, 1).moved(-1, -1, 16) == some((0,), 0, 1)
    assert some((3,), 15, 16).moved(1, 1, 16) == some((3,), 15, 16)

    assert some(start=4, stop=8).stretched(1, 16).stop == 9
    assert some(start=4, stop=5).stretched(-1, 16).stop == 5
    assert some(start=4, stop=16).stretched(1, 16).stop == 16


def test_rubber_band_selects_voices_with_a_note_in_it() -> None:
    assert in_band(PICTURE, (9.7, 3.2), (60, 66)) == some((1, 2), 3, 10)
    assert in_band(PICTURE, (1.0, 2.0), (80, 76)) is None
    assert in_band(PICTURE, (-5.0, 99.0), (36, 82)) == some((0, 1, 2, 3), 0, 16)


def test_a_selection_cuts_notes_at_its_edges_and_is_described() -> None:
    parts = parts_in(PICTURE, some((1,), 6, 10))

    assert [(note.start, note.stop, note.pitch) for note in parts] == [(6, 8, 67), (8, 10, 65)]

    assert describe(some((0, 3), 0, 8), PICTURE) == "Soprano, Bass: bar 1, beat 1 to bar 1, beat 2¾"
    assert describe(some((2,), 4, 5), PICTURE) == "Tenor: bar 1, beat 2"


PIECE = Chorale.of([(72, 67, 64, 48)] * 4 + [(74, 65, 62, 50)] * 12)
ALTO = Selection(voices=(1,), start=2, stop=6)


def written(**settings: object) -> Chorale:
    return replace(PIECE, provenance=Provenance(model="m", sha256="0", seed=1, settings=settings))


def test_toggling_locks_a_part_and_unlocks_it_where_all_of_it_was() -> None:
    part = lock_cells.cells(PIECE, ALTO)
    half = lock_cells.cells(PIECE, replace(ALTO, stop=4))

    once = lock_cells.toggled(half, part)
    assert (once == part).all()
    assert not lock_cells.toggled(once, part).any()
    assert not lock_cells.holds(once, lock_cells.nothing(PIECE))


def test_voices_and_chords_are_parts() -> None:
    assert lock_cells.spans(lock_cells.of_voice(PIECE, 3)) == (Span(3, 0, 16),)
    assert lock_cells.spans(lock_cells.of_chord(PIECE, "first")) == tuple(
        Span(v, 0, 4) for v in range(4)
    )
    assert lock_cells.spans(lock_cells.of_chord(PIECE, "last")) == tuple(
        Span(v, 4, 16) for v in range(4)
    )


def test_notes_are_cut_where_the_lock_ends() -> None:
    picture = roll.draw(PIECE)
    assert lock_cells.parts(picture, lock_cells.cells(PIECE, ALTO)) == (
        Note(2, 4, 67, 1),
        Note(4, 6, 65, 1),
    )
    assert lock_cells.parts(picture, np.ones((8, 4), dtype=np.bool_)) == ()


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (lock_cells.nothing(PIECE), ""),
        (lock_cells.cells(PIECE, ALTO), "Locked: part of Alto"),
        (
            lock_cells.of_voice(PIECE, 3) | lock_cells.cells(PIECE, ALTO),
            "Locked: Bass, part of Alto",
        ),
        (lock_cells.of_chord(PIECE, "last"), "Locked: notes at bar 1, beat 2"),
        (~lock_cells.nothing(PIECE), "Everything is locked"),
    ],
)
def test_locks_are_described(cells: np.ndarray, words: str) -> None:
    assert lock_cells.describe(PIECE, cells) == words


def test_locks_go_with_the_piece() -> None:
    cells = lock_cells.cells(PIECE, ALTO)
    signed = lock_cells.with_locks_in_provenance(written(bars=1), cells)

    assert signed.provenance is not None
    assert signed.provenance.settings == {"bars": 1, "locked": [[1, 2, 6]]}
    assert (lock_cells.locks_from_provenance(signed) == cells).all()
    assert lock_cells.with_locks_in_provenance(signed, lock_cells.nothing(PIECE)) == written(bars=1)
    assert lock_cells.with_locks_in_provenance(PIECE, cells) is PIECE


@pytest.mark.parametrize(
    "stored", [7, [3], [[0, 1]], [["a", 0, 1]], [[4, 0, 1]], [[0, 5, 5]], [[0, 0, 99]]]
)
def test_locks_that_cannot_be_read_are_none(stored: object) -> None:
    assert not lock_cells.locks_from_provenance(written(locked=stored)).any()


FIFTHS = Chorale.of([(67, REST, REST, 60)] * 20 + [(69, REST, REST, 62)] * 4)


def test_a_mark_has_place_voices_and_rule() -> None:
    assert marks.marks(FIFTHS) == (
        Mark(
            step=20,
            stop=21,
            previous=19,
            voices=(Voice.SOPRANO, Voice.BASS),
            rule="parallel_fifths",
            where="bar 2, beat 2",
            bach="Bach: 0.64 per 1,000 notes",
        ),
    )


def test_a_mark_describes_the_violation_and_names_its_source() -> None:
    (mark,) = marks.marks(FIFTHS)
    assert mark.sentence == (
        "Parallel fifths: Soprano and Bass, bar 2, beat 2. Two voices a fifth or twelfth apart "
        "move in the same direction to another fifth or twelfth."
    )
    assert (mark.title, mark.who) == ("Parallel fifths", "Soprano and Bass")
    assert mark.source == "Source: Fux, Gradus ad Parnassum (1725)"
    assert mark.sentence.endswith(mark.explanation)


def test_a_violation_selects_both_notes_of_its_voices() -> None:
    piece = Chorale.of(
        [(67, REST, REST, 60)] * 4 + [(69, REST, REST, 62)] * 4 + [(71, REST, REST, 62)] * 2
    )
    (mark,) = marks.marks(piece)
    assert marks.selected_by(piece, mark) == Selection(voices=(0, 3), start=0, stop=8)
    crossed = Chorale.of([(72, 67, 55, 43)] * 2 + [(60, 67, 54, 43)] * 3)
    (mark,) = marks.marks(crossed, ("crossing",))
    assert marks.selected_by(crossed, mark) == Selection(voices=(0, 1), start=2, stop=5)


def test_a_passage_is_one_mark() -> None:
    crossed = Chorale.of([(60, 67, 54, 43)] * 3 + [(72, 67, 55, 43)] * 3)
    found = [(mark.step, mark.stop, mark.previous) for mark in marks.marks(crossed, ("crossing",))]
    assert found == [(0, 3, None)]


def test_there_is_a_mark_for_every_finding() -> None:
    music = random_chorale(3, 60)
    found = marks.marks(music, tuple(RULES))
    assert len(found) == voice_leading.rates(music, rules=tuple(RULES)).total
    assert [mark.step for mark in found] == sorted(mark.step for mark in found)
    assert all(mark.sentence.endswith(".") for mark in found)


def test_summary_names_what_is_broken_beside_bach() -> None:
    rates = voice_leading.rates(FIFTHS)

    assert marks.summary_line(rates) == "1 violation: parallel fifths 1"
    assert marks.summary_line(rates, "1 new") == "1 violation (1 new): parallel fifths 1"
    assert marks.summary_line(voice_leading.rates(FIFTHS.cropped(0, 20))) == marks.NO_VIOLATIONS
    assert marks.summary_lines(rates) == ("Parallel fifths: 1, 250.00 per 1,000 notes, Bach 0.64",)


def test_summary_has_the_most_frequent_rule_first() -> None:
    crossed = [(60, 67, 54, 43)] * 5 + [(72, 67, 55, 43)] * 3
    piece = Chorale.of([*crossed, *FIFTHS.pitches, *FIFTHS.pitches])

    assert marks.summary_line(voice_leading.rates(piece)) == (
        "7 violations: parallel fifths 3, voice crossing 1, overlap 1, wide spacing 1, "
        "leap beyond an octave 1"
    )
    assert len(marks.marks(piece)) == 7


SIXTH = (69, REST, REST, 60)
FIFTH = (67, REST, REST, 60)
HIGHER = (69, REST, REST, 62)
FINE = Chorale.of([SIXTH] * 16 + [HIGHER] * 16)
WRONG = Chorale.of([FIFTH] * 16 + [HIGHER] * 16)


def changes(before: Chorale, after: Chorale) -> RuleChanges:
    return marks.compare(before, after, marks.marks(after))


def test_a_broken_rule_is_new_and_a_removed_one_fixed() -> None:
    what = "parallel fifths, Soprano and Bass, bar 2, beat 1"
    assert changes(FINE, WRONG).describe() == f"New: {what}"
    assert changes(WRONG, FINE).describe() == f"Fixed: {what}"
    assert changes(WRONG, WRONG) == RuleChanges()
    assert RuleChanges().describe() == ""


@pytest.mark.parametrize("bars", [1, 2])
def test_violations_after_inserted_bars_are_not_new(bars: int) -> None:
    silence = Chorale.of([(REST,) * 4] * 16 * bars)
    longer = Chorale.of([*silence.pitches, *WRONG.pitches])
    assert changes(WRONG, longer) == RuleChanges()
    assert changes(longer, WRONG) == RuleChanges()


def test_a_passage_that_gets_longer_is_the_same_violation() -> None:
    crossed, apart = (60, 67, 54, 43), (72, 67, 55, 43)
    short = Chorale.of([crossed] * 3 + [apart] * 5)
    longer = Chorale.of([crossed] * 4 + [apart] * 4)
    found = changes(short, longer)
    assert "crossing" not in [mark.rule for mark in (*found.new, *found.fixed)]
    assert "crossing" in [mark.rule for mark in changes(FINE, short).new]


def test_other_ranges_of_a_request_break_no_rule() -> None:
    low = Chorale.of([(67, 60, 55, 37)] * 16)
    request = GenerationRequest(bars=1, ranges=((60, 81), (53, 76), (48, 69), (40, 64)))
    origin = Provenance(model="relative", sha256="0", seed=1, settings=request.to_json())
    narrow = replace(low, provenance=origin)
    assert [mark.rule for mark in marks.marks(narrow)] == ["range"]
    assert changes(low, narrow) == changes(narrow, low) == RuleChanges()


def test_many_violations_are_counted() -> None:
    """Their places would not fit in a line, and their rules are in that of the piece."""
    steps = [FIFTH, HIGHER] * 8
    piece = Chorale.of([step for step in steps for _ in range(2)])
    still = Chorale.of([FIFTH] * 32)
    assert (changes(still, piece).describe(), changes(still, piece).count()) == ("", "15 new")
    assert (changes(piece, still).describe(), changes(piece, still).count()) == ("", "15 fixed")
    assert changes(FINE, WRONG).count() == ""


TONIC = Numeral(
    start=0, stop=4, text="I", figure="I", key=Key("G", "major"), degree=1, quality="major",
    inversion=0, applied_to=0, root=7,
)  # fmt: skip
ROW = tuple(replace(TONIC, start=4 * at, stop=4 * at + 4) for at in range(8))


def width_of(text: str) -> float:
    return 10.0 * len(text)


def starts(numerals: tuple[Numeral, ...], step_width: float) -> list[int]:
    found = numerals_layer.labels(numerals, lambda step: step * step_width, width_of)
    return [label.numeral.start for label in found]


def test_all_labels_are_shown_where_there_is_room() -> None:
    assert starts(ROW, 4.0) == list(range(0, 32, 4))


def test_labels_never_touch() -> None:
    counts = []
    for width in (4.0, 2.0, 1.0, 0.5, 0.1):
        labels = numerals_layer.labels(ROW, width.__mul__, width_of)
        counts.append(len(labels))
        for one, other in itertools.pairwise(labels):
            assert one.x + width_of(one.numeral.text) + numerals_layer.GAP <= other.x
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == 1


def test_new_key_is_shown_before_its_neighbours() -> None:
    row = (*ROW[:3], replace(ROW[3], text="D: IV"), *ROW[4:])

    shown = starts(row, 3.0)

    assert 12 in shown
    assert 16 not in shown


def test_numeral_of_a_step() -> None:
    assert numerals_layer.numeral_at(ROW, 5) is ROW[1]
    assert numerals_layer.numeral_at(ROW, 99) is None
    assert numerals_layer.describe(ROW[0]) == "I in G major"
