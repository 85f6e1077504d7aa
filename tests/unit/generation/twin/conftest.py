"""Shared fixtures of the tests of two models at once."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model import checkpoint
from musicrel.tokens.conditions import CONDITIONS
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory

Models: TypeAlias = tuple[LoadedModel, LoadedModel]


@pytest.fixture(scope="session")
def causal_pair(model: LoadedModel, tmp_path_factory: pytest.TempPathFactory) -> Models:
    """Load a relative and a sinusoidal model with random weights."""
    folder = tmp_path_factory.mktemp("models") / "tiny-sinusoidal"
    return model, load_model(str(tiny_model_directory(folder, "sinusoidal")))


@pytest.fixture(scope="session")
def infill_pair(infill_model: LoadedModel, tmp_path_factory: pytest.TempPathFactory) -> Models:
    """Load two infilling models with random weights."""
    folder = tmp_path_factory.mktemp("models") / "tiny-infill-sinusoidal"
    names = tuple(name for name in CONDITIONS if name != "voice")
    network = tiny_model(tiny_config("sinusoidal", conditions=names, family="infill"))
    checkpoint.save(folder, network, tiny_card(network))
    return infill_model, load_model(str(folder))
