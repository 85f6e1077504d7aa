"""Decoding with a cache equals one full pass, with every positional scheme."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import torch
from torch import Tensor

from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.unit.model.positions.scheme_cases import (
    assert_close,
    bare_model,
    every_scheme,
    no_conditions,
)

pytestmark = pytest.mark.usefixtures("float64")


def greedy(model: Transformer, prompt_BT: Tensor, rows_BTC: Tensor) -> tuple[Tensor, Tensor]:
    """Return ids and logits of the most probable tokens after a prompt."""
    length = rows_BTC.shape[1]
    cache = model.new_cache(len(prompt_BT), length)
    ids_BT, logits, place = prompt_BT, [], 0
    while place < length:
        new_BT = ids_BT[:, place:]
        stop = ids_BT.shape[1]
        logits.append(model(new_BT, rows_BTC[:, place:stop], cache=cache).logits_BTV)
        place = stop
        if stop < length:
            ids_BT = torch.cat([ids_BT, logits[-1][:, -1:].argmax(-1)], dim=1)
    return ids_BT, torch.cat(logits, dim=1)


def check_decoding(config: ModelConfig, length: int, prompt: int, tolerance: float) -> None:
    """Compare decoding with a cache with one full pass."""
    model = tiny_model(config)
    rows_BTC = tiny_rows(config, 2, length)

    with torch.inference_mode():
        ids_BT, cached = greedy(model, tiny_ids(config, 2, prompt), rows_BTC)
        full = model(ids_BT, rows_BTC).logits_BTV

    assert_close(cached, full, tolerance)
    assert torch.equal(full[:, prompt - 1 : -1].argmax(-1), ids_BT[:, prompt:])


@every_scheme
@pytest.mark.parametrize("prompt", [1, 2, 50])
def test_decoding_with_the_cache_is_the_full_pass(
    scheme: str, options: Mapping[str, Any], prompt: int
) -> None:
    """A prompt, then one token at a time, far beyond the trained length."""
    config = tiny_config(scheme, options=options, conditions=("voice", "beat"))
    check_decoding(config, 300, prompt, 1e-10)


@every_scheme
def test_decoding_in_single_precision_is_the_full_pass(
    scheme: str, options: Mapping[str, Any]
) -> None:
    """Single precision is what the program uses."""
    torch.set_default_dtype(torch.float32)
    check_decoding(tiny_config(scheme, options=options), 300, 8, 1e-4)


@pytest.mark.slow
@every_scheme
def test_decoding_a_long_piece_is_the_full_pass(scheme: str, options: Mapping[str, Any]) -> None:
    """2,048 tokens are 32 bars."""
    check_decoding(tiny_config(scheme, options=options), 2048, 1, 1e-10)


@every_scheme
def test_tokens_may_be_read_in_parts(scheme: str, options: Mapping[str, Any]) -> None:
    """Several new tokens after cached ones, as when a prompt is extended."""
    model = bare_model(scheme, options)
    ids_BT = tiny_ids(model.config, 2, 40)
    cache = model.new_cache(2, 40)

    with torch.inference_mode():
        parts = [
            model(ids_BT[:, part], no_conditions(ids_BT[:, part]), cache=cache).logits_BTV
            for part in (slice(0, 11), slice(11, 12), slice(12, 40))
        ]
        full = model(ids_BT, no_conditions(ids_BT)).logits_BTV

    assert_close(torch.cat(parts, dim=1), full)
