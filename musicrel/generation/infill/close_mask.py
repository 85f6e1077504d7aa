"""The chords of a cadence as legal tokens, where a model does not find them by itself.

The bass stands on the root of the last chord. At its last step the other voices are on its triad,
so that suspensions can resolve. Before an authentic cadence all voices are on the dominant seventh
for an eighth, the bass on its root or third.

Dimensions: L steps, 4 voices, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Flags, Key, Voice
from musicrel.generation.phrasing.phrase_ends import PhraseEnd

_APPROACH_STEPS: Final = STEPS_PER_QUARTER // 2
_TRIADS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {"authentic": (0, 3, 4, 7), "half": (0, 4, 7)}
)
"""Semitones above the root of the last chord."""
_DOMINANT: Final = (7, 11, 2, 5)
_DEGREES: Final[Mapping[str, int]] = MappingProxyType({"authentic": 0, "half": 7})
"""Semitones of the root above the tonic of the piece, at its end."""


def close_mask(
    end: PhraseEnd, piece: Chorale, key: Key, start: int, pitch_V: npt.NDArray[np.int64]
) -> Flags:
    """Return the tokens with which a phrase closes as wanted, bool (L, 4, V), from ``start`` on.

    An authentic cadence within a piece is on the root that its bass has now.

    Args:
        end: the phrase end.
        piece: the piece as it is.
        key: its key.
        start: the first step of the mask; the last one is that of ``end``.
        pitch_V: pitch of every token, REST for those without one.
    """
    legal_L4V = np.ones((end.stop - start, len(Voice), len(pitch_V)), dtype=np.bool_)
    kind = end.kind or "authentic"
    if kind not in _TRIADS:
        return legal_L4V
    root = (key.pitch_class + _DEGREES[kind]) % 12
    bass = int(piece.pitches[end.stop - 1, Voice.BASS])
    if kind == "authentic" and end.stop < piece.steps and bass != REST:
        root = bass % 12
    above_V = np.where(pitch_V == REST, REST, (pitch_V - root) % 12)
    first = end.step - start
    legal_L4V[first:, Voice.BASS] = above_V == 0
    legal_L4V[-1, : Voice.BASS] = np.isin(above_V, _TRIADS[kind])
    if kind == "authentic":
        approach = slice(max(first - _APPROACH_STEPS, 0), first)
        legal_L4V[approach] = np.isin(above_V, _DOMINANT)
        legal_L4V[approach, Voice.BASS] = np.isin(above_V, _DOMINANT[:2])
    return legal_L4V
