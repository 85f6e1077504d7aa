"""Parts of a piece by name: voices and bars.

soprano          a voice            5-8      bars, all voices
alto,tenor:5-8   voices in bars     5        one bar; 0 is the pickup
all              everything         first    the first chord; last: the last one
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

import numpy as np

from musicrel.analysis.events import sonority_onsets
from musicrel.chorale import Chorale, Flags, Voice
from musicrel.errors import UsageError

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
    """Return the cells of ``piece`` in any of the named parts, bool (T, 4)."""
    cells = np.zeros(piece.pitches.shape, dtype=np.bool_)
    for text in texts:
        voices, steps = _read(text, piece)
        cells[steps, voices] = True
    return cells


def free_cells(piece: Chorale, keep: Collection[str], rewrite: Collection[str]) -> Flags:
    """Return the cells to rewrite, bool (T, 4)."""
    if not keep and not rewrite:
        raise UsageError(f"no part of the piece to rewrite is given: {_EXPECTED}")
    return mask(rewrite or ["all"], piece) & ~mask(keep, piece)


def _read(text: str, piece: Chorale) -> tuple[list[Voice], slice]:
    named, colon, where = text.strip().lower().partition(":")
    if not colon and (_BARS.fullmatch(named) or named in _CHORDS):
        named, where = "all", named
    voices = [voice for name in named.split(",") for voice in _VOICES.get(name.strip(), [])]
    if not all(name.strip() in _VOICES for name in named.split(",")) or (colon and not where):
        raise UsageError(f"{text!r} names no part of a piece: {_EXPECTED}")
    start, stop = _span(text, where.strip(), piece) if where else (0, piece.steps)
    return voices, slice(start, stop)


def _span(text: str, where: str, piece: Chorale) -> tuple[int, int]:
    if where in _CHORDS:
        starts = np.flatnonzero(sonority_onsets(piece.pitches))
        ends = [*starts[1:].tolist(), piece.steps]
        return (0, ends[0]) if where == "first" else (int(starts[-1]), piece.steps)
    bars = _BARS.fullmatch(where)
    if not bars:
        raise UsageError(f"{text!r} names no part of a piece: {_EXPECTED}")
    first, last = int(bars[1]), int(bars[2] or bars[1])
    lowest = 0 if piece.pickup else 1
    highest = piece.bar_number(piece.steps - 1)
    if not lowest <= first <= last <= highest:
        raise UsageError(
            f"{text!r} is not in the piece: expected bars {lowest} to {highest}"
            f"{', 0 being the pickup' if piece.pickup else ''}, the lower one first"
        )
    lines = piece.pickup + piece.meter.steps * np.array([first - 1, last])
    start, stop = np.clip(lines, 0, piece.steps).tolist()
    return start, stop
