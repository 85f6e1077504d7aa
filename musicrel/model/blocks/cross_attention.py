"""Attention of one sequence to another: the queries are of the one, keys and values of the other.

Both are counted in the same unit from the same beginning, so that query i and key j are i - j
apart and every scheme means the same as within one sequence. Where the units differ, take scheme
``none`` here: positions then come in through the embeddings of both sides.

Dimensions: B batch, H heads, T queries, S keys, D width, d head width.

This file knows two sequences; it knows nothing of what they hold.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from musicrel.model.blocks.attention import Attended
from musicrel.model.positions.base import PositionalAttention, softmax_of_seen


@dataclass(frozen=True, slots=True)
class Memory:
    """What is looked at, made once for all queries.

    Attributes:
        keys_BHSd: turned as the scheme wants them.
        values_BHSd: what is gathered.
        planned: how many tokens the request will have, as the keys were told.
        mask: bool, True where a key may be seen, (B, 1, 1, S); None: everywhere.
    """

    keys_BHSd: Tensor
    values_BHSd: Tensor
    planned: int
    mask: Tensor | None


class CrossAttention(nn.Module):
    """Attention of a sequence to another (Vaswani et al. 2017, 3.2.3).

    Args:
        width: D.
        heads: H, a divisor of D.
        positional: the scheme's arithmetic, made for seeing both ways.
        dropout: share of the weights dropped in training.
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
        self, read_BSD: Tensor, planned: int | None = None, mask: Tensor | None = None
    ) -> Memory:
        """Keys and values of what is read.

        Args:
            read_BSD: the other sequence.
            planned: how many tokens the request will have; None: as many as are read.
            mask: bool, True where it may be looked at, (B, 1, 1, S); None: everywhere.
        """
        planned = planned or read_BSD.shape[1]
        both_BS2Hd = self.project_memory(read_BSD).unflatten(-1, (2, self.heads, -1))
        k_BHSd, v_BHSd = both_BS2Hd.permute(2, 0, 3, 1, 4).unbind(0)
        return Memory(self.positional.turned(k_BHSd, 0, planned), v_BHSd, planned, mask)

    def forward(
        self,
        x_BTD: Tensor,
        memory: Memory,
        *,
        first: int = 0,
        record: bool = False,
    ) -> Attended:
        """Attend.

        Args:
            x_BTD: the sequence that looks.
            memory: what it looks at.
            first: position of its first token.
            record: whether the weights are wanted.
        """
        q_BHTd = self.project_query(x_BTD).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        q_BHTd = self.positional.turned(q_BHTd, first, memory.planned)
        scores_BHTS = self.positional.scores(q_BHTd, memory.keys_BHSd, causal=False, first=first)
        weights_BHTS = softmax_of_seen(scores_BHTS, causal=False, mask=memory.mask)
        o_BHTd = self.positional.mix(self.dropout(weights_BHTS), memory.values_BHSd, first=first)
        out_BTD = self.project_out(o_BHTd.transpose(1, 2).flatten(-2))
        return Attended(out_BTD, weights_BHTS if record else None)
