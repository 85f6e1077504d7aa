"""Phrases as they are typed."""

from __future__ import annotations

import pytest

from musicrel.errors import UsageError
from musicrel.presentation.compose import phrase_text
from musicrel.presentation.compose.form import Form


@pytest.mark.parametrize("text", ["2,2,4", "2 2 4", " 2, 2,4, ", "2;2;4"])
def test_phrases_may_be_typed_in_many_ways(text: str) -> None:
    """Commas, blanks and semicolons part them."""
    assert [phrase.bars for phrase in phrase_text.parse(text, 8)] == [2, 2, 4]


def test_phrases_may_end_within_a_bar() -> None:
    """A colon stands before the quarters under a fermata."""
    request = Form(bars=4, phrases="1.75,2.25:3", pickup=4).request()
    assert request.fermatas == ((20, 28), (52, 64))
    assert Form(bars=4, phrases="2,2", pickup=4).request().phrases == (2, 2)


@pytest.mark.parametrize("text", ["", "  ", ","])
def test_no_phrases_are_the_models_choice(text: str) -> None:
    """Empty text gives no phrases."""
    assert phrase_text.parse(text, 8) == ()


@pytest.mark.parametrize("text", ["two", "2,x", "2.6", "0,8", "-2", "99999", "²"])
def test_phrases_that_are_no_numbers_are_named(text: str) -> None:
    """The sentence shows how it is done."""
    with pytest.raises(UsageError, match="such as 2,2,4"):
        phrase_text.parse(text, 8)


def test_phrases_that_do_not_fill_the_piece_are_counted() -> None:
    """The message has both numbers."""
    with pytest.raises(UsageError, match=r"have 7 bars: expected 8, the length of the piece\."):
        phrase_text.parse("2,5", 8)
    with pytest.raises(UsageError, match=r"have 7.5 bars: expected 8"):
        phrase_text.parse("2.5,5", 8)
    assert phrase_text.parse("2,5", None)


def test_a_melody_has_phrases_of_whole_bars() -> None:
    """Its fermatas begin on the last strong beats."""
    assert phrase_text.parse_whole("2,6", 8) == (2, 6)
    for text in ("2.5,5.5", "2:3,6"):
        with pytest.raises(UsageError, match=f"'{text}': expected whole bars, such as 2,2,4"):
            phrase_text.parse_whole(text, 8)
