"""Pieces and tiny models of the tests of the study of ablations."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.chorale import Chorale
from musicrel.corpus import bundled
from musicrel.generation.loaded_model import LoadedModel
from tests.unit.generation.ablation.conftest import load


@pytest.fixture(scope="session")
def pieces() -> list[Chorale]:
    """Return openings of three test pieces."""
    return [piece.cropped(0, 48) for piece in bundled.load("test")[:3]]


@pytest.fixture(scope="session", params=("sinusoidal", "relative", "infill"))
def studied_model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> LoadedModel:
    """Load a tiny model of each kind, with random means of its heads."""
    return load(request.param, tmp_path_factory.mktemp("studied") / "tiny")


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return the folders of a vanilla and of a relative model, with means."""
    folder = tmp_path_factory.mktemp("pair")
    names: list[Path] = [folder / "plain", folder / "rel"]
    for kind, name in zip(("sinusoidal", "relative"), names, strict=True):
        load(kind, name)
    return str(names[0]), str(names[1])
