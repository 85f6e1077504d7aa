"""Multi-head self-attention in five named steps; the weights are returned on request.

Dimensions: B batch, H heads, T queries, S keys, D width, d head width.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from musicrel.model.blocks.kv_cache import LayerCache
from musicrel.model.positions.base import PositionalAttention, masked_softmax


@dataclass(frozen=True, slots=True)
class AttentionOutput:
    """Result of an attention layer.

    Attributes:
        out_BTD: the weighted values, projected back to the width.
        weights_BHTS: attention weights, rows sum to 1 (to 0 where all keys are masked); None
            unless recorded.
    """

    out_BTD: Tensor
    weights_BHTS: Tensor | None


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
    ) -> AttentionOutput:
        """Attend.

        Args:
            x_BTD: the sequence, or its new end when ``cache`` holds the rest.
            causal: whether a token attends to itself and earlier tokens only.
            mask: bool, True for keys that may be attended to, (B, 1, 1, S); None: all.
            cache: keys and values of tokens 0 ... start - 1; the new ones are appended.
            start: number of tokens in the cache.
            record: whether to return the weights.
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
        if whole and not record and not drops:
            weights_BHTS = None
            o_BHTd = self.positional.fused(q_BHTd, k_BHSd, v_BHSd, causal=causal, mask=mask)
        else:
            scores_BHTS = self.positional.scores(q_BHTd, k_BHSd, causal=causal)
            weights_BHTS = masked_softmax(scores_BHTS, causal=causal, mask=mask)
            o_BHTd = self.positional.mix(self.dropout(weights_BHTS), v_BHSd)
        out_BTD = self.project_out(o_BHTd.transpose(1, 2).flatten(-2))
        return AttentionOutput(out_BTD, weights_BHTS if record else None)
