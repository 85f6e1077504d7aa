"""Ablations of one prediction: heads replaced, keys removed, a voice hidden; one row for each.

Dimensions: R ablations, L layers, H heads, d head width, S keys, 5 four voices and ``ANY``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from musicrel.model.replaced_heads import ROWS

if TYPE_CHECKING:
    from musicrel.model.config import ModelConfig

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]

NOBODY = -1
"""In place of a hidden voice: none."""


@dataclass(frozen=True, eq=False, slots=True)
class Ablations:
    """Ablations of one prediction; all arrays have a row for each.

    Attributes:
        replaced_RLH: whether the output of a head is replaced.
        values_5LHd: what replaces it; see ``ReplacedHeads``.
        removed_RS: whether a key is removed in all layers: of a token of a causal model, START
            first, or of a step of an infilling model.
        hidden_R: voice whose notes an infilling model reads as hidden at all other steps, or
            ``NOBODY``.
    """

    replaced_RLH: Flags
    values_5LHd: Floats
    removed_RS: Flags
    hidden_R: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.replaced_RLH)

    @classmethod
    def of_heads(cls, replaced_RLH: Flags, values_5LHd: Floats, keys: int) -> Ablations:
        """Return ablations that replace heads."""
        rows = len(replaced_RLH)
        none_RS = np.zeros((rows, keys), dtype=np.bool_)
        return cls(replaced_RLH, values_5LHd, none_RS, np.full(rows, NOBODY))

    @classmethod
    def of_keys(cls, removed_RS: Flags, config: ModelConfig) -> Ablations:
        """Return ablations that remove keys."""
        shape, width = (len(removed_RS), config.layers, config.heads), config.head_width
        nothing_5LHd = np.zeros((ROWS, *shape[1:], width), dtype=np.float32)
        hidden_R = np.full(len(removed_RS), NOBODY)
        return cls(np.zeros(shape, dtype=np.bool_), nothing_5LHd, removed_RS, hidden_R)

    @classmethod
    def of_hidden(
        cls, hidden_R: npt.NDArray[np.int64], keys: int, config: ModelConfig
    ) -> Ablations:
        """Return ablations that hide voices."""
        plain = cls.of_keys(np.zeros((len(hidden_R), keys), dtype=np.bool_), config)
        return cls(plain.replaced_RLH, plain.values_5LHd, plain.removed_RS, hidden_R)


def each_head(config: ModelConfig) -> Flags:
    """Return a row for each head in which it alone is set, by layer, (L * H, L, H)."""
    heads = config.layers * config.heads
    return np.eye(heads, dtype=np.bool_).reshape(heads, config.layers, config.heads)
