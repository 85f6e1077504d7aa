"""How far distributions lie apart, and how even they are.

Dimensions: N places, V values, H heads, T queries, S keys.

This file knows distributions; it knows nothing of whose they are.
"""

from __future__ import annotations

import torch
from torch import Tensor


def apart(p_NV: Tensor, q_NV: Tensor) -> Tensor:
    """Total variation of two distributions, half the sum of what they differ by: (N,)."""
    return (p_NV - q_NV).abs().sum(-1) / 2


def entropies(p_NV: Tensor) -> Tensor:
    """Nats, (N,)."""
    entropies_N: Tensor = torch.special.entr(p_NV).sum(-1)
    return entropies_N


def pairwise(heads_HTS: Tensor) -> float:
    """Mean total variation between the rows of two heads, over all pairs."""
    apart_HH = torch.stack([apart(heads_HTS, head_TS).mean(-1) for head_TS in heads_HTS])
    return float(apart_HH.sum() / (len(apart_HH) * (len(apart_HH) - 1)))
