"""What one model makes of one piece: where it looks and how surprised it is, cell by cell.

A reading grows while the piece is written, or is made at once from a piece that is there. Cells
run S A T B of step 0, then step 1 ...; the row of a cell holds how much the model looked at START
(column 0) and at every cell before (column m is cell m - 1) when it chose it.

This file knows weights and cells; it knows nothing of models, colours or Qt.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Voice
from musicrel.presentation.attention.attention_record import (
    Arc,
    AttentionRecord,
    Levels,
    Weights,
    to_levels,
)
from musicrel.presentation.words import names

THUMBNAIL: Final = 60
"""Dots of a thumbnail from left to right, at most."""
LAGS: Final = (
    "START",
    "earlier",
    "within a bar",
    "within a beat",
    "step before",
    "same step",
)
"""How far back a cell lies, from the farthest; each class begins where the one after it ends."""
_VOICES: Final = len(Voice)


class Head(NamedTuple):
    """One head of a model, both counted from 0."""

    layer: int
    head: int

    def __str__(self) -> str:
        return f"Layer {self.layer + 1}, head {self.head + 1}"


class Share(NamedTuple):
    """A part of the attention: its name, its part of the whole piece's, and of one note's.

    Attributes:
        name: what was looked at.
        whole: mean over all cells, 0 to 1.
        here: of the cell asked for, 0 to 1; None where none was.
    """

    name: str
    whole: float
    here: float | None


class Reading:
    """The weights and the surprise of one model over one piece, as far as they are known.

    Args:
        chorale: the piece, or the plan of one that is being written.
        model: the name of the one that reads.
        layers: of the model; 0 where its weights are not kept.
        heads: in a layer.
        wrote: whether this model wrote the piece.
    """

    def __init__(
        self, chorale: Chorale, model: str, layers: int, heads: int, *, wrote: bool
    ) -> None:
        self.chorale, self.model, self.wrote = chorale, model, wrote
        self.layers, self.heads = layers, heads
        self.tokens = chorale.steps * _VOICES
        self.cells = 0
        """How many cells are known."""
        self._nats = np.full(self.tokens, np.nan, dtype=np.float32)
        self._record = AttentionRecord(layers, heads, self.tokens)
        self._mean = AttentionRecord(1, 1, self.tokens)
        self._thumbnails = _Thumbnails(layers, heads, self.tokens)
        self._lags = np.zeros((self.tokens, layers, heads, len(LAGS)), dtype=np.float32)
        self._voices = np.zeros((self.tokens, layers, heads, _VOICES), dtype=np.float32)

    def add(self, row: Weights | None, nats: float) -> None:
        """Take in the next cell.

        Args:
            row: how much it looked at START and at the n cells before: (layers, heads, n + 1);
                None in a reading without heads.
            nats: how surprising it was, -log p.
        """
        if row is not None:
            self._look(self.cells, row)
        self._nats[self.cells] = nats
        self.cells += 1

    def ended(self, chorale: Chorale) -> None:
        """The piece that came of the plan, the whole of it or its beginning."""
        self.chorale = chorale
        self.cells = min(self.cells, chorale.steps * _VOICES)

    @property
    def has_weights(self) -> bool:
        """Whether it is known where the model looked, not only how surprised it was."""
        return self.layers > 0

    @property
    def nats(self) -> npt.NDArray[np.float32]:
        """-log p of every cell, (T, 4); nan where it is not known."""
        return self._nats.reshape(-1, _VOICES)

    def map(self, head: Head | None) -> Levels:
        """The map of one head, None: the mean of all; (cells, cells), a view."""
        return self._mean.map(0, 0) if head is None else self._record.map(*head)

    def thumbnail(self, head: Head | None) -> Levels:
        """The map of the whole piece made small; 0 where nothing is written yet."""
        return self._thumbnails.mean if head is None else self._thumbnails.all[head]

    def looked_at(self, cell: int, head: Head | None) -> Weights:
        """How much ``cell`` looked at START and every cell before: (cell + 1,)."""
        record, place = (self._mean, Head(0, 0)) if head is None else (self._record, head)
        return record.looked_at(cell + 1, *place)

    def arcs(self, cell: int, head: Head | None, most: int) -> tuple[Arc, ...]:
        """The cells that ``cell`` looked at most, strongest first, START left out."""
        record, place = (self._mean, Head(0, 0)) if head is None else (self._record, head)
        return record.arcs(cell + 1, *place, most=most)

    def by_lag(self, head: Head | None, cell: int | None) -> tuple[Share, ...]:
        """How the attention divides by distance, the nearest first."""
        return _shares(self._lags[: self.cells], LAGS, head, cell)[::-1]

    def by_voice(self, head: Head | None, cell: int | None) -> tuple[Share, ...]:
        """How the attention divides by voice; what START gets is missing from the sum."""
        titles = tuple(voice.title for voice in Voice)
        return _shares(self._voices[: self.cells], titles, head, cell)

    def knows(self, cell: int | None) -> bool:
        """Whether there is such a cell and it has been read."""
        return cell is not None and 0 <= cell < self.cells

    def _look(self, cell: int, row: Weights) -> None:
        mean = row.mean(axis=(0, 1), keepdims=True)
        self._record.add(row)
        self._mean.add(mean)
        self._thumbnails.add(cell, to_levels(row), to_levels(mean))
        self._lags[cell] = _by_lag(row, cell, self._beat_steps, self.chorale.meter.steps)
        self._voices[cell] = _by_voice(row)

    @property
    def _beat_steps(self) -> int:
        return max(4 * STEPS_PER_QUARTER // self.chorale.meter.denominator, 1)


class _Thumbnails:
    """Small pictures of all heads, each dot the strongest of what it covers."""

    def __init__(self, layers: int, heads: int, tokens: int) -> None:
        size = min(tokens, THUMBNAIL)
        self._tokens = tokens
        self._edges = -(-np.arange(size) * tokens // size)
        self.all: Levels = np.zeros((layers, heads, size, size), dtype=np.uint8)
        self.mean: Levels = np.zeros((size, size), dtype=np.uint8)

    def add(self, cell: int, levels: Levels, mean: Levels) -> None:
        """Take in the row of ``cell``."""
        edges = self._edges[self._edges <= cell]
        row, seen = cell * len(self.mean) // self._tokens, slice(len(edges))
        for picture, new in ((self.all[:, :, row, seen], levels), (self.mean[row, seen], mean)):
            small = np.maximum.reduceat(new, edges, axis=-1).reshape(picture.shape)
            np.maximum(picture, small, out=picture)


def _by_lag(row: Weights, cell: int, beat: int, bar: int) -> Weights:
    """The sums of ``row`` over the classes of ``LAGS``: (layers, heads, 6).

    Args:
        row: (layers, heads, cell + 1).
        cell: whose row it is.
        beat: sixteenths in a beat.
        bar: sixteenths in a bar.
    """
    step = cell // _VOICES
    begins = [1 + _VOICES * max(step - back, 0) for back in (bar, beat, 1, 0)]
    edges = [0, 1, *begins, cell + 1]
    sums = np.zeros((*row.shape[:2], row.shape[2] + 1), dtype=np.float32)
    np.cumsum(row, axis=-1, out=sums[..., 1:])
    masses: Weights = np.diff(sums[..., edges], axis=-1)
    return masses


def _by_voice(row: Weights) -> Weights:
    """The sums of ``row`` over the voices looked at, START left out: (layers, heads, 4)."""
    return np.stack([row[..., 1 + voice :: _VOICES].sum(axis=-1) for voice in Voice], axis=-1)


def _shares(
    masses: Weights, titles: tuple[str, ...], head: Head | None, cell: int | None
) -> tuple[Share, ...]:
    """One head's masses (cells, layers, heads, classes) with their names; None: the mean head."""
    chosen = masses.mean(axis=(1, 2)) if head is None else masses[:, head.layer, head.head]
    whole = chosen.mean(axis=0) if len(chosen) else np.zeros(len(titles), dtype=np.float32)
    here = chosen[cell].tolist() if cell is not None and cell < len(chosen) else [None] * len(whole)
    return tuple(map(Share, titles, whole.tolist(), here))


def cell_name(chorale: Chorale, cell: int) -> str:
    """A cell in words, as in 'Alto F♯4 (bar 2, beat 1½)'."""
    step, voice = divmod(cell, _VOICES)
    midi = int(chorale.pitches[step, voice])
    pitch = "rest" if midi == REST else names.pitch(midi, chorale.key)
    return f"{Voice(voice).title} {pitch} ({names.place(step, chorale.meter, chorale.pickup)})"


def pair(chorale: Chorale, cell: int, column: int, weight: float) -> str:
    """A dot of a map in words: who looked at what, and how much.

    Args:
        chorale: the piece.
        cell: who looked.
        column: at what: 0 is START, m the cell m - 1.
        weight: how much, 0 to 1.
    """
    at = "START" if column == 0 else cell_name(chorale, column - 1)
    return f"{cell_name(chorale, cell)} looked {percent(weight)} at {at}"


def percent(weight: float) -> str:
    """A weight as in '23 %', '0.4 %' or '< 0.1 %'."""
    share = 100 * weight
    if 0 < share < 0.1:  # noqa: PLR2004
        return "< 0.1 %"
    return f"{share:.1f} %" if 0 < share < 1 else f"{share:.0f} %"
