"""The compiled critic against torch in double precision."""

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
from musicrel.model.features.context_rows import CRITIC_ROWS, SUMMED, critic_rows
from musicrel.model.features.interval_tables import Table
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import ARTICULATED, MASK, PAD, PITCHES
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.helpers.music import random_chorale

Places = npt.NDArray[np.int64]

LENGTHS = np.array([120, 64, 4])
schemes = pytest.mark.parametrize(
    ("scheme", "options"),
    [("sinusoidal", {}), ("relative", {"max_distance": 7}), ("relative", {"shared": True})],
)


def critic_config(scheme: str, options: Mapping[str, Any]) -> ModelConfig:
    return tiny_config(scheme, options=options, conditions=("beat",), family="critic", classes=2)


def inputs(config: ModelConfig) -> tuple[Places, Places]:
    longest = int(LENGTHS.max())
    ids_BN = tiny_ids(config, len(LENGTHS), longest).numpy().clip(PAD + 1)
    ids_BN[np.arange(longest) >= LENGTHS[:, None]] = PAD
    return ids_BN, tiny_rows(config, len(LENGTHS), longest).numpy()


def compiled_model(model: Transformer) -> CompiledCritic:
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
    model = tiny_model(critic_config(scheme, options), dtype=torch.float64)
    ids_BN, rows_BNC = inputs(model.config)

    logits = compiled_model(model).logits(ids_BN, rows_BNC, LENGTHS)

    expected = reference(model, ids_BN, rows_BNC)
    np.testing.assert_allclose(logits, expected, atol=1e-5 * np.abs(expected).max(), rtol=0)


@schemes
def test_logits_are_the_same_in_every_batch_and_with_every_padding(
    scheme: str, options: Mapping[str, Any]
) -> None:
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
    weights = checkpoint.load(paths.assets() / "models" / "critic")
    ids_BN, rows_BNC = inputs(weights.card.config)
    compiled = CompiledCritic.of(weights.card.config, weights.tensors)

    logits = compiled.logits(ids_BN, rows_BNC, LENGTHS)

    expected = reference(weights.network.double(), ids_BN, rows_BNC)
    np.testing.assert_allclose(logits, expected, atol=1e-5)


def test_parts_of_steps_are_refused() -> None:
    model = compiled_model(tiny_model(critic_config("relative", {})))
    ids_BN, rows_BNC = inputs(model.config)

    with pytest.raises(ModelError, match="119 tokens: expected whole steps of 4"):
        model.logits(ids_BN[:, 1:], rows_BNC[:, 1:], LENGTHS)
    with pytest.raises(ModelError, match="lengths 120, 63, 4: expected multiples of 4 up to 120"):
        model.logits(ids_BN, rows_BNC, np.array([120, 63, 4]))


FIRST = ARTICULATED.first_onset


def feature_rows(*steps: tuple[int, int, int, int]) -> Table:
    """Return the rows of steps given as pitches above the lowest, -1 hidden: (T, S)."""
    ids = np.array(steps)
    return critic_rows(np.where(ids < 0, MASK, ids + FIRST), PITCHES)


def test_every_row_is_one_of_the_table() -> None:
    ids = np.random.default_rng(0).integers(ARTICULATED.size, size=(2, 50, 4))
    ids[0, 40:], ids[0, :3] = PAD, MASK
    rows = critic_rows(ids, PITCHES)
    assert rows.shape == (2, 50, SUMMED)
    assert rows.min() >= 0
    assert rows.max() < CRITIC_ROWS


def test_a_piece_is_the_same_in_every_key() -> None:
    piece = random_chorale(3, 12, margin=4)
    low, high = (
        codec.encode(one, ARTICULATED)[1:-1].reshape(-1, 4) for one in (piece, piece.transposed(3))
    )
    np.testing.assert_array_equal(critic_rows(low, PITCHES), critic_rows(high, PITCHES))


def test_parallel_fifths_have_one_row() -> None:
    """In any two voices; repeated fifths and contrary motion have others."""
    outer = feature_rows((17, -1, -1, 10), (19, -1, -1, 12))[1]
    inner = feature_rows((-1, 29, 10, -1), (-1, 31, 12, -1))[1]
    still = feature_rows((17, -1, -1, 10), (17, -1, -1, 10))[1]
    contrary = feature_rows((17, -1, -1, 10), (15, -1, -1, 20))[1]
    pairs = slice(SUMMED - 6, None)
    soprano_and_bass, alto_and_tenor = outer[pairs][2], inner[pairs][3]
    assert soprano_and_bass == alto_and_tenor
    assert soprano_and_bass not in (still[pairs][2], contrary[pairs][2])


def test_crossing_voices_have_a_row_of_their_own() -> None:
    gap = 16
    above, unison, below = (feature_rows((p, 20, 15, 10))[0, gap] for p in (24, 20, 18))
    assert len({int(above), int(unison), int(below)}) == 3
