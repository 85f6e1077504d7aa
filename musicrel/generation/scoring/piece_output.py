"""The output of a model for consecutive cells of a finished piece.

Dimensions: L layers, H heads, T cells, S keys, V vocabulary, N steps of the piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from musicrel.tokens import codec

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PieceOutput:
    """Output for consecutive tokens.

    Attributes:
        logits_TV: logits of the token after each.
        weights_LHTS: attention over all tokens so far; None unless recorded.
        weights_LHTN: attention over the steps that the encoder read; None without cross-attention
            or unless recorded.
    """

    logits_TV: Floats
    weights_LHTS: Floats | None = None
    weights_LHTN: Floats | None = None


class PieceReader(Protocol):
    """A model that reads a piece, some tokens at a time."""

    def read(self, ids_T: codec.Ids) -> PieceOutput:
        """Read the next tokens, int64 (T,), START first."""
        ...
