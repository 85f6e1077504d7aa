"""Every positional scheme with its options, as layer and as model, and its explicit formula."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from musicrel.model.blocks.attention import SelfAttention
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.base import Tokens
from musicrel.model.positions.table import SCHEMES
from tests.helpers import naive_schemes
from tests.helpers.models import enlarge_weights, tiny_config, tiny_model
from tests.helpers.naive_schemes import NAIVE, Head

BATCH = 3
TRIED = [
    pytest.param(key, options, id=f"{key}-{number}")
    for key in SCHEMES
    for number, options in enumerate(NAIVE[key].options if key in NAIVE else ({},))
]
every_scheme = pytest.mark.parametrize(("scheme", "options"), TRIED)
kinds = pytest.mark.parametrize("causal", [True, False], ids=["causal", "bidirectional"])
lengths = pytest.mark.parametrize("length", [1, 2, 7, 33])


def attention_of(
    scheme: str, options: Mapping[str, Any], *, causal: bool
) -> tuple[SelfAttention, Tensor]:
    """Return one attention layer with large weights, trained on 16 tokens, and 33 embeddings."""
    config = tiny_config(scheme, options=options, trained_length=16)
    object.__setattr__(config, "family", "causal" if causal else "masked")
    torch.manual_seed(5)
    listed = SCHEMES[scheme]
    positional = listed.attention(config, {**listed.options, **options})
    layer = SelfAttention(config.width, config.heads, positional)
    enlarge_weights(layer)
    return layer, torch.randn(BATCH, 33, config.width)


def assert_close(found: Tensor, expected: Tensor, tolerance: float = 1e-10) -> None:
    torch.testing.assert_close(found, expected, atol=tolerance, rtol=0)


def padding(length: int) -> Tensor:
    mask = torch.ones(BATCH, 1, 1, length, dtype=torch.bool)
    mask[1, ..., : length // 4] = False
    mask[1, ..., length // 2 + 1 :] = False
    mask[2] = False
    return mask


def project_heads(layer: SelfAttention, x_BTD: Tensor) -> tuple[Tensor, ...]:
    """Return queries, keys and values of every head, (B, H, T, d) each."""
    qkv = layer.project_in(x_BTD).unflatten(-1, (3, layer.heads, -1))
    parts: tuple[Tensor, ...] = qkv.permute(2, 0, 3, 1, 4).unbind(0)
    return parts


def rotated_heads(layer: SelfAttention, x_BTD: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    q, k, v = project_heads(layer, x_BTD)
    positional, at = layer.positional, Tokens(0, x_BTD.shape[1], x_BTD)
    return positional.rotate_q(q, at), positional.rotate_k(k, at), v


def naive_heads(
    scheme: str, layer: SelfAttention, x_BTD: Tensor, mask: Tensor, *, causal: bool
) -> list[list[Head]]:
    """Compute every head of every sequence by the formula."""
    q, k, v = (part.detach().numpy() for part in project_heads(layer, x_BTD))
    naive, positional = NAIVE[scheme], layer.positional
    return [
        [
            naive_schemes.attend(
                naive,
                positional,
                (q[b, h], k[b, h], v[b, h]),
                x_BTD[b].detach().numpy(),
                head=h,
                seen_TS=naive_schemes.visible_keys(
                    x_BTD.shape[1], mask[b, 0, 0].numpy(), causal=causal
                ),
            )
            for h in range(layer.heads)
        ]
        for b in range(len(x_BTD))
    ]


def stacked(heads: list[list[Head]], name: str) -> Tensor:
    return torch.tensor(np.array([[getattr(head, name) for head in row] for row in heads]))


def bare_model(scheme: str, options: Mapping[str, Any], **fields: Any) -> Transformer:
    return tiny_model(tiny_config(scheme, options=options, **fields))


def no_conditions(ids_BT: Tensor) -> Tensor:
    return torch.zeros(*ids_BT.shape, 0, dtype=torch.int64)
