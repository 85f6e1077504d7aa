"""A learned vector for every position, added to the embeddings, up to a maximum length.

x'_p = x_p + P[p], as in BERT (Devlin et al. 2019) and in "Handling variable sequence lengths". The
table may be initialised with the sinusoids. Positions beyond it raise an error.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.model.positions.base import INITIAL_STD, EmbeddingPositions
from musicrel.model.positions.sinusoidal import last_stop, rows_of, sinusoids


class BeyondTableError(ModelError):
    """A sequence is longer than the table of positions."""


class LearnedPositions(EmbeddingPositions):
    """Embeddings plus a row of a learned table.

    Args:
        width: D.
        max_length: rows of the table, the longest supported sequence.
        from_sinusoids: initialise with the sinusoids instead of N(0, 0.02^2).
    """

    def __init__(self, width: int, *, max_length: int, from_sinusoids: bool = False) -> None:
        super().__init__()
        self.table_PD = nn.Parameter(torch.empty(max_length, width))
        if from_sinusoids:
            with torch.no_grad():
                self.table_PD.copy_(sinusoids(max_length, width))
        else:
            nn.init.normal_(self.table_PD, std=INITIAL_STD)

    def forward(self, x_BTD: Tensor, starts_B: Tensor | int) -> Tensor:
        """Return the embeddings with positions.

        Raises:
            BeyondTableError: a token is beyond the table.
        """
        tokens, limit = x_BTD.shape[1], len(self.table_PD)
        length = last_stop(tokens, starts_B)
        if length > limit:
            raise BeyondTableError(
                f"the sequence has {length:,} tokens, but the model learned positions for "
                f"{limit:,} only: shorten it, or take a model whose positions extend"
            )
        rows: Tensor = self.drop(rows_of(self.table_PD, tokens, starts_B))
        return x_BTD + rows
