"""An attention map at a lower resolution, which grows row by row with the piece.

Rows are predicted cells, columns the cells attended to, START first; both are counted from 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from musicrel.presentation.attention.attention_record import Levels


class DownsampledMap:
    """A map or a stack of maps of which each pixel is the largest level of the cells it covers.

    Args:
        size: maximum number of rows and columns of pixels.
        stack: shape of the stack, as (layers, heads).

    Attributes:
        pixels: uint8 (*stack, n, n), updated in place: 0 where there is no weight (a future cell,
            or one not generated yet), else 1 to 255.
    """

    def __init__(self, tokens: int, size: int, *stack: int) -> None:
        size = min(tokens, size)
        self.pixels: Levels = np.zeros((*stack, size, size), dtype=np.uint8)
        self._tokens = tokens
        self._edges = -(-np.arange(size) * tokens // size)  # the first cell of each pixel
        self._rows = 0

    def update(self, levels: Levels) -> None:
        """Add the rows of a map that were not known at the last update.

        Args:
            levels: uint8 (*stack, rows, columns), the whole map as far as known.
        """
        self.add_rows(levels[..., self._rows :, :])

    def add_rows(self, levels: Levels) -> None:
        """Add the next rows: uint8 (*stack, rows, columns), no more columns than known cells."""
        if not levels.size:
            return
        first, size = self._rows, len(self._edges)
        self._rows += levels.shape[-2]
        top, bottom = (row * size // self._tokens for row in (first, self._rows - 1))
        rows = np.maximum(self._edges[top : bottom + 1] - first, 0)
        columns = self._edges[self._edges < levels.shape[-1]]
        known = _block_max(_block_max(levels, columns, axis=-1), rows, axis=-2)
        known = np.maximum(known, np.tri(len(rows), len(columns), top, dtype=np.uint8))
        part = self.pixels[..., top : bottom + 1, : len(columns)]
        np.maximum(part, known, out=part)


def _block_max(levels: Levels, edges: npt.NDArray[np.int64], axis: int) -> Levels:
    """Return the maximum of each block that begins at one of ``edges``."""
    if len(edges) == levels.shape[axis]:
        return levels
    maxima: Levels = np.maximum.reduceat(levels, edges, axis=axis)
    return maxima
