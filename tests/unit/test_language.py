"""The language of texts and numbers."""

from __future__ import annotations

import pytest

from musicrel import language
from musicrel.language import count, decimal, tr

GERMAN = {
    ("bar", ""): "Takt",
    ("bars", ""): "Takte",
    ("{share:.0%} of {notes:,} notes", ""): "{notes:,} Noten, davon {share:.0%}",
    ("Open", "adjective"): "Offen",
    ("Bar {number}", ""): "Takt {number}",
}


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_installed", [])
    language.install(lambda text, sense: GERMAN.get((text, sense), ""), decimal_comma=True)


def test_without_a_language_texts_and_numbers_are_english() -> None:
    assert tr("Bar {number}", number=3) == "Bar 3"
    assert tr("{share:.0%} of {notes:,} notes") == "{share:.0%} of {notes:,} notes"
    assert count(1_024, "bar") == "1,024 bars"
    assert decimal(0.25, ".2f") == "0.25"


@pytest.mark.usefixtures("german")
def test_a_text_is_translated_with_its_fields() -> None:
    assert tr("Bar {number}", number=3) == "Takt 3"


@pytest.mark.usefixtures("german")
def test_a_constant_is_translated_and_filled_later() -> None:
    text = tr("{share:.0%} of {notes:,} notes")

    assert text.format(share=0.5, notes=1_200) == "1.200 Noten, davon 50\u202f%"


@pytest.mark.usefixtures("german")
def test_one_thing_and_several_have_words_of_their_own() -> None:
    assert [count(number, "bar") for number in (1, 2, 1_024)] == [
        "1 Takt",
        "2 Takte",
        "1.024 Takte",
    ]


@pytest.mark.usefixtures("german")
def test_the_sense_tells_equal_texts_apart() -> None:
    assert tr("Open", "adjective") == "Offen"
    assert tr("Open") == "Open"


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (1234.5, ",.1f", "1.234,5"),
        (0.25, ".0%", "25\u202f%"),
        (3, "d", "3"),
        (-0.5, "+.2f", "-0,50"),
    ],
)
def test_numbers_are_written_as_the_language_does(value: float, spec: str, text: str) -> None:
    assert decimal(value, spec) == text


@pytest.mark.usefixtures("german")
def test_fields_that_are_no_numbers_stay_as_they_are() -> None:
    assert tr("Bar {number}").format(number="1.5") == "Takt 1.5"
    assert tr("{name!r:>6}", name="a.b") == " 'a.b'"
