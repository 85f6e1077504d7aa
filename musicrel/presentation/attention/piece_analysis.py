"""Attention and surprisal of a model over a piece, cell by cell.

An analysis grows while the piece is generated, or is made at once from a given piece. Cells run
S A T B of step 0, then step 1 ...; the row of a cell has the attention weights of START (column 0)
and of every cell before (column m is cell m - 1) when it was predicted.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Chorale, Voice
from musicrel.generation.heads.mutes import Head
from musicrel.meter_beats import written_unit
from musicrel.presentation.attention.attention_record import (
    Arc,
    AttentionRecord,
    Levels,
    Weights,
    to_levels,
)
from musicrel.presentation.attention.downsampled_map import DownsampledMap
from musicrel.presentation.words import names

THUMBNAIL: Final = 60
"""Maximum width of a thumbnail in dots."""
LAGS: Final = (
    "START",
    "earlier",
    "within a bar",
    "within a beat",
    "step before",
    "same step",
)
"""Classes of distance to the attended cell, the farthest first."""
LAG_MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "START": "a cell before the first note",
        "earlier": "more than a bar before the note",
        "within a bar": "up to a bar before the note, but more than a beat",
        "within a beat": "up to a beat before the note, but not the step before",
        "step before": "the sixteenth before the note",
        "same step": "the same sixteenth",
        "step after": "the sixteenth after the note",
        "a beat after": "up to a beat after the note, but not the step after",
        "a bar after": "up to a bar after the note, but more than a beat",
        "later": "more than a bar after the note",
    }
)
"""Explanations of the classes, those of models that see both sides included."""
_VOICES: Final = len(Voice)


class Share(NamedTuple):
    """The share of attention that a class of cells receives."""

    name: str
    whole: float  # mean over all cells, 0 to 1
    here: float | None  # of one cell, 0 to 1; None without a cell


class Profile(NamedTuple):
    """The attention of one cell over the piece."""

    # float32 (T, 4), a column for each voice, or (T, 1) where a key is a whole step
    weights: Weights
    start: float


class PieceAnalysis:
    """Attention weights and surprisal of a model over a piece, as far as known.

    This is the self-attention of a causal model; ``StepAnalysis`` has steps as keys.

    Args:
        layers: of the model; 0 if weights are not kept.
        wrote: True if this model wrote the piece.

    Attributes:
        cross: the attention of the same model to the given notes; None without cross-attention.
    """

    first_column: int = 1
    """The column of the first cell or step; before it is START."""
    cells_per_column: int = 1
    kind: str = ""
    """The kind of attention in words; "" for self-attention."""

    def __init__(
        self, chorale: Chorale, model: str, layers: int, heads: int, *, wrote: bool
    ) -> None:
        self.chorale, self.model, self.wrote = chorale, model, wrote
        self.layers, self.heads = layers, heads
        self.tokens = chorale.steps * _VOICES
        self.cells = 0
        """Number of known cells."""
        self.cross: PieceAnalysis | None = None
        self._nats = np.full(self.tokens, np.nan, dtype=np.float32)
        self._allocate(1 + layers * heads)

    def _allocate(self, heads_and_mean: int) -> None:
        """Make room for the weights of all heads, the mean first."""
        self._record = AttentionRecord(heads_and_mean, self.tokens)
        self._thumbnails = DownsampledMap(self.tokens, THUMBNAIL, heads_and_mean)
        self._lags = np.zeros((heads_and_mean, self.tokens, len(LAGS)), dtype=np.float32)
        self._voices = np.zeros((heads_and_mean, self.tokens, _VOICES), dtype=np.float32)

    def add(self, row: Weights | None, nats: float) -> None:
        """Append the next cell.

        Args:
            row: weights of START and of the n cells before: (layers, heads, n + 1); None without
                weights.
        """
        if row is not None:
            self._add_weights(self.cells, row)
        self._nats[self.cells] = nats
        self.cells += 1

    def finish(self, chorale: Chorale) -> None:
        """Replace the plan by the generated piece, which may be shorter."""
        self.chorale = chorale
        self.cells = min(self.cells, chorale.steps * _VOICES)

    @property
    def columns(self) -> int:
        return self.tokens

    @property
    def is_complete(self) -> bool:
        return self.cells >= self.chorale.steps * _VOICES

    @property
    def has_weights(self) -> bool:
        """Return whether attention weights are known, not only surprisal."""
        return self.layers > 0

    @property
    def nats(self) -> npt.NDArray[np.float32]:
        """Return -log p of every cell, (T, 4); nan where unknown."""
        return self._nats.reshape(-1, _VOICES)

    def map(self, head: Head | None) -> Levels:
        """Return the map of a head (None: mean of all heads): (cells, cells), a view."""
        return self._record.map(self._index(head))

    @property
    def thumbnails(self) -> Levels:
        """Return the downsampled map of the mean head, then those of all heads by layer.

        They are uint8 (1 + layers * heads, n, n) of the whole piece, 0 where nothing is known yet.
        """
        return self._thumbnails.pixels

    def attention_row(self, cell: int, head: Head | None) -> Weights:
        """Return the weights of ``cell`` over START and every cell before: (cell + 1,)."""
        return self._record.attention_row(cell, self._index(head))

    def arcs(self, cell: int, head: Head | None, most: int) -> tuple[Arc, ...]:
        """Return the cells with the largest weights for ``cell``, largest first, without START."""
        return self._record.arcs(cell, self._index(head), most)

    def profile(self, cell: int, head: Head | None) -> Profile:
        """Return the weights of ``cell`` by step and voice."""
        row = self.attention_row(cell, head)
        weights = np.zeros(self.tokens, dtype=np.float32)
        weights[:cell] = row[1:]
        return Profile(weights.reshape(-1, _VOICES), float(row[0]))

    def describe(self, cell: int, column: int, weight: float) -> str:
        """Describe a dot of the map: query, weight, key."""
        return pair(self.chorale, cell, column, weight)

    def is_visible(self, cell: int, column: int) -> bool:
        return 0 <= column <= cell

    def by_lag(self, head: Head | None, cell: int | None) -> tuple[Share, ...]:
        """Return the shares of attention by distance, the nearest first."""
        return _shares(self._lags[self._index(head), : self.cells], LAGS, cell)[::-1]

    def by_voice(self, head: Head | None, cell: int | None) -> tuple[Share, ...]:
        """Return the shares of attention by voice; they exclude START."""
        titles = tuple(voice.title for voice in Voice)
        return _shares(self._voices[self._index(head), : self.cells], titles, cell)

    def has_cell(self, cell: int | None) -> bool:
        """Return whether ``cell`` exists and is known."""
        return cell is not None and 0 <= cell < self.cells

    def _index(self, head: Head | None) -> int:
        """Return the place of a head in all arrays; the mean is first."""
        return 0 if head is None else 1 + head.layer * self.heads + head.head

    def _add_weights(self, cell: int, row: Weights) -> None:
        heads = row.reshape(-1, cell + 1)
        weights = np.concatenate((heads.mean(axis=0, keepdims=True), heads))
        levels = to_levels(weights)
        self._record.add(levels)
        self._thumbnails.add_rows(levels[:, None])
        meter = self.chorale.meter
        self._lags[:, cell] = _by_lag(weights, cell, written_unit(meter), meter.steps)
        self._voices[:, cell] = _by_voice(weights)


def _by_lag(weights: Weights, cell: int, beat: int, bar: int) -> Weights:
    """Sum ``weights`` over the classes of ``LAGS``: (heads, 6).

    Args:
        weights: (heads, cell + 1).
        beat: sixteenths in a beat.
        bar: sixteenths in a bar.
    """
    step = cell // _VOICES
    starts = [1 + _VOICES * max(step - back, 0) for back in (bar, beat, 1, 0)]
    sums = np.zeros((len(weights), cell + 2), dtype=np.float32)
    np.cumsum(weights, axis=-1, out=sums[:, 1:])
    masses: Weights = np.diff(sums[:, [0, 1, *starts, cell + 1]], axis=-1)
    return masses


def _by_voice(weights: Weights) -> Weights:
    """Sum ``weights`` over the voices attended to, without START: (heads, 4)."""
    return np.stack([weights[:, 1 + voice :: _VOICES].sum(axis=-1) for voice in Voice], axis=-1)


def _shares(masses: Weights, titles: tuple[str, ...], cell: int | None) -> tuple[Share, ...]:
    """Name the masses of a head: (cells, classes)."""
    whole = masses.mean(axis=0) if len(masses) else np.zeros(len(titles), dtype=np.float32)
    here = masses[cell].tolist() if cell is not None and cell < len(masses) else [None] * len(whole)
    return tuple(map(Share, titles, whole.tolist(), here))


def head_name(head: Head | None) -> str:
    return str(head) if head else "Mean of all heads"


def with_heads(models: tuple[str, str], heads: tuple[Head | None, Head | None]) -> tuple[str, str]:
    """Return models with their heads, as 'relative, layer 1, head 3'; "" without a model."""
    first, second = (
        f"{model}, {head_name(head).lower()}" if model else ""
        for model, head in zip(models, heads, strict=True)
    )
    return first, second


def cell_name(chorale: Chorale, cell: int) -> str:
    """Describe a cell, as 'Alto F♯4 (bar 2, beat 1½)'."""
    step, voice = divmod(cell, _VOICES)
    midi = int(chorale.pitches[step, voice])
    pitch = "rest" if midi == REST else names.pitch(midi, chorale.key)
    return f"{Voice(voice).title} {pitch} ({names.position(step, chorale.meter, chorale.pickup)})"


def pair(chorale: Chorale, cell: int, column: int, weight: float) -> str:
    """Describe a dot of a map: query, weight, key.

    Args:
        weight: 0 to 1.
    """
    at = "START" if column == 0 else cell_name(chorale, column - 1)
    return f"{cell_name(chorale, cell)}: {percent(weight)} on {at}"


def percent(weight: float) -> str:
    share = 100 * weight
    if 0 < share < 0.1:  # noqa: PLR2004
        return "< 0.1 %"
    return f"{share:.1f} %" if 0 < share < 1 else f"{share:.0f} %"
