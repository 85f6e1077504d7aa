"""The models one can choose from, and their cards."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel import paths
from musicrel.errors import ModelError
from musicrel.model.card import Card
from musicrel.model.config import ModelConfig
from musicrel.model.tokens.vocabulary import PITCHES
from musicrel.presentation.compose import form, installed_models, model_card, models
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.installed_models import (
    DIFFERS,
    MATCHES,
    UNKNOWN,
    UNNAMED,
    UNREADABLE,
    Checksum,
    InstalledModel,
)
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory

SHAPE: dict[str, Any] = {"tokens": 97, "conditions": {"voice": 5, "key": 25}, "layers": 5}
TOLD = ("voice", "beat", "key", "ending")


def card(scheme: str = "relative", **fields: Any) -> Card:
    config = ModelConfig(scheme=scheme, **SHAPE)
    known: dict[str, Any] = {"vocabulary": {"name": "articulated"}, "parameters": 1_180_000}
    return Card(**{"name": "any", "config": config, **known, **fields})


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path))
    monkeypatch.setattr(paths, "assets", lambda: tmp_path / "nothing")
    return tmp_path


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path))
    return tiny_model_directory(tmp_path / "models" / "mine")


def found(name: str) -> InstalledModel:
    return next(model for model in installed_models.listed() if model.name == name)


def checksum(name: str) -> Checksum:
    return next(installed_models.checksums((found(name),)))


def trained() -> Card:
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


def test_choice_names_scheme_once_and_size() -> None:
    """In one line; vanilla is what people call sinusoidal."""
    assert models.choice("bach", card("sinusoidal")).title == "bach · Vanilla · 1.2 M"

    assert models.choice("bach-relative", card()).title == "bach-relative · 1.2 M"


TAUGHT = {
    "pieces": 198, "before": 0.41, "after": 0.328, "gain": {"value": 0.082, "low": 0.07,
    "high": 0.09}, "bach_before": 0.404, "bach_after": 0.41, "copied": 0.0012, "written": 12,
}  # fmt: skip


def test_a_model_that_was_taught_pieces_has_a_style_of_its_own() -> None:
    short: dict[str, Any] = {"training": {"tokens": 100_000}}
    found = [
        models.choice("relative", card()),
        models.choice("psalms", card(taught=TAUGHT, **short)),
        models.choice("hymns", card(taught=TAUGHT)),
        models.choice("trial", card(**short)),
    ]

    assert [one.style for one in found] == ["Bach", "psalms", "Hymns", "Bach"]
    assert models.styles(found) == ("Bach", "Hymns", "psalms")
    assert models.of_style("psalms", found) == "psalms"
    assert models.of_style("Bach", found) == "relative"


def test_the_card_of_a_taught_model_tells_what_it_learned_and_forgot() -> None:
    recipe = {"data": {"source": "replay:folder:my hymns"}, "name": "mine",
              "training": {"init_from": "models/relative"}}  # fmt: skip
    text = model_card.to_markdown(card(taught=TAUGHT, recipe=recipe), "mine")

    assert "- 198 pieces, some of them held out, with Bach's chorales besides." in text
    assert "| held-out pieces | 0.410 | 0.328 |" in text
    assert "| Bach's chorales | 0.404 | 0.410 |" in text
    assert "- On held-out pieces -20.0% (95 % interval -22.0% to -17.1%)." in text
    assert "- Copied eight-beat passages in 12 new pieces: 0.1%." in text
    assert "in the style of the pieces it was taught." in text
    command = "musicrel train --from relative --data 'folder:my hymns' --out runs/mine"
    assert command in text


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "1.2 M parameters  ·  5 layers, 4 heads"),
        (
            {"valid_nats_per_note": 0.5},
            "1.2 M parameters  ·  5 layers, 4 heads  ·  0.500 nats/note on validation",
        ),
        (
            {"valid_nats_per_note": 0.5, "test_nats_per_note": 0.52},
            "1.2 M parameters  ·  5 layers, 4 heads  ·  0.520 nats/note on test",
        ),
    ],
)
def test_the_detail_has_the_best_available_loss(fields: dict[str, Any], expected: str) -> None:
    assert models.choice("bach", card(**fields)).detail == expected


@pytest.mark.parametrize(
    ("parameters", "expected"), [(900, "900"), (706_611, "707 k"), (4_520_000, "4.5 M")]
)
def test_size_is_rounded_for_reading(parameters: int, expected: str) -> None:
    assert models.size(parameters) == expected


def test_the_scheme_decides_whether_heads_learn_places() -> None:
    found = [models.choice("bach", card(scheme)).learns_places for scheme in ("rope", "darope")]
    assert found == [False, True]


def test_only_causal_models_learn_places() -> None:
    config = ModelConfig(scheme="darope", family="infill", **SHAPE)
    assert not models.choice("both", card(config=config)).learns_places


def test_the_family_decides_whether_a_model_sees_both_sides() -> None:
    config = ModelConfig(scheme="relative", family="infill", **SHAPE)
    both = models.choice("both", card(config=config, test_nats_per_note=1.25))
    assert both.sees_both_sides
    assert both.detail.endswith("1.250 nats/hidden note on test")
    assert not models.choice("bach", card()).sees_both_sides


def test_installed_lists_good_cards_and_explains_bad_ones(home: Path) -> None:
    for name, text in (("good", card().to_json()), ("bad", "{}")):
        (home / "models" / name).mkdir(parents=True)
        (home / "models" / name / "card.json").write_text(text)

    choices, problems = models.installed()

    assert [choice.name for choice in choices] == ["good"]
    assert choices[0].conditions == {"voice", "key"}
    assert len(problems) == 1
    assert "bad" in problems[0]


def test_a_classifier_is_not_offered_for_writing(home: Path) -> None:
    """It knows no notes to come; that is no problem of its folder either."""
    config = ModelConfig(scheme="relative", family="classifier", classes=2, **SHAPE)
    (home / "models" / "bytes").mkdir(parents=True)
    (home / "models" / "bytes" / "card.json").write_text(card(config=config).to_json())
    assert models.installed() == ((), ())


def test_an_arm_of_the_published_comparison_is_left_out_in_one_sentence(home: Path) -> None:
    config = ModelConfig(scheme="learned", family="published", **SHAPE)
    (home / "models" / "bert").mkdir(parents=True)
    (home / "models" / "bert" / "card.json").write_text(card(config=config).to_json())
    choices, (problem,) = models.installed()

    assert choices == ()
    assert problem.startswith("bert is an arm of the published comparison")
    assert problem.endswith("of family causal, encoder_decoder or infill")


def choices(**families: Any) -> tuple[models.ModelChoice, ...]:
    """Return models by name and family; those whose name begins with "test" are of test runs."""
    return tuple(
        models.choice(
            name,
            card(
                config=ModelConfig(scheme="relative", family=family, **SHAPE),
                training={"tokens": 80_000 if name.startswith("test") else 1_200_000},
            ),
        )
        for name, family in families.items()
    )


def test_each_task_has_its_default() -> None:
    installed = choices(
        a="causal", **{"relative-infill": "infill", "relative": "causal", "z": "infill"}
    )
    assert models.default_for(models.WRITE, installed) == "relative"
    assert models.default_for(models.REWRITE, installed) == "relative-infill"
    assert models.default_for(models.WRITE, choices(b="infill", a="causal")) == "a"
    assert models.default_for(models.REWRITE, choices(a="causal", b="infill")) == "b"
    assert models.default_for(models.REWRITE, choices(a="causal")) == "a"


def test_a_chosen_model_is_kept_while_it_is_there() -> None:
    installed = choices(relative="causal", test="causal")
    assert models.default_for(models.WRITE, installed, "test") == "test"
    assert models.default_for(models.WRITE, installed, "gone") == "relative"


def test_a_model_of_a_test_run_is_marked_and_never_a_default() -> None:
    (test,) = choices(test="causal")
    assert test.is_test_run
    assert test.title.endswith(" · test run")
    assert models.default_for(models.WRITE, [test]) == ""
    assert not models.choice("any", card()).is_test_run
    assert not models.choice("any", card(training={"tokens": "many"})).is_test_run


def test_passages_have_the_model_for_rewriting() -> None:
    """Whole voices beside kept ones have that of the form."""
    entries = Form(model="relative")
    passage = np.arange(64).reshape(16, 4) < 10
    tenor = np.broadcast_to(np.arange(4) == 2, passage.shape)
    free = (passage, tenor, np.ones_like(tenor))
    names = [form.with_model(entries, cells, "infill").model for cells in free]
    assert names == ["infill", "relative", "infill"]
    assert form.with_model(entries, passage, "") is entries


def test_a_shipped_model_has_all_its_facts() -> None:
    model = found("relative-infill")

    assert (model.family, model.scheme, model.task) == ("Infill", "Relative", "Rewrites")
    assert (model.parameters, model.size, model.loss) == ("2.5 M", "5.0 MB", "1.241")
    assert (model.licence, model.stored, model.usable) == ("MIT", "musicrel", True)


def test_all_shipped_weights_match_their_cards() -> None:
    shipped = tuple(model for model in installed_models.listed() if model.shipped)

    assert len(shipped) > 5
    assert {one.state for one in installed_models.checksums(shipped)} == {MATCHES}


def test_the_hash_is_compared_with_the_card(own: Path) -> None:
    weights, card = own / "model.safetensors", own / "card.json"
    assert checksum("mine").state == MATCHES
    weights.write_bytes(b"other")
    assert checksum("mine").state == DIFFERS
    assert checksum("mine").sha256 == hashlib.sha256(b"other").hexdigest()
    card.write_text(json.dumps(json.loads(card.read_text()) | {"weights_sha256": ""}))
    assert checksum("mine").state == UNNAMED
    weights.unlink()
    assert (checksum("mine").state, checksum("mine").sha256) == (UNREADABLE, "")


def test_a_damaged_card_is_a_problem_of_that_model_only(own: Path) -> None:
    os.utime(own / "card.json", (0, 0))
    assert (found("mine").stored, found("mine").added) == ("Imported by you", "1970-01-01")
    (own / "card.json").write_text("{")

    model = found("mine")

    assert (model.task, model.size, model.usable) == (UNKNOWN, UNKNOWN, False)
    assert "is not valid JSON" in model.problem


def test_commands_are_quoted_for_the_shell() -> None:
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


def test_data_of_earlier_models_are_named_and_what_was_trained_of_them() -> None:
    card = trained()
    data = {"data_before": ["chorales", "chorales+hymns:it.json"]}
    text = model_card.to_markdown(replace(card, training={**card.training, **data}), "mine")
    assert "initialised or distilled from: chorales, chorales+hymns:it.json." in text
    assert "(sha256 cdcdcdcdcdcd), which stays frozen; steps" in text

    further = {**card.training, "trained_further": True}
    text = model_card.to_markdown(replace(card, training=further), "mine")
    assert "(sha256 cdcdcdcdcdcd), trained further here." in text
    assert "frozen" not in text


def test_what_a_card_knows_is_told_and_the_table_of_lines_counted() -> None:
    text = model_card.to_markdown(tiny_card(tiny_model(tiny_config("none"))), "bare")
    titles = [line for line in text.splitlines() if line.startswith("##")]
    assert titles == ["## Architecture", "## Limitations"]
    assert "conditioned on nothing." in text

    card = trained()
    config = replace(card.config, lines=card.config.counterpoint)
    assert "four small tables" in model_card.to_markdown(replace(card, config=config), "mine")


def test_entries_of_the_wrong_kind_are_named_in_one_sentence() -> None:
    cases: tuple[dict[str, Any], ...] = (
        {"figures": {"a": 0.4}},
        {"recipe": {"training": 3}},
        {"training": {"seconds": ""}},
        {"training": {"teachers_sha256": ["ab" * 32]}},
    )
    for wrong in cases:
        with pytest.raises(ModelError, match="the card of mine cannot be shown"):
            model_card.to_markdown(replace(trained(), **wrong), "mine")


def test_every_family_is_described() -> None:
    card = trained()
    known = {name: rows for name, rows in card.config.conditions.items() if name != "voice"}
    config = replace(card.config, family="infill", conditions=known)
    text = model_card.to_markdown(replace(card, config=config), "filler")
    assert "three small tables" in text
    assert "Fills in masked notes" in text
    assert "## Loss, nats/masked note" in text
    assert "ahead of the note" not in text


def test_bundled_models_are_named_by_what_they_do_and_those_to_measure_come_last() -> None:
    """The benchmark's and those of test runs are under "More"; an own model has its own name."""
    trial = card(training={"tokens": 80_000})
    made = [models.choice(name, card()) for name in ("relative-jsb", "relative", "mine")]
    usual, more = models.arranged([*made, models.choice("trial", trial)])

    assert [one.title for one in usual] == ["Relative (writes)", "mine · Relative · 1.2 M"]
    assert [one.name for one in more] == ["relative-jsb", "trial"]
    assert more[0].title == "Relative (benchmark)"
