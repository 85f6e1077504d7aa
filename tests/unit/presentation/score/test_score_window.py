"""The visible part of a score."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.editing.selection import Selection
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.score.score_picture import SPACE, Column, Head, Score, Staff, System
from musicrel.presentation.score.score_window import ABOVE, MARGIN, ScoreWindow


def system(start: int) -> System:
    """Return a bar with a note per voice on one staff, ten spaces high and fifty wide."""
    note = RollNote(start, start + 16, 72, 0)
    return System(
        ink=(),
        heads=(Head(note, start, start + 16, 10 * SPACE, 2 * SPACE),),
        staves=(Staff(2 * SPACE, 6 * SPACE, (0,)),),
        columns=(Column(start, 10 * SPACE), Column(start + 16, 50 * SPACE)),
        lines=(Column(start, 0.0), Column(start + 16, 50 * SPACE)),
        top=0.0,
        bottom=10 * SPACE,
        right=50 * SPACE,
    )


SCORE = Score(systems=tuple(map(system, (0, 16, 32))), outlines={}, width=50 * SPACE)
WINDOW = ScoreWindow(width=500 + 2 * MARGIN, height=200, space=10.0).of(SCORE)


def test_systems_stand_below_each_other() -> None:
    """Ten spaces of ten pixels each, with room between them."""
    boxes = [WINDOW.box(index) for index in range(3)]

    assert [box.top for box in boxes] == [25 - ABOVE, 150 - ABOVE, 275 - ABOVE]
    assert {box.height for box in boxes} == {100 + 2 * ABOVE}
    assert WINDOW.whole == 400


def test_score_for_more_room_is_shown_smaller() -> None:
    """Until another one is engraved, nothing is cut off."""
    narrow = ScoreWindow(width=250 + 2 * MARGIN, height=200, space=10.0).of(SCORE)

    assert narrow.scale == WINDOW.scale / 2
    assert narrow.page_width == 25 * SPACE


def test_pixel_finds_the_note_that_is_there() -> None:
    """And its step; beside it the step of the bar."""
    spot = WINDOW.spot(MARGIN + 100, 150 + 20)
    assert spot is not None
    assert spot.head is not None
    assert (spot.head.note.start, spot.step) == (16, 16)
    beside = WINDOW.spot(MARGIN + 480, 150 + 20)
    assert beside is not None
    assert (beside.head, beside.step) == (None, 16)
    assert WINDOW.spot(MARGIN, 399) is None


def test_system_that_is_not_seen_whole_is_scrolled_to_its_top() -> None:
    """One that is seen stays where it is."""
    assert WINDOW.showing(3) == 0
    assert WINDOW.showing(20) == 150 - ABOVE
    assert WINDOW.showing(99) == 275 - ABOVE
    assert ScoreWindow().showing(5) == 0


def test_only_systems_with_ink_in_sight_are_seen() -> None:
    """By their boxes."""
    assert list(WINDOW.seen(0, 200)) == [0, 1]
    assert list(WINDOW.seen(390, 500)) == []
    assert list(ScoreWindow().seen(0, 200)) == []


def test_point_selects_its_note_its_cell_or_its_bar() -> None:
    """The cell is that of the nearest voice."""
    note, empty = WINDOW.spot(MARGIN + 100, 150 + 20), WINDOW.spot(MARGIN + 480, 150 + 20)
    assert note is not None
    assert empty is not None

    assert note.selection == Selection(voices=(0,), start=16, stop=32)
    assert empty.selection == Selection(voices=(0,), start=28, stop=29)
    assert empty.bar == Selection(voices=(0,), start=16, stop=32)
    assert empty.staff == SCORE.systems[1].staves[0]


def test_rubber_band_has_the_heads_between_two_points() -> None:
    """On all systems that it touches, whatever its direction."""

    def starts(one: tuple[float, float], other: tuple[float, float]) -> list[int]:
        return [head.start for head in WINDOW.heads_between(one, other)]

    assert starts((MARGIN + 90, 40), (MARGIN + 110, 60)) == [0]
    assert starts((MARGIN + 110, 300), (MARGIN + 90, 160)) == [16, 32]
    assert starts((MARGIN, 40), (MARGIN + 90, 300)) == []


def test_another_score_keeps_the_uppermost_whole_system_in_place() -> None:
    """At the top it stays at the top; at the end it does not scroll past it."""
    tall = replace(system(0), bottom=12 * SPACE)
    longer = Score(systems=(tall, *SCORE.systems[1:]), outlines={}, width=50 * SPACE)
    scrolled = replace(WINDOW, hidden=140)

    assert scrolled.of(longer).hidden == 160
    assert scrolled.of(longer).box(1) == scrolled.box(1)
    assert WINDOW.of(longer).hidden == 0
    assert replace(WINDOW, hidden=200).of(Score(outlines={}, width=1.0)).hidden == 200


def test_zoom_stays_at_the_same_system() -> None:
    """But within the score."""
    scrolled = replace(WINDOW, hidden=140)

    assert scrolled.zoomed(20.0).hidden == 140
    assert scrolled.zoomed(5.0).hidden == 0


def test_beginning_of_a_score_covers_what_is_visible_or_not() -> None:
    """Before anything is shown it does."""
    one, two = (Score(systems=SCORE.systems[:n], outlines={}, width=1.0) for n in (1, 2))

    assert not WINDOW.covered_by(one)
    assert WINDOW.covered_by(two)
    assert ScoreWindow().covered_by(one)


@pytest.mark.parametrize(("requested", "space"), [(1.0, 4.0), (9.0, 9.0), (99.0, 22.0)])
def test_zoom_stays_where_notes_can_be_read(requested: float, space: float) -> None:
    """Neither dust nor a single bar."""
    assert WINDOW.zoomed(requested).space == space
