"""Cross-attention as an explicit formula, pair by pair, in float64.

Only the learned weights are taken from the tested layer.

Dimensions: T queries, S keys, D width, H heads, d head width.
"""
# ruff: noqa: N803, N806  # shape suffixes: x_TD

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from musicrel.model.blocks.cross_attention import CrossAttention
from tests.helpers.naive_schemes import Naive, Pair


def naive_cross(
    layer: CrossAttention,
    formula: Naive,
    sequences: tuple[Tensor, Tensor],  # of the queries, (T, D), and of the keys, (S, D)
    *,
    places: Sequence[int],  # of the queries, in the unit of the keys
    seen_S: Tensor,
) -> tuple[Tensor, Tensor]:
    """Return the output, (T, D), and the attention weights, (H, T, S)."""
    x_TD, read_SD = sequences
    weights = (layer.project_query.weight, *layer.project_memory.weight.chunk(2))
    q, k, v = (
        (inner @ weight.T).detach().reshape(len(inner), layer.heads, -1).transpose(0, 1).numpy()
        for inner, weight in zip((x_TD, read_SD, read_SD), weights, strict=True)
    )
    gathered, looked = np.zeros_like(q), np.zeros((*q.shape[:2], len(seen_S)))
    for head, t in np.ndindex(q.shape[:2]):
        pairs = [
            Pair(head, places[t], j, x_TD[t].numpy(), read_SD[j].numpy(), read_SD.numpy())
            for j in range(len(seen_S))
            if seen_S[j]
        ]
        logits = np.array([
            formula.logit(layer.positional, q[head, t], k[head, pair.j], pair) for pair in pairs
        ])  # fmt: skip
        raised = np.exp(logits - logits.max(initial=-np.inf))
        for pair, weight in zip(pairs, raised / raised.sum(), strict=True):
            value = formula.value(layer.positional, v[head, pair.j], pair)
            gathered[head, t] += weight * value
            looked[head, t, pair.j] = weight
    joined = torch.from_numpy(gathered).transpose(0, 1).flatten(-2)
    return joined @ layer.project_out.weight.T, torch.from_numpy(looked)
