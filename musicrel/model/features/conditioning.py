"""What a model knows of a piece besides the tokens it reads: made once, used by all of its parts.

Dimensions: B batch, N places, D width.

This file knows parts of a piece; what is told is the models' business.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from musicrel.model.blocks.cross_attention import Memory


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a piece, or of some of its places.

    Attributes:
        added_BND: added to the embeddings of these places.
        memories: of the whole piece, for each layer that looks across; empty where none does.
    """

    added_BND: Tensor
    memories: tuple[Memory, ...] = ()

    def at(self, places: slice) -> Told:
        """The same for some of the places."""
        return Told(self.added_BND[:, places], self.memories)
