"""A learned vector for every position, added to the embeddings, up to a maximum length.

x'_p = x_p + P[p], as in BERT (Devlin et al. 2019) and in "Handling variable sequence lengths". The
table may be initialised with the sinusoids. Positions beyond it raise an error.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.language import tr
from musicrel.model.positions.base import INITIAL_STD, EmbeddingPositions, Place
from musicrel.model.positions.sinusoidal import rows_of, sinusoids


class BeyondTableError(ModelError):
    """A sequence is longer than the table of positions."""


class LearnedPositions(EmbeddingPositions):
    """Embeddings plus a row of a learned table."""

    def __init__(self, width: int, *, max_length: int, from_sinusoids: bool = False) -> None:
        super().__init__()
        self.table_PD = nn.Parameter(torch.empty(max_length, width))
        if from_sinusoids:
            with torch.no_grad():
                self.table_PD.copy_(sinusoids(torch.arange(max_length), width))
        else:
            nn.init.normal_(self.table_PD, std=INITIAL_STD)

    def reserve(self, length: int) -> None:
        limit = len(self.table_PD)
        if length > limit:
            raise BeyondTableError(
                tr(
                    "the sequence has {length:,} tokens, but the model learned positions for "
                    "{limit:,} only: shorten it, or take a model whose positions extend",
                    length=length,
                    limit=limit,
                )
            )

    def at(self, x_BTD: Tensor, starts_B: Place) -> Tensor:
        rows: Tensor = self.drop(rows_of(self.table_PD, x_BTD.shape[1], starts_B))
        return x_BTD + rows
