"""The look across of one step of decoding: the newest cell of every sequence, at all steps.

It computes what a block does with its ``Across`` for one cell, and has the two forms of ``step``.

Dimensions: B sequences, D width, H heads, S steps, d head width.

This file knows the arithmetic of looking across; it knows nothing of the rest of a block.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from musicrel.model.blocks.batch_invariant_linear import product
from musicrel.model.blocks.cross_attention import Memory
from musicrel.model.families.step_cross_attention import Across
from musicrel.model.features.intervals import VOICES


class AcrossStep:
    """One layer's look across, made ready.

    Args:
        across: of the layer; its weights are copied.
        memories: what each sequence looks at, or one for all.
        batch: B.
        norms_first: whether the norm stands before, or after.
    """

    def __init__(
        self, across: Across, memories: Sequence[Memory], *, batch: int, norms_first: bool
    ) -> None:
        attention = across.attention
        self._norm, self._norms_first = across.norm, norms_first
        self._query = product(attention.project_query.weight, None, batch=batch)
        self._out = product(attention.project_out.weight, None, batch=batch)
        self._shape = (batch, attention.heads, 1, -1)
        self._positional, self._planned = attention.positional, memories[0].planned
        self._keys_BHSd = _of_all([memory.keys_BHSd for memory in memories], batch)
        self._values_BHSd = _of_all([memory.values_BHSd for memory in memories], batch)

    @property
    def replays(self) -> bool:
        """Whether the place may be a tensor alone."""
        return self._positional.replays

    def __call__(self, x_B1D: Tensor, place: int | None, place_1: Tensor) -> Tensor:
        """``x_B1D`` and what is found from ``place``; None: from ``place_1``, where it replays."""
        read_B1D = self._norm(x_B1D) if self._norms_first else x_B1D
        q_BH1d = self._query(read_B1D).view(self._shape)
        if place is None:
            logits_BH1S = self._positional.row_at(q_BH1d, self._keys_BHSd, place_1 // VOICES)
            found_BH1d = self._positional.mix(logits_BH1S.softmax(-1), self._values_BHSd)
        else:
            found_BH1d = self._found(q_BH1d, place // VOICES)
        x_B1D = x_B1D + self._out(found_BH1d.reshape(x_B1D.shape))
        return x_B1D if self._norms_first else self._norm(x_B1D)

    def _found(self, q_BH1d: Tensor, step: int) -> Tensor:
        q_BH1d = self._positional.turned(q_BH1d, step, self._planned)
        logits_BH1S = self._positional.row(q_BH1d, self._keys_BHSd, first=step)
        return self._positional.row_mix(logits_BH1S.softmax(-1), self._values_BHSd, first=step)


def _of_all(each: Sequence[Tensor], batch: int) -> Tensor:
    """Keys or values of every sequence, in memory of their own: (B, H, S, d)."""
    together_BHSd = torch.cat(list(each))
    return together_BHSd.expand(batch, -1, -1, -1).contiguous()
