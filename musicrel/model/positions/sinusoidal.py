"""Vanilla: sinusoids added to the embeddings, or concatenated and projected back to the width.

PE[p, 2c] = sin(p / 10000^(2c/D)), PE[p, 2c+1] = cos(p / 10000^(2c/D)) (Vaswani et al. 2017, 3.5).
Extends to any length.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from musicrel.model.positions.base import EmbeddingPositions, Place

_BASE = 10_000.0


def sinusoids(p_P: Tensor, width: int) -> Tensor:
    """Return PE at some positions, (P, width), float64, which keeps distant positions exact."""
    device = "cpu" if p_P.device.type == "mps" else p_P.device  # it has no float64
    c_C = torch.arange(0, width, 2, dtype=torch.float64, device=device)
    angles_PC = p_P.to(device, torch.float64)[:, None] / _BASE ** (c_C / width)
    return torch.stack([angles_PC.sin(), angles_PC.cos()], dim=-1).flatten(-2)[:, :width]


def rows_of(table_PD: Tensor, tokens: int, starts_B: Place) -> Tensor:
    """Return the rows of ``tokens`` positions: (T, D) for one start, else (B, T, D)."""
    if isinstance(starts_B, int):
        return table_PD[starts_B : starts_B + tokens]
    return table_PD[starts_B[:, None] + torch.arange(tokens, device=starts_B.device)]


class SinusoidalPositions(EmbeddingPositions):
    """Embeddings plus PE, without parameters; the table grows with the longest sequence."""

    def __init__(self, width: int, positions: int) -> None:
        super().__init__()
        self._width = width
        self.table_PD: Tensor = nn.Buffer(self._table(positions), persistent=False)

    def reserve(self, length: int) -> None:
        known = len(self.table_PD)
        if length > known:
            self.table_PD = self._table(max(length, 2 * known)).to(self.table_PD)

    def at(self, x_BTD: Tensor, starts_B: Place) -> Tensor:
        rows: Tensor = self.drop(rows_of(self.table_PD, x_BTD.shape[1], starts_B))
        return x_BTD + rows

    def _table(self, positions: int) -> Tensor:
        return sinusoids(torch.arange(positions), self._width).to(torch.get_default_dtype())


class ConcatenatedSinusoids(EmbeddingPositions):
    """Linear projection of embeddings and sinusoids.

    x' = W [x ; PE] + b, as in the rows "concat positional sinusoids" of Huang et al. 2018 (arXiv
    1809.04281, table 2): token and position do not share dimensions.
    """

    def __init__(self, width: int, positions: int) -> None:
        super().__init__()
        self.sinusoids = SinusoidalPositions(width, positions)
        self.project = nn.Linear(2 * width, width)

    def reserve(self, length: int) -> None:
        self.sinusoids.reserve(length)

    def at(self, x_BTD: Tensor, starts_B: Place) -> Tensor:
        rows = self.drop(rows_of(self.sinusoids.table_PD, x_BTD.shape[1], starts_B))
        joined_BTD: Tensor = self.project(torch.cat([x_BTD, rows.expand_as(x_BTD)], dim=-1))
        return joined_BTD
