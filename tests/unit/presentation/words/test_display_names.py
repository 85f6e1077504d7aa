"""Names of studies, recipes, arms and schemes, as people read them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from musicrel import paths
from musicrel.experiment.study import study_folder
from musicrel.model.positions.table import SCHEMES
from musicrel.presentation.words import display_names

RECIPES = sorted((paths.assets() / "recipes").glob("*.toml"))
BUNDLED = [path for path in study_folder.templates() if path.is_relative_to(paths.assets())]


def arms(path: Path) -> list[str]:
    """Return the ids of the arms of a study."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return [arm if isinstance(arm, str) else arm["name"] for arm in tables["arms"]]


@pytest.mark.parametrize("name", study_folder.bundled())
def test_every_bundled_study_has_a_name(name: str) -> None:
    """No file name is shown."""
    assert display_names.study(name) != name


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_every_bundled_recipe_has_a_name(path: Path) -> None:
    """No file name is shown."""
    assert display_names.recipe(path.stem) != path.stem


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_every_scheme_of_a_recipe_has_a_name(path: Path) -> None:
    """Schemes that only some models have, too."""
    scheme = tomllib.loads(path.read_text(encoding="utf-8"))["model"]["scheme"]
    assert display_names.scheme(scheme) != scheme


@pytest.mark.parametrize("key", list(SCHEMES))
def test_every_scheme_has_a_name(key: str) -> None:
    """No id is shown."""
    assert display_names.scheme(key) != key


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_every_arm_of_a_bundled_study_has_a_name_of_its_own(path: Path) -> None:
    """Curves are labelled with it."""
    ids = arms(path)
    names = [display_names.arm(name) for name in ids]

    assert not set(names) & set(ids)
    assert len(set(names)) == len(ids)


def test_no_two_ids_have_one_name() -> None:
    """Within studies, recipes and schemes."""
    for table in (display_names.STUDIES, display_names.RECIPES, display_names.SCHEMES):
        assert len(set(table.values())) == len(table)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("smoke", "Test run"),
        ("smoke-2", "Test run 2"),
        ("window-gpu", "Window lengths (GPU)"),
        ("my study", "my study"),
        ("my-study-2", "my-study-2"),
    ],
)
def test_a_study_is_named_after_its_folder(name: str, shown: str) -> None:
    """With the number of its copy; a study of the user keeps the name it has."""
    assert display_names.study(name) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("relative-64", "Relative, 64"),
        ("relative-whole", "Relative, whole pieces"),
        ("sinusoidal_concat", "Sinusoidal (concatenated)"),
        ("mine", "mine"),
        ("mine-64", "mine-64"),
    ],
)
def test_an_arm_is_named_after_its_scheme_and_window(name: str, shown: str) -> None:
    """An arm of the user keeps the name it has."""
    assert display_names.arm(name) == shown


def test_a_sentence_names_arms_as_people_read_them() -> None:
    """Whole ids alone are replaced, the longest first."""
    arms = ("relative", "relative-corrected", "relative-corrected-0.02")
    sentence = "relative-corrected-0.02 is better than relative by 0.02; relatively sure"

    assert display_names.in_sentence(sentence, arms) == (
        "Relative (corrected, 0.02) is better than Relative by 0.02; relatively sure"
    )
    assert display_names.in_sentence(sentence, ()) == sentence
    next_step = "Next: the study quick, then the study full."
    assert display_names.in_sentence(next_step, ()) == "Next: Quick study, then Full study."
    assert display_names.in_sentence("a is better than b.", ("a", "b")) == "a is better than b."
