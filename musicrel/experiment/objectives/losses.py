"""Logits and cross-entropy losses of batches.

Dimensions: B batch, T tokens, V vocabulary or classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch.nn.functional as F  # noqa: N812  # its usual name
from torch import Tensor

from musicrel.experiment.data.dataset import Batch
from musicrel.model.families.transformer import Transformer
from musicrel.tokens.vocabulary import PAD

FIRST_CLASS = 1
"""Target of the first class; 0 is PAD."""


@contextmanager
def evaluation_mode(model: Transformer) -> Iterator[None]:
    """Put ``model`` in evaluation mode; its former mode is restored at the end."""
    was_training = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(was_training)


def batch_logits(model: Transformer, batch: Batch) -> Tensor:
    """Return the logits of ``batch``; non-causal models get a mask if there is padding."""
    takes_mask = model.config.family != "causal" and bool((batch.ids_BT == PAD).any())
    mask = batch.mask if takes_mask else None  # without one, faster attention kernels apply
    logits_BTV: Tensor = model(
        batch.ids_BT, batch.conditions_BTC, starts_B=batch.starts_B, mask=mask
    ).logits_BTV
    return logits_BTV


def first_target(model: Transformer) -> int:
    """Return the target that corresponds to the first logit."""
    return FIRST_CLASS if model.config.classes else 0


def token_nats(
    logits_BTV: Tensor, targets_BT: Tensor, *, smoothing: float = 0.0, first: int = 0
) -> Tensor:
    """Return -log p of every target, (B, T); 0 where the target is PAD.

    Args:
        targets_BT: int64.
    """
    return F.cross_entropy(
        logits_BTV.transpose(1, 2),
        targets_BT - first,
        ignore_index=PAD - first,
        reduction="none",
        label_smoothing=smoothing,
    )


def soft_nats(logits_BTV: Tensor, wanted_BTV: Tensor, targets_BT: Tensor) -> Tensor:
    """Return the cross-entropy -sum q log p with a wanted distribution q, (B, T); 0 at PAD.

    Hinton et al. 2015, section 2, at temperature 1.

    Args:
        targets_BT: int64.
    """
    nats_BT = -(wanted_BTV * logits_BTV.log_softmax(-1)).sum(-1)
    return nats_BT * (targets_BT != PAD)


def mean_nats(nats_BT: Tensor, targets_BT: Tensor, part: slice) -> float | None:
    """Return the mean nats of the targets in some columns; None where there are none.

    Args:
        targets_BT: int64.
    """
    count = int((targets_BT[:, part] != PAD).sum())
    return float(nats_BT[:, part].sum()) / count if count else None
