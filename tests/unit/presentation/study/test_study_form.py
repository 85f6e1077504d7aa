"""The form of a study, from TOML and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from musicrel import paths
from musicrel.errors import UsageError
from musicrel.experiment.study import study
from musicrel.presentation.study import study_form

SHIPPED = sorted((paths.assets() / "studies").glob("*.toml"))
QUICK = (paths.assets() / "studies/quick.toml").read_text()
SCHEMES = (("sinusoidal", "sinusoids"), ("relative", "distances"), ("rope", "turned"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_study_that_is_not_edited_stays_as_it_is(path: Path) -> None:
    """To the last value of every run."""
    text = path.read_text()
    edited = study_form.text(study_form.offering(study_form.read(text), SCHEMES))

    assert study.parse(edited, "edited").runs == study.parse(text, "shipped").runs


def test_what_is_typed_is_what_the_engine_reads() -> None:
    """Numbers with separators too; an entry left empty is not written."""
    form = study_form.read(QUICK)
    typed = replace(
        form, name="mine", seeds="0, 3-5", amount="1,000", unit="steps", source="jsb",
        path="JSB16.json", numbers={"width": "32", "heads": "2", "window": ""},
    )  # fmt: skip
    found = study.parse(study_form.text(typed), "typed")

    assert (found.name, found.seeds) == ("mine", (0, 3, 4, 5))
    recipe = found.arms[0].recipe
    assert (recipe.model.width, recipe.training.steps) == (32, 1000)
    assert (recipe.data.source, recipe.data.window) == ("jsb:JSB16.json", 1024)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"amount": "0"}, "the budget is 0 .*: expected more than 0"),
        ({"amount": "1,5"}, "the budget is '1,5' .*: expected more than 0"),
        ({"amount": "many"}, "the budget is 'many' .*: expected more than 0"),
        ({"seeds": "0-9999"}, "has 20,000 runs: expected at most 1,000"),
        ({"seeds": ""}, "seeds is .*: expected distinct whole numbers"),
        ({"numbers": {"width": "wide"}}, "width is 'wide': expected int"),
        ({"arms": ()}, "has fewer than two .*arms"),
        ({"name": ""}, "name is ''"),
    ],
)
def test_engine_answers_what_is_wrong(changes: dict[str, object], sentence: str) -> None:
    """Whatever is typed comes to it."""
    form = replace(study_form.read(QUICK), **changes)  # type: ignore[arg-type]

    with pytest.raises(UsageError, match=sentence):
        study.parse(study_form.text(form), "typed")


def test_every_scheme_is_offered_as_an_arm() -> None:
    """Those of the study first and ticked; the plain one is called vanilla."""
    alone = '[[arms]]\nname = "mine"\nscheme = "rope"\n'
    offered = study_form.offering(study_form.read(alone), SCHEMES)

    assert [(arm.name, arm.chosen) for arm in offered.arms] == [
        ("mine", True), ("vanilla", False), ("relative", False),
    ]  # fmt: skip
    assert [arm.description for arm in offered.arms] == ["turned", "sinusoids", "distances"]
    assert study_form.offering(offered, SCHEMES) == offered


def test_pairs_of_arms_that_are_not_ticked_are_left_out() -> None:
    """A pair needs both of its arms."""
    form = study_form.read(
        'pairs = [["a", "b"], ["a", "c"]]\n'
        + "".join(f'[[arms]]\nname = "{name}"\nscheme = "rope"\n' for name in "abc")
    )
    fewer = replace(form, arms=(*form.arms[:2], replace(form.arms[2], chosen=False)))

    assert study_form.read(study_form.text(fewer)).rest["pairs"] == [["a", "b"]]
    assert "pairs" not in study_form.read(study_form.text(replace(form, arms=()))).rest


def test_invalid_toml_is_refused() -> None:
    """In one sentence."""
    with pytest.raises(UsageError, match="not valid TOML"):
        study_form.read("[[")


def test_the_comment_at_the_top_describes_a_study() -> None:
    """The name of the file where it has none."""
    assert study_form.about(Path("x.toml"), "# Two\n# lines.\nname = 1") == "Two lines."
    assert study_form.about(Path("x.toml"), "name = 1") == "x.toml"
