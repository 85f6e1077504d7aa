"""Cross-attention: queries from one sequence, keys and values from another.

Positions of both count the same unit from the same origin, so that query i and key j have the
distance i - j and every positional scheme applies as within one sequence.

Dimensions: B batch, H heads, T queries, S keys, D width, d head width.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from musicrel.model.blocks.attention import AttentionOutput
from musicrel.model.positions.base import PositionalAttention, masked_softmax


@dataclass(frozen=True, slots=True)
class Memory:
    """Keys and values of the other sequence, computed once for all queries.

    Attributes:
        keys_BHSd: keys, rotated by the positional scheme.
        values_BHSd: values.
        planned_length: final length of the sequence, which the rotation may depend on.
        mask: bool, True for keys that may be attended to, (B, 1, 1, S); None: all.
    """

    keys_BHSd: Tensor
    values_BHSd: Tensor
    planned_length: int
    mask: Tensor | None


class CrossAttention(nn.Module):
    """Attention of a sequence to another (Vaswani et al. 2017, 3.2.3).

    Args:
        width: D.
        heads: H, a divisor of D.
        positional: the scheme's arithmetic, for bidirectional attention.
        dropout: dropout probability of the weights.
    """

    def __init__(
        self, width: int, heads: int, positional: PositionalAttention, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.heads = heads
        self.positional = positional
        self.dropout = nn.Dropout(dropout)
        self.project_query = nn.Linear(width, width, bias=False)
        self.project_memory = nn.Linear(width, 2 * width, bias=False)
        self.project_out = nn.Linear(width, width, bias=False)

    def memory(
        self, read_BSD: Tensor, planned_length: int | None = None, mask: Tensor | None = None
    ) -> Memory:
        """Project the keys and values of the other sequence.

        Args:
            read_BSD: the other sequence.
            planned_length: its final length; None: S.
            mask: bool, True for keys that may be attended to, (B, 1, 1, S); None: all.
        """
        planned_length = planned_length or read_BSD.shape[1]
        both_BS2Hd = self.project_memory(read_BSD).unflatten(-1, (2, self.heads, -1))
        k_BHSd, v_BHSd = both_BS2Hd.permute(2, 0, 3, 1, 4).unbind(0)
        return Memory(
            self.positional.rotate_qk(k_BHSd, 0, planned_length), v_BHSd, planned_length, mask
        )

    def forward(
        self,
        x_BTD: Tensor,
        memory: Memory,
        *,
        first: int = 0,
        record: bool = False,
    ) -> AttentionOutput:
        """Attend.

        Args:
            x_BTD: the sequence of the queries.
            memory: keys and values of the other sequence.
            first: position of the first query.
            record: whether to return the weights.
        """
        q_BHTd = self.project_query(x_BTD).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        q_BHTd = self.positional.rotate_qk(q_BHTd, first, memory.planned_length)
        scores_BHTS = self.positional.scores(q_BHTd, memory.keys_BHSd, causal=False, first=first)
        weights_BHTS = masked_softmax(scores_BHTS, causal=False, mask=memory.mask)
        o_BHTd = self.positional.mix(self.dropout(weights_BHTS), memory.values_BHSd, first=first)
        out_BTD = self.project_out(o_BHTd.transpose(1, 2).flatten(-2))
        return AttentionOutput(out_BTD, weights_BHTS if record else None)
