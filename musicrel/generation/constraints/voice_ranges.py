"""The ranges of the voices: presets, and how they are written as text.

``choir`` has the ranges of textbooks, with a tenor to A4: Kostka and Payne, *Tonal Harmony*.
``professional`` has those that MuseScore gives for professional singers (``instruments.xml``;
its amateurs differ from ``choir`` in the bass, F2 to C4). There is no standard for ``youth``: it
leaves out what young and changing voices lack. ``full`` has those of the chorales that the models
were trained with. Models write notes from C2 to A5, whatever the ranges are. Of the notes in the
bundled chorales 1.1 % of the bass lie below E2, and less than 0.1 % of any other voice outside the
ranges of ``choir``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from musicrel import bounds
from musicrel.chorale import RANGES, Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints.locks import LockedCells
from musicrel.language import tr
from musicrel.model.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Lowest and highest MIDI number of each voice, S A T B, both included."""

FULL: Final[Ranges] = tuple(RANGES[voice] for voice in Voice)  # the ranges of the training pieces


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Ranges with a name."""

    title: str
    meaning: str
    ranges: Ranges


PRESETS: Final[Mapping[str, Preset]] = {
    "choir": Preset(
        title=tr("Church choir"),
        meaning=tr("Soprano to G5, bass from E2"),
        ranges=((60, 79), (55, 74), (48, 69), (40, 62)),
    ),
    "professional": Preset(
        title=tr("Professional choir"),
        meaning=tr("Soprano to C6 (models write up to A5), bass from D2"),
        ranges=((60, 84), (52, 77), (48, 72), (38, 62)),
    ),
    "youth": Preset(
        title=tr("Youth choir"),
        meaning=tr("Soprano to F5, tenor to F4, bass from G2"),
        ranges=((60, 77), (57, 72), (50, 65), (43, 62)),
    ),
    "full": Preset(
        title=tr("Full range"), meaning=tr("Ranges of the training pieces"), ranges=FULL
    ),
}
"""Presets by name, in the order of lists."""

DEFAULT: Final = "choir"


def parse(text: str) -> Ranges:
    """Return the ranges of a preset, or of text such as ``60-81,55-74,48-69,40-64``."""
    name = text.strip().lower()
    if name in PRESETS:
        return PRESETS[name].ranges
    pairs = [re.fullmatch(r"\s*(\d{1,3})\s*-\s*(\d{1,3})\s*", part) for part in text.split(",")]
    found = tuple((int(pair[1]), int(pair[2])) for pair in pairs if pair)
    if len(found) != len(pairs) or len(found) != len(Voice):
        raise UsageError(
            f"voice ranges are {text!r}: expected one of {', '.join(PRESETS)}, or the lowest and "
            "highest MIDI number of S, A, T and B as in 60-81,55-74,48-69,40-64"
        )
    return found


def to_text(ranges: Ranges | None) -> str:
    """Return ranges as text that ``parse`` reads: the name of a preset if there is one."""
    wanted = ranges or FULL
    named = (name for name, preset in PRESETS.items() if preset.ranges == wanted)
    return next(named, ",".join(f"{low}-{high}" for low, high in wanted))


def check(ranges: Ranges) -> None:
    """Refuse ranges of which a voice has no note that models can write."""
    if type(ranges) is not tuple or len(ranges) != len(Voice) or not all(map(is_pair, ranges)):
        raise UsageError(
            f"voice ranges are {bounds.shown(ranges)}: expected the lowest and highest MIDI number "
            "of S, A, T, B"
        )
    for voice, (low, high) in zip(Voice, ranges, strict=True):
        if low > high or high < LOWEST_PITCH or low > HIGHEST_PITCH:
            raise UsageError(
                tr(
                    "the range of the {voice} is {low}-{high}: expected the lower MIDI number "
                    "first, and notes between {lowest} and {highest}",
                    voice=voice.title,
                    low=bounds.shown(low),
                    high=bounds.shown(high),
                    lowest=LOWEST_PITCH,
                    highest=HIGHEST_PITCH,
                )
            )


def holding(ranges: Ranges, locked: LockedCells) -> Ranges:
    """Return ``ranges``, wider where locked notes beside free ones lie outside."""
    beside = locked.mask & ~locked.mask.all(axis=1, keepdims=True) & (locked.pitches >= 0)
    lines = [locked.pitches[beside[:, voice], voice].tolist() for voice in Voice]
    return tuple(
        (min([low, *line]), max([high, *line]))
        for (low, high), line in zip(ranges, lines, strict=True)
    )


def is_pair(value: object) -> bool:
    """Return True for a pair of whole numbers."""
    return isinstance(value, tuple) and [type(pitch) for pitch in value] == [int, int]
