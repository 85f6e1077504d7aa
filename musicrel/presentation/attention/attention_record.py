"""The attention weights of a piece, quantised for storage and display.

Square roots of weights are stored as integers 0 to 255: a quarter of the memory of float32, and a
weight of a hundredth is still a tenth of the scale. Row n of a map is the prediction of token
n + 1, column m the token m attended to; START is token 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Voice

MAX_RECORDED_TOKENS: Final = 4096
"""Longer pieces keep no attention: the weights of all heads would take gigabytes."""

Weights = npt.NDArray[np.float32]
Levels = npt.NDArray[np.uint8]

_FULL: Final = 255.0
_VOICES: Final = len(Voice)
_ROWS_AT_FIRST: Final = 64


def to_levels(weights: Weights) -> Levels:
    """Quantise weights 0 to 1 to integers 0 to 255 of their square roots."""
    levels: Levels = np.rint(np.sqrt(weights.clip(0.0, 1.0)) * _FULL).astype(np.uint8)
    return levels


def to_weights(levels: Levels) -> Weights:
    """Invert ``to_levels``, up to rounding."""
    weights: Weights = np.square(levels.astype(np.float32) / _FULL)
    return weights


@dataclass(frozen=True, slots=True)
class Arc:
    """A cell with a large weight.

    Attributes:
        step: in sixteenths.
        voice: 0 soprano ... 3 bass.
        weight: 0 to 1.
    """

    step: int
    voice: int
    weight: float


class AttentionRecord:
    """The attention rows of a piece, as far as generated.

    Args:
        layers: of the model.
        heads: per layer.
        tokens: of the whole piece, without START.
    """

    def __init__(self, layers: int, heads: int, tokens: int) -> None:
        self.layers = layers
        self.heads = heads
        self.tokens = tokens
        self.rows = 0
        room = min(tokens, _ROWS_AT_FIRST)
        self._levels: Levels = np.zeros((layers, heads, room, room), dtype=np.uint8)

    def add(self, row: Weights) -> None:
        """Append the weights of the next token: (layers, heads, tokens so far with START)."""
        self._make_room(self.rows + 1)
        self._levels[:, :, self.rows, : row.shape[-1]] = to_levels(row)
        self.rows += 1

    def map(self, layer: int, head: int) -> Levels:
        """Return the map of one head: uint8 (rows, rows), a view."""
        view: Levels = self._levels[layer, head, : self.rows, : self.rows]
        return view

    def attention_row(self, index: int, layer: int, head: int) -> Weights:
        """Return the weights of the token at ``index`` (1 is the first note): float32 (index,)."""
        return to_weights(self._levels[layer, head, index - 1, :index])

    def arcs(self, index: int, layer: int, head: int, most: int = 12) -> tuple[Arc, ...]:
        """Return the cells with the largest weights for ``index``, largest first, without START."""
        weights = self.attention_row(index, layer, head)
        order = np.argsort(weights[1:], kind="stable")[::-1][:most] + 1
        return tuple(
            Arc(*divmod(int(place) - 1, _VOICES), weight=float(weights[place]))
            for place in order
            if weights[place] > 0
        )

    def _make_room(self, rows: int) -> None:
        have = self._levels.shape[-1]
        if rows <= have:
            return
        room = min(max(2 * have, rows), max(self.tokens, rows))
        grown: Levels = np.zeros((self.layers, self.heads, room, room), dtype=np.uint8)
        grown[:, :, :have, :have] = self._levels
        self._levels = grown


def shrunk(levels: Levels, size: int) -> Levels:
    """Downsample a map to at most ``size`` rows and columns by the maximum of each block."""
    for axis, length in enumerate(levels.shape):
        if length > size:
            edges = np.linspace(0, length, size, endpoint=False).astype(np.int64)
            levels = np.maximum.reduceat(levels, edges, axis=axis)
    return levels


@dataclass(frozen=True, slots=True)
class Tick:
    """A tick on both axes of a map: its place in tokens, and its label."""

    place: int
    label: str


def bar_ticks(chorale: Chorale, most: int = 16) -> tuple[Tick, ...]:
    """Return ticks at bar lines, at most ``most``; row and column 0 are the first cell."""
    lines = list(enumerate(chorale.bar_line_steps(), start=1))
    stride = next(
        stride
        for stride in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 16_384)
        if len(lines) <= most * stride
    )
    return tuple(Tick(step * _VOICES, str(number)) for number, step in lines[::stride])
