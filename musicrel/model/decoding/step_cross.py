"""Cross-attention of one decoding step: the newest cell of every sequence, over all encoder steps.

It computes the ``StepCrossAttention`` of a block for one cell, in the two forms of ``step``.

Dimensions: B sequences, D width, H heads, S steps, d head width.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from musicrel.model.blocks.batch_invariant_linear import batch_invariant_linear
from musicrel.model.blocks.cross_attention import Memory
from musicrel.model.families.step_cross_attention import StepCrossAttention
from musicrel.model.features.interval_tables import VOICES


class CrossAttentionStep:
    """The cross-attention of one layer, prepared for decoding.

    Args:
        cross_attention: the layer; its weights are copied.
        memories: keys and values of each sequence, or one for all.
        batch: B.
        norms_first: whether the block is pre-norm.
    """

    def __init__(
        self,
        cross_attention: StepCrossAttention,
        memories: Sequence[Memory],
        *,
        batch: int,
        norms_first: bool,
    ) -> None:
        attention = cross_attention.attention
        self._norm, self._norms_first = cross_attention.norm, norms_first
        self._query = batch_invariant_linear(attention.project_query.weight, None, batch=batch)
        self._out = batch_invariant_linear(attention.project_out.weight, None, batch=batch)
        self._shape = (batch, attention.heads, 1, -1)
        self._positional, self._planned_length = attention.positional, memories[0].planned_length
        self._keys_BHSd = _of_all([memory.keys_BHSd for memory in memories], batch)
        self._values_BHSd = _of_all([memory.values_BHSd for memory in memories], batch)

    def __call__(self, x_B1D: Tensor, place: int | None, place_1: Tensor) -> Tensor:
        """Return ``x_B1D`` with the attended values added.

        The position is ``place``, or ``place_1`` if ``place`` is None (when captured in a graph).
        """
        normed_B1D = self._norm(x_B1D) if self._norms_first else x_B1D
        q_BH1d = self._query(normed_B1D).view(self._shape)
        scheme, keys_BHSd, values_BHSd = self._positional, self._keys_BHSd, self._values_BHSd
        if place is None:
            logits_BH1S = scheme.row_at(q_BH1d, keys_BHSd, place_1 // VOICES)
            attended_BH1d = scheme.mix(logits_BH1S.softmax(-1), values_BHSd)
        else:
            step = place // VOICES
            q_BH1d = scheme.rotate_qk(q_BH1d, step, self._planned_length)
            logits_BH1S = scheme.row(q_BH1d, keys_BHSd, first=step)
            attended_BH1d = scheme.row_mix(logits_BH1S.softmax(-1), values_BHSd, first=step)
        x_B1D = x_B1D + self._out(attended_BH1d.reshape(x_B1D.shape))
        return x_B1D if self._norms_first else self._norm(x_B1D)


def _of_all(each: Sequence[Tensor], batch: int) -> Tensor:
    """Return the keys or values of every sequence as a copy: (B, H, S, d)."""
    together_BHSd = torch.cat(list(each))
    return together_BHSd.expand(batch, -1, -1, -1).contiguous()
