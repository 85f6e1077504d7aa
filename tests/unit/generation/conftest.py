"""What the tests of generation share: tiny models, read from disk as users read theirs."""

from __future__ import annotations

import pytest

from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model import checkpoint
from musicrel.tokens.conditions import CONDITIONS
from musicrel.tokens.vocabulary import PITCH
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """A relative model of articulated tokens, weights by chance."""
    return load_model(str(tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")))


@pytest.fixture(scope="session", params=["sinusoidal", "relative", "pitch"])
def any_model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> LoadedModel:
    """Each scheme, and the published grid."""
    folder = tmp_path_factory.mktemp("models") / "tiny"
    if request.param == "pitch":
        return load_model(str(tiny_model_directory(folder, vocabulary=PITCH)))
    return load_model(str(tiny_model_directory(folder, request.param)))


@pytest.fixture(scope="session")
def infill_model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """A model that sees both sides, weights by chance."""
    folder = tmp_path_factory.mktemp("models") / "tiny-infill"
    told = tuple(name for name in CONDITIONS if name != "voice")
    model = tiny_model(tiny_config("relative", told=told, family="infill"))
    checkpoint.save(folder, model, tiny_card(model))
    return load_model(str(folder))
