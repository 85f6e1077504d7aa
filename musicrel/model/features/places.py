"""Places of a grid whose features are wanted: whole steps, or single cells.

The features of a note are computed in the same way for all notes of some steps and for a few cells
alone; only the lookup of what lies around the note differs.

Dimensions: B batch, T steps of the grid, 4 voices, S steps, N cells, 3 others; "..." are (B, S, 4)
for steps and (N,) for cells; X is any.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import torch
from torch import Tensor

from musicrel.model.features.context_rows import OTHERS

_OTHERS: Final = torch.tensor(OTHERS)


class Places(Protocol):
    """Some places of a grid."""

    def own(self, x_BT4: Tensor) -> Tensor:
        """Return the values of the notes themselves: (B, T, 4) to (...)."""

    def others(self, x_BT4: Tensor) -> Tensor:
        """Return the values of the three other voices of their steps: (B, T, 4) to (..., 3)."""

    def step(self, x_BTX: Tensor) -> Tensor:
        """Return the values of their steps: (B, T, X) to (..., X), to be broadcast."""

    def voice(self, table_4X: Tensor) -> Tensor:
        """Return the rows of their voices: (4, X) to (..., X), to be broadcast."""


@dataclass(frozen=True, slots=True)
class Steps:
    """All four cells of some steps.

    Attributes:
        steps: int64 (S,), or a slice.
    """

    steps: Tensor | slice

    def own(self, x_BT4: Tensor) -> Tensor:
        return x_BT4[:, self.steps]

    def others(self, x_BT4: Tensor) -> Tensor:
        return x_BT4[:, self.steps][..., _OTHERS.to(x_BT4.device)]

    def step(self, x_BTX: Tensor) -> Tensor:
        return x_BTX[:, self.steps, None]

    def voice(self, table_4X: Tensor) -> Tensor:
        return table_4X


@dataclass(frozen=True, slots=True)
class Cells:
    """Single cells, voice by voice.

    Attributes:
        row_N: int64, index in the batch.
        step_N: int64.
        voice_N: int64 in ascending order.
        counts: number of cells of each voice.
    """

    row_N: Tensor
    step_N: Tensor
    voice_N: Tensor
    counts: tuple[int, ...]

    @classmethod
    def of(cls, wanted_BT4: Tensor) -> Cells:
        """Return the cells that are True in a bool tensor on the CPU."""
        voice_N, row_N, step_N = wanted_BT4.permute(2, 0, 1).nonzero().unbind(-1)
        return cls(row_N, step_N, voice_N, tuple(wanted_BT4.sum((0, 1)).tolist()))

    def to(self, device: str) -> Cells:
        """Return the cells with indices on a device."""
        row_N, step_N, voice_N = (x.to(device) for x in (self.row_N, self.step_N, self.voice_N))
        return Cells(row_N, step_N, voice_N, self.counts)

    def own(self, x_BT4: Tensor) -> Tensor:
        return x_BT4[self.row_N, self.step_N, self.voice_N]

    def others(self, x_BT4: Tensor) -> Tensor:
        other_N3 = _OTHERS.to(x_BT4.device)[self.voice_N]
        return x_BT4[self.row_N, self.step_N].gather(-1, other_N3)

    def step(self, x_BTX: Tensor) -> Tensor:
        return x_BTX[self.row_N, self.step_N]

    def voice(self, table_4X: Tensor) -> Tensor:
        return table_4X[self.voice_N]
