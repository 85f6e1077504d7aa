"""Roman numerals: what an analysis returns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from musicrel.chorale import Key

# a flat after the letter of a key or before a numeral; "b:" is the key of B minor
_FLAT: Final = re.compile("(?<=[A-Ga-g])b|b(?=[IVXivx])")
_PARTS: Final = re.compile(r"(?P<figures>\d+)|(?P<raised>[oø+])|(?P<plain>[^\doø+]+)")


class Piece(NamedTuple):
    """A part of a numeral: text on the line, or one or two signs at its upper right."""

    text: str = ""  # on the line; "" for figures
    upper: str = ""  # raised text, or the upper of two figures
    lower: str = ""  # the lower of two figures, below the upper one


def pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of a numeral such as "G: viiø65/V", from left to right."""
    for part in _PARTS.finditer(text):
        if part["plain"]:
            yield Piece(text=_FLAT.sub("♭", part["plain"]).replace("#", "♯"))
        elif part["raised"]:
            yield Piece(upper=part["raised"])
        else:
            yield Piece(upper=part["figures"][0], lower=part["figures"][1:])


# The kind of a chord, named as in MusicXML.
Quality = Literal[
    "major", "minor", "diminished", "augmented",
    "dominant", "minor-seventh", "major-seventh", "half-diminished", "diminished-seventh",
]  # fmt: skip

# The tones of each quality in semitones above the root.
INTERVALS: Final[Mapping[Quality, tuple[int, ...]]] = {
    "major": (0, 4, 7), "minor": (0, 3, 7), "diminished": (0, 3, 6), "augmented": (0, 4, 8),
    "dominant": (0, 4, 7, 10), "minor-seventh": (0, 3, 7, 10), "major-seventh": (0, 4, 7, 11),
    "half-diminished": (0, 3, 6, 10), "diminished-seventh": (0, 3, 6, 9),
}  # fmt: skip

_SIGNS: Final[Mapping[Quality, str]] = {
    "diminished": "o", "diminished-seventh": "o", "half-diminished": "ø", "augmented": "+",
}  # fmt: skip
_TRIAD_FIGURES: Final = ("", "6", "64")
_SEVENTH_FIGURES: Final = ("7", "65", "43", "42")
TRIAD: Final = 3  # number of tones of a triad


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeral:
    """The chord of a passage, in its local key."""

    start: int  # its first step
    stop: int  # the step after its last
    text: str  # what is shown: "V65", "viio7/V", or "G: V7" where a key begins ("g:" is minor)
    figure: str  # the text without the key
    key: Key
    degree: int  # scale degree of the numeral, 1 to 7; that of V/ii is 5
    quality: Quality
    inversion: int  # 0 for root position, 3 for a seventh in the bass
    applied_to: int  # the degree that an applied chord leads to, 2 for V/ii; 0 for other chords
    root: int  # pitch class of the root, 0 = C


def figure(numeral: str, quality: Quality, inversion: int, target: str = "") -> str:
    """Return the text of a chord, such as viiø65 or V7/ii."""
    figures = _TRIAD_FIGURES if len(INTERVALS[quality]) == TRIAD else _SEVENTH_FIGURES
    over = f"/{target}" if target else ""
    return f"{numeral}{_SIGNS.get(quality, '')}{figures[inversion]}{over}"


def key_label(key: Key) -> str:
    return f"{key.tonic if key.mode == 'major' else key.tonic.lower()}:"


def _table() -> dict[frozenset[int], tuple[str, int]]:
    """Return kind and root by pitch classes; the fifth of a triad or a dominant may be absent."""
    shapes: list[tuple[str, tuple[int, ...]]] = [*INTERVALS.items()]
    shapes += [("major", (0, 4)), ("minor", (0, 3)), ("dominant", (0, 4, 10))]
    table: dict[frozenset[int], tuple[str, int]] = {}
    for kind, tones in shapes:
        for root in range(12):
            table.setdefault(frozenset((root + tone) % 12 for tone in tones), (kind, root))
    return table


# Pitch classes -> kind, as in ``numeral.INTERVALS``, and root; of equal sets the first root.
CHORDS: Final[Mapping[frozenset[int], tuple[str, int]]] = _table()
