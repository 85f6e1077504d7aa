"""Vanilla: sinusoids added to the embeddings.

PE[p, 2c] = sin(p / 10000^(2c/D)), PE[p, 2c+1] = cos(p / 10000^(2c/D)) (Vaswani et al. 2017, 3.5).
No parameters; extends to any length.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from musicrel.model.positions.base import EmbeddingPositions

_BASE = 10_000.0


def sinusoids(positions: int, width: int) -> Tensor:
    """Return the table PE, float64 (positions, width); float64 keeps distant positions exact."""
    p_P1 = torch.arange(positions, dtype=torch.float64)[:, None]
    c_C = torch.arange(0, width, 2, dtype=torch.float64)
    angles_PC = p_P1 / _BASE ** (c_C / width)
    return torch.stack([angles_PC.sin(), angles_PC.cos()], dim=-1).flatten(-2)[:, :width]


def last_stop(tokens: int, starts_B: Tensor | int) -> int:
    """Return the position after the last one of sequences of ``tokens``."""
    return (starts_B if isinstance(starts_B, int) else int(starts_B.max())) + tokens


def rows_of(table_PD: Tensor, tokens: int, starts_B: Tensor | int) -> Tensor:
    """Return the rows of ``tokens`` positions: (T, D) for one start, else (B, T, D)."""
    if isinstance(starts_B, int):
        return table_PD[starts_B : starts_B + tokens]
    return table_PD[starts_B[:, None] + torch.arange(tokens, device=starts_B.device)]


class SinusoidalPositions(EmbeddingPositions):
    """Embeddings plus PE; the table grows with the longest sequence."""

    def __init__(self, width: int, positions: int) -> None:
        super().__init__()
        self._width = width
        self.table_PD: Tensor = nn.Buffer(self._table(positions), persistent=False)

    def forward(self, x_BTD: Tensor, starts_B: Tensor | int) -> Tensor:
        rows: Tensor = self.drop(self.rows(x_BTD.shape[1], starts_B))
        return x_BTD + rows

    def at(self, x_B1D: Tensor, place_1: Tensor) -> Tensor:
        return x_B1D + self.table_PD.index_select(0, place_1)

    def rows(self, tokens: int, starts_B: Tensor | int) -> Tensor:
        """Return PE of ``tokens`` positions: (T, D) for one start, else (B, T, D)."""
        stop, known = last_stop(tokens, starts_B), len(self.table_PD)
        if stop > known:
            self.table_PD = self._table(max(stop, 2 * known)).to(self.table_PD)
        return rows_of(self.table_PD, tokens, starts_B)

    def _table(self, positions: int) -> Tensor:
        return sinusoids(positions, self._width).to(torch.get_default_dtype())
