"""What the user fills in."""

from __future__ import annotations

import pytest

from musicrel.chorale import Key, Meter
from musicrel.errors import UsageError
from musicrel.generation.request import FREELY, GenerationRequest
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
        top_p=FREELY,
        seed=7,
    )


@pytest.mark.parametrize("text", ["2,2,4", "2 2 4", " 2, 2,4, ", "2;2;4"])
def test_phrases_may_be_typed_in_many_ways(text: str) -> None:
    """Commas, blanks and semicolons part them."""
    assert form.bars_of_phrases(text, 8) == (2, 2, 4)


@pytest.mark.parametrize("text", ["", "  ", ","])
def test_no_phrases_are_the_models_choice(text: str) -> None:
    """Nothing typed is nothing told."""
    assert form.bars_of_phrases(text, 8) == ()


@pytest.mark.parametrize("text", ["two", "2,x", "2.5", "0,8", "-2", "99999", "²"])
def test_phrases_that_are_no_numbers_are_named(text: str) -> None:
    """The sentence shows how it is done."""
    with pytest.raises(UsageError, match="as in 2,2,4"):
        form.bars_of_phrases(text, 8)


def test_phrases_that_do_not_fill_the_piece_are_counted() -> None:
    """The sentence tells both sums."""
    with pytest.raises(UsageError, match=r"make 7 bars, but the piece has 8\."):
        form.bars_of_phrases("2,5", 8)


def test_pickups_are_less_than_a_bar() -> None:
    """In quarters, none first."""
    assert form.pickups(Meter(3, 4)) == ((0, "None"), (4, "1 quarter"), (8, "2 quarters"))


def test_there_are_24_keys() -> None:
    """Twelve major, twelve minor, no key twice."""
    assert len({(key.pitch_class, key.mode) for key in form.KEYS}) == 24


def test_temperature_has_a_word() -> None:
    """From safe to daring, 1 being as learned."""
    assert [form.surprise(t) for t in (0.5, 0.8, 1.0, 1.2, 1.5)] == [
        "safe",
        "calm",
        "as learned",
        "lively",
        "daring",
    ]
