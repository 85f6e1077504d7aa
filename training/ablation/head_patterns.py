"""Musical patterns that a head may carry, as scores of earlier cells and of predicted notes.

For a predicted note, the cell c of voice v at step t with pitch p, an earlier cell has a score from
0 to 1:

- ``parallel_motion``: 1 for the cells of a voice at t - 1 and t if v moves in parallel with it into
  t: in the same direction, and the interval between them changes by a semitone at most, as from a
  major to a minor third;
- ``cadence_near``: 1 at the first step of a phrase end with a cadence, falling evenly to 0 a bar
  before it; the next cadence counts (``musicrel.analysis.cadences``);
- ``bar_ago``: 1 for the cells of any voice that hold p one bar before t.

The note itself has a score, too: 1 if a cell of parallel motion belongs to it, its own nearness to
a cadence, and 1 if its pitch sounded a bar ago; otherwise 0.

Dimensions: T steps, R predicted cells, S columns (START, then all cells), H heads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from musicrel.analysis import cadences
from musicrel.analysis.rules import Motion
from musicrel.chorale import REST, Chorale, Flags, Voice

Scores = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

PATTERNS: Final = ("parallel_motion", "cadence_near", "bar_ago")
_VOICES: Final = len(Voice)
_SAME_INTERVAL: Final = 1  # semitones by which the interval of parallel voices may change


@dataclass(frozen=True, slots=True)
class HeadPatterns:
    piece: Chorale
    parallel_T44: Flags  # whether a voice moves in parallel with another into a step
    nearness_T: Scores  # nearness of each step to the next cadence, 0 to 1

    @classmethod
    def of(cls, piece: Chorale, *, both_sides: bool = False) -> Self:
        """Find the patterns of ``piece``.

        ``both_sides``: all other voices of a note's step are known, as to an infilling model; a
        causal one knows those above.
        """
        parallel_T44 = _parallel(piece)
        if not both_sides:
            parallel_T44 &= np.tri(_VOICES, k=-1, dtype=np.bool_)
        return cls(piece, parallel_T44, nearness(piece))

    def of_notes(self) -> Mapping[str, Scores]:
        """Return the score of every note by pattern, (T, 4), nan in cells where no note begins.

        Notes of the first step have no ``parallel_motion``, those of the first bar no ``bar_ago``.
        """
        parallel_T4 = np.where(self.parallel_T44.any(axis=2), 1.0, 0.0)
        parallel_T4[0] = np.nan
        nearness_T4 = np.repeat(self.nearness_T[:, None], _VOICES, axis=1)
        bar_T4 = np.where(self._bar_ago().any(axis=2), 1.0, 0.0)
        bar_T4[: self.piece.meter.steps] = np.nan
        found = zip(PATTERNS, (parallel_T4, nearness_T4, bar_T4), strict=True)
        return {name: np.where(self.piece.onsets, scores, np.nan) for name, scores in found}

    def of_columns(self, cells_R: Places) -> Mapping[str, Scores]:
        """Return the scores of the columns of a causal model's rows, (R, S), by pattern.

        A row predicts the cell ``cells_R``; columns after it have score 0.
        """
        steps_R, voices_R = cells_R // _VOICES, cells_R % _VOICES
        shape = len(cells_R), self.piece.steps, _VOICES
        parallel_RT4, bar_RT4 = np.zeros(shape), np.zeros(shape)
        rows_R = np.arange(len(cells_R))
        together_R4 = self.parallel_T44[steps_R, voices_R]
        parallel_RT4[rows_R, steps_R] = together_R4
        parallel_RT4[rows_R, np.maximum(steps_R - 1, 0)] += together_R4  # 0 in step 0
        bar_R = np.maximum(steps_R - self.piece.meter.steps, 0)
        bar_RT4[rows_R, bar_R] = self._bar_ago()[steps_R, voices_R]
        nearness_RT4 = np.broadcast_to(self.nearness_T[None, :, None], shape)
        found = zip(PATTERNS, (parallel_RT4, nearness_RT4, bar_RT4), strict=True)
        return {name: _as_columns(scores, cells_R) for name, scores in found}

    def _bar_ago(self) -> Flags:
        """Return whether each voice held a note's pitch a bar before: (T, voice, earlier voice)."""
        bar, pitches = self.piece.meter.steps, self.piece.pitches
        found = np.zeros((len(pitches), _VOICES, _VOICES), dtype=np.bool_)
        now, before = pitches[bar:, :, None], pitches[:-bar, None, :]
        found[bar:] = (now == before) & (now != REST)
        return found


def nearness(piece: Chorale) -> Scores:
    """Return the nearness of each step to the next cadence, (T,): 1 there, 0 a bar before."""
    found, bar = np.zeros(piece.steps), piece.meter.steps
    for end in cadences.phrase_ends(piece):
        if end.kind:
            steps = np.arange(max(end.step - bar, 0), end.step + 1)
            found[steps] = np.maximum(found[steps], 1 - (end.step - steps) / bar)
    return found


def attention_excess(
    weights_HRS: npt.NDArray[np.float32], scores_RS: Scores, cells_R: Places
) -> Scores:
    """Return the weight on a pattern minus that of equal weights, (H, R).

    It is sum_s w_s x_s, with the score x of each column, minus the mean of x over START and the
    cells before the predicted one. Columns that the rows lack have no weight.
    """
    seen_RS = scores_RS[:, : weights_HRS.shape[-1]]
    on_pattern_HR = np.einsum("hrs,rs->hr", weights_HRS, seen_RS, dtype=np.float64)
    found: Scores = on_pattern_HR - scores_RS.sum(axis=1) / (cells_R + 1)
    return found


def _parallel(piece: Chorale) -> Flags:
    """Return whether two voices move in parallel into a step, (T, 4, 4), False in step 0."""
    found = np.zeros((piece.steps, _VOICES, _VOICES), dtype=np.bool_)
    for upper in Voice:
        for lower in range(upper + 1, _VOICES):
            motion = Motion.of(piece.pitches, upper, lower)
            kept = np.abs(motion.after - motion.before) <= _SAME_INTERVAL
            together = motion.similar() & kept
            found[1:, upper, lower] = found[1:, lower, upper] = together
    return found


def _as_columns(scores_RT4: Scores, cells_R: Places) -> Scores:
    columns_RS = np.pad(scores_RT4.reshape(len(cells_R), -1), ((0, 0), (1, 0)))
    found: Scores = np.where(np.arange(columns_RS.shape[1]) <= cells_R[:, None], columns_RS, 0.0)
    return found
