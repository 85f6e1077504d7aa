"""Beats of several pieces as arrays, as the networks of the discriminator read them.

Dimensions: K pieces, T steps, B beats, C cells of a beat: four steps of four voices, step by step.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Flags, Key
from musicrel.generation.sampling import Tokens

CELLS: Final = STEPS_PER_QUARTER * 4
"""Number of cells of a beat."""
DEGREES: Final = 13
"""Number of degrees: twelve semitones above the tonic, and a rest."""
INTERVALS: Final = 17
"""Number of intervals from the step before: at most eight semitones down or up."""
BEATS: Final = 4
"""Number of beats of a bar."""
_RESTS: Final = DEGREES - 1
_LARGEST: Final = INTERVALS // 2
_MIDDLE_C: Final = 60


class BeatNotes(NamedTuple):
    """The notes of beats.

    Attributes:
        degrees_KBC: int64, semitones above the tonic; the last number is a rest.
        intervals_KBC: int64, semitones from the pitch of the voice a step before, plus eight;
            larger ones count as eight. No motion to and from rests, and at the first step.
        onsets_KBC: int64, 1 where a note begins.
        heights_KBC: float32, octaves above middle C; 0 for rests.
        numbers_B: int64, number of the beat in its bar, from 0.
        fermatas_B: int64, 1 where a fermata begins or sounds on the beat.
        modes_B: int64, 1 in minor.
    """

    degrees_KBC: Tokens
    intervals_KBC: Tokens
    onsets_KBC: Tokens
    heights_KBC: npt.NDArray[np.float32]
    numbers_B: Tokens
    fermatas_B: Tokens
    modes_B: Tokens

    def part(self, beats: slice) -> Self:
        """Return some of the beats."""
        return self._replace(
            degrees_KBC=self.degrees_KBC[:, beats],
            intervals_KBC=self.intervals_KBC[:, beats],
            onsets_KBC=self.onsets_KBC[:, beats],
            heights_KBC=self.heights_KBC[:, beats],
            numbers_B=self.numbers_B[beats],
            fermatas_B=self.fermatas_B[beats],
            modes_B=self.modes_B[beats],
        )


def read(
    pitches_KT4: Tokens, onsets_KT4: Flags, fermatas_T: Flags, first_number: int, key: Key | None
) -> BeatNotes:
    """Return the beats of some pieces that have the same plan.

    Args:
        pitches_KT4: MIDI numbers, or ``REST``, of whole beats. Steps before them, fewer than a
            beat, give the first interval.
        onsets_KT4: True where a note begins.
        fermatas_T: True where a fermata sounds.
        first_number: number of the first whole beat in its bar, from 0.
        key: key of the pieces; None: degrees are pitch classes, the mode is major.
    """
    before = pitches_KT4.shape[1] % STEPS_PER_QUARTER
    tonic = key.pitch_class if key else 0
    is_rest_KT4 = pitches_KT4 == REST
    moves_KT4 = np.diff(pitches_KT4, axis=1, prepend=pitches_KT4[:, :1])
    from_rest_KT4 = np.concatenate([is_rest_KT4[:, :1], is_rest_KT4[:, :-1]], axis=1)
    moves_KT4 = np.where(is_rest_KT4 | from_rest_KT4, 0, moves_KT4)
    beats = (pitches_KT4.shape[1] - before) // STEPS_PER_QUARTER
    is_minor = key is not None and key.mode == "minor"

    def cells(values_KT4: Tokens) -> Tokens:
        return np.asarray(values_KT4[:, before:].reshape(len(values_KT4), beats, CELLS))

    heights_KT4 = np.where(is_rest_KT4, 0, pitches_KT4 - _MIDDLE_C)
    return BeatNotes(
        degrees_KBC=cells(np.where(is_rest_KT4, _RESTS, (pitches_KT4 - tonic) % 12)),
        intervals_KBC=cells(np.asarray(moves_KT4.clip(-_LARGEST, _LARGEST) + _LARGEST)),
        onsets_KBC=cells(onsets_KT4.astype(np.int64)),
        heights_KBC=(cells(heights_KT4) / 12).astype(np.float32),
        numbers_B=(first_number + np.arange(beats)) % BEATS,
        fermatas_B=fermatas_T[before::STEPS_PER_QUARTER].astype(np.int64),
        modes_B=np.full(beats, int(is_minor)),
    )


def of_piece(piece: Chorale) -> BeatNotes:
    """Return the whole beats of a piece in four quarters, K = 1; there may be none."""
    first = min(-int(piece.bar_positions()[0]) % STEPS_PER_QUARTER, piece.steps)
    stop = first + (piece.steps - first) // STEPS_PER_QUARTER * STEPS_PER_QUARTER
    known = slice(max(first - 1, 0), stop)
    return read(
        piece.pitches[None, known].astype(np.int64),
        piece.onsets[None, known],
        piece.fermatas[known],
        int(piece.bar_positions()[0] + first) // STEPS_PER_QUARTER,
        piece.key,
    )
