"""The compiled infilling model against torch in double precision."""
# shape suffixes

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from musicrel import cores, paths
from musicrel.errors import ModelError
from musicrel.model import checkpoint
from musicrel.model.compiled.arithmetic import Floats
from musicrel.model.compiled.infiller import CompiledInfiller
from musicrel.model.config import ModelConfig
from musicrel.model.families.infiller import Infiller
from musicrel.model.tokens.conditions import CONDITIONS
from musicrel.model.tokens.vocabulary import PITCHES
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.unit.model.features.single_tokens import melodies

Places = npt.NDArray[np.int64]

ALL = tuple(name for name in CONDITIONS if name != "voice")
SCHEMES: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("sinusoidal", {}),
    ("relative", {"max_distance": 64}),
    ("relative", {"max_distance": 7}),
    ("relative", {"max_distance": 7, "shared": True}),
)
every_scheme = pytest.mark.parametrize(("scheme", "options"), SCHEMES)
FEATURES: Sequence[tuple[tuple[str, ...], int]] = (
    ((), 0),
    ((), PITCHES),
    (("beat", "key"), 0),
    (ALL, PITCHES),
)
every_feature = pytest.mark.parametrize(("conditions", "counterpoint"), FEATURES)


def infill_config(scheme: str = "relative", **fields: Any) -> ModelConfig:
    """Return the config of a tiny infilling model; ``fields`` override."""
    shape: dict[str, Any] = {"conditions": ALL, "counterpoint": PITCHES} | fields
    return tiny_config(scheme, family="infill", **shape)


def infiller(config: ModelConfig) -> Infiller:
    model = tiny_model(config, dtype=torch.float64)
    assert isinstance(model, Infiller)
    return model


def compiled_model(model: Infiller) -> CompiledInfiller:
    tensors = {name: value.float().numpy() for name, value in model.state_dict().items()}
    return CompiledInfiller.of(model.config, tensors)


def inputs(config: ModelConfig, batch: int, steps: int) -> tuple[Places, Places]:
    ids_BN, rows_BNC = tiny_ids(config, batch, 4 * steps), tiny_rows(config, batch, 4 * steps)
    return ids_BN.numpy(), rows_BNC.numpy()


def reference(
    model: Infiller, ids_BN: Places, rows_BNC: Places, steps_S: Places, starts: int | Places = 0
) -> Floats:
    starts_B = starts if isinstance(starts, int) else torch.from_numpy(starts)
    with torch.inference_mode():
        ids, rows = torch.from_numpy(ids_BN), torch.from_numpy(rows_BNC)
        logits = model(ids, rows, starts_B=starts_B).logits_BTV.unflatten(1, (-1, 4))
    return np.asarray(logits[:, steps_S].numpy())


def assert_close(logits: Floats, expected: Floats) -> None:
    """Assert equality within 1e-5 of the largest logit."""
    np.testing.assert_allclose(logits, expected, atol=1e-5 * np.abs(expected).max(), rtol=0)


def test_logits_are_the_same_to_the_bit_with_any_number_of_threads() -> None:
    config = infill_config()
    model, (ids_BN, rows_BNC) = compiled_model(infiller(config)), inputs(config, 1, 100)
    found = []
    for threads in (1, 2, 8):
        cores.use(threads)
        found.append(model.logits_at(ids_BN, rows_BNC, np.arange(100)))
    cores.use(None)
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


@every_scheme
@every_feature
def test_the_logits_are_those_of_torch(
    scheme: str, options: Mapping[str, Any], conditions: Sequence[str], counterpoint: int
) -> None:
    model = infiller(
        infill_config(scheme, options=options, conditions=conditions, counterpoint=counterpoint)
    )
    compiled = compiled_model(model)
    for steps in (1, 6, 45):
        ids_BN, rows_BNC = inputs(model.config, 2, steps)
        every = np.arange(steps)

        logits = compiled.logits_at(ids_BN, rows_BNC, every)

        assert_close(logits, reference(model, ids_BN, rows_BNC, every))


def test_the_lines_are_those_of_torch() -> None:
    """In pieces with long notes, rests and hidden cells, for all steps and for some."""
    model = infiller(infill_config(lines=PITCHES))
    compiled = compiled_model(model)
    ids_BN = melodies(2, 80).numpy()
    rows_BNC = tiny_rows(model.config, 2, ids_BN.shape[1]).numpy()

    for steps_S in (np.arange(80), np.array([0, 1, 41, 79])):
        logits = compiled.logits_at(ids_BN, rows_BNC, steps_S)
        assert_close(logits, reference(model, ids_BN, rows_BNC, steps_S))


@pytest.mark.parametrize("activation", ["gelu", "relu"])
def test_activations_and_sizes_need_no_round_numbers(activation: str) -> None:
    """Width 21 in three heads."""
    sizes: dict[str, Any] = {"width": 21, "heads": 3, "feedforward": 37, "layers": 1}
    model = infiller(infill_config(activation=activation, **sizes))
    ids_BN, rows_BNC = inputs(model.config, 1, 20)
    every = np.arange(20)

    logits = compiled_model(model).logits_at(ids_BN, rows_BNC, every)

    assert_close(logits, reference(model, ids_BN, rows_BNC, every))


@pytest.mark.parametrize("starts", [8, np.array([0, 4096])])
def test_a_part_of_a_piece_has_its_positions(starts: int | Places) -> None:
    model = infiller(infill_config("sinusoidal"))
    ids_BN, rows_BNC = inputs(model.config, 2, 10)
    steps_S = np.array([0, 7])

    logits = compiled_model(model).logits_at(ids_BN, rows_BNC, steps_S, starts)

    assert_close(logits, reference(model, ids_BN, rows_BNC, steps_S, starts))


@every_scheme
def test_logits_are_the_same_in_every_batch_and_for_any_wanted_steps(
    scheme: str, options: Mapping[str, Any]
) -> None:
    config = infill_config(scheme, options=options)
    compiled = compiled_model(infiller(config))
    ids_BN, rows_BNC = inputs(config, 5, 23)
    expected = compiled.logits_at(ids_BN, rows_BNC, np.arange(23))

    for piece in range(5):
        one = slice(piece, piece + 1)
        alone = compiled.logits_at(ids_BN[one], rows_BNC[one], np.arange(23))
        assert np.array_equal(alone, expected[one])
    for steps_S in (np.array([22]), np.array([3, 4, 9]), np.arange(20, -1, -1)):
        some = compiled.logits_at(ids_BN, rows_BNC, steps_S)
        assert np.array_equal(some, expected[:, steps_S])


@pytest.mark.parametrize("name", ["relative-infill", "vanilla-infill"])
def test_the_shipped_models_have_the_logits_of_torch(name: str) -> None:
    weights = checkpoint.load(paths.assets() / "models" / name)
    ids_BN, rows_BNC = inputs(weights.card.config, 1, 128)
    every = np.arange(128)
    compiled = CompiledInfiller.of(weights.card.config, weights.tensors)
    logits = compiled.logits_at(ids_BN, rows_BNC, every, 16)

    double = weights.network.double()
    assert isinstance(double, Infiller)
    assert_close(logits, reference(double, ids_BN, rows_BNC, every, 16))


def test_parts_of_steps_are_refused() -> None:
    model = infiller(infill_config())
    ids_BN, rows_BNC = inputs(model.config, 1, 3)

    with pytest.raises(ModelError, match="11 tokens: expected whole steps of 4"):
        compiled_model(model).logits_at(ids_BN[:, 1:], rows_BNC[:, 1:], np.arange(2))


@pytest.mark.parametrize("wrong", [-1, 5000])
def test_numbers_outside_the_tables_are_refused(wrong: int) -> None:
    """Tokens, conditions and steps: the loops do not check."""
    model = infiller(infill_config())
    compiled = compiled_model(model)
    ids_BN, rows_BNC = inputs(model.config, 1, 3)
    with pytest.raises(ModelError, match=f"the steps .*{wrong}.*: expected 0 to 2"):
        compiled.logits_at(ids_BN, rows_BNC, np.array([1, wrong]))
    rows_BNC[0, 4, 1] = wrong
    with pytest.raises(ModelError, match="a condition is outside the tables"):
        compiled.logits_at(ids_BN, rows_BNC, np.arange(3))
    ids_BN[0, 5] = wrong
    with pytest.raises(ModelError, match="a token or a condition is outside the tables"):
        compiled.logits_at(ids_BN, rows_BNC, np.arange(3))
