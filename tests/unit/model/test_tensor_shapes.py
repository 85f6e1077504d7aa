"""The shapes of tensors by formula, against those of the networks."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from musicrel.model import catalogue, checkpoint, networks
from musicrel.model.card import read_card
from musicrel.model.config import ModelConfig
from musicrel.model.families.model_families import build
from musicrel.model.positions.table import SCHEMES as SCHEME_NAMES
from musicrel.model.tensor_shapes import known_shapes
from musicrel.tokens.conditions import CONDITIONS
from musicrel.tokens.vocabulary import PITCH, PITCHES
from tests.helpers.models import tiny_config

ALL = tuple(CONDITIONS)
WITHOUT_VOICE = tuple(name for name in CONDITIONS if name != "voice")
SHAPES: list[dict[str, Any]] = [
    {},
    {"conditions": ALL, "pitches": PITCHES, "counterpoint": PITCHES},
    {"conditions": ("voice",), "counterpoint": PITCHES},
    {"conditions": ALL, "counterpoint": PITCHES, "lines": PITCHES},
    {"conditions": ("beat",), "pitches": PITCHES, "norm": "post"},
    {"vocabulary": PITCH, "conditions": ALL, "pitches": PITCHES, "counterpoint": PITCHES},
    {"layers": 3, "width": 24, "heads": 3, "feedforward": 40, "activation": "relu"},
    {"family": "infill", "conditions": ()},
    {"family": "infill", "conditions": WITHOUT_VOICE, "counterpoint": PITCHES},
    {"family": "infill", "conditions": ("beat",), "counterpoint": PITCHES, "norm": "post"},
    {"family": "infill", "conditions": (), "counterpoint": PITCHES, "lines": PITCHES},
    {"family": "critic", "conditions": ("beat",), "classes": 2},
    {"family": "critic", "classes": 5, "norm": "post"},
]
SCHEMES: list[tuple[str, dict[str, Any]]] = [
    ("sinusoidal", {}),
    ("relative", {}),
    ("relative", {"max_distance": 7}),
    ("relative", {"shared": True}),
]


def shapes_of(config: ModelConfig) -> list[tuple[str, tuple[int, ...]]]:
    """Return names and shapes in the network, in its order."""
    return [(name, tuple(value.shape)) for name, value in build(config).state_dict().items()]


@pytest.mark.parametrize(("scheme", "options"), SCHEMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_shapes_are_those_of_the_network(
    scheme: str, options: dict[str, Any], shape: dict[str, Any]
) -> None:
    """In the same order, so that errors name the same tensor first."""
    config = tiny_config(scheme, options=options, **shape)

    found = known_shapes(config)

    assert found is not None
    assert list(found.items()) == shapes_of(config)


def test_the_shapes_of_all_shipped_models_are_known() -> None:
    """They are read without torch."""
    folders = [path for path in catalogue.model_directories() if catalogue.is_shipped(path)]
    assert len(folders) > 3

    for folder in folders:
        config = read_card(folder).config
        found = known_shapes(config)
        assert found is not None
        assert list(found.items()) == shapes_of(config)


@pytest.mark.parametrize(
    "change",
    [
        {"scheme": "rope"},
        {"family": "classifier", "classes": 2, "conditions": {}},
        {"options": {"max_distance": 0}},
        {"options": {"max_distance": True}},
        {"options": {"shared": 1}},
        {"options": {"colour": 1}},
        {"scheme": "sinusoidal", "options": {"shared": True}},
    ],
)
def test_other_models_and_impossible_options_are_left_to_the_network(
    change: dict[str, Any],
) -> None:
    """The network knows its tensors, or raises an error that names the option."""
    assert known_shapes(replace(tiny_config("relative"), **change)) is None


@pytest.mark.parametrize("scheme", ["none", "learned", "shaw", "bias", "transformer_xl", "rope"])
def test_a_network_tells_its_shapes_without_memory(scheme: str) -> None:
    """They are those of the network with values."""
    config = tiny_config(scheme, conditions=ALL, pitches=PITCHES)

    assert list(networks.tensor_shapes(config).items()) == shapes_of(config)


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_shapes_are_those_of_the_parameters(scheme: str, shape: dict[str, Any]) -> None:
    """All tensors of a file are trained, so that they can be counted without a network."""
    config = tiny_config(scheme, **shape)

    sizes = map(math.prod, checkpoint.tensor_shapes(config).values())

    assert sum(sizes) == build(config).parameter_count
