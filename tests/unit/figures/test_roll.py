"""The contents of a piano roll, its visible part, and what is selected on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Lyric, Meter, Voice
from musicrel.errors import UsageError
from musicrel.figures import roll
from musicrel.figures.roll import MAX_STEP_WIDTH, BarLine, Syllable, Unison, Viewport
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.score.editing.notes import Note
from musicrel.score.editing.selection import Selection
from musicrel.ui.controllers.writer import padded_piece

FOUR = [72, 67, 64, 48]


def chord(steps: int, *, pitches: list[int] = FOUR, **fields: object) -> Chorale:
    return Chorale.of([pitches] * steps, **fields)


def test_each_note_is_one_rectangle_and_a_repeated_one_another() -> None:
    piece = Chorale.of(
        [[72, REST, REST, 48], [72, REST, REST, 48], [REST, 67, REST, 48], [74, 67, REST, 48]]
    )
    onsets = piece.onsets.copy()
    onsets[1, 0] = True
    others = (Note(0, 4, 48, 3), Note(2, 4, 67, 1), Note(3, 4, 74, 0))

    assert roll.draw(piece).notes == (Note(0, 2, 72, 0), *others)
    assert roll.draw(replace(piece, onsets=onsets)).notes == (
        Note(0, 1, 72, 0), others[0], Note(1, 2, 72, 0), *others[1:],
    )  # fmt: skip


def test_voices_that_meet_are_a_unison_where_they_do_and_rests_never_are() -> None:
    piece = Chorale.of([[64, 67, 64, 48], [67, 67, 64, 48], [67, 67, 64, 48], [67, 65, 64, 48]])
    onsets = piece.onsets.copy()
    onsets[2, 0] = True

    assert {*roll.draw(replace(piece, onsets=onsets)).unisons} == {
        Unison(0, 1, 64, (0, 2)),
        Unison(1, 2, 67, (0, 1)),
        Unison(2, 3, 67, (0, 1)),
    }
    all_four = Chorale.of([[60] * 4, [REST] * 4])
    assert roll.draw(all_four).unisons == (Unison(0, 1, 60, (0, 1, 2, 3)),)


def test_words_are_those_of_the_first_verse_with_its_number() -> None:
    words = (
        Lyric(Voice.SOPRANO, 1, 0, "Glo", hyphen=True), Lyric(Voice.SOPRANO, 1, 4, "ry‿all"),
        Lyric(Voice.SOPRANO, 2, 0, "Ho"), Lyric(Voice.BASS, 3, 0, "ho"),
    )  # fmt: skip
    piece = Chorale.of([FOUR] * 4 + [[74, 67, 64, 48]] * 4, lyrics=words)
    assert roll.draw(piece).words == (
        Syllable(0, 4, 72, "1. Glo-"),
        Syllable(4, 8, 74, "ry all"),
    )
    assert roll.draw(replace(piece, lyrics=words[:2])).words[0].text == "Glo-"


def test_pickup_has_no_number_and_beats_of_a_compound_meter_are_eighths() -> None:
    drawn = roll.draw(chord(24, pickup=4))

    assert drawn.bars == (BarLine(4, 1), BarLine(20, 2))
    assert drawn.beats == (0, 8, 12, 16)
    assert roll.draw(chord(12, meter=Meter(6, 8))).beats == (2, 4, 6, 8, 10)


def test_fermatas_are_ranges_and_rows_grow_for_what_lies_outside() -> None:
    """The usual rows are always there, so that the sheet does not jump while it is written."""
    flags = np.zeros(12, dtype=np.bool_)
    flags[2:4] = flags[10:] = True
    assert roll.draw(chord(12, fermatas=flags)).fermatas == ((2, 4), (10, 12))

    pieces = (chord(1), chord(1, pitches=[REST] * 4), chord(1, pitches=[90, 67, 64, 30]))
    drawn = [(picture.low, picture.high) for picture in map(roll.draw, pieces)]
    assert drawn == [(35, 82), (35, 82), (29, 91)]


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


PLAN = Chorale.of([(72, REST, REST, REST)] * 4, title="Air")


def test_what_is_not_written_yet_is_silent_and_a_held_note_begins_at_its_first_cell() -> None:
    """Else nothing of it would be drawn."""
    pitches, onsets = np.array(PLAN.pitches), np.ones_like(PLAN.onsets)
    pitches[:, 1:] = UNKNOWN
    pitches[:, 2] = (UNKNOWN, 55, 55, 57)
    onsets[:, 2] = False
    now = padded_piece(PLAN, pitches, onsets)

    assert now.title == "Air"
    assert (now.pitches[:, [0, 1, 3]] == PLAN.pitches[:, [0, 1, 3]]).all()
    assert now.onsets[:, 0].all()
    assert not now.onsets[:, [1, 3]].any()
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


@pytest.mark.parametrize(
    ("width", "bar", "bars"), [(829, 16, 8), (610, 16, 6), (250, 16, 4), (829, 12, 8)]
)
def test_a_long_piece_opens_with_four_to_eight_bars(width: int, bar: int, bars: int) -> None:
    """In as many as give an eighth twelve pixels, if possible."""
    seen = Viewport(width=width, height=480, steps=400, bar=bar).opened()
    assert seen.width / (seen.step_width * seen.bar) == pytest.approx(bars)
    assert (seen.step_width >= 6) == (bars > 4 or width >= 4 * bar * 6)


def test_a_short_piece_opens_whole() -> None:
    assert Viewport(width=812, height=480, steps=100).opened().step_width == 8.0


def test_rows_that_do_not_fit_are_shown_around_the_middle_pitch() -> None:
    seen = Viewport(width=800, height=200, steps=100).with_fitted_rows(least=6.25, middle=60)
    assert seen.row_height == 6.25
    assert seen.pitch_at(100) == (60, 0.5)
    assert seen.with_fitted_rows(least=6.25, middle=48).top == seen.top  # where the user scrolled
    assert Viewport(width=800, height=480, steps=100).with_fitted_rows(least=6.25).top == 0


@pytest.mark.parametrize(("row", "height"), [(12.0, 12.0), (8.0, 10.0), (6.25, 10.0), (3.0, 4.8)])
def test_a_note_is_higher_than_a_low_row(row: float, height: float) -> None:
    seen = Viewport(width=800, height=30, steps=100, row_height=row)
    box = seen.box(Note(4, 8, 60, 1))
    assert box.height() == pytest.approx(height)
    assert box.center().y() == pytest.approx(seen.y(60) + row / 2)


def test_a_small_note_is_hit_within_six_pixels_of_its_middle() -> None:
    seen = Viewport(width=800, height=30, steps=100, step_width=2.0, row_height=3.0)
    note = Note(10, 12, 60, 1)
    x, y = seen.box(note).center().x(), seen.box(note).center().y()
    assert seen.distance(note, x, y) == 0
    assert seen.distance(note, x - 5.9, y + 5.9) == pytest.approx(3.9)
    assert seen.distance(note, x - 6.1, y) is None
    assert seen.distance(note, x, y + 6.1) is None


def test_pixels_and_steps_are_inverse(view: Viewport) -> None:
    moved = replace(view.zoomed(4, 100), left=333).clipped()

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

    assert replace(near, left=-5).clipped().left == 0
    assert replace(near, left=1e9).clipped().left == 3200 - 812
    assert replace(near, left=1e9, width=4000).clipped().left == 0
    assert replace(near, left=1e9, steps=10).clipped().left == 0
    assert replace(near, top=50).clipped().top == 0


def test_page_turns_when_the_place_leaves_it(view: Viewport) -> None:
    near = view.zoomed(4, 0)

    assert near.showing(20) is near
    scrolled = near.showing(100)
    assert scrolled.x(100) == pytest.approx(81.2)


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


def test_notes_are_selected_from_beginning_to_end_and_joined_ones_cover_what_is_between() -> None:
    selected = Selection.of_note(PICTURE.notes[5])

    assert selected == some((1,), 8, 16)
    assert selected.cell == 33

    assert some((1,), 0, 2).joined(some((3,), 6, 7)) == some((1, 2, 3), 0, 7)


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
    assert PICTURE.in_band((9.7, 3.2), (60, 66)) == some((1, 2), 3, 10)
    assert PICTURE.in_band((1.0, 2.0), (80, 76)) is None
    assert PICTURE.in_band((-5.0, 99.0), (36, 82)) == some((0, 1, 2, 3), 0, 16)


def test_a_rubber_band_snaps_to_the_nearest_lines_of_a_grid() -> None:
    assert PICTURE.in_band((3.2, 9.7), (60, 66), 2) == some((1, 2), 4, 10)
    assert PICTURE.in_band((3.2, 9.7), (60, 66), 4) == some((2,), 4, 8)
    assert PICTURE.in_band((4.2, 4.8), (60, 66), 4) == some((2,), 4, 5)  # between two lines


def test_the_grid_has_the_bar_lines() -> None:
    picture = roll.draw(chord(24, pickup=3))
    assert [picture.snapped(step, 2) for step in (-3.0, 0.4, 1.9, 4.1, 99.0)] == [0, 1, 1, 5, 24]


def test_a_selection_cuts_notes_at_its_edges_and_is_described() -> None:
    parts = PICTURE.parts_in(some((1,), 6, 10))

    assert [(note.start, note.stop, note.pitch) for note in parts] == [(6, 8, 67), (8, 10, 65)]

    assert PICTURE.describe_selection(some((0, 3), 0, 8)) == "Soprano, Bass: bar 1, beats 1 to 2"
    described = map(PICTURE.describe_selection, (some((0, 3), 0, 8), some((2,), 4, 5)))
    assert [*described] == [
        "Soprano, Bass: bar 1, beats 1 to 2", "Tenor: bar 1, beat 2",
    ]  # fmt: skip
