"""A learned vector for every position, added to the embeddings; there are only so many of them.

x'_p = x_p + P[p], as in BERT (Devlin et al. 2019) and in "Handling variable sequence lengths". The
table may begin with the sinusoids. A position beyond it is refused, never guessed.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.model.positions.base import EmbeddingPositions
from musicrel.model.positions.sinusoidal import sinusoids

_INITIAL_SPREAD = 0.02


class BeyondTableError(ModelError):
    """A sequence is longer than the table of positions."""


class LearnedPositions(EmbeddingPositions):
    """Adds a row of a table.

    Args:
        width: D.
        limit: rows of the table, the longest sequence it reaches.
        from_sinusoids: whether it begins as the sinusoids instead of by chance.
    """

    def __init__(self, width: int, limit: int, *, from_sinusoids: bool) -> None:
        super().__init__()
        self.table_PD = nn.Parameter(torch.empty(limit, width))
        if from_sinusoids:
            with torch.no_grad():
                self.table_PD.copy_(sinusoids(limit, width))
        else:
            nn.init.normal_(self.table_PD, std=_INITIAL_SPREAD)

    def forward(self, x_BTD: Tensor, starts_B: Tensor | int) -> Tensor:
        """See the base class.

        Raises:
            BeyondTableError: a token stands beyond the table.
        """
        rows: Tensor = self.drop(self._rows(x_BTD.shape[1], starts_B))
        return x_BTD + rows

    def _rows(self, tokens: int, starts_B: Tensor | int) -> Tensor:
        if isinstance(starts_B, int):
            self._check(starts_B + tokens)
            return self.table_PD[starts_B : starts_B + tokens]
        self._check(int(starts_B.max()) + tokens)
        places_BT = starts_B[:, None] + torch.arange(tokens, device=starts_B.device)
        return self.table_PD[places_BT]

    def _check(self, length: int) -> None:
        limit = len(self.table_PD)
        if length > limit:
            raise BeyondTableError(
                f"the sequence has {length:,} tokens, but the model learned positions for "
                f"{limit:,} only: shorten it, or take a model whose positions extend"
            )
