"""Roman numerals as they are printed: figures stacked, signs of quality raised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_ACCIDENTALS: Final = str.maketrans({"b": "♭", "#": "♯"})
_PARTS: Final = re.compile(r"(?P<figures>\d+)|(?P<raised>[oø+])|(?P<plain>[^\doø+]+)")


class Piece(NamedTuple):
    """A part of a numeral: text on the line, or one or two signs at its upper right.

    Attributes:
        text: on the line; "" for figures.
        upper: raised text, or the upper of two figures.
        lower: the lower of two figures, below the upper one.
    """

    text: str = ""
    upper: str = ""
    lower: str = ""


def pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of a numeral such as "G: viiø65/V", from left to right."""
    for part in _PARTS.finditer(text):
        if part["plain"]:
            yield Piece(text=part["plain"].translate(_ACCIDENTALS))
        elif part["raised"]:
            yield Piece(upper=part["raised"])
        else:
            yield Piece(upper=part["figures"][0], lower=part["figures"][1:])
