"""Pieces and models of the tests of ablations: each is read by the kernel and by torch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.generation import kernel
from musicrel.generation.heads import head_means
from musicrel.generation.heads.head_means import HeadMeans
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model import checkpoint
from musicrel.model.companions import MEANS
from musicrel.model.replaced_heads import ROWS
from musicrel.tokens.conditions import CONDITIONS
from tests.helpers.models import (
    tiny_card,
    tiny_config,
    tiny_cross_attention_directory,
    tiny_model,
    tiny_model_directory,
)
from tests.helpers.music import random_chorale

KINDS = ("sinusoidal", "relative", "infill", "cross")


@pytest.fixture(scope="session", params=KINDS)
def every_model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> LoadedModel:
    """Load a tiny model of each kind, with random means of its heads in its folder."""
    return load(request.param, tmp_path_factory.mktemp("ablated") / "tiny")


@pytest.fixture(scope="session", params=[kind for kind in KINDS if kind != "infill"])
def every_causal_model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> LoadedModel:
    """Load a tiny model of each kind that writes from left to right, with means."""
    return load(request.param, tmp_path_factory.mktemp("ablated") / "tiny")


def load(kind: str, folder: Path) -> LoadedModel:
    """Write a tiny model and random means of its heads into a folder, and load it."""
    if kind == "infill":
        names = tuple(name for name in CONDITIONS if name != "voice")
        network = tiny_model(tiny_config("relative", conditions=names, family="infill"))
        checkpoint.save(folder, network, tiny_card(network))
    elif kind == "cross":
        tiny_cross_attention_directory(folder)
    else:
        tiny_model_directory(folder, kind)
    model = load_model(str(folder))
    config = model.config
    shape = (ROWS, config.layers, config.heads, config.head_width)
    means_5LHd = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    head_means.write(folder / MEANS, HeadMeans(means_5LHd, model.sha256))
    return model


@pytest.fixture(params=["kernel", "torch"])
def by(request: pytest.FixtureRequest) -> Iterator[str]:
    """Let the kernel read, then torch."""
    if request.param == "kernel":
        yield "kernel"
        return
    with kernel.switched_off():
        yield "torch"


@pytest.fixture(scope="session")
def piece() -> Chorale:
    """Return a random piece of twelve steps, longer than a panel of keys."""
    return random_chorale(3, steps=12)
