"""Shared fixtures of the tests of generation: tiny models, read from disk as users read theirs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from musicrel import cores
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model.tokens.vocabulary import PITCH
from tests.helpers.models import BOTH_SIDES, tiny_infill_directory, tiny_model_directory


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    return load_model(str(tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")))


@pytest.fixture(scope="session", params=["sinusoidal", "relative", "pitch"])
def any_model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> LoadedModel:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    if request.param == "pitch":
        return load_model(str(tiny_model_directory(folder, vocabulary=PITCH)))
    return load_model(str(tiny_model_directory(folder, request.param)))


@pytest.fixture(scope="session")
def infill_model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    folder = tmp_path_factory.mktemp("models") / "tiny-infill"
    return load_model(str(tiny_infill_directory(folder, conditions=BOTH_SIDES)))


@pytest.fixture
def one_core(model: LoadedModel) -> Iterator[None]:  # noqa: ARG001  # loading sets the number
    cores.use(1)
    yield
    cores.use(None)
