"""The available models."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel import paths
from musicrel.errors import ModelError
from musicrel.model import catalogue


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Return empty folders of bundled models and of the user's own."""
    monkeypatch.setattr(paths, "assets", lambda: tmp_path / "assets")
    monkeypatch.setattr(paths, "data", lambda: tmp_path / "data")
    return tmp_path / "assets" / "models", tmp_path / "data" / "models"


def make(root: Path, name: str) -> Path:
    """Make a folder with a card."""
    (root / name).mkdir(parents=True)
    (root / name / "card.json").touch()
    return root / name


def test_without_models_there_are_none(roots: tuple[Path, Path]) -> None:
    """The folders need not exist."""
    del roots

    assert catalogue.model_directories() == []
    with pytest.raises(ModelError, match=r"no model 'vanilla': .* or one of none yet"):
        catalogue.find("vanilla")


def test_shipped_models_come_first(roots: tuple[Path, Path]) -> None:
    """Each group is sorted by name; folders without a card are skipped."""
    shipped, own = roots
    expected = [make(shipped, "b"), make(shipped, "z"), make(own, "a")]
    (shipped / "half-copied").mkdir()

    assert catalogue.model_directories() == expected


def test_a_model_is_found_by_name(roots: tuple[Path, Path]) -> None:
    """Bundled or the user's own."""
    shipped, own = roots
    vanilla, mine = make(shipped, "vanilla"), make(own, "mine")

    assert catalogue.find("vanilla") == vanilla
    assert catalogue.find("mine") == mine


def test_a_shipped_model_wins_over_an_own_one_of_its_name(roots: tuple[Path, Path]) -> None:
    """A name has the same meaning on every machine."""
    shipped, own = roots
    expected = make(shipped, "vanilla")
    make(own, "vanilla")

    assert catalogue.find("vanilla") == expected


def test_a_model_is_found_by_its_folder(roots: tuple[Path, Path], tmp_path: Path) -> None:
    """Anywhere on the disk."""
    del roots

    assert catalogue.find(str(make(tmp_path, "run"))) == tmp_path / "run"


def test_an_unknown_model_is_refused_with_those_there_are(roots: tuple[Path, Path]) -> None:
    """The error lists their names."""
    make(roots[0], "vanilla")
    make(roots[0], "relative")

    with pytest.raises(
        ModelError,
        match=r"no model 'nope': expected a model directory with a card.json, "
        "or one of relative, vanilla",
    ):
        catalogue.find("nope")


def test_the_critic_is_the_model_of_that_name(roots: tuple[Path, Path]) -> None:
    """The bundled one, else the user's own, else none."""
    shipped, own = roots
    assert catalogue.critic() is None
    made = make(own, "critic")
    assert catalogue.critic() == made
    assert make(shipped, "critic") == catalogue.critic()
