"""The visible part of a score."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize(("requested", "space"), [(1.0, 4.0), (9.0, 9.0), (99.0, 22.0)])
def test_zoom_stays_where_notes_can_be_read(requested: float, space: float) -> None:
    """Neither dust nor a single bar."""
    assert WINDOW.zoomed(requested).space == space
