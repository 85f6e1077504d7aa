"""Shared fixtures of the tests of generation: tiny models, read from disk as users read theirs."""
# ruff: noqa: N803  # shape suffixes: rows_BNC

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from musicrel import cores
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model.devices import Device
from musicrel.model.tokens.vocabulary import PITCH
from musicrel.model.torch_reader import TorchReader
from tests.helpers.models import BOTH_SIDES, itself, tiny_infill_directory, tiny_model_directory


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
def on_device(model: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> LoadedModel:
    """Return a model that is read on the CPU as on a GPU."""

    def reader(_: LoadedModel, rows_BNC: Any, **options: Any) -> TorchReader:
        record, replaced = options["record"], options["replaced"]
        capture = itself if options["replay"] else None
        return TorchReader(
            model.network, rows_BNC, record=record, replaced=replaced, capture=capture
        )

    monkeypatch.setattr(LoadedModel, "reader", reader)
    return replace(model, device=Device("cuda"))


@pytest.fixture
def one_core(model: LoadedModel) -> Iterator[None]:  # noqa: ARG001  # loading sets the number
    cores.use(1)
    yield
    cores.use(None)
