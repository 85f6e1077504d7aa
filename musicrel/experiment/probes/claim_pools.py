"""The observations behind the claims of 2018, by piece: shares of attention, and repetition.

Dimensions: H heads after their mean, L layers, M heads per layer, R rows, S columns, P pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

import numpy as np

from musicrel.analysis.claims import repetition
from musicrel.analysis.claims.claim_shares import CELLS, STEPS, ClaimShares, Places, Shares, Weights
from musicrel.analysis.claims.intervals import Pool
from musicrel.analysis.claims.measures import OF_PIECES
from musicrel.chorale import Chorale, Voice
from musicrel.generation.ablation import sources
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.scoring.teacher_forcing import conditions_of, score_cells

_GROWTH: Final = "last_events_growth"
_THIRDS: Final = 3


@dataclass(frozen=True, slots=True)
class ShareMeans:
    """The shares of a model on one piece, by measure."""

    # sums over the rows, (1 + H,): of the mean of all heads, then of each head
    totals: Mapping[str, Shares]
    even: Mapping[str, float]  # sum of the shares that equal weights would give
    counts: Mapping[str, int]  # number of rows


@dataclass(frozen=True, slots=True)
class PiecePools:
    """The observations of several pieces, by measure."""

    # of the mean of all heads, then of each head; of pieces only one
    heads: Mapping[str, Sequence[Pool]]
    # of equal weights; empty for measures of pieces
    even: Mapping[str, Pool] = field(default_factory=dict)

    @classmethod
    def of_shares(cls, pieces: Sequence[ShareMeans]) -> Self:
        """Return the observations of attention to ``pieces``."""
        heads, even = {}, {}
        for name in pieces[0].totals:
            counts_P = np.array([piece.counts[name] for piece in pieces], dtype=np.float64)
            totals_PH = np.stack([piece.totals[name] for piece in pieces])
            even_P = np.array([piece.even[name] for piece in pieces])
            heads[name] = [Pool(totals_P, counts_P) for totals_P in totals_PH.T]
            even[name] = Pool(even_P, counts_P)
        return cls(heads, even)

    @classmethod
    def of_repetition(cls, pieces: Sequence[Chorale], without: Collection[str] = ()) -> Self:
        repeated = [repetition.repeated_notes(piece).ravel() for piece in pieces]
        owners = np.repeat(np.arange(len(pieces)), [len(values) for values in repeated])
        pools = (
            Pool.of(np.concatenate(repeated), owners, len(pieces)),
            Pool.of_units([repetition.longest_pitch(piece) for piece in pieces]),
        )
        named = zip(OF_PIECES, pools, strict=True)
        return cls({name: [pool] for name, pool in named if name not in without})


def measure_attention(model: LoadedModel, piece: Chorale) -> ShareMeans:
    """Return the shares of a model on a piece; only some rows of weights exist at a time."""
    causal = model.config.is_causal
    shares = ClaimShares.of(piece, CELLS if causal else STEPS)
    parts, cells = [], []
    for weights_HRS, cells_R in _rows(model, piece) if causal else _infill_rows(model, piece):
        parts.append(shares.measure(weights_HRS, cells_R))
        cells.append(cells_R)
    values = {name: np.concatenate([part[name] for part in parts], axis=1) for name in parts[0]}
    even = {name: row[None] for name, row in shares.even(np.concatenate(cells)).items()}
    values, even = _with_growth(values), _with_growth(even)
    return ShareMeans(
        totals={name: np.nansum(values_HR, axis=1) for name, values_HR in values.items()},
        even={name: float(np.nansum(values_1R)) for name, values_1R in even.items()},
        counts={name: int((~np.isnan(values_HR[0])).sum()) for name, values_HR in values.items()},
    )


def _rows(model: LoadedModel, piece: Chorale) -> Iterator[tuple[Weights, Places]]:
    """Yield rows of a causal model, (1 + H, R, S), and the cells that they predict."""
    for scores in score_cells(model, piece, conditions_of(piece)):
        if scores.weights is not None:
            yield _with_mean(scores.weights), scores.first + np.arange(scores.weights.shape[2])


def _infill_rows(model: LoadedModel, piece: Chorale) -> Iterator[tuple[Weights, Places]]:
    """Yield rows of an infilling model: those of the cells of one hidden note at a time."""
    from musicrel.generation.infill.masked_attention import MaskedAttention  # noqa: PLC0415  # torch

    notes_N = sources.note_numbers(piece)
    reader = MaskedAttention(model, piece, conditions_of(piece), notes_N)
    for first in np.unique(notes_N, return_index=True)[1].tolist():
        cells_R, weights_RLMT = reader.rows(first)
        yield _with_mean(weights_RLMT.transpose(1, 2, 0, 3)), cells_R


def _with_mean(weights_LMRS: Weights) -> Weights:
    """Return the mean of all heads, then all heads by layer: (1 + H, R, S)."""
    weights_HRS = weights_LMRS.reshape(-1, *weights_LMRS.shape[2:])
    found: Weights = np.concatenate((weights_HRS.mean(axis=0, keepdims=True), weights_HRS))
    return found


def _with_growth(values: Mapping[str, Shares]) -> dict[str, Shares]:
    """Add the growth of the last events' share from the first to the last third of the rows."""
    if "last_events" not in values:
        return dict(values)
    known_HR = values["last_events"][:, len(Voice) :]  # step 0 has no share
    third = known_HR.shape[1] // _THIRDS
    growth_H = np.full(len(known_HR), np.nan)
    if third:
        growth_H = known_HR[:, -third:].mean(axis=1) - known_HR[:, :third].mean(axis=1)
    return {**values, _GROWTH: growth_H[:, None]}
