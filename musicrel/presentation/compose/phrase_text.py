"""Phrases as they are typed, with the sentences about what is wrong with them."""

from __future__ import annotations

from typing import Final

from musicrel.errors import UsageError
from musicrel.generation.phrasing import planned_phrase
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase

_NO_BARS: Final = "Phrases are {phrases!r}: expected the bars of each phrase, such as 2,2,4."
_OTHER_SUM: Final = (
    "The phrases have {total:g} {bars}: expected {expected}, the length of the piece."
)
_PARTS_OF_BARS: Final = (
    "Phrases of a melody are {phrases!r}: expected whole bars, such as 2,2,4, without fermatas."
)


def parse(text: str, bars: int | None) -> tuple[PlannedPhrase, ...]:
    """Parse "2,2,4" or "2 1.75:3 4.25", of the sum ``bars`` if that is known.

    Args:
        text: bars of each phrase and, after a colon, quarters under its fermata; "": no phrases.
        bars: length of the piece; None: unknown.
    """
    phrases = planned_phrase.parse(text)
    if phrases is None:
        raise UsageError(_NO_BARS.format(phrases=text.strip()))
    total = sum(phrase.bars for phrase in phrases)
    if bars is not None and phrases and total != bars:
        noun = "bar" if total == 1 else "bars"
        raise UsageError(_OTHER_SUM.format(total=total, bars=noun, expected=bars))
    return phrases


def parse_whole(text: str, bars: int | None) -> tuple[int, ...]:
    """Parse phrases of whole bars without fermatas of their own; see ``parse``."""
    phrases = parse(text, bars)
    if any(length % 1 or hold for length, hold in phrases):
        raise UsageError(_PARTS_OF_BARS.format(phrases=text.strip()))
    return tuple(int(length) for length, _ in phrases)
