"""A model card as Markdown."""

from __future__ import annotations

import shlex
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
    """Return the card of a finished run initialised from another model."""
    config = tiny_config("relative", conditions=TOLD, counterpoint=PITCHES)
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


def test_commands_are_quoted_for_the_shell() -> None:
    """The names come from the card, which anyone may have written."""
    hostile = "x; rm -rf ~ #"
    card = replace(
        trained(), recipe={"name": "$(touch a)", "data": {"source": "folder:my songs`id`"}}
    )
    text = model_card.to_markdown(card, hostile)
    first, second = text.split("```")[1].strip().splitlines()

    assert shlex.split(first) == [
        "musicrel", "train", "--recipe", "$(touch a)", "--out", "runs/$(touch a)",
    ]  # fmt: skip
    assert shlex.split(second)[2:6] == ["--model", hostile, "--data", "folder:my songs`id`"]
    assert "'x; rm -rf ~ #'" in second
    assert "'$(touch a)'" in first


def test_control_characters_of_a_card_do_not_reach_the_terminal() -> None:
    """They would move its cursor or change its title."""
    text = model_card.to_markdown(replace(trained(), licence="MIT\x1b]0;mine\x07\nmusicrel"), "m")

    assert "\x1b" not in text
    assert "MIT\\x1b]0;mine\\x07\\nmusicrel" in text


def test_every_entry_of_a_card_is_shown() -> None:
    """Data, losses by conditioning, task and voice, training, limitations, commands."""
    text = model_card.to_markdown(trained(), "mine")
    for line in (
        "# mine",
        "Generates notes from left to right, conditioned on those before. Licence: MIT.",
        "conditioned on voice, beat, key, ending.",
        "- Logit biases by rule from three small tables.",
        "- chorales; pieces: training 230, test 75 (sha256 abababababab).",
        "- Augmented by transposition within the voices' ranges.",
        "| voice, beat | 0.443 | 0.453 |",
        "| soprano given | 2.238 |",
        "| at 9,000 | refused |",
        "| bass | 0.600 |",
        "- 735 steps, 1,502,023 tokens, 2 min on cpu, threads: 1; commit 712eba6b.",
        "- Initialised from the model mine-base (sha256 cdcdcdcdcdcd)",
        "- Logit biases calibrated on the model's own samples; rounds: 6.",
        "- Learning curve at the end: still falling (-0.0092 per million tokens).",
        "- Trained on windows of at most 64 tokens (16 sixteenths)",
        "- Does not see given notes after the note it generates.",
        "musicrel train --recipe mine --out runs/mine\n",
        "musicrel evaluate --model mine --data jsb:Jsb.json --split test\n",
    ):
        assert line in text


def distilled() -> Card:
    """Return the card of a model with two teachers."""
    card = trained()
    of_recipe = {"training": {"teachers": ["wide", "runs/second/model"], "distil": 0.7}}
    digests = {"teachers_sha256": ["12" * 32, "34" * 32]}
    return replace(card, recipe=of_recipe, training={**card.training, **digests})


def test_teachers_are_named_with_their_hashes() -> None:
    """The names are those of the recipe; the share of the loss that they cause is given, too."""
    text = model_card.to_markdown(distilled(), "mine")
    assert (
        "- Distilled from wide (sha256 121212121212), runs/second/model (sha256 343434343434): "
        "70% of the loss is their mean prediction." in text
    )
    assert "Distilled" not in model_card.to_markdown(trained(), "mine")


def test_what_a_card_does_not_know_is_left_out() -> None:
    """A bare card has a shape and limits, and no empty sections."""
    text = model_card.to_markdown(tiny_card(tiny_model(tiny_config("none"))), "bare")
    titles = [line for line in text.splitlines() if line.startswith("##")]
    assert titles == ["## Architecture", "## Limitations"]
    assert "conditioned on nothing." in text


def test_entries_of_the_wrong_kind_are_named_in_one_sentence() -> None:
    """The author of a folder is not trusted."""
    cases: tuple[dict[str, Any], ...] = (
        {"figures": {"a": 0.4}},
        {"recipe": {"training": 3}},
        {"training": {"seconds": ""}},
        {"training": {"teachers_sha256": ["ab" * 32]}},
    )
    for wrong in cases:
        with pytest.raises(ModelError, match="the card of mine cannot be shown"):
            model_card.to_markdown(replace(trained(), **wrong), "mine")


def test_the_table_of_lines_is_counted() -> None:
    """A model with the table of lines has one more."""
    card = trained()
    config = replace(card.config, lines=card.config.counterpoint)
    assert "four small tables" in model_card.to_markdown(replace(card, config=config), "mine")


def test_every_family_is_described() -> None:
    """Each has a description and the unit of its losses."""
    card = trained()
    known = {name: rows for name, rows in card.config.conditions.items() if name != "voice"}
    config = replace(card.config, family="infill", conditions=known)
    text = model_card.to_markdown(replace(card, config=config), "filler")
    assert "three small tables" in text
    assert "Fills in masked notes" in text
    assert "## Loss, nats/masked note" in text
    assert "ahead of the note" not in text
