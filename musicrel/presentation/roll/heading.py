"""The heading of a drawn roll: title, facts, and a legend of voices.

Lengths are pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from musicrel.chorale import Chorale, Voice
from musicrel.presentation.drawing.drawing import Item, Rectangle, Text, shortened, width_of
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme

HEIGHT: Final = 64.0

_TITLE_FOOT: Final = 30.0
_FACTS_FOOT: Final = 52.0
_TITLE_SIZE: Final = 18.0
_TEXT_SIZE: Final = 12.0
_LETTER_SIZE: Final = 10.0
_CHIP: Final = 14.0
_CHIP_TOP: Final = 41.0
_BESIDE_CHIP: Final = 6.0
_BETWEEN: Final = 14.0


def draw(
    chorale: Chorale, theme: Theme, *, left: float, right: float, voices: bool = True
) -> Iterator[Item]:
    """Draw two lines between ``left`` and ``right``, the legend at the end of the second.

    Args:
        left: edge in pixels.
        right: edge in pixels.
        voices: False: without the legend, for notes that have other colours.
    """
    title = shortened(chorale.title or "Chorale", _TITLE_SIZE, right - left)
    yield Text(
        x=left, y=_TITLE_FOOT, text=title, size=_TITLE_SIZE, colour=theme.text, bold=True
    )  # fmt: skip
    room = right - left - _legend_width() - _BETWEEN
    facts = shortened(_facts(chorale), _TEXT_SIZE, room)
    yield Text(x=left, y=_FACTS_FOOT, text=facts, size=_TEXT_SIZE, colour=theme.quiet)
    if voices:
        yield from _legend(theme, right - _legend_width())


def _facts(chorale: Chorale) -> str:
    facts = [chorale.composer] if chorale.composer else []
    facts += [names.key(chorale.key)] if chorale.key else []
    facts += [str(chorale.meter), f"{chorale.tempo:g} BPM"]
    if chorale.provenance:
        facts.append(f"{chorale.provenance.model}, seed {chorale.provenance.seed}")
    return " · ".join(facts)


def _legend_width() -> float:
    chips = len(Voice) * (_CHIP + _BESIDE_CHIP + _BETWEEN) - _BETWEEN
    return chips + sum(width_of(voice.title, _TEXT_SIZE) for voice in Voice)


def _legend(theme: Theme, x: float) -> Iterator[Item]:
    for voice in Voice:
        yield Rectangle(
            x=x, y=_CHIP_TOP, width=_CHIP, height=_CHIP,
            fill=theme.voices[voice], edge=theme.voice_edges[voice],
        )  # fmt: skip
        yield Text(
            x=x + _CHIP / 2, y=_FACTS_FOOT, text=voice.letter, size=_LETTER_SIZE,
            colour=theme.on_voice, anchor="middle", bold=True,
        )  # fmt: skip
        x += _CHIP + _BESIDE_CHIP
        yield Text(
            x=x, y=_FACTS_FOOT, text=voice.title, size=_TEXT_SIZE, colour=theme.quiet
        )  # fmt: skip
        x += width_of(voice.title, _TEXT_SIZE) + _BETWEEN
