"""Roman numerals: what an analysis returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from musicrel.chorale import Key

Quality = Literal[
    "major", "minor", "diminished", "augmented",
    "dominant", "minor-seventh", "major-seventh", "half-diminished", "diminished-seventh",
]  # fmt: skip
"""The kind of a chord, named as in MusicXML."""

INTERVALS: Final[Mapping[Quality, tuple[int, ...]]] = {
    "major": (0, 4, 7), "minor": (0, 3, 7), "diminished": (0, 3, 6), "augmented": (0, 4, 8),
    "dominant": (0, 4, 7, 10), "minor-seventh": (0, 3, 7, 10), "major-seventh": (0, 4, 7, 11),
    "half-diminished": (0, 3, 6, 10), "diminished-seventh": (0, 3, 6, 9),
}  # fmt: skip
"""The tones of each quality in semitones above the root."""

_SIGNS: Final[Mapping[Quality, str]] = {
    "diminished": "o", "diminished-seventh": "o", "half-diminished": "ø", "augmented": "+",
}  # fmt: skip
_TRIAD_FIGURES: Final = ("", "6", "64")
_SEVENTH_FIGURES: Final = ("7", "65", "43", "42")
TRIAD: Final = 3
"""Number of tones of a triad."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeral:
    """The chord of a passage, in its local key.

    Attributes:
        start: its first step.
        stop: the step after its last.
        text: what is shown: "V65", "viio7/V", or "G: V7" where a key begins ("g:" is minor).
        figure: the text without the key.
        key: the local key.
        degree: scale degree of the numeral, 1 to 7; that of V/ii is 5.
        quality: the kind of the chord.
        inversion: 0 for root position, 3 for a seventh in the bass.
        applied_to: the degree that an applied chord leads to, 2 for V/ii; 0 for other chords.
        root: pitch class of the root, 0 = C.
    """

    start: int
    stop: int
    text: str
    figure: str
    key: Key
    degree: int
    quality: Quality
    inversion: int
    applied_to: int
    root: int


def figure(numeral: str, quality: Quality, inversion: int, target: str = "") -> str:
    """Return the text of a chord, such as viiø65 or V7/ii.

    Args:
        numeral: as in "V" or "bVI".
        quality: the kind of the chord.
        inversion: 0 to 3.
        target: the numeral that an applied chord leads to.
    """
    figures = _TRIAD_FIGURES if len(INTERVALS[quality]) == TRIAD else _SEVENTH_FIGURES
    over = f"/{target}" if target else ""
    return f"{numeral}{_SIGNS.get(quality, '')}{figures[inversion]}{over}"


def key_label(key: Key) -> str:
    """Return the label of a key before its first numeral: "G:", in minor "g:"."""
    return f"{key.tonic if key.mode == 'major' else key.tonic.lower()}:"
