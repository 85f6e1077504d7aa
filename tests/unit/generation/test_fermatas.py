"""Fermatas of planned phrases, and phrases of given fermatas."""

from __future__ import annotations

import pytest

from musicrel.chorale import Meter, spans
from musicrel.corpus import bundled
from musicrel.generation import fermatas
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase

COMMON, TRIPLE = Meter(4, 4), Meter(3, 4)
PHRASES = (PlannedPhrase(1.75), PlannedPhrase(2.25, 3), PlannedPhrase(2))


def test_a_fermata_begins_on_the_last_strong_beat_or_as_many_quarters_before_the_end() -> None:
    """With a pickup of a quarter strong beats come a quarter later."""
    assert [*fermatas.at_ends(PHRASES, COMMON, 4, 96)] == [(20, 28), (52, 64), (92, 96)]
    assert [*fermatas.at_ends(PHRASES, COMMON, 0, 96)] == [(24, 28), (52, 64), (88, 96)]


def test_phrases_are_cut_off_by_the_end_of_the_piece() -> None:
    """A fermata is not longer than its phrase."""
    assert [*fermatas.at_ends(PHRASES, COMMON, 4, 60)][-2:] == [(48, 60), (60, 60)]
    short = (PlannedPhrase(0.5, 4), PlannedPhrase(0.5, 1))
    assert [*fermatas.at_ends(short, COMMON, 0, 16)] == [(0, 8), (12, 16)]


def test_fermatas_give_their_phrases_back() -> None:
    """A hold that is the rule is left out."""
    given = tuple(fermatas.at_ends(PHRASES, COMMON, 4, 96))
    assert fermatas.phrases_of(given, COMMON, 4, 96) == PHRASES


def test_the_last_phrase_reaches_the_end() -> None:
    """In whole bars; its fermata is one on the last strong beat then."""
    assert fermatas.phrases_of([(24, 32), (44, 48)], COMMON, 0, 60) == (
        PlannedPhrase(2),
        PlannedPhrase(2),
    )


@pytest.mark.parametrize("meter", [COMMON, TRIPLE], ids=str)
def test_phrases_of_chorales_sum_to_whole_bars(meter: Meter) -> None:
    """And keep most of their fermatas; in triple time they are rounded to bars."""
    kept = total = 0
    for chorale in bundled.load("valid"):
        if chorale.meter != meter or not chorale.fermatas.any():
            continue
        form = meter, chorale.pickup, chorale.steps
        found = fermatas.phrases_of(spans(chorale.fermatas), *form)
        assert sum(phrase.bars for phrase in found) == -(-chorale.steps // meter.steps)
        kept += len({*fermatas.at_ends(found, *form)} & {*spans(chorale.fermatas)})
        total += len(found)
    assert kept > (0.95 if meter == COMMON else 0.6) * total
