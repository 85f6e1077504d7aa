"""Attention and surprisal of a model over a piece, cell by cell.

An analysis grows while the piece is generated, or is made from a given piece. A row of a map is a
predicted cell: S A T B of step 0, then of step 1 and so on. A column is what it attended to: START
and the cells before it (of a causal model), or whole steps (of an infilling model, and of
cross-attention to given notes), whose rows become known in any order.

Maps hold square roots of weights as levels 0 to 255: a quarter of the memory of float32, and a
weight of a hundredth is still a tenth of the scale. Level 0 is a column that the row cannot see or
a row that is not known yet; known weights have 1 at least.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.analysis.claims.claim_shares import CELLS, Columns
from musicrel.chorale import REST, Chorale, Flags, Voice
from musicrel.generation.heads.mutes import Head
from musicrel.interpretability.results import Places
from musicrel.language import decimal, tr
from musicrel.meter_beats import written_unit
from musicrel.presentation.words import names

Weights = npt.NDArray[np.float32]
Levels = npt.NDArray[np.uint8]

MAX_RECORDED_TOKENS: Final = 4096
"""Longer pieces keep no attention: the weights of all heads would take gigabytes."""
MAX_LEVEL: Final = 255  # level of weight 1
FULL_WEIGHTS: Final = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Possible ends of a colour scale: few, so that it rarely changes while a piece is written."""
THUMBNAIL: Final = 60  # maximum width of a thumbnail in dots
INFILL: Final = "masked note"
CROSS: Final = "cross-attention"
"""Kinds of attention in words; self-attention of a causal model has "", no word."""
LAG_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "START": ("START", tr("a cell before the first note")),
    "earlier": (tr("earlier"), tr("more than a bar before the note")),
    "within a bar": (tr("within a bar"), tr("up to a bar before the note, but more than a beat")),
    "within a beat": (
        tr("within a beat"), tr("up to a beat before the note, but not the step before")
    ),
    "step before": (tr("step before"), tr("the sixteenth before the note")),
    "same step": (tr("same step"), tr("the same sixteenth")),
    "step after": (tr("step after"), tr("the sixteenth after the note")),
    "a beat after": (tr("a beat after"), tr("up to a beat after the note, but not the step after")),
    "a bar after": (tr("a bar after"), tr("up to a bar after the note, but more than a beat")),
    "later": (tr("later"), tr("more than a bar after the note")),
}  # fmt: skip
"""Names and explanations of the classes of distances."""
LAGS: Final = tuple(LAG_WORDS)[:6]  # distances to the attended cell, the farthest first
BOTH_SIDES: Final = tuple(LAG_WORDS)[1:]  # to the attended step, from the past to the future
_VOICES: Final = len(Voice)
_KNOWN: Final = 1  # least level of a known weight; it stands for all weights below about 3e-5
_FULL_AT: Final = 0.995  # quantile of the weights that gets the last colour
_ROWS: Final = 200  # about the number of rows sampled for the quantile


class Share(NamedTuple):
    name: str  # in files: a class of distances, or a voice
    whole: float  # mean over all cells, 0 to 1
    here: float | None  # of one cell, 0 to 1; None without a cell

    @property
    def title(self) -> str:
        lag = LAG_WORDS.get(self.name)
        return lag[0] if lag else Voice[self.name.upper()].title


class Profile(NamedTuple):
    # float32 (T, 4), a column for each voice, or (T, 1) where a key is a whole step
    weights: Weights
    start: float


class PieceAnalysis:
    """Attention weights and surprisal of a model over a piece, as far as known.

    A model of 0 layers keeps no weights. ``given`` are the cells that an encoder reads, (T, 4).
    """

    def __init__(
        self,
        chorale: Chorale,
        model: str,
        layers: int,
        heads: int,
        *,
        wrote: bool,
        columns: Columns = CELLS,
        kind: str = "",
        given: Flags | None = None,
    ) -> None:
        self.chorale, self.model, self.wrote = chorale, model, wrote
        self.layers, self.heads = layers, heads
        self.columns, self.kind = columns, kind
        self.given = np.zeros(chorale.pitches.shape, dtype=np.bool_) if given is None else given
        self.cross: PieceAnalysis | None = None
        self.places: Places | None = None
        self.wanted: int | None = None
        self.cells, self.tokens = 0, chorale.steps * _VOICES
        self.width = chorale.steps * columns.per_step
        self._names = LAGS if self.is_causal else BOTH_SIDES
        self._nats = np.full(self.tokens, np.nan, dtype=np.float32)
        self._known = np.zeros(self.tokens, dtype=np.bool_)
        number, size = 1 + layers * heads, min(self.width, THUMBNAIL)
        # Room for all rows: the system gives memory when one is written, and no row is ever copied.
        stored = self.width if layers else 0
        self._levels: Levels = np.zeros((self.tokens, number, stored), dtype=np.uint8)
        classes = len(self._names) + _VOICES
        self._masses = np.zeros((number, self.tokens, classes), dtype=np.float32)
        self.thumbnails: Levels = np.zeros((number, size, size), dtype=np.uint8)
        """The downsampled map of the mean head, then those of all heads by layer."""
        self._edges = -(-np.arange(size) * self.width // max(size, 1))

    def add(self, row: Weights | None, nats: float) -> None:
        """Append the next cell of a causal model; row: (layers, heads, n + 1), START first."""
        self._nats[self.cells] = nats
        self.add_at(self.cells, row)

    def add_at(self, cell: int, row: Weights | None) -> None:
        if row is not None:
            self._add_weights(cell, row.reshape(-1, row.shape[-1]))
        if not self._known[cell]:
            self._known[cell] = True  # last: another thread may read the row now
            self.cells += 1

    def set_nats(self, nats: npt.NDArray[np.floating]) -> None:
        """Set -log p of every cell, (T, 4); all is known then if weights are not kept."""
        self._nats = nats.astype(np.float32).ravel()
        if not self.has_weights:
            self._known[:], self.cells = True, self.tokens

    def finish(self, chorale: Chorale) -> None:
        self.chorale = chorale
        self._known[chorale.steps * _VOICES :] = False
        self.cells = int(self._known.sum())

    @property
    def shape(self) -> tuple[int, int]:
        return self.layers, self.heads

    @property
    def is_causal(self) -> bool:
        return self.columns == CELLS

    @property
    def is_complete(self) -> bool:
        return self.cells >= self.chorale.steps * _VOICES

    @property
    def has_weights(self) -> bool:
        return self.layers > 0

    @property
    def known(self) -> npt.NDArray[np.int64]:
        return np.flatnonzero(self._known)

    @property
    def nats(self) -> npt.NDArray[np.float32]:
        """Return -log p of every cell, (T, 4); nan where unknown."""
        return self._nats.reshape(-1, _VOICES)

    def map(self, head: Head | None) -> Levels:
        """Return the map of a head (None: mean of all heads): (cells, columns), a view."""
        view: Levels = self._levels[:, self._index(head)]
        return view

    def full_weight(self, head: Head | None) -> float:
        """Return the weight of the last colour: the least of ``FULL_WEIGHTS`` with few above it."""
        levels = self.map(head)[: self.cells if self.is_causal else None]
        return float(full_weights(levels[None, :: max(len(levels) // _ROWS, 1)])[0])

    def has_cell(self, cell: int | None) -> bool:
        return cell is not None and 0 <= cell < self.tokens and bool(self._known[cell])

    def is_visible(self, cell: int, column: int) -> bool:
        return self.has_cell(cell) and 0 <= column < self._seen(cell)

    def attention_row(self, cell: int, head: Head | None) -> Weights:
        """Return the weights of ``cell`` over the columns that it sees: (columns,)."""
        return to_weights(self._levels[cell, self._index(head), : self._seen(cell)])

    def largest(
        self, cell: int, head: Head | None, most: int
    ) -> tuple[tuple[int, int, float], ...]:
        """Return step, voice and weight of the largest weights of ``cell``, without START.

        A whole step has the voice of the cell.
        """
        weights = self.attention_row(cell, head)[self.columns.before :]
        order = np.argsort(weights, kind="stable")[::-1][:most].tolist()
        places = (
            divmod(place, _VOICES) if self.is_causal else (place, cell % _VOICES) for place in order
        )
        return tuple(
            (step, voice, float(weights[place]))
            for place, (step, voice) in zip(order, places, strict=True)
            if weights[place] > 0
        )

    def profile(self, cell: int, head: Head | None) -> Profile:
        """Return the weights of ``cell`` by step and voice, or by step."""
        row = self.attention_row(cell, head)
        if not self.is_causal:
            return Profile(row[:, None], 0.0)
        weights = np.zeros(self.tokens, dtype=np.float32)
        weights[:cell] = row[1:]
        return Profile(weights.reshape(-1, _VOICES), float(row[0]))

    def by_lag(self, head: Head | None, cell: int | None) -> tuple[Share, ...]:
        """Return the shares by distance: the nearest first, or from the past to the future."""
        shares = self._shares(head, cell, 0, self._names)
        return shares[::-1] if self.is_causal else shares

    def by_voice(self, head: Head | None, cell: int | None) -> tuple[Share, ...]:
        """Return the shares by voice, without START; none where a key is a whole step."""
        titles = tuple(voice.part for voice in Voice) if self.is_causal else ()
        return self._shares(head, cell, len(self._names), titles)

    def describe(self, cell: int, column: int, weight: float) -> str:
        piece = self.chorale
        if not self.is_causal:
            at = names.position(column, piece.meter, piece.pickup)
        else:
            at = "START" if column == 0 else cell_name(piece, column - 1)
        row, share = cell_name(piece, cell), percent(weight)
        return tr("{row}: {share} on {column}", row=row, share=share, column=at)

    def _index(self, head: Head | None) -> int:
        return 0 if head is None else 1 + head.layer * self.heads + head.head

    def _seen(self, cell: int) -> int:
        return cell + 1 if self.is_causal else self.width

    def _add_weights(self, cell: int, heads: Weights) -> None:
        weights = np.concatenate((heads.mean(axis=0, keepdims=True), heads))
        seen, distances = weights.shape[-1], len(self._names)
        levels = np.maximum(to_levels(weights), _KNOWN)
        self._levels[cell, :, :seen] = levels
        sums = np.zeros((len(weights), seen + 1), dtype=np.float32)
        np.cumsum(weights, axis=-1, out=sums[:, 1:])
        self._masses[:, cell, :distances] = np.diff(sums[:, self._lag_edges(cell)], axis=-1)
        if self.is_causal:
            for voice in range(_VOICES):
                mass = weights[:, 1 + voice :: _VOICES].sum(axis=-1)
                self._masses[:, cell, distances + voice] = mass
        edges = self._edges[self._edges < seen]
        dots = self.thumbnails[:, cell * len(self._edges) // self.tokens, : len(edges)]
        np.maximum(dots, np.maximum.reduceat(levels, edges, axis=-1), out=dots)

    def _lag_edges(self, cell: int) -> list[int]:
        step, steps = cell // _VOICES, self.chorale.steps
        beat, bar = written_unit(self.chorale.meter), self.chorale.meter.steps
        if self.is_causal:
            starts = (1 + _VOICES * max(step - back, 0) for back in (bar, beat, 1, 0))
            return [0, 1, *starts, cell + 1]
        places = (step + edge for edge in (-bar, -beat, -1, 0, 1, 2, beat + 1, bar + 1))
        return [0, *(min(max(place, 0), steps) for place in places), steps]

    def _shares(
        self, head: Head | None, cell: int | None, first: int, titles: tuple[str, ...]
    ) -> tuple[Share, ...]:
        masses = self._masses[self._index(head), :, first : first + len(titles)]
        known = masses[self._known]
        whole = known.mean(axis=0) if len(known) else np.zeros(len(titles), dtype=np.float32)
        here = [None] * len(titles)
        if cell is not None and self.has_cell(cell):
            here = masses[cell].tolist()
        return tuple(map(Share, titles, whole.tolist(), here))


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisProgress:
    share: float  # of the piece, 0 to 1
    # the analysis as far as known, which the job continues to fill; None until it can be shown
    analysis: PieceAnalysis | None = None


def to_levels(weights: Weights) -> Levels:
    levels: Levels = np.rint(np.sqrt(weights.clip(0.0, 1.0)) * MAX_LEVEL).astype(np.uint8)
    return levels


def to_weights(levels: Levels) -> Weights:
    """Invert ``to_levels``, up to rounding; the least level of a known weight is 0."""
    above = np.where(levels > _KNOWN, levels, 0).astype(np.float32)
    weights: Weights = np.square(above / MAX_LEVEL)
    return weights


def full_weights(levels: Levels) -> npt.NDArray[np.float64]:
    """Return the weight of the last colour for each map: uint8 (maps, rows, columns) -> (maps,)."""
    shape = len(levels), MAX_LEVEL + 1
    numbered = levels.reshape(len(levels), -1) + shape[1] * np.arange(len(levels))[:, None]
    counts = np.bincount(numbered.ravel(), minlength=math.prod(shape)).reshape(shape)
    counts = counts[:, _KNOWN + 1 :]
    counts[:, -1] += ~counts.any(axis=1)  # without weights, the scale ends at 1
    below = counts.cumsum(axis=1)
    last = _KNOWN + 1 + (below < _FULL_AT * below[:, -1:]).sum(axis=1)
    ends = np.array(FULL_WEIGHTS)
    full: npt.NDArray[np.float64] = ends[np.searchsorted(ends, (last / MAX_LEVEL) ** 2)]
    return full


def shrunk(levels: Levels, rows: int, columns: int) -> Levels:
    for axis, size in enumerate((rows, columns)):
        length = levels.shape[axis]
        if length > size:
            edges = -(-np.arange(size) * length // size)
            levels = np.maximum.reduceat(levels, edges, axis=axis)
    return levels


def head_name(head: Head | None) -> str:
    return str(head) if head else tr("Mean of all heads")


def head_noun(head: Head | None) -> str:
    """Return the name of a head inside a sentence."""
    return head.noun if head else tr("mean of all heads")


def with_heads(models: tuple[str, str], heads: tuple[Head | None, Head | None]) -> tuple[str, str]:
    """Return models with their heads, as 'relative, layer 1, head 3'; "" without a model."""
    first, second = (
        f"{model}, {head_noun(head)}" if model else ""
        for model, head in zip(models, heads, strict=True)
    )
    return first, second


def cell_name(chorale: Chorale, cell: int) -> str:
    """Describe a cell, as 'Alto F♯4 (bar 2, beat 1½)'."""
    step, voice = divmod(cell, _VOICES)
    midi = int(chorale.pitches[step, voice])
    pitch = tr("rest") if midi == REST else names.pitch(midi, chorale.key)
    return f"{Voice(voice).title} {pitch} ({names.position(step, chorale.meter, chorale.pickup)})"


def percent(weight: float) -> str:
    share = 100 * weight
    if 0 < share < 0.1:  # noqa: PLR2004
        return f"< {decimal(0.1, '.1f')} %"
    return f"{decimal(share, '.1f' if 0 < share < 1 else '.0f')} %"
