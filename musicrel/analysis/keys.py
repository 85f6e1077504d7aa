"""Which key the notes of a piece speak for.

A key fits as well as its Krumhansl-Kessler profile correlates with the time each pitch class
sounds: Krumhansl and Kessler 1982, "Tracing the dynamic changes in perceived tonal organization in
a spatial representation of musical keys"; the procedure is Krumhansl and Schmuckler's.

This file knows pitches; it knows nothing of signatures, bass notes or files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Chorale, Key, Mode, Pitches

KRUMHANSL_KESSLER: Final[Mapping[Mode, tuple[float, ...]]] = {
    "major": (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88),
    "minor": (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17),
}
"""How well each pitch class fits a key, from its tonic up."""


def fits(pitches: Pitches) -> dict[Key, float]:
    """The correlation of every key's profile with the sounding time of the pitch classes.

    Args:
        pitches: int16 (T, 4).

    Returns:
        For each of the 24 keys, major ones first, -1 to 1; 0 for all where the pitch classes sound
        equally long, or none does.
    """
    heard = _standardised(np.bincount(pitches[pitches != REST] % 12, minlength=12))
    return {
        Key.of(tonic, mode): float(heard @ np.roll(_standardised(np.array(profile)), tonic))
        for mode, profile in KRUMHANSL_KESSLER.items()
        for tonic in range(12)
    }


def analysed(pitches: Pitches) -> Key:
    """The key that fits best.

    Args:
        pitches: int16 (T, 4).
    """
    of_keys = fits(pitches)
    return max(of_keys, key=of_keys.__getitem__)


def with_key(chorale: Chorale) -> Chorale:
    """The piece with the key its notes speak for, where it names none and is not silent.

    Notation needs one: without, it has no signature and its notes no names of their own.
    """
    if chorale.key is not None or (chorale.pitches == REST).all():
        return chorale
    return replace(chorale, key=analysed(chorale.pitches))


def _standardised(values: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    """``values`` with mean 0 and length 1, so that a product of two is their correlation."""
    centred = values - values.astype(np.float64).mean()
    length = float(np.linalg.norm(centred))
    return np.zeros(len(values)) if length == 0 else np.asarray(centred / length)
