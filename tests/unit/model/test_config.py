"""The hyperparameters of a model."""

from __future__ import annotations

import json
from typing import Any

import pytest

from musicrel.errors import ModelError
from musicrel.model.config import ModelConfig


def config(**fields: Any) -> ModelConfig:
    """Return a valid config; ``fields`` override."""
    least: dict[str, Any] = {"scheme": "relative", "tokens": 51}
    return ModelConfig(**least | fields)


def test_a_config_survives_json() -> None:
    """Cards store it in this form."""
    before = config(conditions={"voice": 5}, options={"max_distance": 7}, width=16, heads=2)

    assert ModelConfig.from_json(json.loads(json.dumps(before.to_json()))) == before


def test_heads_share_the_width() -> None:
    """Evenly: d = D / H."""
    assert config(width=24, heads=3).head_width == 8


@pytest.mark.parametrize(
    ("name", "value", "bounds"),
    [
        ("tokens", 3, "4 to 4096"),
        ("tokens", 10**9, "4 to 4096"),
        ("width", 4, "8 to 2048"),
        ("layers", 0, "1 to 24"),
        ("layers", 10**30, "1 to 24"),
        ("heads", 65, "1 to 64"),
        ("feedforward", 2**20, "8 to 8192"),
        ("trained_length", 1, "2 to 16384"),
        ("width", 64.0, "8 to 2048"),
        ("heads", "4", "1 to 64"),
        ("layers", True, "1 to 24"),
        ("layers", None, "1 to 24"),
    ],
)
def test_a_number_outside_its_bounds_is_refused(name: str, value: object, bounds: str) -> None:
    """The error names the entry, its value and the bounds."""
    with pytest.raises(ModelError, match=f"{name} is {value!r}: expected a whole number {bounds}"):
        config(**{name: value})


@pytest.mark.parametrize("dropout", [-0.1, 1.0, float("nan"), "0.1", None])
def test_a_share_outside_its_bounds_is_refused(dropout: object) -> None:
    """Probabilities of 1 and values of other types are errors."""
    with pytest.raises(ModelError, match=r"dropout is .*: expected 0.0 to 0.95"):
        config(dropout=dropout)


def test_the_width_must_be_a_multiple_of_the_heads() -> None:
    """Every head has the same width."""
    with pytest.raises(ModelError, match="width 16 is not a multiple of heads 3"):
        config(width=16, heads=3)


def test_an_unknown_family_is_refused() -> None:
    """It may be that of a newer program."""
    with pytest.raises(ModelError, match="family is 'diffusion': expected causal"):
        config(family="diffusion")


@pytest.mark.parametrize(
    ("conditions", "sentence"),
    [
        (["voice"], "the conditions of a model are not a table of sizes"),
        (None, "the conditions of a model are not a table of sizes"),
        ({"voice": 0}, "condition 'voice' has 0 rows: expected 1 to 1024"),
        ({"voice": 2**40}, "rows: expected 1 to 1024"),
        ({"voice": "5"}, "condition 'voice' has '5' rows"),
        ({f"mood {n}": 1 for n in range(5000)}, "5000 conditions: expected at most"),
    ],
)
def test_impossible_conditions_are_refused(conditions: object, sentence: str) -> None:
    """Each is a name and a number of rows."""
    with pytest.raises(ModelError, match=sentence):
        config(conditions=conditions)


@pytest.mark.parametrize("scheme", [None, 7, ["relative"], {"relative": 1}])
def test_a_scheme_is_a_name(scheme: object) -> None:
    """The table of schemes checks the name itself."""
    with pytest.raises(ModelError, match=r"scheme is .*: expected the name of a positional scheme"):
        config(scheme=scheme)


@pytest.mark.parametrize("options", [None, [], [["shared", True]], "shared"])
def test_options_are_a_table(options: object) -> None:
    """The table of schemes checks the names in it."""
    with pytest.raises(ModelError, match="the options of a positional scheme are not a table"):
        config(options=options)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([], "the config of a model is not a table of values"),
        (None, "the config of a model is not a table of values"),
        ({"scheme": "relative"}, "the config of a model lacks tokens"),
        ({}, "the config of a model lacks scheme, tokens"),
        ({"scheme": "relative", "tokens": 51, "depth": 3}, "has unknown entries: depth"),
    ],
)
def test_json_of_another_kind_is_refused(values: object, sentence: str) -> None:
    """Missing and unknown entries are named."""
    with pytest.raises(ModelError, match=sentence):
        ModelConfig.from_json(values)
