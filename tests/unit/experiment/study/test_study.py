"""Tests of the definition of a study."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from musicrel import paths
from musicrel.errors import UsageError
from musicrel.experiment.recipe.recipe import BUDGETS
from musicrel.experiment.study import study
from musicrel.model.families.transformer import Predictor

TEXT = """
name = "small"
seeds = [0, 1]
[budget]
steps = 10
[model]
width = 32
layers = 2
heads = 2
feedforward = 64
[data]
window = 64
[[arms]]
name = "vanilla"
scheme = "sinusoidal"
[[arms]]
name = "relative"
scheme = "relative"
options = { max_distance = 20 }
"""


def changed(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new)


def test_all_arms_share_the_tables_of_the_study() -> None:
    found = study.parse(TEXT, "small.toml")

    assert [(run.arm, run.seed) for run in found.runs] == [
        ("vanilla", 0), ("relative", 0), ("vanilla", 1), ("relative", 1),
    ]  # fmt: skip
    assert [run.folder for run in found.runs][:2] == ["runs/vanilla-seed0", "runs/relative-seed0"]
    assert {run.recipe.data.window for run in found.runs} == {64}
    assert [run.recipe.training.seed for run in found.runs] == [0, 0, 1, 1]
    assert {run.recipe.training.steps for run in found.runs} == {10}
    assert found.arms[1].recipe.model.options == {"max_distance": 20}
    assert found.pairs == (("vanilla", "relative"),)


def test_parameters_are_matched_by_the_feed_forward_width() -> None:
    """Up to half a unit of 2 (2 width + 1); the counts are those of the models."""
    found = study.parse(TEXT, "small.toml")
    vanilla, relative = found.arms

    sizes = [Predictor(arm.recipe.config()).parameter_count for arm in found.arms]
    assert [vanilla.parameters, relative.parameters] == sizes
    assert relative.excess == sizes[1] - sizes[0]
    assert abs(relative.excess) <= 2 * (2 * 32 + 1) / 2
    assert relative.recipe.model.feedforward < vanilla.recipe.model.feedforward == 64


def test_matching_can_be_turned_off() -> None:
    free = study.parse("matched = false\n" + TEXT, "small.toml")
    own = study.parse(TEXT + "[arms.model]\nfeedforward = 48\n", "small.toml")

    assert [arm.recipe.model.feedforward for arm in free.arms] == [64, 64]
    assert free.arms[1].excess > 0
    assert own.arms[1].recipe.model.feedforward == 48


def test_counting_parameters_leaves_the_random_state_unchanged() -> None:
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    study.parse(TEXT, "small.toml")

    assert torch.equal(torch.rand(1), expected)


def test_seeds_may_be_a_range() -> None:
    listed = study.parse(TEXT, "x.toml")
    found = study.parse(TEXT.replace("seeds = [0, 1]", 'seeds = "0-1"'), "x.toml")

    assert found.seeds == (0, 1)
    assert found == listed
    assert study.parse(TEXT.replace("[0, 1]", '"7-7"'), "x.toml").seeds == (7,)


def test_an_arm_may_override_any_table() -> None:
    found = study.parse(TEXT + "[arms.data]\nwindow = 16\n[arms.training]\nbatch = 8\n", "x.toml")

    assert [arm.recipe.data.window for arm in found.arms] == [64, 16]
    assert [arm.recipe.training.batch for arm in found.arms] == [4, 8]


def test_a_study_may_start_from_a_recipe() -> None:
    found = study.parse('recipe = "tiny"\n' + TEXT.replace("[data]\nwindow = 64\n", ""), "x.toml")

    first = found.arms[0].recipe
    assert (first.data.window, first.training.warmup_steps, first.training.steps) == (128, 5, 10)
    assert first.model.options == {}


@pytest.mark.parametrize(
    ("unit", "amount"), [("steps", 7), ("tokens", 5000), ("minutes", 0.5), ("minutes", 2)]
)
def test_a_budget_has_one_unit(unit: str, amount: float) -> None:
    found = study.parse(changed("steps = 10", f"{unit} = {amount}"), "x.toml")

    budgets = {name: getattr(found.arms[0].recipe.training, name) for name in BUDGETS}
    assert budgets == {"steps": 0, "tokens": 0, "minutes": 0, unit: amount}


def test_pairs_may_be_named() -> None:
    found = study.parse('pairs = [["relative", "vanilla"]]\n' + TEXT, "x.toml")

    assert found.pairs == (("relative", "vanilla"),)


BAD = [
    (changed('"sinusoidal"', '"astrology"'), "unknown positional scheme 'astrology'"),
    (changed("max_distance = 20", "colour = 1"), "arm 'relative': scheme relative has no option"),
    (changed("steps = 10", "steps = 0"), "the budget is 0 steps: expected more than 0"),
    (changed("steps = 10", "steps = 2.5"), "at most 1,000,000,000, a whole number"),
    (changed("steps = 10", "steps = 1\ntokens = 1"), "expected one of steps, tokens, minutes"),
    (changed("[budget]\nsteps = 10\n", ""), "it lacks 'budget'"),
    (changed("[0, 1]", f"{list(range(5000))}"), "it has 10,000 runs: expected at most 1,000"),
    (changed("[0, 1]", "[1, 1]"), r"seeds is \[1, 1\]: expected distinct whole numbers"),
    (changed("[0, 1]", '"4-1"'), "seeds is '4-1': .* or a range of at most 200, as in \"0-4\""),
    (changed("[0, 1]", '"0-200"'), "seeds is '0-200'"),
    (changed('"small"', '"../../etc"'), "name is '../../etc': expected up to 40 letters"),
    (changed('"relative"\nscheme', '"vanilla"\nscheme'), "there are two arms 'vanilla'"),
    (TEXT[: TEXT.rindex("[[arms]]")], r"fewer than two \[\[arms\]\]: expected at least two"),
    ('objective = "guess"\n' + TEXT, "objective is 'guess': expected 'causal', "),
    ('objective = "masked"\n' + TEXT, r"arm 'vanilla' is of family 'causal', but the .* 'masked'"),
    ('pairs = [["vanilla", "bach"]]\n' + TEXT, "expected two different arms of vanilla, relative"),
    ('pairs = [["vanilla", "vanilla"]]\n' + TEXT, r"pairs has \['vanilla', 'vanilla'\]: expected"),
    ("pairs = []\n" + TEXT, "pairs is empty"),
    ("colour = 1\n" + TEXT, "it has unknown entry 'colour': it takes name, "),
    (TEXT + "colour = 1\n", r"arms\[1\] has unknown entry 'colour'"),
    (
        changed(
            '"relative"\noptions = { max_distance = 20 }',
            '"learned"\noptions = { max_length = 32 }',
        ),
        "arm 'relative': scheme 'learned' has positions for 32 tokens, but windows have 64",
    ),
    (changed("window = 64", "windows = 1"), "arm 'vanilla': data has unknown entry 'windows'"),
    ('recipe = "nobody"\n' + TEXT, "no recipe 'nobody'"),
    ("name = ", "is not valid TOML"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD)
def test_an_invalid_study_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        study.parse(text, "small.toml")


def test_the_bundled_studies_are_valid_and_matched() -> None:
    """Matched arms agree within 1 % of the parameters."""
    names = sorted(path.stem for path in (paths.assets() / "studies").glob("*.toml"))
    assert {"smoke", "quick", "full"} <= set(names)
    for name in names:
        found = study.load(name)
        assert found.name == name
        most = found.arms[0].parameters / 100
        assert not found.matched or all(abs(arm.excess) <= most for arm in found.arms)


def test_a_missing_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no study 'nobody': expected a TOML file or one of"):
        study.load("nobody")
    (tmp_path / "mine.toml").write_text(TEXT)
    assert study.load(str(tmp_path / "mine.toml")).name == "small"
