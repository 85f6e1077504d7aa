"""The Compose form."""

from __future__ import annotations

import pytest

from musicrel.chorale import Key, Meter
from musicrel.errors import UsageError
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from musicrel.presentation.compose import form
from musicrel.presentation.compose.form import Form


def test_form_becomes_the_request() -> None:
    """Every entry reaches the model, and the usual top-p with them."""
    filled = Form(
        model="any",
        bars=8,
        meter=Meter(3, 4),
        pickup=4,
        key=Key("G", "major"),
        phrases="4, 4",
        temperature=0.8,
        seed=7,
    )

    assert filled.request() == GenerationRequest(
        bars=8,
        meter=Meter(3, 4),
        pickup=4,
        key=Key("G", "major"),
        phrases=(4, 4),
        temperature=0.8,
        top_p=DEFAULT_TOP_P,
        seed=7,
    )


@pytest.mark.parametrize("text", ["2,2,4", "2 2 4", " 2, 2,4, ", "2;2;4"])
def test_phrases_may_be_typed_in_many_ways(text: str) -> None:
    """Commas, blanks and semicolons part them."""
    assert form.parse_phrases(text, 8) == (2, 2, 4)


@pytest.mark.parametrize("text", ["", "  ", ","])
def test_no_phrases_are_the_models_choice(text: str) -> None:
    """Empty text gives no phrases."""
    assert form.parse_phrases(text, 8) == ()


@pytest.mark.parametrize("text", ["two", "2,x", "2.5", "0,8", "-2", "99999", "²"])
def test_phrases_that_are_no_numbers_are_named(text: str) -> None:
    """The sentence shows how it is done."""
    with pytest.raises(UsageError, match="such as 2,2,4"):
        form.parse_phrases(text, 8)


def test_phrases_that_do_not_fill_the_piece_are_counted() -> None:
    """The message has both numbers."""
    with pytest.raises(UsageError, match=r"have 7 bars: expected 8, the length of the piece\."):
        form.parse_phrases("2,5", 8)


def test_pickups_are_less_than_a_bar() -> None:
    """In quarters, none first."""
    assert form.pickups(Meter(3, 4)) == ((0, "None"), (4, "1 quarter"), (8, "2 quarters"))


def test_there_are_24_keys() -> None:
    """Twelve major, twelve minor, no key twice."""
    assert len({(key.pitch_class, key.mode) for key in form.KEYS}) == 24


def test_temperature_is_described_relative_to_1() -> None:
    """Below 1 notes are more predictable, above 1 more varied."""
    assert [form.describe_temperature(t) for t in (0.95, 1.0, 1.05)] == [
        "more predictable",
        "the model’s own distribution",
        "more varied",
    ]
