"""Attention to whole steps over a piece: of infilling models, and to the notes given to an encoder.

A row is a predicted cell, a column a step with its four voices. A cell may attend to all steps, and
rows become known in any order.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.generation.heads.mutes import Head
from musicrel.meter_beats import written_unit
from musicrel.presentation.attention.attention_record import (
    Arc,
    Levels,
    Weights,
    to_levels,
    to_weights,
)
from musicrel.presentation.attention.piece_analysis import (
    THUMBNAIL,
    PieceAnalysis,
    Profile,
    Share,
    cell_name,
    percent,
)
from musicrel.presentation.words import names

BOTH_SIDES: Final = (
    "earlier",
    "within a bar",
    "within a beat",
    "step before",
    "same step",
    "step after",
    "a beat after",
    "a bar after",
    "later",
)
"""Classes of distance to the attended step, from the past to the future."""
INFILL: Final = "masked note"
CROSS: Final = "cross-attention"
_VOICES: Final = len(Voice)
_NEAREST: Final = 1
"""Level of the smallest weight of a known row; 0 is an unknown one."""


class StepAnalysis(PieceAnalysis):
    """Attention weights over steps, and surprisal, of a model over a piece.

    Args:
        layers: of the model; 0 if weights are not kept.
        wrote: True if this model wrote the piece.
        given: bool (T, 4), the cells that the encoder reads; None: none.

    Attributes:
        wanted: the cell to be read next; the thread that reads the piece looks here.
    """

    first_column = 0
    cells_per_column = _VOICES

    def __init__(
        self,
        chorale: Chorale,
        model: str,
        layers: int,
        heads: int,
        *,
        wrote: bool,
        kind: str,
        given: Flags | None = None,
    ) -> None:
        super().__init__(chorale, model, layers, heads, wrote=wrote)
        self.kind = kind
        self.given = np.zeros(chorale.pitches.shape, dtype=np.bool_) if given is None else given
        self.wanted: int | None = None
        is_onset = chorale.onsets.ravel()
        random = np.random.default_rng(0).random(self.tokens)
        self._order: list[int] = np.lexsort((random, is_onset)).tolist()  # the last is read first

    def _allocate(self, heads_and_mean: int) -> None:
        steps = self.chorale.steps if self.has_weights else 0
        self._known = np.zeros(self.tokens, dtype=np.bool_)
        self._levels: Levels = np.zeros((heads_and_mean, self.tokens, steps), dtype=np.uint8)
        self._masses = np.zeros((heads_and_mean, self.tokens, len(BOTH_SIDES)), dtype=np.float32)
        size = min(steps, THUMBNAIL)
        self._pixels: Levels = np.zeros((heads_and_mean, size, size), dtype=np.uint8)

    def set_nats(self, nats: npt.NDArray[np.floating]) -> None:
        """Set -log p of every cell, (T, 4)."""
        self._nats = nats.astype(np.float32).ravel()

    def add_at(self, cell: int, row: Weights) -> None:
        """Add the weights of a cell over all steps: (layers, heads, T)."""
        heads = row.reshape(-1, row.shape[-1])
        weights = np.concatenate((heads.mean(axis=0, keepdims=True), heads))
        self._levels[:, cell] = np.maximum(to_levels(weights), _NEAREST)
        self._masses[:, cell] = self._by_distance(weights, cell // _VOICES)
        self._add_pixels(cell)
        if not self._known[cell]:
            self._known[cell] = True  # last: another thread may read the row now
            self.cells += 1

    @property
    def columns(self) -> int:
        return self.chorale.steps

    @property
    def is_complete(self) -> bool:
        """Return whether every cell is known, or no weights are kept."""
        return not self.has_weights or self.cells == self.tokens

    def next_cell(self) -> int | None:
        """Return the cell to be read next; None after the last.

        It is the wanted one, then one of the onsets, then of the held cells, each in random order:
        the shares of the part that is known are about those of the whole.
        """
        wanted = self.wanted
        if wanted is not None and 0 <= wanted < self.tokens and not self._known[wanted]:
            return wanted
        while self._order and self._known[self._order[-1]]:
            self._order.pop()
        return self._order[-1] if self._order else None

    def map(self, head: Head | None) -> Levels:
        """Return the map of a head (None: mean of all heads): (cells, T), 0 in unknown rows."""
        view: Levels = self._levels[self._index(head)]
        return view

    @property
    def thumbnails(self) -> Levels:
        """Return the downsampled maps as ``PieceAnalysis.thumbnails`` does."""
        return self._pixels

    def attention_row(self, cell: int, head: Head | None) -> Weights:
        """Return the weights of ``cell`` over all steps: (T,)."""
        levels = self._levels[self._index(head), cell]
        return to_weights(np.where(levels > _NEAREST, levels, 0).astype(np.uint8))

    def arcs(self, cell: int, head: Head | None, most: int) -> tuple[Arc, ...]:
        """Return the steps with the largest weights for ``cell``, each in its voice."""
        weights, voice = self.attention_row(cell, head), cell % _VOICES
        order = np.argsort(weights, kind="stable")[::-1][:most].tolist()
        return tuple(Arc(step, voice, float(weights[step])) for step in order if weights[step] > 0)

    def profile(self, cell: int, head: Head | None) -> Profile:
        """Return the weights of ``cell`` by step: (T, 1)."""
        return Profile(self.attention_row(cell, head)[:, None], 0.0)

    def describe(self, cell: int, column: int, weight: float) -> str:
        """Describe a dot of the map: query, weight, step."""
        piece = self.chorale
        at = names.position(column, piece.meter, piece.pickup)
        return f"{cell_name(piece, cell)}: {percent(weight)} on {at}"

    def is_visible(self, cell: int, column: int) -> bool:
        """Return whether ``cell`` can attend to a column: it sees both sides."""
        return self.has_cell(cell) and 0 <= column < self.columns

    def by_lag(self, head: Head | None, cell: int | None) -> tuple[Share, ...]:
        """Return the shares of attention by distance, from the past to the future."""
        masses = self._masses[self._index(head)]
        known = masses[self._known]
        whole = known.mean(axis=0) if len(known) else np.zeros(len(BOTH_SIDES), dtype=np.float32)
        here = [None] * len(whole)
        if cell is not None and self.has_cell(cell):
            here = masses[cell].tolist()
        return tuple(map(Share, BOTH_SIDES, whole.tolist(), here))

    def by_voice(self, head: Head | None, cell: int | None) -> tuple[Share, ...]:
        """Return nothing: a key is a step with all voices."""
        del head, cell
        return ()

    def has_cell(self, cell: int | None) -> bool:
        """Return whether ``cell`` exists and is known."""
        return cell is not None and 0 <= cell < self.tokens and bool(self._known[cell])

    def _by_distance(self, weights: Weights, step: int) -> Weights:
        """Sum ``weights`` (heads, T) over the classes of ``BOTH_SIDES``: (heads, 9)."""
        meter, steps = self.chorale.meter, weights.shape[-1]
        beat, bar = written_unit(meter), meter.steps
        edges = [-bar, -beat, -1, 0, 1, 2, beat + 1, bar + 1]
        places = np.clip([step + edge for edge in edges], 0, steps)
        sums = np.zeros((len(weights), steps + 1), dtype=np.float32)
        np.cumsum(weights, axis=-1, out=sums[:, 1:])
        masses: Weights = np.diff(sums[:, [0, *places.tolist(), steps]], axis=-1)
        return masses

    def _add_pixels(self, cell: int) -> None:
        """Update the thumbnails' row of a cell: the largest level of each block."""
        size = self._pixels.shape[-1]
        edges = -(-np.arange(size) * self.columns // size)
        row = cell * size // self.tokens
        known = np.maximum.reduceat(self._levels[:, cell], edges, axis=-1)
        np.maximum(self._pixels[:, row], known, out=self._pixels[:, row])
