"""The compiled critic against torch in double precision."""
# shape suffixes

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from musicrel import paths
from musicrel.errors import ModelError
from musicrel.model import checkpoint
from musicrel.model.compiled.arithmetic import Floats
from musicrel.model.compiled.critic import CompiledCritic
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.tokens.vocabulary import PAD
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows

Places = npt.NDArray[np.int64]

LENGTHS = np.array([120, 64, 4])
schemes = pytest.mark.parametrize(
    ("scheme", "options"),
    [("sinusoidal", {}), ("relative", {"max_distance": 7}), ("relative", {"shared": True})],
)


def critic_config(scheme: str, options: Mapping[str, Any]) -> ModelConfig:
    """Return the config of a tiny critic."""
    return tiny_config(scheme, options=options, conditions=("beat",), family="critic", classes=2)


def inputs(config: ModelConfig) -> tuple[Places, Places]:
    """Return random tokens and condition rows of pieces of ``LENGTHS``."""
    longest = int(LENGTHS.max())
    ids_BN = tiny_ids(config, len(LENGTHS), longest).numpy().clip(PAD + 1)
    ids_BN[np.arange(longest) >= LENGTHS[:, None]] = PAD
    return ids_BN, tiny_rows(config, len(LENGTHS), longest).numpy()


def compiled_model(model: Transformer) -> CompiledCritic:
    """Return the compiled form of a model."""
    tensors = {name: value.float().numpy() for name, value in model.state_dict().items()}
    return CompiledCritic.of(model.config, tensors)


def reference(model: Transformer, ids_BN: Places, rows_BNC: Places) -> Floats:
    """Return the logits in double precision; tokens of padding are masked."""
    ids = torch.from_numpy(ids_BN)
    with torch.inference_mode():
        output = model(ids, torch.from_numpy(rows_BNC), mask=(ids != PAD)[:, None, None])
    return np.asarray(output.logits_BTV[:, 0].numpy())


@schemes
def test_the_logits_are_those_of_torch(scheme: str, options: Mapping[str, Any]) -> None:
    """In pieces of several lengths."""
    model = tiny_model(critic_config(scheme, options), dtype=torch.float64)
    ids_BN, rows_BNC = inputs(model.config)

    logits = compiled_model(model).logits(ids_BN, rows_BNC, LENGTHS)

    expected = reference(model, ids_BN, rows_BNC)
    np.testing.assert_allclose(logits, expected, atol=1e-5 * np.abs(expected).max(), rtol=0)


@schemes
def test_logits_are_the_same_in_every_batch_and_with_every_padding(
    scheme: str, options: Mapping[str, Any]
) -> None:
    """To the bit."""
    model = compiled_model(tiny_model(critic_config(scheme, options)))
    ids_BN, rows_BNC = inputs(model.config)
    expected = model.logits(ids_BN, rows_BNC, LENGTHS)

    for piece, length in enumerate(LENGTHS):
        one = slice(piece, piece + 1)
        alone = model.logits(ids_BN[one, :length], rows_BNC[one, :length], LENGTHS[one])
        assert np.array_equal(alone, expected[one])
    ids_BN[1, 64:] = PAD + 1
    assert np.array_equal(model.logits(ids_BN, rows_BNC, LENGTHS), expected)


def test_the_shipped_critic_has_the_logits_of_torch() -> None:
    """Pieces of several lengths."""
    weights = checkpoint.load(paths.assets() / "models" / "critic")
    ids_BN, rows_BNC = inputs(weights.card.config)
    compiled = CompiledCritic.of(weights.card.config, weights.tensors)

    logits = compiled.logits(ids_BN, rows_BNC, LENGTHS)

    expected = reference(weights.model.double(), ids_BN, rows_BNC)
    np.testing.assert_allclose(logits, expected, atol=1e-5)


def test_parts_of_steps_are_refused() -> None:
    """Four tokens form a step, also the last one of a piece."""
    model = compiled_model(tiny_model(critic_config("relative", {})))
    ids_BN, rows_BNC = inputs(model.config)

    with pytest.raises(ModelError, match="119 tokens: expected whole steps of 4"):
        model.logits(ids_BN[:, 1:], rows_BNC[:, 1:], LENGTHS)
    with pytest.raises(ModelError, match="lengths 120, 63, 4: expected multiples of 4 up to 120"):
        model.logits(ids_BN, rows_BNC, np.array([120, 63, 4]))
