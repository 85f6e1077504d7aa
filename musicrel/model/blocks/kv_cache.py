"""The key-value cache: keys and values of the tokens so far, so that a new token costs one row.

Dimensions: B batch, H heads, L capacity, S tokens, d head width.
"""

from __future__ import annotations

import copy
from typing import Final, NamedTuple

import torch
from torch import Tensor

from musicrel.errors import ModelError

ID_CONTEXT: Final = 127
"""Number of earlier ids that a token's features depend on (see ``features.lines``)."""


class LayerCache(NamedTuple):
    """Preallocated keys and values of one layer: (B, H, L, d) each."""

    keys_BHLd: Tensor
    values_BHLd: Tensor

    @property
    def capacity(self) -> int:
        return self.keys_BHLd.shape[2]

    def append(self, start: int, k_BHTd: Tensor, v_BHTd: Tensor) -> tuple[Tensor, Tensor]:
        """Store T new tokens at ``start``; return views of all tokens, (B, H, S, d) each."""
        stop = start + k_BHTd.shape[2]
        self.keys_BHLd[:, :, start:stop] = k_BHTd
        self.values_BHLd[:, :, start:stop] = v_BHTd
        return self.keys_BHLd[:, :, :stop], self.values_BHLd[:, :, :stop]


class KeyValueCache:
    """The caches of all layers and the number of tokens in them.

    Args:
        layers: number of layers.
        shape_BHLd: batch, heads, capacity in tokens, head width.
        like: a tensor of the device and dtype to use.

    Attributes:
        capacity: capacity L in tokens.
        length: number of tokens in the cache.
        ids_BL: int64 ids of the tokens, after ``ID_CONTEXT`` zeros.
    """

    def __init__(self, layers: int, shape_BHLd: tuple[int, int, int, int], like: Tensor) -> None:
        batch, heads, capacity, width = shape_BHLd
        # keys are stored as (d, L), the order in which a product with one query reads them
        self._keys = like.new_zeros((layers, batch, heads, width, capacity)).transpose(-1, -2)
        self._values = like.new_zeros((layers, *shape_BHLd))
        self.ids_BL = torch.zeros(
            batch, ID_CONTEXT + capacity, dtype=torch.int64, device=like.device
        )
        self.capacity = capacity
        self.length = 0

    def append_ids(self, ids_BT: Tensor) -> Tensor:
        """Store the ids of the next tokens; return the ``ID_CONTEXT`` ids before them."""
        first = self.length + ID_CONTEXT
        self.ids_BL[:, first : first + ids_BT.shape[1]] = ids_BT
        return self.ids_BL[:, self.length : first]

    def layer(self, index: int) -> LayerCache:
        """Return the cache of one layer, a view."""
        return LayerCache(self._keys[index], self._values[index])

    def views(self, tokens: int | None = None) -> list[tuple[Tensor, Tensor]]:
        """Return writable views of the keys and values of every layer, (B, H, S, d) each.

        Args:
            tokens: S, the number of tokens; None: the capacity.
        """
        keys = self._keys[..., :tokens, :].unbind()
        return list(zip(keys, self._values[..., :tokens, :].unbind(), strict=True))

    def row(self, index: int) -> KeyValueCache:
        """Return a view of one sequence with its own length, starting at 0."""
        part = copy.copy(self)
        part._keys = self._keys[:, index : index + 1]  # noqa: SLF001  # its own kind
        part._values = self._values[:, index : index + 1]  # noqa: SLF001
        part.ids_BL = self.ids_BL[index : index + 1]
        part.length = 0
        return part

    @torch.inference_mode()
    def fill(self, other: KeyValueCache, row: int, tokens: int, first: int = 0) -> None:
        """Copy the first ``tokens`` of a row of ``other``, of equal capacity, to every row.

        Args:
            other: the other cache.
            row: its row.
            tokens: number of tokens.
            first: index of the first token that is copied; those before are the same already.
        """
        ids, part = slice(first, ID_CONTEXT + tokens), slice(first, tokens)
        self.ids_BL[:, ids] = other.ids_BL[row, ids]
        self._keys[..., part, :] = other._keys[:, row : row + 1, :, part]
        self._values[..., part, :] = other._values[:, row : row + 1, :, part]
        self.length = tokens

    @torch.inference_mode()
    def select(self, rows_B: Tensor, first: int = 0) -> None:
        """Replace every row by a copy of another one.

        Args:
            rows_B: int64, the row that takes the place of each.
            first: index of the first token that is replaced; those before are the same in all rows.
        """
        targets = (rows_B != torch.arange(len(rows_B), device=rows_B.device)).nonzero()[:, 0]
        sources, tokens = rows_B[targets], slice(first, self.length)
        self.ids_BL[targets] = self.ids_BL[sources]
        self._keys[:, targets, :, tokens] = self._keys[:, sources, :, tokens]
        self._values[:, targets, :, tokens] = self._values[:, sources, :, tokens]

    def check_capacity(self, tokens: int) -> None:
        """Check that ``tokens`` more tokens fit.

        Raises:
            ModelError: they exceed the capacity.
        """
        if self.length + tokens > self.capacity:
            raise ModelError(
                f"the cache holds {self.length} of {self.capacity} tokens, {tokens} more do not "
                "fit: create it with the capacity for the whole piece"
            )
