"""What a model looked at, kept small and made ready to be drawn.

Weights are kept as whole numbers 0 to 255 of their square roots: four times the memory saved, and
a weight of a hundredth is still a tenth of the scale. Row n of a map is token n + 1 being chosen,
column m the token m it looked at; START is token 0.

This file knows weights and cells; it knows nothing of models, colours or Qt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Voice

MOST_TOKENS: Final = 4096
"""Longer pieces keep no attention: the weights of all heads would take gigabytes."""

Weights = npt.NDArray[np.float32]
Levels = npt.NDArray[np.uint8]

_FULL: Final = 255.0
_VOICES: Final = len(Voice)
_ROWS_AT_FIRST: Final = 64


def to_levels(weights: Weights) -> Levels:
    """Weights 0 to 1 as whole numbers 0 to 255 of their square roots."""
    levels: Levels = np.rint(np.sqrt(weights.clip(0.0, 1.0)) * _FULL).astype(np.uint8)
    return levels


def to_weights(levels: Levels) -> Weights:
    """The weights that ``to_levels`` was given, up to rounding."""
    weights: Weights = np.square(levels.astype(np.float32) / _FULL)
    return weights


@dataclass(frozen=True, slots=True)
class Arc:
    """One of the cells most looked at.

    Attributes:
        step: its sixteenth.
        voice: its voice.
        weight: 0 to 1.
    """

    step: int
    voice: int
    weight: float


class AttentionRecord:
    """The attention rows of one piece, as many as have been written.

    Args:
        layers: of the model.
        heads: in a layer.
        tokens: of the whole piece, START not counted.
    """

    def __init__(self, layers: int, heads: int, tokens: int) -> None:
        self.layers = layers
        self.heads = heads
        self.tokens = tokens
        self.rows = 0
        room = min(tokens, _ROWS_AT_FIRST)
        self._levels: Levels = np.zeros((layers, heads, room, room), dtype=np.uint8)

    def add(self, row: Weights) -> None:
        """Take in what the next token looked at: (layers, heads, tokens so far with START)."""
        self._make_room(self.rows + 1)
        self._levels[:, :, self.rows, : row.shape[-1]] = to_levels(row)
        self.rows += 1

    @classmethod
    def of(cls, weights: Weights) -> AttentionRecord:
        """The record of a whole piece at once, from (layers, heads, N, N)."""
        layers, heads, tokens, _ = weights.shape
        record = cls(layers, heads, tokens)
        record._levels = to_levels(weights)
        record.rows = tokens
        return record

    def map(self, layer: int, head: int) -> Levels:
        """The map of one head: uint8 (rows, rows), a view."""
        view: Levels = self._levels[layer, head, : self.rows, : self.rows]
        return view

    def mean_map(self, layer: int | None = None) -> Levels:
        """The mean over the heads of one layer, or of all: uint8 (rows, rows)."""
        chosen = self._levels if layer is None else self._levels[layer : layer + 1]
        weights = to_weights(chosen[:, :, : self.rows, : self.rows])
        return to_levels(weights.mean(axis=(0, 1)))

    def thumbnail(self, layer: int, head: int, size: int) -> Levels:
        """The map of one head, at most ``size`` wide: each dot the strongest of what it covers."""
        return shrunk(self.map(layer, head), size)

    def looked_at(self, index: int, layer: int, head: int) -> Weights:
        """What the token at ``index`` (1 is the first note) looked at: float32 (index,)."""
        return to_weights(self._levels[layer, head, index - 1, :index])

    def arcs(self, index: int, layer: int, head: int, most: int = 12) -> tuple[Arc, ...]:
        """The cells the token at ``index`` looked at most, strongest first, START left out."""
        weights = self.looked_at(index, layer, head)
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
    """A map made at most ``size`` high and wide; a dot is the largest value of what it covers."""
    for axis, length in enumerate(levels.shape):
        if length > size:
            edges = np.linspace(0, length, size, endpoint=False).astype(np.int64)
            levels = np.maximum.reduceat(levels, edges, axis=axis)
    return levels


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on both axes of a map: a place in tokens, and what begins there."""

    place: int
    label: str


def bar_ticks(chorale: Chorale, most: int = 16) -> tuple[Tick, ...]:
    """Marks where bars begin, thinned to at most ``most``; row and column 0 are the first cell."""
    lines = list(enumerate(chorale.bar_line_steps(), start=1))
    stride = next(
        stride
        for stride in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 16_384)
        if len(lines) <= most * stride
    )
    return tuple(Tick(step * _VOICES, str(number)) for number, step in lines[::stride])


def describe(chorale: Chorale, row: int, column: int, weight: float) -> str:
    """A dot of a map in words, as in 'Alto, bar 2 beat 1, looked 23 % at Soprano, bar 1 beat 4'."""
    looked = "START" if column == 0 else _cell(chorale, column - 1)
    return f"{_cell(chorale, row)}, looked {100 * weight:.0f} % at {looked}"


def _cell(chorale: Chorale, place: int) -> str:
    step, voice = divmod(place, _VOICES)
    bar, within = divmod(step - chorale.pickup, chorale.meter.steps)
    return f"{Voice(voice).title}, bar {bar + 1} sixteenth {within + 1}"
