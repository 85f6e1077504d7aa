"""Key of a chorale by majority vote.

Files name modes carelessly, and Bach's modes are not ours. Three votes: the file's signature; the
key whose Krumhansl-Kessler profile correlates best with the duration of each pitch class; and the
last bass note as the tonic, in the mode that correlates better. Two that agree win. If all differ
the file decides, or, without a mode in the file, the correlation.
"""

from __future__ import annotations

from musicrel.analysis import keys
from musicrel.chorale import REST, Key, Pitches, Voice


def elect_key(pitches: Pitches, named: Key | None) -> Key:
    """Elect the key of a piece.

    Args:
        pitches: int16 (T, 4), at least one note in the bass.
        named: the key of the file, None if it names no mode.
    """
    correlations = keys.correlations(pitches)
    correlated = max(correlations, key=correlations.__getitem__)
    bass = pitches[:, Voice.BASS]
    last = int(bass[bass != REST][-1])
    closing = max(
        (Key.of(last, mode) for mode in keys.KRUMHANSL_KESSLER), key=correlations.__getitem__
    )
    return correlated if correlated == closing else named or correlated
