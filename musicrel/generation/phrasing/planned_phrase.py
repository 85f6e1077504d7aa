"""A phrase of a planned piece, and phrases as text, "2,1.75:3,2.25"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from musicrel.chorale import Meter

_BARS: Final = r"0\.(?:25|5|75)|[1-9][0-9]{0,3}(?:\.(?:25|5|75))?"
_PHRASE: Final = re.compile(rf"({_BARS})(?::([1-9][0-9]?))?")
_SEPARATORS: Final = re.compile(r"[\s,;]+")
_COMMON: Final = Meter(4, 4)


class PlannedPhrase(NamedTuple):
    """A phrase: its length, and that of the fermata at its end.

    Attributes:
        bars: length in bars.
        hold: quarter notes under the fermata; 0: it begins on the last strong beat.
    """

    bars: float
    hold: int = 0


def parse(text: str) -> tuple[PlannedPhrase, ...] | None:
    """Parse bars and quarters under the fermata of each phrase; None if ``text`` has others."""
    words = _SEPARATORS.split(text.strip(" ,;"))
    if words == [""]:
        return ()
    found = [match for word in words if (match := _PHRASE.fullmatch(word))]
    phrases = (PlannedPhrase(float(match[1]), int(match[2] or 0)) for match in found)
    return tuple(phrases) if len(found) == len(words) else None


def to_text(phrases: Iterable[PlannedPhrase]) -> str:
    """Return phrases as text that ``parse`` reads."""
    return ",".join(f"{bars:g}:{hold}" if hold else f"{bars:g}" for bars, hold in phrases)


def parts_of_a_bar(meter: Meter) -> int:
    """Return the number of parts of a bar after which phrases may end: quarters in 4/4, or 1."""
    return 4 if meter == _COMMON else 1
