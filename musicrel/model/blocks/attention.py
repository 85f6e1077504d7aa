"""Multi-head self-attention in five named steps; the weights are returned on request.

Dimensions: B batch, H heads, T queries, S keys, D width, d head width.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from musicrel.model.blocks.ablation import LayerAblation
from musicrel.model.blocks.kv_cache import LayerCache
from musicrel.model.positions.base import PositionalAttention, masked_softmax


@dataclass(frozen=True, slots=True)
class AttentionOutput:
    """Result of an attention layer.

    Attributes:
        out_BTD: the weighted values, projected back to the width.
        weights_BHTS: attention weights, rows sum to 1 (to 0 where all keys are masked); None
            unless recorded.
        mixed_BHTd: the output of each head before the projection; None unless recorded.
    """

    out_BTD: Tensor
    weights_BHTS: Tensor | None = None
    mixed_BHTd: Tensor | None = None


class SelfAttention(nn.Module):
    """Attention of a sequence to itself (Vaswani et al. 2017, 3.2.2).

    Args:
        width: D.
        heads: H, a divisor of D.
        positional: the scheme's arithmetic between queries, keys and values.
        dropout: dropout probability of the weights.
    """

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
        start: int = 0,
        record: bool = False,
        ablation: LayerAblation | None = None,
    ) -> AttentionOutput:
        """Attend.

        Args:
            x_BTD: the sequence, or its new end when ``cache`` holds the rest.
            causal: whether a token attends to itself and earlier tokens only.
            mask: bool, True for keys that may be attended to, (B, 1, 1, S); None: all.
            cache: keys and values of tokens 0 ... start - 1; the new ones are appended.
            start: number of tokens in the cache.
            record: whether to return the weights and the output of each head.
            ablation: heads that are replaced and keys that are removed; None: none.
        """
        qkv = self.project_in(x_BTD).unflatten(-1, (3, self.heads, -1))  # (B, T, 3, H, d)
        q_BHTd, k_BHSd, v_BHSd = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        planned_length = x_BTD.shape[1] if cache is None else cache.capacity
        q_BHTd = self.positional.rotate_qk(q_BHTd, start, planned_length)
        k_BHSd = self.positional.rotate_qk(k_BHSd, start, planned_length)
        if cache is not None:
            held = cache.append(start, k_BHSd, v_BHSd)
            k_BHSd, v_BHSd = held if start else (k_BHSd, v_BHSd)
        whole = start == 0 and x_BTD.shape[1] > 1
        drops = self.training and self.dropout.p > 0  # the fused kernels cannot
        removed_B1TS = None if ablation is None else ablation.removed_B1TS
        if whole and not record and not drops and removed_B1TS is None:
            weights_BHTS = None
            o_BHTd = self.positional.fused(q_BHTd, k_BHSd, v_BHSd, causal=causal, mask=mask)
        else:
            scores_BHTS = self.positional.scores(q_BHTd, k_BHSd, causal=causal)
            if removed_B1TS is not None:
                mask = ~removed_B1TS if mask is None else mask & ~removed_B1TS
            weights_BHTS = masked_softmax(scores_BHTS, causal=causal, mask=mask)
            o_BHTd = self.positional.mix(self.dropout(weights_BHTS), v_BHSd)
        if ablation is not None:
            o_BHTd = ablation.replace(o_BHTd)
        out_BTD = self.project_out(o_BHTd.transpose(1, 2).flatten(-2))
        return (
            AttentionOutput(out_BTD, weights_BHTS, o_BHTd) if record else AttentionOutput(out_BTD)
        )
