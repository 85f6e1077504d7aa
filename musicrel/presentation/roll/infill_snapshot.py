"""A piece that is filled in and settles, as it stands between two passes.

This file knows cells; it knows nothing of models, pixels or Qt.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from musicrel.chorale import REST, Chorale, Flags, Pitches


def sheet(plan: Chorale, pitches: Pitches, onsets: Flags) -> Chorale:
    """The piece as far as it is known, silent where nothing is written yet.

    A note whose beginning is not written yet begins where it is first heard.

    Args:
        plan: a piece of the same form.
        pitches: int16 (T, 4), MIDI numbers, below 0 where there is a rest or nothing.
        onsets: bool (T, 4), where notes begin.
    """
    heard = np.where(pitches >= 0, pitches, REST).astype(np.int16)
    others = np.vstack([np.ones_like(onsets[:1]), heard[1:] != heard[:-1]])
    return replace(plan, pitches=heard, onsets=(heard != REST) & (onsets | others))
