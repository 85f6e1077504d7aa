"""The end of a harmonised melody as legal tokens: the tonic triad, and the dominant before it.

From the beginning of the melody's last note the bass stands on the tonic; at the last step the
other voices are on its triad, so that suspensions can resolve. A minor key may end in major (the
Picardy third). The bass is on the root or the third of the dominant for an eighth before the last
note, if the melody's note there belongs to the dominant seventh, and so do the others at its end.
If the last note is struck twice, the chord comes with the first one, unless that is an eighth at
most: then it anticipates the last, and the dominant stays below it. A melody that ends outside the
triad is left alone.

Dimensions: T steps, 4 voices, N = 4 T cells, V vocabulary.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.analysis import keys
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Flags, Key, Voice
from musicrel.generation.constraints.locks import BEGINS, LockedCells

FREE: Final = ""  # the last chord is the model's choice
TONIC: Final = "tonic"  # the last chord is the tonic triad of the requested key
AUTHENTIC: Final = "authentic"  # the same, and the dominant comes before it
CHORDS: Final = (FREE, TONIC, AUTHENTIC)

_APPROACH_STEPS: Final = STEPS_PER_QUARTER // 2
_DOMINANT: Final = (7, 11, 2, 5)  # semitones of its root, third, fifth and seventh above the tonic


def mask(chord: str, plan: Chorale, locked: LockedCells, pitch_V: npt.NDArray[np.int64]) -> Flags:
    """Return the tokens with which the piece ends in ``chord``, bool (N, V), True elsewhere."""
    legal_T4V = np.ones((plan.steps, len(Voice), len(pitch_V)), dtype=np.bool_)
    struck = _starts(locked)
    if plan.key is None or not struck:
        return legal_T4V.reshape(-1, len(pitch_V))
    above_V = np.where(pitch_V == REST, REST, (pitch_V - plan.key.pitch_class) % 12)
    led = next((step for step in struck if _leads(locked, step, plan.key)), struck[0])
    start = struck[0] if struck[0] - led <= _APPROACH_STEPS else led
    if _fits(locked, start, plan.key):
        legal_T4V[start:, Voice.BASS] = above_V == 0
        legal_T4V[-1, : Voice.BASS] = np.isin(above_V, keys.last_triad(plan.key))
        if chord == AUTHENTIC and _leads(locked, led, plan.key):
            approach = slice(max(led - _APPROACH_STEPS, 0), start)
            legal_T4V[approach, Voice.BASS] = np.isin(above_V, _DOMINANT[:2])
            legal_T4V[start - 1, : Voice.BASS] = np.isin(above_V, _DOMINANT)
    legal_T4V[locked.mask] = True
    return legal_T4V.reshape(-1, len(pitch_V))


def _starts(locked: LockedCells) -> list[int]:
    """Return the first step of the last locked note, and of the same note struck before it."""
    last, voice = max(np.argwhere(locked.pitches >= 0).tolist(), default=(None, None))
    if last is None:
        return []
    onsets = np.flatnonzero(locked.onsets[: last + 1, voice] == BEGINS)[:-3:-1].tolist()
    line = locked.pitches[:, voice]
    return [step for step in onsets if (line[step : last + 1] == line[last]).all()] or [int(last)]


def _fits(locked: LockedCells, start: int, key: Key) -> bool:
    """Return True if all locked notes from ``start`` on are in the chord, the bass on its root."""
    cells = locked.pitches[start:]
    notes, bass = cells[cells >= 0], cells[:, Voice.BASS]
    is_in_triad = np.isin((notes - key.pitch_class) % 12, keys.last_triad(key)).all()
    return bool(is_in_triad and (bass[bass >= 0] % 12 == key.pitch_class).all())


def _leads(locked: LockedCells, start: int, key: Key) -> bool:
    """Return True if notes are locked just before ``start`` and all are of the dominant seventh."""
    before = locked.pitches[max(start - _APPROACH_STEPS, 0) : start]
    notes = before[before >= 0]
    return bool(notes.size) and bool(np.isin((notes - key.pitch_class) % 12, _DOMINANT).all())
