"""Keys and values of the tokens read so far, so that each new token costs one row.

Shapes: B batch, H heads, L room, S tokens held, d head width.

This file knows memory; it knows nothing of attention or of positions.
"""

from __future__ import annotations

import copy
from typing import Final

import torch
from torch import Tensor

from musicrel.errors import ModelError

REACH: Final = 7
"""Tokens before a token whose ids matter besides its own (see ``intervals``)."""


class LayerCache:
    """Preallocated keys and values of one layer: (B, H, L, d) each."""

    def __init__(self, keys_BHLd: Tensor, values_BHLd: Tensor) -> None:
        self._keys = keys_BHLd
        self._values = values_BHLd

    @property
    def room(self) -> int:
        """Tokens it can hold: all that the whole request will have."""
        return self._keys.shape[2]

    def append(self, start: int, k_BHTd: Tensor, v_BHTd: Tensor) -> tuple[Tensor, Tensor]:
        """Store T new tokens at ``start``; views of all tokens held then, (B, H, S, d) each."""
        stop = start + k_BHTd.shape[2]
        self._keys[:, :, start:stop] = k_BHTd
        self._values[:, :, start:stop] = v_BHTd
        return self._keys[:, :, :stop], self._values[:, :, :stop]


class KeyValueCache:
    """The caches of all layers, and how many tokens they hold.

    Args:
        layers: number of layers.
        shape_BHLd: batch, heads, room in tokens, head width.
        like: a tensor of the device and dtype to use.

    Attributes:
        room: L, tokens it can hold.
        length: tokens it holds.
        ids_BL: int64, the ids of the tokens, behind ``REACH`` places of 0 before the first.
    """

    def __init__(self, layers: int, shape_BHLd: tuple[int, int, int, int], like: Tensor) -> None:
        batch, heads, room, width = shape_BHLd
        # keys lie in memory as (d, L): a query meets all of them one number of its own at a time
        self._keys = like.new_zeros((layers, batch, heads, width, room)).transpose(-1, -2)
        self._values = like.new_zeros((layers, *shape_BHLd))
        self.ids_BL = torch.zeros(batch, REACH + room, dtype=torch.int64, device=like.device)
        self.room = room
        self.length = 0

    def remember(self, ids_BT: Tensor) -> Tensor:
        """Keep the ids of tokens that are about to be stored; the ``REACH`` ids before them."""
        first = self.length + REACH
        self.ids_BL[:, first : first + ids_BT.shape[1]] = ids_BT
        return self.ids_BL[:, self.length : first]

    def layer(self, index: int) -> LayerCache:
        """The cache of one layer."""
        return LayerCache(self._keys[index], self._values[index])

    @property
    def device(self) -> torch.device:
        """Where it lies."""
        return self._keys.device

    def views(self, tokens: int | None = None) -> list[tuple[Tensor, Tensor]]:
        """Keys and values of every layer, (B, H, S, d) each: the memory itself, to be written.

        Args:
            tokens: S, the first so many places; None: all there is room for.
        """
        keys = self._keys[..., :tokens, :].unbind()
        return list(zip(keys, self._values[..., :tokens, :].unbind(), strict=True))

    def row(self, index: int) -> KeyValueCache:
        """The part of one sequence: the same memory, counted for itself from 0."""
        part = copy.copy(self)
        part._keys = self._keys[:, index : index + 1]  # noqa: SLF001  # its own kind
        part._values = self._values[:, index : index + 1]  # noqa: SLF001
        part.ids_BL = self.ids_BL[index : index + 1]
        part.length = 0
        return part

    def copy_from(self, other: KeyValueCache) -> None:
        """Take over what ``other``, of the same shape, holds."""
        held = slice(0, other.length)
        reach = slice(0, REACH + other.length)
        self.ids_BL[:, reach] = other.ids_BL[:, reach]
        for mine, theirs in zip(self.views(), other.views(), strict=True):
            for own, new in zip(mine, theirs, strict=True):
                own[:, :, held] = new[:, :, held]
        self.length = other.length

    @torch.inference_mode()
    def fill(self, other: KeyValueCache, row: int, tokens: int) -> None:
        """Take over the first ``tokens`` of a row of ``other``, of the same room, in every row."""
        self.ids_BL[:, : REACH + tokens] = other.ids_BL[row, : REACH + tokens]
        self._keys[..., :tokens, :] = other._keys[:, row : row + 1, :, :tokens]
        self._values[..., :tokens, :] = other._values[:, row : row + 1, :, :tokens]
        self.length = tokens

    def check_room(self, tokens: int) -> None:
        """Make sure ``tokens`` more fit.

        Raises:
            ModelError: they do not.
        """
        if self.length + tokens > self.room:
            raise ModelError(
                f"the cache holds {self.length} of {self.room} tokens, {tokens} more do not fit; "
                "make it with room for the whole piece"
            )

    def advance(self, tokens: int) -> None:
        """Count ``tokens`` that every layer has stored."""
        self.length += tokens
