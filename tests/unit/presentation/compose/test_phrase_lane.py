"""The phrases above a roll."""

from __future__ import annotations

import pytest

from musicrel.chorale import Meter
from musicrel.presentation.compose import phrase_lane, phrases
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.phrase_lane import PhraseLane
from musicrel.presentation.roll.viewport import Viewport

FORM = Form(bars=8, pickup=4, phrases="2,2,4", cadence="half,,authentic")
LANE = PhraseLane(phrases=phrases.of_form(FORM), pickup=4)
VIEW = Viewport(width=800, height=400, steps=128, step_width=4)


def test_phrases_are_described_with_bars_and_cadence() -> None:
    """A phrase of one bar names one; an actual piece may have no cadence there."""
    assert LANE.describe(0) == "Phrase 1: bars 1 to 2, half cadence (–V)"
    assert LANE.describe(1) == "Phrase 2: bars 2 to 4, any cadence"
    written = PhraseLane(
        phrases=phrases.of_form(Form(bars=1, phrases="1", pickup=0)), planned=False
    )
    assert written.describe(0) == "Phrase 1: bar 1, no cadence found"


def test_phrase_is_found_at_a_step() -> None:
    """None before and after the piece."""
    assert [LANE.phrase_at(step) for step in (-1, 0, 31.9, 32, 64, 127, 128)] == [
        None, 0, 0, 1, 2, 2, None,
    ]  # fmt: skip


def test_end_of_a_phrase_is_found_within_a_few_pixels() -> None:
    """The nearest one counts; without phrases there is none."""
    assert LANE.end_at(32 * 4 + 4, VIEW) == 0
    assert LANE.end_at(128 * 4 - 4, VIEW) == 2
    assert LANE.end_at(32 * 4 + 9, VIEW) is None
    assert PhraseLane().end_at(0, VIEW) is None


def test_end_snaps_to_a_bar() -> None:
    """Counted from the beginning of the piece, pickup included."""
    assert [LANE.bar_at(step) for step in (-40, 7, 9, 31, 33)] == [0, 0, 1, 2, 2]
    triple = PhraseLane(meter=Meter(3, 4))
    assert triple.bar_at(25) == 2


@pytest.mark.parametrize(
    ("index", "bar", "stops"),
    [(0, 3, [48, 64, 128]), (0, 0, [16, 64, 128]), (0, 9, [48, 64, 128]), (2, 12, [32, 64, 192])],
)
def test_dragged_end_keeps_a_bar_on_both_sides(index: int, bar: int, stops: list[int]) -> None:
    """The next phrase begins where this one ends; the last end is free."""
    moved = LANE.moved(index, bar).phrases

    assert [phrase.stop for phrase in moved] == stops
    assert [phrase.start for phrase in moved] == [0, *stops[:-1]]


def test_summary_for_screen_readers() -> None:
    """The number of phrases and their bars."""
    assert phrase_lane.summary(LANE.phrases) == "3 phrases of 2, 2, 4 bars"
    halves = phrases.of_form(Form(bars=4, phrases="1.5,2.5", pickup=0))
    assert phrase_lane.summary(halves) == "2 phrases of 1.5, 2.5 bars"
    assert phrase_lane.summary(()) == "No phrases"
