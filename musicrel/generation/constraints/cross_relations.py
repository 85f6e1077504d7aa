"""Simultaneous cross relations: a degree of the scale sounds together with its alteration.

F against F sharp in C major is one; E against F and B against C are not, nor is B flat against A,
which a neighbouring key has. The table has the semitones that sound less than 0.3 times in 1,000
eighths of Bach's chorales (training and validation). Models wrote them three to fifteen times as
often.

Dimensions: K pieces, T steps, D degrees in semitones above the tonic.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Key, Mode

_LOWER: Final[Mapping[Mode, tuple[int, ...]]] = MappingProxyType(
    {"major": (0, 2, 3, 5, 7, 8, 10), "minor": (1, 3, 5, 8, 10)}
)
"""The lower tone of each semitone, in semitones above the tonic."""


def steps(pitches_KT4: npt.NDArray[np.int64], key: Key) -> npt.NDArray[np.int64]:
    """Return on how many steps a cross relation sounds, int64 (K,).

    Args:
        pitches_KT4: MIDI numbers of the voices, or ``REST``.
        key: key of the pieces.
    """
    degrees_KT4 = np.where(pitches_KT4 == REST, REST, (pitches_KT4 - key.pitch_class) % 12)
    sounds_KTD = (degrees_KT4[..., None] == np.arange(12)).any(axis=2)
    above_KTD = np.roll(sounds_KTD, -1, axis=-1)
    both_KTD = (sounds_KTD & above_KTD)[..., _LOWER[key.mode]]
    return np.asarray(both_KTD.any(axis=-1).sum(axis=1))
