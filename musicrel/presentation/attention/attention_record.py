"""The attention weights of a piece, quantised for storage and display.

Square roots of weights are stored as integers 0 to 255: a quarter of the memory of float32, and a
weight of a hundredth is still a tenth of the scale. Row n of a map is the prediction of token
n + 1, column m the token m attended to; START is token 0.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Voice

MAX_RECORDED_TOKENS: Final = 4096
"""Longer pieces keep no attention: the weights of all heads would take gigabytes."""
MAX_LEVEL: Final = 255
"""Level of weight 1."""

Weights = npt.NDArray[np.float32]
Levels = npt.NDArray[np.uint8]

_VOICES: Final = len(Voice)


def to_levels(weights: Weights) -> Levels:
    """Quantise weights 0 to 1 to integers 0 to 255 of their square roots."""
    levels: Levels = np.rint(np.sqrt(weights.clip(0.0, 1.0)) * MAX_LEVEL).astype(np.uint8)
    return levels


def to_weights(levels: Levels) -> Weights:
    """Invert ``to_levels``, up to rounding."""
    weights: Weights = np.square(levels.astype(np.float32) / MAX_LEVEL)
    return weights


class Arc(NamedTuple):
    """A cell with a large weight."""

    step: int  # in sixteenths
    voice: int  # 0 soprano ... 3 bass
    weight: float  # 0 to 1


class AttentionRecord:
    """The attention rows of several heads over a piece, as far as generated."""

    def __init__(self, heads: int, tokens: int) -> None:
        self._rows = 0
        # Room for all rows: the system gives memory when one is written, and no row is ever copied.
        self._levels: Levels = np.zeros((tokens, heads, tokens), dtype=np.uint8)

    def add(self, levels: Levels) -> None:
        """Append the levels of the next token: (heads, tokens so far with START)."""
        self._levels[self._rows, :, : levels.shape[-1]] = levels
        self._rows += 1

    def map(self, head: int) -> Levels:
        """Return the map of one head: uint8 (rows, rows), a view."""
        view: Levels = self._levels[: self._rows, head, : self._rows]
        return view

    def attention_row(self, cell: int, head: int) -> Weights:
        """Return the weights of ``cell`` over START and every cell before: float32 (cell + 1,)."""
        return to_weights(self._levels[cell, head, : cell + 1])

    def arcs(self, cell: int, head: int, most: int) -> tuple[Arc, ...]:
        """Return the cells with the largest weights for ``cell``, largest first, without START."""
        weights = self.attention_row(cell, head)[1:]
        order = np.argsort(weights, kind="stable")[::-1][:most]
        return tuple(
            Arc(*divmod(int(place), _VOICES), weight=float(weights[place]))
            for place in order
            if weights[place] > 0
        )


def shrunk(levels: Levels, size: int, axis: int | None = None) -> Levels:
    """Downsample a map to at most ``size`` rows and columns by the maximum of each block.

    Args:
        axis: 0: only the rows; 1: only the columns; None: both.
    """
    for each in range(levels.ndim) if axis is None else (axis,):
        length = levels.shape[each]
        if length > size:
            edges = np.linspace(0, length, size, endpoint=False).astype(np.int64)
            levels = np.maximum.reduceat(levels, edges, axis=each)
    return levels
