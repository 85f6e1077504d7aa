"""Masking of input tokens of a causal model in training.

Dimensions: B batch, T tokens.
"""

from __future__ import annotations

import torch

from musicrel.experiment.data.dataset import Batch
from musicrel.tokens.vocabulary import END, MASK


def masked(batch: Batch, share: float, generator: torch.Generator) -> Batch:
    """Replace each input note or rest by MASK with probability ``share``; targets stay.

    A regulariser: the model cannot lean on the last few notes alone.

    Args:
        batch: sequences on the CPU; START, END and PAD are not replaced.
        share: 0 to 1.
    """
    chance_BT = torch.rand(batch.ids_BT.shape, generator=generator)
    hidden_BT = (chance_BT < share) & (batch.ids_BT > END)
    return Batch(
        batch.ids_BT.masked_fill(hidden_BT, MASK),
        batch.targets_BT,
        batch.conditions_BTC,
        batch.starts_B,
    )
