"""Multi-head self-attention in five named steps; the weights are returned on request.

Dimensions: B batch, H heads, T queries, S keys, D width, d head width.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from torch import Tensor, nn

from musicrel.model.blocks.ablation import Ablation
from musicrel.model.blocks.kv_cache import LayerCache
from musicrel.model.positions.base import Place, PositionalAttention, Tokens, masked_softmax


@dataclass(slots=True)
class Recording:
    """Intermediate values of the layers, layer by layer."""

    # self-attention weights, (B, H, T, S); rows sum to 1 (to 0 where all keys are masked)
    weights: list[Tensor] = field(default_factory=list)
    # cross-attention weights to the encoder's steps, (B, H, T, steps)
    cross_weights: list[Tensor] = field(default_factory=list)
    # output of each head before the projection, (B, H, T, d)
    mixed: list[Tensor] = field(default_factory=list)


class SelfAttention(nn.Module):
    """Attention of a sequence to itself (Vaswani et al. 2017, 3.2.2)."""

    def __init__(
        self, width: int, heads: int, positional: PositionalAttention, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.heads = heads
        self.positional = positional
        self.project_in = nn.Linear(width, 3 * width, bias=False)
        self.project_out = nn.Linear(width, width, bias=False)

    def forward(
        self,
        x_BTD: Tensor,
        *,
        causal: bool,
        mask: Tensor | None = None,
        cache: LayerCache | None = None,
        record: Recording | None = None,
        ablation: Ablation | None = None,
        coordinates_BT2X: Tensor | None = None,
    ) -> Tensor:
        """Return the weighted values, projected back to the width."""
        qkv = self.project_in(x_BTD).unflatten(-1, (3, self.heads, -1))  # (B, T, 3, H, d)
        q_BHTd, k_BHSd, v_BHSd = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        first: Place = 0 if cache is None else cache.start
        planned_length = x_BTD.shape[1] if cache is None else cache.capacity
        at = Tokens(first, planned_length, x_BTD, coordinates_BT2X)
        q_BHTd, k_BHSd = self.positional.rotate_q(q_BHTd, at), self.positional.rotate_k(k_BHSd, at)
        if cache is not None:
            k_BHSd, v_BHSd, written_S = cache.append(k_BHSd, v_BHSd)
            mask = _both(mask, written_S)
        removed_B1TS = None if ablation is None else ablation.removed_B1TS
        whole = isinstance(first, int) and first == 0 and x_BTD.shape[1] > 1 and record is None
        if whole and removed_B1TS is None and not self._drops:
            o_BHTd = self.positional.fused(q_BHTd, k_BHSd, v_BHSd, causal=causal, mask=mask)
        else:
            scores_BHTS = self.positional.scores(q_BHTd, k_BHSd, causal=causal, first=first)
            mask = _both(mask, None if removed_B1TS is None else ~removed_B1TS)
            weights_BHTS = masked_softmax(scores_BHTS, causal=causal, mask=mask)
            o_BHTd = self.positional.mix(self.dropout(weights_BHTS), v_BHSd, first=first)
            if record is not None:
                record.weights.append(weights_BHTS)
        if ablation is not None:
            o_BHTd = ablation.applied(o_BHTd)
        if record is not None:
            record.mixed.append(o_BHTd)
        return self._projected(o_BHTd)

    @property
    def _drops(self) -> bool:
        """Return whether weights are dropped, which the fused kernels cannot do."""
        return self.training and self.dropout.p > 0

    def _projected(self, o_BHTd: Tensor) -> Tensor:
        out_BTD: Tensor = self.project_out(o_BHTd.transpose(1, 2).flatten(-2))
        return out_BTD


def _both(mask: Tensor | None, other: Tensor | None) -> Tensor | None:
    if mask is None or other is None:
        return other if mask is None else mask
    return mask & other
