"""Shares of attention that Huang et al. 2018 describe, for every predicted cell.

"Visualizing Music Transformer" (Huang, Dinculescu, Vaswani and Eck, NIPS 2018 workshop IRASL)
reports of models of chorales: with relative attention they attend more consistently to all voices
of the step before, and at cadences to the beginning of the phrase; without it, attention often
shrinks to the two or three events before. With the weights w of a row on its columns:

- ``step_before``: the sum of w over the four cells of the step before;
- ``every_voice``: four times the least of these four weights, the part that all voices have alike;
- ``phrase_start``: at a cadence, the sum of w over the first quarter of the phrase;
- ``phrase_start_excess``: the same minus the sum over the phrase's second quarter;
- ``last_events``: the sum of w over the three cells before.

A cadence lasts from a quarter before a phrase end with a cadence of any kind to its first step
(``musicrel.analysis.cadences``); phrases whose second quarter ends later do not count. START is no
event. Rows at step 0 have no shares.

Dimensions: H heads, R rows, S columns, T steps.

Repetition in a piece: repeated notes, and the longest stay of a voice on one pitch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.analysis import cadences, events
from musicrel.analysis.claims.intervals import Estimate
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Flags, Voice
from musicrel.language import tr

Floats = npt.NDArray[np.float64]


class Measure(NamedTuple):
    name: str
    title: str
    claim: str
    rises: bool  # whether the claim is that it is larger with relative attention
    alone: bool = False  # whether the claim is instead that it is above 0 with relative attention
    unit: Literal["%", "quarters"] = "%"  # per cent of attention or of notes, or quarter notes


MEASURES: Final[Mapping[str, Measure]] = MappingProxyType({measure.name: measure for measure in (
    Measure("step_before", tr("All voices of the step before"),
            tr("With relative attention, more weight is on the voices of the step before."),
            rises=True),
    Measure("every_voice", tr("Shared by these four voices alike"),
            tr("With relative attention, all four voices of the step before get weight."),
            rises=True),
    Measure("phrase_start", tr("Phrase beginning, at cadences"),
            tr("At cadences, relative attention puts more weight on the phrase beginning."),
            rises=True),
    Measure("phrase_start_excess", tr("Phrase beginning above its second quarter"),
            tr("At cadences, relative attention prefers the phrase beginning to the quarter after "
               "it."),
            rises=True, alone=True),
    Measure("last_events", tr("The last three events"),
            tr("Without relative attention, weight shrinks to the last three events."),
            rises=False),
    Measure("last_events_growth", tr("Growth of the last three events' share"),
            tr("Without relative attention, weight shrinks to the last three events in the "
               "course of a piece."), rises=False),
    Measure("repeated_notes", tr("Repeated notes"),
            tr("Without relative attention, more notes repeat the pitch before."), rises=False),
    Measure("longest_pitch", tr("Longest stay on one pitch"),
            tr("Without relative attention, a voice stays longer on one pitch."),
            rises=False, unit="quarters"),
)})  # fmt: skip
OF_PIECES: Final = ("repeated_notes", "longest_pitch")
"""Measures of pieces, which Bach's have, too; the others are of attention."""
PIECES: Final = 75  # number of test pieces by Bach behind ``OF_BACH``
OF_BACH: Final[Mapping[str, Estimate]] = MappingProxyType(
    {
        "repeated_notes": Estimate(0.14335, 0.13345, 0.15387),
        "longest_pitch": Estimate(5.0967, 4.7267, 5.5000),
    }
)
"""Bach's own repetition by measure, with the intervals of ``intervals`` at seed 0.

``tests/unit/analysis/claims/test_claim_shares.py`` computes it again.
"""


def repeated_notes(piece: Chorale) -> Floats:
    """Mark the notes that repeat a pitch: float64 (T, 4).

    1 where a note begins on the pitch that its voice had in the step before, 0 where it begins on
    another, nan where no note begins or the voice was silent before. The mean is the rate of
    repeated notes.
    """
    before, now = piece.pitches[:-1], piece.pitches[1:]
    starts = piece.onsets[1:] & (before != REST)
    found = np.full(piece.pitches.shape, np.nan)
    found[1:] = np.where(starts, before == now, np.nan)
    return found


def longest_pitch(piece: Chorale) -> float:
    """Return the longest time that a voice stays on one pitch, repeated or held, in quarters."""
    longest = 0
    for voice in Voice:
        pitches, lengths = events.merge_repeats(piece.pitches[:, voice])
        longest = max(longest, int(lengths[pitches != REST].max(initial=0)))
    return longest / STEPS_PER_QUARTER


Places = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float32] | npt.NDArray[np.float64]
Shares = npt.NDArray[np.float64]
Stored: TypeAlias = npt.NDArray[Any]
Decode: TypeAlias = Callable[[Stored], Weights]
Read: TypeAlias = Callable[[Places, int, Flags], Shares]
"""Returns weights by first column, their number, and whether a row has them."""

LAST_EVENTS: Final = 3  # cells that count as the last events, "two or three" in the source
_VOICES: Final = len(Voice)
_NOWHERE: Final = -1


class Columns(NamedTuple):
    before: int  # columns before those of step 0
    per_step: int


CELLS: Final = Columns(before=1, per_step=_VOICES)
"""The columns of a causal model: START, then all cells."""
STEPS: Final = Columns(before=0, per_step=1)
"""The columns of an infilling model. Its weights do not divide by voice, and nothing is last: such
a model has no shares ``every_voice`` and ``last_events``."""


def phrase_starts(piece: Chorale) -> Places:
    """Return the first step of the phrase for every step at a cadence, -1 elsewhere: int64 (T,)."""
    starts = np.full(piece.steps, _NOWHERE, dtype=np.int64)
    sounding = np.flatnonzero((piece.pitches != REST).any(axis=1))
    begin = int(sounding[0]) if sounding.size else 0
    for end in cadences.phrase_ends(piece):
        approach = end.step - STEPS_PER_QUARTER
        if end.kind and begin + 2 * STEPS_PER_QUARTER <= approach:
            starts[approach : end.step + 1] = begin
        begin = end.stop
    return starts


@dataclass(frozen=True, slots=True)
class ClaimShares:
    starts_T: Places
    columns: Columns = CELLS

    @classmethod
    def of(cls, piece: Chorale, columns: Columns = CELLS) -> ClaimShares:
        return cls(phrase_starts(piece), columns)

    def measure(
        self, weights_HRS: Stored, cells_R: Places, decode: Decode | None = None
    ) -> Mapping[str, Shares]:
        """Return the shares of some rows, float64 (H, R) by name, nan where a row has none.

        ``decode`` turns stored values into weights. Cell 4 t + v is voice v at step t.
        """
        read = partial(_gathered, weights_HRS, decode=decode)
        steps_R = cells_R // _VOICES
        before_HRK = self._at_steps(read, steps_R - 1, 1)
        starts_R = np.where(steps_R > 0, self.starts_T[steps_R], _NOWHERE)
        start_HR = self._at_steps(read, starts_R, STEPS_PER_QUARTER).sum(-1)
        next_R = np.where(starts_R < 0, _NOWHERE, starts_R + STEPS_PER_QUARTER)
        next_HR = self._at_steps(read, next_R, STEPS_PER_QUARTER).sum(-1)
        found = {
            "step_before": before_HRK.sum(-1),
            "phrase_start": start_HR,
            "phrase_start_excess": start_HR - next_HR,
        }
        if self.columns == CELLS:
            last_R = np.where(steps_R > 0, cells_R - LAST_EVENTS, _NOWHERE)
            found["every_voice"] = _VOICES * before_HRK.min(-1)
            last_HRK = read(self.columns.before + last_R, LAST_EVENTS, last_R >= 0)
            found["last_events"] = last_HRK.sum(-1)
        return found

    def even(self, cells_R: Places) -> Mapping[str, Shares]:
        """Return the shares of equal weights on all columns that a row may read, (R,) by name."""
        steps = len(self.starts_T)
        width = self.columns.before + self.columns.per_step * steps
        readable_R = cells_R + 1 if self.columns == CELLS else np.full(len(cells_R), width)
        weights_1RS = np.broadcast_to((1 / readable_R)[None, :, None], (1, len(cells_R), width))
        found = self.measure(weights_1RS, cells_R)
        return {name: shares_1R[0] for name, shares_1R in found.items()}

    def _at_steps(self, read: Read, first_R: Places, steps: int) -> Shares:
        """Return the weights on all columns of some steps, (H, R, columns), nan below step 0."""
        start_R = self.columns.before + self.columns.per_step * first_R
        return read(start_R, steps * self.columns.per_step, first_R >= 0)


def _gathered(
    weights_HRS: Stored, first_R: Places, count: int, known_R: Flags, *, decode: Decode | None
) -> Shares:
    """Return ``count`` weights of each row from a column on, (H, R, count), nan where unknown."""
    columns_RK = np.where(known_R, first_R, 0)[:, None] + np.arange(count)
    columns_RK = np.minimum(columns_RK, weights_HRS.shape[-1] - 1)  # of unknown rows only
    stored = weights_HRS[:, np.arange(len(first_R))[:, None], columns_RK]
    found: Shares = (stored if decode is None else decode(stored)).astype(np.float64)
    found[:, ~known_R] = np.nan
    return found
