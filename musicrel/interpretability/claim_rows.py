"""Meters of the claims of 2018 for one or two models: values of a piece, beside Bach's own.

The measures are those of ``musicrel.analysis.claims``. Within one piece the intervals come from a
bootstrap over its bars, those of Bach from one over the test pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from musicrel.analysis.claims import claim_shares, intervals
from musicrel.analysis.claims.claim_shares import (
    MEASURES,
    OF_PIECES,
    ClaimShares,
    Measure,
    Places,
)
from musicrel.analysis.claims.intervals import Estimate, Pool
from musicrel.chorale import Chorale, Voice
from musicrel.generation.heads.mutes import Head
from musicrel.interpretability.piece_analysis import PieceAnalysis, to_weights
from musicrel.language import decimal, tr

SHOWN: Final = (
    "step_before",
    "every_voice",
    "phrase_start",
    "last_events",
    "repeated_notes",
    "longest_pitch",
)  # measures with a meter, from the top
NO_CADENCE: Final = tr("No cadence was found in this piece.")
NOT_ITS_PIECE: Final = tr("No model on this page wrote this piece.")
NOTHING_YET: Final = tr("Nothing to measure yet.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRow:
    measure: Measure
    first: Estimate | None = None  # value of the first model; None where there is none
    second: Estimate | None = None  # value of the second model
    bach: Estimate | None = None  # Bach's own; None for measures of attention
    even: float | None = None  # share that equal weights would have; None for measures of pieces
    remark: str = ""  # reason why values are missing, one sentence; "" if none is

    @property
    def full(self) -> float:
        return max([*(one.high for _, one in self.values), self.even or 0.0])

    @property
    def values(self) -> tuple[tuple[str, Estimate], ...]:
        named = (("A", self.first), ("B", self.second), ("Bach", self.bach))
        return tuple((letter, value) for letter, value in named if value is not None)


_Values: TypeAlias = tuple[dict[str, Estimate], dict[str, float]]
"""The estimates and the even shares of one model by measure."""


def claim_rows(
    first: PieceAnalysis | None,
    second: PieceAnalysis | None = None,
    heads: tuple[Head | None, Head | None] = (None, None),
) -> tuple[ClaimRow, ...]:
    """Return the meters of one or two models, of one piece or of a piece each.

    Repetition is that of a piece, so a model has it only for a piece that it wrote. Measures that
    apply to none of the models are left out. A head may be None for the mean of all.
    """
    there = [analysis for analysis in (first, second) if analysis is not None]
    models: list[_Values] = [
        _measured(analysis, head) if analysis is not None else ({}, {})
        for analysis, head in zip((first, second), heads, strict=True)
    ]
    by_voice = any(analysis.is_causal for analysis in there)
    wrote = any(analysis.wrote for analysis in there)
    rows = (_row(MEASURES[name], *models, wrote=wrote) for name in SHOWN)
    return tuple(
        row for row in rows if by_voice or row.measure.name not in ("every_voice", "last_events")
    )


def figure(measure: Measure, value: float) -> str:
    if measure.unit == "quarters":
        return tr("{number:.1f} quarters", number=value)
    return f"{decimal(100 * value, '.1f')} %"


def in_words(row: ClaimRow, names: tuple[str, str]) -> str:
    named = {"A": names[0], "B": names[1], "Bach": "Bach"}
    over = {"Bach": tr("{pieces} test pieces", pieces=claim_shares.PIECES)}
    lines = [
        f"{named[letter]}: "
        + _with_interval(row.measure, value, over.get(letter, tr("the bars of the piece")))
        for letter, value in row.values
    ]
    if row.even is not None:
        lines.append(tr("Equal weights: {share}", share=figure(row.measure, row.even)))
    claim = tr("Claim: {claim}", claim=row.measure.claim)
    return "\n".join((claim, *lines, *filter(None, (row.remark,))))


def table(rows: tuple[ClaimRow, ...], legend: tuple[str, str]) -> Iterator[tuple[object, ...]]:
    yield ("claim", "of", "value", "low", "high")
    names = {"A": legend[0], "B": legend[1], "Bach": "Bach"}
    for row in rows:
        for letter, value in row.values:
            yield (row.measure.name, names[letter], *(round(number, 6) for number in value))
        if row.even is not None:
            yield (row.measure.name, "equal weights", round(row.even, 6), "", "")


def _with_interval(measure: Measure, value: Estimate, over: str) -> str:
    share, low, high = (figure(measure, one) for one in (value.value, value.low, value.high))
    if value.low == value.high:
        return share
    text = tr("{share} (95 % interval over {over}: {low} to {high})")
    return text.format(share=share, over=over, low=low, high=high)


def _row(measure: Measure, *models: _Values, wrote: bool) -> ClaimRow:
    first, second = (values.get(measure.name) for values, _ in models)
    even = [known[measure.name] for _, known in models if measure.name in known]
    remark = ""
    if first is second is None:
        remark = NO_CADENCE if measure.name == "phrase_start" else NOTHING_YET
        if measure.name in OF_PIECES and not wrote:
            remark = NOT_ITS_PIECE
    return ClaimRow(
        measure=measure,
        first=first,
        second=second,
        bach=claim_shares.OF_BACH.get(measure.name),
        even=float(np.mean(even)) if even else None,
        remark=remark,
    )


def _measured(analysis: PieceAnalysis, head: Head | None) -> _Values:
    piece = analysis.chorale
    bars = _bar_numbers(piece)
    draws = intervals.draws(int(bars[-1]) + 1, np.random.default_rng(0), 500)
    pools, even = _attention_pools(analysis, head, bars)
    if analysis.wrote:
        repeated = claim_shares.repeated_notes(piece).ravel()
        pools["repeated_notes"] = Pool.of(repeated, np.repeat(bars, len(Voice)), bars[-1] + 1)
    values = {name: value for name, pool in pools.items() if (value := intervals.mean(pool, draws))}
    if analysis.wrote and (longest := claim_shares.longest_pitch(piece)):
        values["longest_pitch"] = Estimate(longest, longest, longest)
    return values, even


def _attention_pools(
    analysis: PieceAnalysis, head: Head | None, bars: Places
) -> tuple[dict[str, Pool], dict[str, float]]:
    shares, rows = ClaimShares.of(analysis.chorale, analysis.columns), analysis.known
    if not (analysis.has_weights and rows.size):
        return {}, {}
    units = bars[rows // len(Voice)]
    levels = analysis.map(head)[None, rows]
    known = shares.measure(levels, rows, decode=to_weights)
    pools = {name: Pool.of(found[0], units, int(bars[-1]) + 1) for name, found in known.items()}
    even = shares.even(rows)
    return pools, {
        name: float(np.nanmean(even[name])) for name, pool in pools.items() if pool.counts_U.any()
    }


def _bar_numbers(piece: Chorale) -> Places:
    lead = -piece.pickup % piece.meter.steps
    numbers: Places = (np.arange(piece.steps) + lead) // piece.meter.steps
    return numbers
