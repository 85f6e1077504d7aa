"""Pieces and models of the tests of ablations: each is read by the kernel and by torch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.generation import kernel
from musicrel.generation.heads import replacement
from musicrel.generation.heads.replacement import HeadMeans
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model.companions import MEANS
from musicrel.model.replaced_heads import ROWS
from tests.helpers.models import (
    BOTH_SIDES,
    tiny_cross_attention_directory,
    tiny_infill_directory,
    tiny_model_directory,
)
from tests.helpers.music import random_chorale

KINDS = ("sinusoidal", "relative", "infill", "cross")


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    return load_model(str(tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")))


@pytest.fixture(scope="session")
def infill_model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    folder = tmp_path_factory.mktemp("models") / "tiny-infill"
    return load_model(str(tiny_infill_directory(folder, conditions=BOTH_SIDES)))


@pytest.fixture(scope="session", params=KINDS)
def every_model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> LoadedModel:
    return load(request.param, tmp_path_factory.mktemp("ablated") / "tiny")


@pytest.fixture(scope="session", params=[kind for kind in KINDS if kind != "infill"])
def every_causal_model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> LoadedModel:
    return load(request.param, tmp_path_factory.mktemp("ablated") / "tiny")


def load(kind: str, folder: Path) -> LoadedModel:
    if kind == "infill":
        tiny_infill_directory(folder, conditions=BOTH_SIDES)
    elif kind == "cross":
        tiny_cross_attention_directory(folder)
    else:
        tiny_model_directory(folder, kind)
    model = load_model(str(folder))
    config = model.config
    shape = (ROWS, config.layers, config.heads, config.head_width)
    means_5LHd = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    replacement.write(folder / MEANS, HeadMeans(means_5LHd, model.sha256))
    return model


@pytest.fixture(params=["kernel", "torch"])
def by(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "kernel":
        yield "kernel"
        return
    with kernel.switched_off():
        yield "torch"


@pytest.fixture(scope="session")
def piece() -> Chorale:
    return random_chorale(3, steps=12)
