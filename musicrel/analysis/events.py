"""What happens in a piece, read off the grid: notes, sonorities, pitch-class sets.

Repeats are merged: the same pitch again is the note going on, since JSB16 cannot tell them apart
and every figure here must mean the same for all music.

This file knows pitches on the sixteenth grid; it judges nothing.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Flags, Pitches, Voice

Line = npt.NDArray[np.int16]
"""The pitches of one voice, (T,)."""


def merged(line: Line) -> tuple[Line, npt.NDArray[np.int64]]:
    """The events of one voice, rests among them.

    Args:
        line: int16 (T,), T at least 1.

    Returns:
        Their pitches and their lengths in steps, each (events,).
    """
    begins = np.flatnonzero(np.concatenate([[True], line[1:] != line[:-1]]))
    return line[begins], np.diff(np.append(begins, len(line)))


def count_notes(pitches: Pitches) -> int:
    """How many notes the voices have together, repeats merged, rests not counted."""
    return sum(int((merged(pitches[:, voice])[0] != REST).sum()) for voice in Voice)


def sonority_begins(pitches: Pitches) -> Flags:
    """Where any voice changes: bool (T,), True at step 0."""
    changes = (pitches[1:] != pitches[:-1]).any(axis=1)
    return np.concatenate([np.array([True]), changes])


def pitch_class_sets(pitches: Pitches, tonic: int = 0) -> npt.NDArray[np.int64]:
    """What sounds at each step whatever the octave: int64 (T,), bit n for ``tonic`` + n semitones.

    Args:
        pitches: int16 (T, 4).
        tonic: pitch class of bit 0; 0 is C.
    """
    bits = np.left_shift(1, (pitches.astype(np.int64) - tonic) % 12)
    sets: npt.NDArray[np.int64] = np.bitwise_or.reduce(np.where(pitches != REST, bits, 0), axis=1)
    return sets
