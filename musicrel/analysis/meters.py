"""Which meter the notes of a piece speak for: where long notes begin, bars do.

A note weighs as much as it is long. A bar length fits as well as the notes that begin at its bar
lines outweigh those that begin on beats of any kind: Povel and Essens 1985, "Perception of temporal
patterns", have accents on beats, and Huron 2006, *Sweet Anticipation*, finds where notes
begin in the bars of real music.

This file knows where notes begin and how long they are; it knows nothing of signatures or files.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from musicrel.analysis import events
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Meter, Voice


def fits(piece: Chorale, meter: Meter) -> float:
    """How much heavier bar lines of ``meter`` are than beats are on the mean; 1 for no difference.

    Repeats count as held on, and bar lines are counted from the piece's own first one.
    """
    weights = np.zeros(piece.steps)
    for voice in Voice:
        pitches, lengths = events.merged(piece.pitches[:, voice])
        begins = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(int)
        np.add.at(weights, begins, np.where(np.asarray(pitches) == REST, 0, lengths))
    beats = weights[piece.pickup % STEPS_PER_QUARTER :: STEPS_PER_QUARTER]
    bars = weights[piece.pickup % meter.steps :: meter.steps]
    return float(bars.mean() / beats.mean()) if len(bars) and beats.any() else 1.0


def analysed(piece: Chorale, meters: Sequence[Meter]) -> Meter:
    """The one of ``meters`` that fits best."""
    return max(meters, key=lambda meter: fits(piece, meter))
