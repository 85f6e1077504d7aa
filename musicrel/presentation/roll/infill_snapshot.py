"""A snapshot of a piece between two passes of infilling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from musicrel.chorale import REST, Chorale, Flags, Pitches


def padded_piece(plan: Chorale, pitches: Pitches, onsets: Flags) -> Chorale:
    """Return the piece as far as known, silent where nothing is written yet.

    A note whose onset is not written yet begins at its first known cell.

    Args:
        pitches: int16 (T, 4), MIDI numbers, below 0 for rests and unknown cells.
        onsets: bool (T, 4), where notes begin.
    """
    known = np.where(pitches >= 0, pitches, REST).astype(np.int16)
    others = np.vstack([np.ones_like(onsets[:1]), known[1:] != known[:-1]])
    return replace(plan, pitches=known, onsets=(known != REST) & (onsets | others))
