"""Key estimation from the notes of a piece.

The fit of a key is the correlation of its Krumhansl-Kessler profile with the total duration of each
pitch class: Krumhansl and Kessler 1982, "Tracing the dynamic changes in perceived tonal
organization in a spatial representation of musical keys". The procedure is Krumhansl and
Schmuckler's.

A melody alone has too few notes for that: passing notes outweigh the tonic. So its first and its
last note and the notes outside a key's scale count, too, with points of their own; near
ties go to the major key, as most tunes are in one. Between relative keys the last note decides, if
it is the tonic of one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Chorale, Key, Mode, Pitches
from musicrel.language import tr

# The fit of each pitch class to a key, from its tonic up.
KRUMHANSL_KESSLER: Final[Mapping[Mode, tuple[float, ...]]] = {
    "major": (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88),
    "minor": (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17),
}

# Semitones above the tonic; minor with the natural and the raised seventh.
SCALES: Final[Mapping[Mode, frozenset[int]]] = {
    "major": frozenset({0, 2, 4, 5, 7, 9, 11}),
    "minor": frozenset({0, 2, 3, 5, 7, 8, 10, 11}),
}

# Names of the pitch classes that have several.
_TONICS: Final[Mapping[int, tuple[str, ...]]] = {
    1: ("Db", "C#"), 3: ("Eb", "D#"), 6: ("F#", "Gb"), 8: ("Ab", "G#"), 10: ("Bb", "A#"),
    11: ("B", "Cb"),
}  # fmt: skip

_WRITTEN: Final = (
    "C", "C#", "Db", "D", "D#", "Eb", "E", "F", "F#", "Gb", "G", "G#", "Ab", "A", "A#", "Bb", "B",
    "Cb",
)  # fmt: skip
# Their names; in some languages those of minor keys are in lower case.
_MAJOR: Final = tr("C C# Db D D# Eb E F F# Gb G G# Ab A A# Bb B Cb").split()
_MINOR: Final = tr("C C# Db D D# Eb E F F# Gb G G# Ab A A# Bb B Cb", "minor").split()

# Points of a key for a melody, added to the correlation of its profile: for the degree of its last
# and of its first note (tonic, second, third, fifth), and for being outside the scale all the time.
# Set by hand in view of the sopranos of the bundled chorales and the bundled melodies; agreement
# with printed keys, also of folk tunes unseen then, is measured by ``training.key_votes``.
_LAST: Final = (0.3, 0.1, 0.25, 0.15)
_FIRST: Final = (0.2, 0.0, 0.2, 0.15)
_OUTSIDE: Final = -3.0
_IN_MAJOR: Final = 0.1
_RELATIVE: Final[Mapping[Mode, tuple[int, Mode]]] = {"major": (9, "minor"), "minor": (3, "major")}
"""Semitones from the tonic up to that of the relative key, and its mode."""


def name(key: Key) -> str:
    """Return the name of a key for a sentence, as 'F# minor'."""
    text = tr("{tonic} major") if key.mode == "major" else tr("{tonic} minor")
    return text.format(tonic=tonic(key))


def tonic(key: Key) -> str:
    """Return the name of the tonic of a key, as 'F#'."""
    return (_MAJOR if key.mode == "major" else _MINOR)[_WRITTEN.index(key.tonic)]


def last_triad(key: Key) -> tuple[int, ...]:
    """Return the semitones above the tonic of the triads with which a piece in ``key`` ends.

    A piece in minor may end in major (the Picardy third).
    """
    return (0, 3, 4, 7) if key.mode == "minor" else (0, 4, 7)


def spelled(pitch_class: int, mode: Mode, near: Key | None) -> Key:
    """Return a key in the spelling nearest to another key: D# minor after F# major."""
    usual = Key.of(pitch_class, mode)
    if near is None:
        return usual
    names = _TONICS.get(usual.pitch_class, (usual.tonic,))
    keys = [usual, *(Key(tonic, usual.mode) for tonic in names)]
    return min(keys, key=lambda key: abs(key.fifths - near.fifths))


def correlations(pitches: Pitches) -> dict[Key, float]:
    """Correlate the profile of every key, major ones first, with the durations of pitch classes.

    All are 0 if the pitch classes sound equally long, or none does.
    """
    duration = _standardised(np.bincount(pitches[pitches != REST] % 12, minlength=12))
    return {
        Key.of(tonic, mode): float(duration @ np.roll(_standardised(np.array(profile)), tonic))
        for mode, profile in KRUMHANSL_KESSLER.items()
        for tonic in range(12)
    }


def estimate(pitches: Pitches) -> Key:
    """Return the key with the highest correlation; of a melody alone that with the most points."""
    of_keys = correlations(pitches)
    sounding = (pitches != REST).any(axis=0)
    if sounding.sum() != 1:
        return max(of_keys, key=of_keys.__getitem__)
    line = pitches[:, sounding].ravel()
    line = line[line != REST]
    best = max(of_keys, key=lambda key: of_keys[key] + _points(key, line))
    up, mode = _RELATIVE[best.mode]
    is_relative = (int(line[-1]) - best.pitch_class) % 12 == up
    return Key.of((best.pitch_class + up) % 12, mode) if is_relative else best


def with_key(chorale: Chorale) -> Chorale:
    """Return the piece with its estimated key if it has no key and is not silent.

    Notation needs a key: without one there is no signature, and notes cannot be spelled.
    """
    if chorale.key is not None or (chorale.pitches == REST).all():
        return chorale
    return replace(chorale, key=estimate(chorale.pitches))


def _points(key: Key, line: npt.NDArray[np.int16]) -> float:
    above = (line - key.pitch_class) % 12
    degrees = (0, 2, min(SCALES[key.mode] & {3, 4}), 7)
    last = dict(zip(degrees, _LAST, strict=True)).get(int(above[-1]), 0.0)
    first = dict(zip(degrees, _FIRST, strict=True)).get(int(above[0]), 0.0)
    outside = float(np.isin(above, [*SCALES[key.mode]], invert=True).mean())
    return last + first + _OUTSIDE * outside + (_IN_MAJOR if key.mode == "major" else 0.0)


def _standardised(values: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    """Scale ``values`` to mean 0 and length 1; a product of two is then their correlation."""
    centred = values - values.astype(np.float64).mean()
    length = float(np.linalg.norm(centred))
    return np.zeros(len(values)) if length == 0 else np.asarray(centred / length)
