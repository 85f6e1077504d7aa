"""Phrases as text."""

from __future__ import annotations

import pytest

from musicrel.generation.phrasing import planned_phrase
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase


def test_phrases_are_bars_and_quarters_under_a_fermata() -> None:
    """Commas, blanks and semicolons part them."""
    found = planned_phrase.parse(" 2, 1.75:3;0.5 12:4,")
    assert found == (
        PlannedPhrase(2),
        PlannedPhrase(1.75, 3),
        PlannedPhrase(0.5),
        PlannedPhrase(12, 4),
    )
    assert planned_phrase.parse(" , ") == ()


@pytest.mark.parametrize("text", ["2,x", "2.3", "0", "0.0", "-2", "2:", "2:0", "99999", "²", "٢"])
def test_other_text_is_no_phrases(text: str) -> None:
    """Neither parts of a bar that are no quarters nor empty fermatas."""
    assert planned_phrase.parse(text) is None


def test_text_is_the_shortest_that_is_parsed_again() -> None:
    """Whole numbers have no decimals."""
    phrases = (PlannedPhrase(2.0), PlannedPhrase(1.5, 1), PlannedPhrase(2.25))
    assert planned_phrase.to_text(phrases) == "2,1.5:1,2.25"
    assert planned_phrase.parse("2,1.5:1,2.25") == phrases
