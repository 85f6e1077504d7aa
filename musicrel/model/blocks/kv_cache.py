"""The key-value cache: keys and values of the tokens so far, so that a new token costs one row.

Dimensions: B batch, H heads, L capacity, S tokens, d head width.
"""

from __future__ import annotations

import copy
from typing import Final, NamedTuple

import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.positions.base import Place

ID_CONTEXT: Final = 127
"""Number of earlier ids that a token's features depend on (see ``features.interval_tables``)."""
_ALIGNMENT: Final = 16


class LayerCache(NamedTuple):
    """Preallocated keys and values of one layer."""

    keys_BHLd: Tensor
    values_BHLd: Tensor
    start: Place  # position of the next token
    seen: int  # number of first positions that are read, those of the next tokens included
    capacity: int

    def append(self, k_BHTd: Tensor, v_BHTd: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        """Store T new tokens.

        Returns:
            Keys and values of all that are read, (B, H, S, d) each; and which of them are written,
            bool (S,), None if all are.
        """
        place_T = self.start + torch.arange(k_BHTd.shape[2], device=k_BHTd.device)
        self.keys_BHLd.index_copy_(2, place_T, k_BHTd)
        self.values_BHLd.index_copy_(2, place_T, v_BHTd)
        if isinstance(self.start, int) and not self.start:
            return k_BHTd, v_BHTd, None
        written_S = None
        if isinstance(self.start, Tensor):
            written_S = torch.arange(self.seen, device=k_BHTd.device) <= self.start
        return self.keys_BHLd[:, :, : self.seen], self.values_BHLd[:, :, : self.seen], written_S


class KeyValueCache:
    """The caches of all layers and the number of tokens in them.

    Attributes:
        fixed: position of the next token, int64 (1,), and number of positions that are read, in
            a step whose shapes do not depend on ``length``, as in a captured graph; None: by
            ``length``.
        ids_BL: int64 ids of the tokens, after ``ID_CONTEXT`` zeros.
    """

    def __init__(
        self,
        layers: int,
        shape_BHLd: tuple[int, int, int, int],
        like: Tensor,
        key_width: int | None = None,
    ) -> None:
        batch, heads, capacity, width = shape_BHLd
        key_width = width if key_width is None else key_width
        stored = -(-capacity // _ALIGNMENT) * _ALIGNMENT  # all rows are aligned alike
        # keys are stored as (d, L), the order in which a product with one query reads them
        self._keys = like.new_zeros((layers, batch, heads, key_width, stored)).transpose(-1, -2)
        self._values = like.new_zeros((layers, batch, heads, stored, width))
        self.ids_BL = torch.zeros(
            batch, ID_CONTEXT + capacity, dtype=torch.int64, device=like.device
        )
        self.capacity = capacity
        self.length = 0
        self.fixed: tuple[Tensor, int] | None = None

    @property
    def start(self) -> Place:
        return self.length if self.fixed is None else self.fixed[0]

    def check_room(self, tokens: int) -> None:
        """Check that so many tokens can be read: a captured step would write beyond the cache."""
        if self.length + tokens > self.capacity:
            raise ModelError(
                f"the cache holds {self.length} of {self.capacity} tokens, {tokens} more do not "
                "fit: create it with the capacity for the whole piece"
            )

    def append_ids(self, ids_BT: Tensor) -> Tensor:
        """Store the ids of the next tokens; return the ``ID_CONTEXT`` ids before them."""
        tokens = ids_BT.shape[1]
        self.check_room(tokens)
        place_M = self.start + torch.arange(ID_CONTEXT + tokens, device=ids_BT.device)
        self.ids_BL.index_copy_(1, place_M[ID_CONTEXT:], ids_BT)
        return self.ids_BL.index_select(1, place_M[:ID_CONTEXT])

    def layer(self, index: int, tokens: int) -> LayerCache:
        seen = self.length + tokens if self.fixed is None else self.fixed[1]
        return LayerCache(self._keys[index], self._values[index], self.start, seen, self.capacity)

    def row(self, index: int) -> KeyValueCache:
        return self.rows(slice(index, index + 1))

    def rows(self, some: slice) -> KeyValueCache:
        """Return the cache of some sequences, with a length of its own and the same memory."""
        part = copy.copy(self)
        part._keys, part._values = self._keys[:, some], self._values[:, some]  # noqa: SLF001
        part.ids_BL = self.ids_BL[some]
        return part

    @torch.inference_mode()
    def fill(self, other: KeyValueCache, rows: slice | Tensor, tokens: int, first: int = 0) -> None:
        """Continue ``rows`` of ``other``, one or as many as here; ``first`` tokens are the same."""
        ids, part = slice(first, ID_CONTEXT + tokens), slice(first, tokens)
        self.ids_BL[:, ids] = other.ids_BL[rows, ids]
        self._keys[..., part, :] = other._keys[:, rows, :, part]
        self._values[..., part, :] = other._values[:, rows, :, part]
        self.length = tokens

    @torch.inference_mode()
    def select(self, rows_B: Tensor, first: int = 0) -> None:
        targets = (rows_B != torch.arange(len(rows_B), device=rows_B.device)).nonzero()[:, 0]
        sources, tokens = rows_B[targets], slice(first, self.length)
        self.ids_BL[targets] = self.ids_BL[sources]
        self._keys[:, targets, :, tokens] = self._keys[:, sources, :, tokens]
        self._values[:, targets, :, tokens] = self._values[:, sources, :, tokens]
