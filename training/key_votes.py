"""Elects the key of a chorale, since files name modes carelessly and Bach's modes are not ours.

Three votes: what the file says; the key whose Krumhansl-Kessler profile correlates best with the
time each pitch class sounds; and the last bass note as the tonic, in the mode that correlates
better. Two that agree win. Where all differ the file is believed, or, where it names no mode, the
correlation.

This file knows pitches; it knows nothing of files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from musicrel.chorale import REST, Key, Mode, Pitches, Voice

KRUMHANSL_KESSLER: Final[Mapping[Mode, tuple[float, ...]]] = {
    "major": (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88),
    "minor": (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17),
}
"""How well each pitch class fits a key, from its tonic up (Krumhansl and Kessler 1982)."""


def elected(pitches: Pitches, named: Key | None) -> Key:
    """The key of a piece.

    Args:
        pitches: int16 (T, 4), at least one note in the bass.
        named: what the file says, None where it names no mode.
    """
    fits = _fits(pitches)
    correlated = max(fits, key=fits.__getitem__)
    bass = pitches[:, Voice.BASS]
    last = int(bass[bass != REST][-1])
    closing = max((Key.of(last, mode) for mode in KRUMHANSL_KESSLER), key=fits.__getitem__)
    return correlated if correlated == closing else named or correlated


def _fits(pitches: Pitches) -> dict[Key, float]:
    """The correlation of every key's profile with the sounding time of the pitch classes."""
    heard = np.bincount(pitches[pitches != REST] % 12, minlength=12)
    return {
        Key.of(tonic, mode): float(np.corrcoef(heard, np.roll(profile, tonic))[0, 1])
        for mode, profile in KRUMHANSL_KESSLER.items()
        for tonic in range(12)
    }
