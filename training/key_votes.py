"""Elects the key of a chorale, since files name modes carelessly and Bach's modes are not ours.

Three votes: what the file says; the key whose Krumhansl-Kessler profile correlates best with the
time each pitch class sounds; and the last bass note as the tonic, in the mode that correlates
better. Two that agree win. Where all differ the file is believed, or, where it names no mode, the
correlation.

This file knows pitches; it knows nothing of files.
"""

from __future__ import annotations

from musicrel.analysis import keys
from musicrel.chorale import REST, Key, Pitches, Voice


def elected(pitches: Pitches, named: Key | None) -> Key:
    """The key of a piece.

    Args:
        pitches: int16 (T, 4), at least one note in the bass.
        named: what the file says, None where it names no mode.
    """
    fits = keys.fits(pitches)
    correlated = max(fits, key=fits.__getitem__)
    bass = pitches[:, Voice.BASS]
    last = int(bass[bass != REST][-1])
    closing = max((Key.of(last, mode) for mode in keys.KRUMHANSL_KESSLER), key=fits.__getitem__)
    return correlated if correlated == closing else named or correlated
