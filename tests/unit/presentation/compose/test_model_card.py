"""A model's card in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from musicrel.errors import ModelError
from musicrel.model.card import Card
from musicrel.presentation.compose import model_card
from musicrel.tokens.vocabulary import PITCHES
from tests.helpers.models import tiny_card, tiny_config, tiny_model

TOLD = ("voice", "beat", "key", "ending")


def trained() -> Card:
    """The card of a finished run on top of another model."""
    config = tiny_config("relative", told=TOLD, counterpoint=PITCHES)
    return tiny_card(
        tiny_model(config),
        data={"name": "chorales", "sha256": "ab" * 32, "pieces": {"train": 230, "test": 75}},
        recipe={
            "name": "mine",
            "training": {"begins": "mine-base", "weighed": 6},
            "data": {"source": "jsb:Jsb.json", "transpose": True},
        },
        training={
            "step": 735,
            "tokens": 1_502_023,
            "seconds": 124.3,
            "machine": {"device": "cpu", "threads": 1},
            "begun_with_sha256": "cd" * 32,
            "final_slope_nats_per_million_tokens": -0.0092,
        },
        figures={
            "voice+beat": {"valid": 0.4434, "test": 0.4532},
            "nats_per_note": {"soprano given": 2.2376, "at 9,000": "refused"},
        },
        voices={"soprano": 0.3, "bass": 0.6},
        commit="712eba6b00",
    )


def test_a_card_says_all_it_knows() -> None:
    """Data, figures by what was told, by task and voice, training, limits, commands."""
    text = model_card.words(trained(), "mine")
    for line in (
        "# mine",
        "Writes note after note, each in view of those before it. Licence: MIT.",
        "may be told voice, beat, key, ending.",
        "- Counterpoint is added to what it says, three small tables.",
        "- chorales; pieces: train 230, test 75 (sha256 abababababab).",
        "- Moved to every key its voices can sing in.",
        "| voice, beat | 0.443 | 0.453 |",
        "| soprano given | 2.238 |",
        "| at 9,000 | refused |",
        "| bass | 0.600 |",
        "- 735 steps, 1,502,023 tokens, 2 min on cpu, threads: 1; program 712eba6b.",
        "- On top of the model mine-base (sha256 cdcdcdcdcdcd)",
        "- At the end its tables were weighed by what it writes itself; rounds: 6.",
        "the curve was falling still (-0.0092 a million tokens).",
        "- Learned from at most 64 tokens (16 sixteenths) at once",
        "- Does not know given notes that lie ahead.",
        "musicrel train --recipe mine --out runs/mine\n",
        "musicrel evaluate --model mine --data jsb:Jsb.json --split test\n",
    ):
        assert line in text


def test_what_a_card_does_not_know_is_left_out() -> None:
    """A bare card has a shape and limits, and no empty sections."""
    text = model_card.words(tiny_card(tiny_model(tiny_config("none"))), "bare")
    titles = [line for line in text.splitlines() if line.startswith("##")]
    assert titles == ["## What it is", "## Its limits"]
    assert "may be told nothing." in text


def test_entries_of_the_wrong_kind_are_named_in_one_sentence() -> None:
    """Whoever wrote the folder is not trusted."""
    cases: tuple[dict[str, Any], ...] = (
        {"figures": {"a": 0.4}},
        {"recipe": {"training": 3}},
        {"training": {"seconds": ""}},
    )
    for wrong in cases:
        with pytest.raises(ModelError, match="the card of mine cannot be put in words"):
            model_card.words(replace(trained(), **wrong), "mine")


def test_every_family_is_in_words() -> None:
    """Each says what it does and in which unit its losses are."""
    card = trained()
    told = {name: rows for name, rows in card.config.conditions.items() if name != "voice"}
    config = replace(card.config, family="infill", conditions=told)
    text = model_card.words(replace(card, config=config), "filler")
    assert "three small tables" in text
    assert "Finds hidden notes" in text
    assert "## What it reached, nats a hidden note" in text
    assert "lie ahead" not in text
