"""Repetition in a piece: repeated notes, and the longest stay of a voice on one pitch."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from musicrel.analysis import events
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Voice

Floats = npt.NDArray[np.float64]


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
