"""Recipes: parsing, serialisation and refusals."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from musicrel import paths
from musicrel.errors import ModelError, UsageError
from musicrel.experiment.recipe.recipe import (
    DataPart,
    MaskingPart,
    Recipe,
    ResourcesPart,
    TrainingPart,
    load,
    parse,
)
from musicrel.model.tokens.conditions import CONDITIONS
from musicrel.model.tokens.vocabulary import PITCHES
from tests.helpers.recipes import tiny_recipe

MINIMAL = 'name = "a"\n[model]\nscheme = "relative"\n[training]\nsteps = 1\n'

USUAL = ("voice", "beat", "bar", "fermata", "key", "ending")


def with_line(table: str, line: str) -> str:
    tables = {"model": ['scheme = "relative"'], "data": [], "training": ["steps = 1"]}
    name = line.partition("=")[0]
    tables[table] = [old for old in tables[table] if not old.startswith(name)] + [line]
    lines = [entry for key, entries in tables.items() for entry in (f"[{key}]", *entries)]
    return "\n".join(['name = "a"', *lines])


def test_omitted_values_have_defaults() -> None:
    recipe = parse(MINIMAL, "a.toml")

    assert (recipe.name, recipe.model.scheme, recipe.training.steps) == ("a", "relative", 1)
    assert recipe.data.source == "chorales"
    assert recipe.data.conditions == USUAL


@pytest.mark.parametrize(
    ("model", "data", "training", "sentence"),
    [
        ("", "", "weighed = 2", "calibration_rounds is 2 and the model has no counterpoint tables"),
        ("", "", "weighed = -1", "calibration_rounds is -1: expected 0 to 1,000"),
        (
            'family = "masked"\ncounterpoint = true',
            'conditions = ["beat"]',
            "",
            "counterpoint is true and the family 'masked': expected family 'causal' or 'infill'",
        ),
        ("lines = true", "", "", "lines is true: expected counterpoint = true"),
        (
            "lines = true\ncounterpoint = true",
            'vocabulary = "pitch"',
            "",
            "and vocabulary 'articulated' (it is 'pitch')",
        ),
    ],
)
def test_tables_without_effect_are_refused(
    model: str, data: str, training: str, sentence: str
) -> None:
    text = (
        f'name = "a"\n[model]\nscheme = "relative"\n{model}\n[data]\n{data}\n[training]\n'
        f"steps = 1\n{training}"
    )
    with pytest.raises(UsageError, match=re.escape(sentence)):
        parse(text, "a.toml")


def test_a_model_with_lines_has_them_for_all_pitches() -> None:
    text = with_line("model", "counterpoint = true\nlines = true")

    assert parse(text, "a.toml").config().lines == PITCHES
    assert parse(MINIMAL, "a.toml").config().lines == 0


def test_a_recipe_is_unchanged_by_a_round_trip_through_toml() -> None:
    text = with_line("model", "options = {max_distance = 7}")
    recipe = parse(text + "\ntokens = 0\nlearning_rate = 0.1", "a.toml")
    recipe = recipe.changed(data={"conditions": ("key", "voice")})

    assert parse(recipe.to_toml(), "b.toml") == recipe


def test_keys_of_version_1_are_read_and_written_under_todays_names() -> None:
    text = (
        'name = "a"\n[model]\nscheme = "relative"\ncounterpoint = true\n[data]\nunhinted = 0.5\n'
        '[training]\nsteps = 1\nbegins = "base"\nweighed = 2\n'
    )
    recipe = parse(text, "a.toml")

    training, written = recipe.training, recipe.to_toml()
    assert (recipe.data.hint_dropout, training.init_from, training.calibration_rounds) == (
        0.5, "base", 2,
    )  # fmt: skip
    assert "hint_dropout = 0.5" in written
    assert 'init_from = "base"' in written
    assert "calibration_rounds = 2" in written
    assert parse(written, "a.toml") == recipe


def test_two_recipes_have_one_fingerprint_when_all_values_agree() -> None:
    one, same = tiny_recipe("chorales"), tiny_recipe("chorales")

    assert one.fingerprint == same.fingerprint
    assert one.fingerprint != tiny_recipe("chorales", seed=1).fingerprint
    assert one.fingerprint != tiny_recipe("chorales", "sinusoidal").fingerprint


def test_the_config_follows_from_the_recipe() -> None:
    config = tiny_recipe("chorales").config()

    assert (config.tokens, config.trained_length, config.width) == (97, 32, 16)
    assert config.conditions == {name: CONDITIONS[name].rows for name in USUAL}


def test_a_shape_no_model_can_have_is_refused() -> None:
    recipe = parse(with_line("model", "width = 3"), "a.toml")

    with pytest.raises(ModelError, match="width is 3: expected a whole number 8 to 2048"):
        recipe.config()


@pytest.mark.parametrize("text", ["name =", "[[", "= 3", "a = 1\na = 2", "a = " + "9" * 5000,
                                  "a = " + "[" * 50_000])  # fmt: skip
def test_text_that_is_no_toml_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"recipe a.toml is not valid TOML"):
        parse(text, "a.toml")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "recipe a.toml: it lacks 'name'"),
        ('name = "a"\n[model]\nwidth = 8', "recipe a.toml: model lacks 'scheme'"),
        ("model = 3", "recipe a.toml: model is 3: expected a table"),
        ("data = []\n" + MINIMAL, r"recipe a.toml: data is \[\]: expected a table"),
        (MINIMAL.replace('name = "a"', ""), "recipe a.toml: it lacks 'name'"),
        (MINIMAL.replace('"a"', "7"), "recipe a.toml: name is 7: expected a text"),
        ("[wishes]\n" + MINIMAL.replace('name = "a"', ""), "has unknown entry 'wishes'"),
        (with_line("model", "depth = 3"), "model has unknown entry 'depth': it takes scheme,"),
        (with_line("training", "epochs = 3"), "training has unknown entry 'epochs'"),
    ],
)
def test_missing_and_unknown_entries_are_named(text: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        parse(text, "a.toml")


@pytest.mark.parametrize(
    ("table", "line", "sentence"),
    [
        ("model", "scheme = 3", "recipe a.toml: model.scheme is 3: expected a text"),
        ("model", 'options = "none"', "options is 'none': expected a table"),
        ("data", 'conditions = "voice"', "conditions is 'voice': expected a list"),
        ("data", 'vocabulary = "words"', "unknown vocabulary 'words'"),
        ("data", 'conditions = ["voice", "mood"]', "unknown condition 'mood'"),
        ("data", 'conditions = ["voice", "key", "voice"]', "conditions names 'voice' twice"),
        ("data", "unhinted = -0.1", "hint_dropout is -0.1: expected 0 to 1"),
        ("training", "steps = 0", "0 steps and 0 minutes: expected one of them above 0"),
        ("training", "tokens = 5", "the budget is 5 tokens, 1 steps and 0 minutes"),
        ("training", 'teachers = ["a"]', "distil is 0.0 and the number of teachers 1: expected"),
        ("training", "distil = 0.5", "distil is 0.5 and the number of teachers 0: expected both"),
        ("training", "seed = 4294967296", "seed is 4294967296: expected a whole number 0 to"),
        ("training", 'decay = "cliff"', "decay is 'cliff': expected 'cosine', 'linear'"),
    ],
)
def test_a_value_of_another_type_or_one_that_cannot_be_is_refused(
    table: str, line: str, sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        parse(with_line(table, line), "a.toml")


@pytest.mark.parametrize(
    ("family", "entries", "sentence"),
    [
        ("infill", 'conditions = ["voice"]', "family 'infill' reads whole steps"),
        ("infill", 'conditions = []\nvocabulary = "pitch"', "family 'infill' reads whole steps"),
        ("infill", "conditions = []\nwindow = 66", "family 'infill' reads whole steps"),
        ("masked", '[masking]\nmode = "mixture"', "mode is 'mixture' and the family 'masked'"),
    ],
)
def test_infilling_requires_whole_steps(family: str, entries: str, sentence: str) -> None:
    model = f'name = "a"\n[model]\nscheme = "relative"\nfamily = "{family}"\n'
    training = "[training]\nsteps = 5\n"
    with pytest.raises(UsageError, match=sentence):
        parse(f"{model}{training}[data]\n{entries}\n", "a.toml")


def test_a_recipe_is_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(MINIMAL)

    assert load(str(tmp_path / "my.toml")).name == "a"


def test_a_shipped_recipe_is_read_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "assets", lambda: tmp_path)
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes" / "vanilla.toml").write_text(MINIMAL)

    assert load("vanilla").name == "a"
    with pytest.raises(UsageError, match="no recipe 'nope': expected a TOML file or one of vanill"):
        load("nope")


@pytest.mark.parametrize("path", sorted((paths.assets() / "recipes").glob("*.toml")), ids=str)
def test_every_shipped_recipe_is_valid(path: Path) -> None:
    recipe = load(path.stem)

    assert isinstance(recipe, Recipe)
    assert recipe.name == path.stem
    recipe.config()


def test_resources_change_neither_the_recipe_nor_its_fingerprint() -> None:
    tiny = load("tiny")
    own = replace(tiny, resources=ResourcesPart(cpus=2, gpus=0.25, memory=4.0))

    assert (own, own.fingerprint) == (tiny, tiny.fingerprint)
    assert parse(own.to_toml(), "x").resources == own.resources
    assert "resources" not in tiny.to_toml()


def test_a_share_of_several_gpus_is_refused() -> None:
    with pytest.raises(UsageError, match=r"gpus is 1\.5: expected a share as in"):
        replace(load("tiny"), resources=ResourcesPart(gpus=1.5))


@pytest.mark.parametrize(
    ("part", "values", "sentence"),
    [
        (TrainingPart, {"steps": 1, "precision": "half"}, "precision is 'half': expected one of"),
        (MaskingPart, {"mode": "word"}, "mode is 'word': expected one of 'token', 'time'"),
        (DataPart, {"measured": "twice"}, "measured is 'twice': expected one of 'whole'"),
    ],
)
def test_a_word_that_is_no_choice_is_refused_in_python_too(
    part: type[Any], values: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        part(**values)
