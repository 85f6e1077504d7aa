"""Choosing one token from a distribution, by an explicit source of chance.

This file knows logits; it knows nothing of music.
"""

from __future__ import annotations

import torch
from torch import Tensor


def sample(
    logits_V: Tensor,
    legal_V: Tensor,
    rng: torch.Generator,
    *,
    temperature: float,
    top_k: int,
    top_p: float,
) -> int:
    """One token among the legal ones.

    Args:
        logits_V: unnormalised log-probabilities, on the CPU.
        legal_V: bool, True where a token may be chosen; at least one is.
        rng: the source of chance; not used at temperature 0.
        temperature: divides the logits; 0 takes the largest.
        top_k: keep so many of the largest, 0: all.
        top_p: keep the largest whose probabilities sum to at least this (Holtzman et al. 2020).
    """
    logits_V = logits_V.double().masked_fill(~legal_V, -torch.inf)
    if temperature == 0.0:
        return int(logits_V.argmax())
    below_V = logits_V - logits_V.max()  # divided, the largest stays 0 and never overflows
    probabilities_V, order_V = (below_V / temperature).softmax(-1).sort(descending=True)
    before_V = probabilities_V.cumsum(-1) - probabilities_V
    kept_V = before_V < top_p
    if top_k:
        kept_V[top_k:] = False
    choice = torch.multinomial(probabilities_V * kept_V, 1, generator=rng)
    return int(order_V[choice])
