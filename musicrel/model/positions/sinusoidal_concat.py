"""Sinusoids concatenated to the embeddings, projected back to the width.

x' = W [x ; PE] + b, as in the rows "concat positional sinusoids" of Huang et al. 2018
(arXiv 1809.04281, table 2): token and position do not share dimensions. PE as in ``sinusoidal.py``;
extends to any length.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from musicrel.model.positions.base import EmbeddingPositions
from musicrel.model.positions.sinusoidal import SinusoidalPositions


class ConcatenatedSinusoids(EmbeddingPositions):
    """Linear projection of embeddings and sinusoids.

    Args:
        width: D.
        positions: initial number of rows of the table of sinusoids.
    """

    def __init__(self, width: int, positions: int) -> None:
        super().__init__()
        self.sinusoids = SinusoidalPositions(width, positions)
        self.project = nn.Linear(2 * width, width)

    def forward(self, x_BTD: Tensor, starts_B: Tensor | int) -> Tensor:
        rows = self.drop(self.sinusoids.rows(x_BTD.shape[1], starts_B))
        joined_BTD: Tensor = self.project(torch.cat([x_BTD, rows.expand_as(x_BTD)], dim=-1))
        return joined_BTD
