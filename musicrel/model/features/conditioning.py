"""The conditioning of a piece, computed once for all parts of it that are decoded.

Dimensions: B batch, N positions, D width.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from musicrel.model.blocks.cross_attention import Memory


@dataclass(frozen=True, slots=True)
class Conditioning:
    """Embedded conditions of a piece, or of some of its positions.

    Attributes:
        added_BND: added to the token embeddings of these positions.
        memories: keys and values of the whole piece for each layer with cross-attention.
    """

    added_BND: Tensor
    memories: tuple[Memory, ...] = ()

    def at(self, places: slice) -> Conditioning:
        """Return the conditioning of some of the positions."""
        return Conditioning(self.added_BND[:, places], self.memories)
