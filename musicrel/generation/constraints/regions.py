"""Parts of a piece by name: which voices, which bars.

    soprano          a voice            5-8      bars, all voices
    alto,tenor:5-8   voices in bars     5        one bar; 0 is the pickup
    all              everything         first    the first chord; last: the last one

This file knows names, bars and chords; what is given of a part stands in ``locks``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

import numpy as np

from musicrel.analysis.events import sonority_begins
from musicrel.chorale import Chorale, Flags, Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints.locks import Locks

_VOICES: Final = {
    **{voice.letter.lower(): [voice] for voice in Voice},
    **{voice.name.lower(): [voice] for voice in Voice},
    "all": list(Voice),
}
_BARS: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")
_CHORDS: Final = ("first", "last")
_EXPECTED: Final = (
    "expected voices, bars or both, as in soprano, 5-8, alto,tenor:5-8, first or last"
)


def mask(texts: Iterable[str], piece: Chorale) -> Flags:
    """The cells of ``piece`` that are in any of the parts named: bool (T, 4).

    Raises:
        UsageError: a name cannot be read, or its bars are not in the piece.
    """
    cells = np.zeros(piece.pitches.shape, dtype=np.bool_)
    for text in texts:
        voices, steps = _read(text, piece)
        cells[steps, voices] = True
    return cells


def locks_of(original: Chorale, keep: Collection[str], rewrite: Collection[str]) -> Locks:
    """What is given when a part of ``original`` is written anew.

    Args:
        original: the piece.
        keep: parts that are kept in any case.
        rewrite: parts that are written; all else is kept. None: all that ``keep`` does not name.

    Raises:
        UsageError: a part cannot be read, or none is named.
    """
    if not keep and not rewrite:
        raise UsageError(f"nothing says what of the piece to write anew: {_EXPECTED}")
    kept = mask(keep, original)
    return Locks.of(original, kept | ~mask(rewrite, original) if rewrite else kept)


def _read(text: str, piece: Chorale) -> tuple[list[Voice], slice]:
    """The voices and the steps."""
    named, colon, where = text.strip().lower().partition(":")
    if not colon and (_BARS.fullmatch(named) or named in _CHORDS):
        named, where = "all", named
    voices = [voice for name in named.split(",") for voice in _VOICES.get(name.strip(), [])]
    if not all(name.strip() in _VOICES for name in named.split(",")) or (colon and not where):
        raise UsageError(f"{text!r} names no part of a piece: {_EXPECTED}")
    start, stop = _span(text, where.strip(), piece) if where else (0, piece.steps)
    return voices, slice(start, stop)


def _span(text: str, where: str, piece: Chorale) -> tuple[int, int]:
    """The steps, half-open."""
    if where in _CHORDS:
        begins = np.flatnonzero(sonority_begins(piece.pitches))
        ends = [*begins[1:].tolist(), piece.steps]
        return (0, ends[0]) if where == "first" else (int(begins[-1]), piece.steps)
    bars = _BARS.fullmatch(where)
    if not bars:
        raise UsageError(f"{text!r} names no part of a piece: {_EXPECTED}")
    first, last = int(bars[1]), int(bars[2] or bars[1])
    lowest = 0 if piece.pickup else 1
    highest = (piece.steps - piece.pickup - 1) // piece.meter.steps + 1
    if not lowest <= first <= last <= highest:
        raise UsageError(
            f"{text!r} is not in the piece: expected bars {lowest} to {highest}"
            f"{', 0 being the pickup' if piece.pickup else ''}, the lower one first"
        )
    lines = piece.pickup + piece.meter.steps * np.array([first - 1, last])
    start, stop = np.clip(lines, 0, piece.steps).tolist()
    return start, stop
