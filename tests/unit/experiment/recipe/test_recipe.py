"""Recipes: parsing, serialisation and refusals."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from musicrel import paths
from musicrel.errors import ModelError, UsageError
from musicrel.experiment.recipe.recipe import Recipe, load, parse
from musicrel.experiment.recipe.recipe_parts import ResourcesPart
from musicrel.tokens.conditions import CONDITIONS
from musicrel.tokens.vocabulary import PITCHES
from tests.helpers.recipes import tiny_recipe

MINIMAL = 'name = "a"\n[model]\nscheme = "relative"\n[training]\nsteps = 1\n'

USUAL = ("voice", "beat", "bar", "fermata", "key", "ending")


def with_line(table: str, line: str) -> str:
    """Return the smallest recipe with one more line, which replaces a line of its key."""
    tables = {"model": ['scheme = "relative"'], "data": [], "training": ["steps = 1"]}
    name = line.partition("=")[0]
    tables[table] = [old for old in tables[table] if not old.startswith(name)] + [line]
    lines = [entry for key, entries in tables.items() for entry in (f"[{key}]", *entries)]
    return "\n".join(['name = "a"', *lines])


def test_omitted_values_have_defaults() -> None:
    """A scheme and a budget are enough."""
    recipe = parse(MINIMAL, "a.toml")

    assert (recipe.name, recipe.model.scheme, recipe.training.steps) == ("a", "relative", 1)
    assert recipe.data.source == "chorales"
    assert recipe.data.conditions == USUAL


@pytest.mark.parametrize(
    ("model", "data", "training", "sentence"),
    [
        ("", "", "weighed = 2", "weighed is 2 and the model has no counterpoint tables"),
        ("", "", "weighed = -1", "weighed is -1: expected 0 to 1,000"),
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
    """Every value, the options and the conditions too."""
    text = with_line("model", "options = {max_distance = 7}")
    recipe = parse(text + "\ntokens = 0\nlearning_rate = 0.1", "a.toml")
    recipe = replace(recipe, data=replace(recipe.data, conditions=("key", "voice")))

    assert parse(recipe.to_toml(), "b.toml") == recipe


def test_keys_in_files_keep_their_names() -> None:
    """The keys of version 1 are read and written, whatever the attributes are called."""
    text = (
        'name = "a"\n[model]\nscheme = "relative"\ncounterpoint = true\n[data]\nunhinted = 0.5\n'
        '[training]\nsteps = 1\nbegins = "base"\nweighed = 2\n'
    )
    recipe = parse(text, "a.toml")

    training, written = recipe.training, recipe.to_tables()
    assert (recipe.data.hint_dropout, training.init_from, training.calibration_rounds) == (
        0.5, "base", 2,
    )  # fmt: skip
    assert written["data"]["unhinted"] == 0.5
    assert (written["training"]["begins"], written["training"]["weighed"]) == ("base", 2)
    with pytest.raises(UsageError, match=r"unknown entry 'init_from': it takes .* begins, we"):
        parse(text.replace("begins", "init_from"), "a.toml")


def test_whole_numbers_are_accepted_as_floats() -> None:
    """``clip = 1`` is a float."""
    clip = parse(with_line("training", "clip = 1"), "a.toml").training.clip

    assert (clip, type(clip)) == (1.0, float)


def test_two_recipes_have_one_fingerprint_when_all_values_agree() -> None:
    """It decides if a run may be resumed."""
    one, same = tiny_recipe("chorales"), tiny_recipe("chorales")

    assert one.fingerprint == same.fingerprint
    assert one.fingerprint != tiny_recipe("chorales", seed=1).fingerprint
    assert one.fingerprint != tiny_recipe("chorales", "sinusoidal").fingerprint


def test_the_config_follows_from_the_recipe() -> None:
    """Tokens from the vocabulary, tables from the conditions, the length from the window."""
    config = tiny_recipe("chorales").config()

    assert (config.tokens, config.trained_length, config.width) == (97, 32, 16)
    assert config.conditions == {name: CONDITIONS[name].rows for name in USUAL}


def test_a_shape_no_model_can_have_is_refused() -> None:
    """The config checks the bounds."""
    recipe = parse(with_line("model", "width = 3"), "a.toml")

    with pytest.raises(ModelError, match="width is 3: expected a whole number 8 to 2048"):
        recipe.config()


@pytest.mark.parametrize("text", ["name =", "[[", "= 3", "a = 1\na = 2", "a = " + "9" * 5000,
                                  "a = " + "[" * 50_000])  # fmt: skip
def test_text_that_is_no_toml_is_refused(text: str) -> None:
    """Also when a number is too long, or the nesting too deep, for any reader."""
    with pytest.raises(UsageError, match=r"recipe a.toml is not valid TOML"):
        parse(text, "a.toml")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", r"recipe a.toml, \[model\] lacks 'scheme', the name of a positional scheme"),
        ("[model]\nwidth = 8", r"\[model\] lacks 'scheme'"),
        ("model = 3", r"recipe a.toml, \[model\] is not a table"),
        ("data = []\n" + MINIMAL, r"recipe a.toml, \[data\] is not a table"),
        (MINIMAL.replace('name = "a"', ""), "recipe a.toml has no name: expected name,"),
        (MINIMAL.replace('"a"', "7"), "recipe a.toml has no name"),
        ("[wishes]\n" + MINIMAL.replace('name = "a"', ""), "has unknown entry 'wishes'"),
        (with_line("model", "depth = 3"), r"\[model\] has unknown entry 'depth': it takes scheme,"),
        (with_line("training", "epochs = 3"), r"\[training\] has unknown entry 'epochs'"),
    ],
)
def test_missing_and_unknown_entries_are_named(text: str, sentence: str) -> None:
    """With the file and the table."""
    with pytest.raises(UsageError, match=sentence):
        parse(text, "a.toml")


@pytest.mark.parametrize(
    ("table", "line", "sentence"),
    [
        ("model", "scheme = 3", r"recipe a.toml, \[model\]: scheme is 3: expected str"),
        ("model", "width = 16.0", "width is 16.0: expected int"),
        ("model", "width = true", "width is True: expected int"),
        ("model", "dropout = false", "dropout is False: expected float"),
        ("model", 'options = "none"', "options is 'none': expected Mapping"),
        ("data", "transpose = 1", "transpose is 1: expected bool"),
        ("data", 'conditions = "voice"', "conditions is 'voice': expected tuple"),
        ("data", "conditions = [1]", r"conditions is \[1\]: expected tuple"),
        ("data", 'conditions = [["voice"]]', "conditions is .*: expected tuple"),
        ("data", "source = []", r"source is \[\]: expected str"),
        ("training", 'learning_rate = "high"', "learning_rate is 'high': expected float"),
        ("training", "decay = 1", "decay is 1: expected Decay"),
    ],
)
def test_a_value_of_another_type_is_refused(table: str, line: str, sentence: str) -> None:
    """Nothing is converted but whole numbers."""
    with pytest.raises(UsageError, match=sentence):
        parse(with_line(table, line), "a.toml")


@pytest.mark.parametrize(
    ("table", "line", "sentence"),
    [
        ("data", 'vocabulary = "words"', "unknown vocabulary 'words'"),
        ("data", 'conditions = ["voice", "mood"]', "unknown condition 'mood'"),
        ("data", 'conditions = ["voice", "key", "voice"]', "conditions names 'voice' twice"),
        ("data", "window = 3", "window is 3: expected 4 to 16,384 tokens"),
        ("data", "condition_dropout = 1.1", "condition_dropout is 1.1: expected 0 to 1"),
        ("data", "unhinted = -0.1", "unhinted is -0.1: expected 0 to 1"),
        ("data", "condition_dropout = nan", "condition_dropout is nan: expected 0 to 1"),
        ("training", "steps = 0", "0 steps and 0 minutes: expected one of them above 0"),
        ("training", "tokens = 5", "the budget is 5 tokens, 1 steps and 0 minutes"),
        ("training", "tokens = -5", "tokens is -5: expected 0 to 9,007,199,254,740,992"),
        ("training", "warmup_steps = -1", "warmup_steps is -1: expected 0 to 1,000,000,000"),
        ("training", "batch = 0", "batch is 0: expected 1 to 4,096"),
        ("training", "learning_rate = 0", "learning_rate is 0.0: expected more than 0"),
        ("training", "learning_rate = nan", "learning_rate is nan: expected more than 0"),
        ("training", "learning_rate = inf", "learning_rate is inf: expected more than 0"),
        ("training", "clip = -1", "clip is -1.0: expected more than 0"),
        ("training", "evaluate_every = 0", "evaluate_every is 0: expected 1 to 1,000,000,000"),
        ("training", "checkpoint_every = -2", "checkpoint_every is -2: expected 1 to 1,000"),
        ("training", "beta1 = 1.0", "beta1 is 1.0: expected 0 to less than 1"),
        ("training", "beta2 = -0.1", "beta2 is -0.1: expected 0 to less than 1"),
        ("training", "ema = 1.5", "ema is 1.5: expected 0 to 1"),
        ("training", "final_rate = nan", "final_rate is nan: expected 0 to 1"),
        ("training", "weight_decay = -1", "weight_decay is -1.0: expected 0 to 1,000"),
        ("training", "token_masking = 1.0", "token_masking is 1.0: expected 0 to less than 1"),
        ("training", 'teachers = ["a"]\ndistil = 1.5', "distil is 1.5: expected 0 to 1"),
        ("training", 'teachers = ["a"]', "distil is 0.0 and the number of teachers 1: expected"),
        ("training", "distil = 0.5", "distil is 0.5 and the number of teachers 0: expected both"),
        ("training", "seed = -1", "seed is -1: expected a whole number 0 to 4294967295"),
        ("training", "seed = 4294967296", "seed is 4294967296: expected a whole number 0 to"),
        ("training", 'decay = "cliff"', "decay is 'cliff': expected 'cosine', 'linear'"),
    ],
)
def test_a_value_out_of_bounds_is_refused(table: str, line: str, sentence: str) -> None:
    """Before any work begins."""
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
    """Only families that read whole steps accept the mask patterns."""
    model = f'name = "a"\n[model]\nscheme = "relative"\nfamily = "{family}"\n'
    training = "[training]\nsteps = 5\n"
    with pytest.raises(UsageError, match=sentence):
        parse(f"{model}{training}[data]\n{entries}\n", "a.toml")


def test_a_recipe_is_read_from_a_file(tmp_path: Path) -> None:
    """By its path."""
    (tmp_path / "my.toml").write_text(MINIMAL)

    assert load(str(tmp_path / "my.toml")).name == "a"


def test_a_shipped_recipe_is_read_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without path or suffix."""
    monkeypatch.setattr(paths, "assets", lambda: tmp_path)
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes" / "vanilla.toml").write_text(MINIMAL)

    assert load("vanilla").name == "a"
    with pytest.raises(UsageError, match="no recipe 'nope': expected a TOML file or one of vanill"):
        load("nope")


@pytest.mark.parametrize("path", sorted((paths.assets() / "recipes").glob("*.toml")), ids=str)
def test_every_shipped_recipe_is_valid(path: Path) -> None:
    """It is valid, and is called as its file is."""
    recipe = load(path.stem)

    assert isinstance(recipe, Recipe)
    assert recipe.name == path.stem
    recipe.config()


def test_resources_change_neither_the_recipe_nor_its_fingerprint() -> None:
    """A run can be resumed with others; they are read back from its TOML."""
    tiny = load("tiny")
    own = replace(tiny, resources=ResourcesPart(cpus=2, gpus=0.25, memory=4.0))

    assert (own, own.fingerprint) == (tiny, tiny.fingerprint)
    assert parse(own.to_toml(), "x").resources == own.resources
    assert "resources" not in tiny.to_toml()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cpus": -1}, "cpus is -1: expected 0 to 1,024"),
        ({"gpus": 1.5}, "gpus is 1.5: expected a share as in 0.25, or 1 to 16"),
        ({"memory": -4.0}, "memory is -4.0: expected 0 to 10,000, in GB"),
    ],
)
def test_resources_out_of_bounds_are_refused(values: dict[str, Any], message: str) -> None:
    """With the entry and its bounds."""
    with pytest.raises(UsageError, match=message):
        replace(load("tiny"), resources=ResourcesPart(**values))
