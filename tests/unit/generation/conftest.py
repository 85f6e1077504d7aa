"""Shared fixtures of the tests of generation: tiny models, read from disk as users read theirs."""

from __future__ import annotations

import pytest

from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model import checkpoint
from musicrel.tokens.conditions import CONDITIONS
from musicrel.tokens.vocabulary import PITCH
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """Load a relative model of articulated tokens with random weights."""
    return load_model(str(tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")))


@pytest.fixture(scope="session", params=["sinusoidal", "relative", "pitch"])
def any_model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> LoadedModel:
    """Load a model of each positional scheme, and one of the published vocabulary."""
    folder = tmp_path_factory.mktemp("models") / "tiny"
    if request.param == "pitch":
        return load_model(str(tiny_model_directory(folder, vocabulary=PITCH)))
    return load_model(str(tiny_model_directory(folder, request.param)))


@pytest.fixture(scope="session")
def infill_model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """Load an infill model with random weights."""
    folder = tmp_path_factory.mktemp("models") / "tiny-infill"
    names = tuple(name for name in CONDITIONS if name != "voice")
    model = tiny_model(tiny_config("relative", conditions=names, family="infill"))
    checkpoint.save(folder, model, tiny_card(model))
    return load_model(str(folder))
