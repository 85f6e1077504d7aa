"""Key estimation from the notes of a piece.

The fit of a key is the correlation of its Krumhansl-Kessler profile with the total duration of each
pitch class: Krumhansl and Kessler 1982, "Tracing the dynamic changes in perceived tonal
organization in a spatial representation of musical keys". The procedure is Krumhansl and
Schmuckler's.
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
"""The fit of each pitch class to a key, from its tonic up."""


def correlations(pitches: Pitches) -> dict[Key, float]:
    """Correlate the profile of every key with the durations of the pitch classes.

    Args:
        pitches: int16 (T, 4).

    Returns:
        For each of the 24 keys, major ones first, -1 to 1; 0 for all keys if the pitch classes
        sound equally long, or none does.
    """
    duration = _standardised(np.bincount(pitches[pitches != REST] % 12, minlength=12))
    return {
        Key.of(tonic, mode): float(duration @ np.roll(_standardised(np.array(profile)), tonic))
        for mode, profile in KRUMHANSL_KESSLER.items()
        for tonic in range(12)
    }


def estimate(pitches: Pitches) -> Key:
    """Return the key with the highest correlation.

    Args:
        pitches: int16 (T, 4).
    """
    of_keys = correlations(pitches)
    return max(of_keys, key=of_keys.__getitem__)


def with_key(chorale: Chorale) -> Chorale:
    """Return the piece with its estimated key if it has no key and is not silent.

    Notation needs a key: without one there is no signature, and notes cannot be spelled.
    """
    if chorale.key is not None or (chorale.pitches == REST).all():
        return chorale
    return replace(chorale, key=estimate(chorale.pitches))


def _standardised(values: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    """Scale ``values`` to mean 0 and length 1; a product of two is then their correlation."""
    centred = values - values.astype(np.float64).mean()
    length = float(np.linalg.norm(centred))
    return np.zeros(len(values)) if length == 0 else np.asarray(centred / length)
