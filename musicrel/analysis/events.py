"""Events of a piece on the sixteenth grid: notes, sonorities, pitch-class sets.

Repeats are merged: the same pitch again counts as a held note, since JSB16 does not distinguish the
two and every figure must mean the same for all music.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Flags, Pitches, Voice

Line = npt.NDArray[np.int16]  # the pitches of one voice, int16 (T,)


def merge_repeats(line: Line) -> tuple[Line, npt.NDArray[np.int64]]:
    """Merge the steps of a voice into events, rests too; return their pitches and lengths."""
    onsets = np.flatnonzero(np.concatenate([[True], line[1:] != line[:-1]]))
    return line[onsets], np.diff(np.append(onsets, len(line)))


def count_notes(pitches: Pitches) -> int:
    """Count the notes of all voices, repeats merged, rests excluded."""
    return sum(int((merge_repeats(pitches[:, voice])[0] != REST).sum()) for voice in Voice)


def sonority_onsets(pitches: Pitches) -> Flags:
    """Return True at each step where any voice changes: bool (T,), True at step 0."""
    changes = (pitches[1:] != pitches[:-1]).any(axis=1)
    return np.concatenate([np.array([True]), changes])


def pitch_class_sets(pitches: Pitches, tonic: int = 0) -> npt.NDArray[np.int64]:
    """Return the pitch-class set of each step: int64 (T,), bit n for ``tonic`` + n semitones."""
    bits = np.left_shift(1, (pitches.astype(np.int64) - tonic) % 12)
    sets: npt.NDArray[np.int64] = np.bitwise_or.reduce(np.where(pitches != REST, bits, 0), axis=1)
    return sets
