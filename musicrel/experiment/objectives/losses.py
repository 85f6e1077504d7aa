"""What a model says of a batch, and what that costs.

Dimensions: B batch, T tokens, V vocabulary or classes.

This file knows logits and targets; it knows nothing of training or of pieces.
"""

from __future__ import annotations

import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor

from musicrel.experiment.data.dataset import Batch
from musicrel.model.families.transformer import Transformer
from musicrel.tokens.vocabulary import PAD

FIRST_CLASS = 1
"""Targets of classifiers are classes counted from 1, as 0 is PAD, nothing to be said."""


def read(model: Transformer, batch: Batch) -> Tensor:
    """The logits of ``batch``; a model that sees both ways is told what is padding, if any is."""
    told = model.config.family != "causal" and bool((batch.ids_BT == PAD).any())
    mask = batch.mask if told else None  # without one, faster ways are open
    logits_BTV: Tensor = model(
        batch.ids_BT, batch.conditions_BTC, starts_B=batch.starts_B, mask=mask
    ).logits_BTV
    return logits_BTV


def first_target(model: Transformer) -> int:
    """The target that means the first logit."""
    return FIRST_CLASS if model.config.classes else 0


def token_nats(
    logits_BTV: Tensor, targets_BT: Tensor, *, smoothing: float = 0.0, first: int = 0
) -> Tensor:
    """-log p of every target, (B, T); 0 where the target is PAD.

    Args:
        logits_BTV: unnormalised.
        targets_BT: int64.
        smoothing: share of the target's weight that is spread evenly over all V (Szegedy et al.
            2016, 7).
        first: the target that means the first logit.
    """
    return F.cross_entropy(
        logits_BTV.transpose(1, 2),
        targets_BT - first,
        ignore_index=PAD - first,
        reduction="none",
        label_smoothing=smoothing,
    )


def mean_nats(nats_BT: Tensor, targets_BT: Tensor, part: slice) -> float | None:
    """Mean nats of the targets in some columns; None where there are none.

    Args:
        nats_BT: as ``token_nats`` gives them.
        targets_BT: int64.
        part: the columns.
    """
    count = int((targets_BT[:, part] != PAD).sum())
    return float(nats_BT[:, part].sum()) / count if count else None
