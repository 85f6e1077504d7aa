"""Model cards as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from musicrel.errors import ModelError
from musicrel.model.card import Card
from tests.helpers.models import tiny_card, tiny_config, tiny_model


@pytest.fixture
def card() -> Card:
    """Return a card with every entry filled."""
    return tiny_card(
        tiny_model(tiny_config("relative", conditions=("voice", "key"))),
        data={"name": "jsb", "sha256": "0f", "pieces": {"train": 229}},
        recipe={"name": "tiny"},
        training={"step": 12},
        figures={"voice+beat": {"test": 0.5}},
        valid_nats_per_note=0.5,
        test_nats_per_note=0.25,
        commit="abc",
        licence="CC0",
    )


def changed(card: Card, **values: Any) -> str:
    """Return the card's text with entries replaced; None removes one."""
    table = json.loads(card.to_json()) | values
    return json.dumps({name: value for name, value in table.items() if value is not None})


def test_a_card_survives_its_text(card: Card) -> None:
    """Tuples become lists, nothing else changes."""
    back = Card.from_json(card.to_json())

    assert back.to_json() == card.to_json()
    assert back.config == card.config


def test_a_card_needs_only_what_the_model_is(card: Card) -> None:
    """Figures are optional."""
    text = changed(card, data=None, recipe=None, training=None, figures=None, commit=None)

    back = Card.from_json(text)

    assert (back.data, back.figures, back.commit) == ({}, {}, "")


def test_unknown_entries_are_ignored(card: Card) -> None:
    """Other tools may add entries."""
    assert Card.from_json(changed(card, remark="nice")) == Card.from_json(card.to_json())


@pytest.mark.parametrize(
    "text", ["", "{", "[1, 2", "\ufeff{}", "[" * 100_000, '{"parameters": ' + "1" * 5000 + "}"]
)
def test_text_that_is_no_json_is_refused(text: str) -> None:
    """Also if it is nested too deeply or a number is too long for the parser."""
    with pytest.raises(ModelError, match=r"card.json is not valid JSON"):
        Card.from_json(text)


@pytest.mark.parametrize("text", ["[]", "null", "7", '"card"', "{}", '{"format": "other"}'])
def test_foreign_json_is_refused(text: str) -> None:
    """A package.json is not a card."""
    with pytest.raises(ModelError, match=r"card.json is not the card of a musicrel model"):
        Card.from_json(text)


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_another_version_is_refused(card: Card, version: object) -> None:
    """The error suggests an update."""
    with pytest.raises(ModelError, match=f"has version {version!r}, this program reads 1: update"):
        Card.from_json(changed(card, version=version))


@pytest.mark.parametrize("name", ["name", "config", "vocabulary", "parameters"])
def test_missing_entries_are_named(card: Card, name: str) -> None:
    """Four entries are required."""
    with pytest.raises(ModelError, match=rf"card.json lacks {name}"):
        Card.from_json(changed(card, **{name: None}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", 7),
        ("parameters", "many"),
        ("vocabulary", ["PAD"]),
        ("data", "jsb"),
        ("recipe", []),
        ("training", 1),
        ("figures", "good"),
        ("valid_nats_per_note", "0.5"),
        ("test_nats_per_note", [0.5]),
        ("commit", 7),
        ("licence", {}),
    ],
)
def test_an_entry_of_the_wrong_kind_is_refused(card: Card, name: str, value: object) -> None:
    """The error names it."""
    with pytest.raises(ModelError, match=rf"card.json: {name} is .*, which is of the wrong kind"):
        Card.from_json(changed(card, **{name: value}))


@pytest.mark.parametrize("vocabulary", [{}, {"name": 7}])
def test_a_vocabulary_has_a_name(card: Card, vocabulary: object) -> None:
    """Without it the meaning of tokens is unknown."""
    with pytest.raises(ModelError, match=r"card.json names no vocabulary"):
        Card.from_json(changed(card, vocabulary=vocabulary))
