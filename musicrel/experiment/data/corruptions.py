"""Music made worse in ways that have names: what a critic has to hear, whoever wrote the rest.

A corruption changes few notes of a window and leaves the others as they are. All of them take
pitches on the grid and chance, and give pitches; voices stay in their ranges.

This file knows notes on the grid; it knows nothing of who hears them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np

from musicrel.chorale import RANGES, REST, STEPS_PER_QUARTER, Pitches, Voice

Span: TypeAlias = tuple[int, int]
"""Where a note begins, and the step after its last."""
Corruption: TypeAlias = Callable[[Pitches, np.random.Generator], None]
"""Changes pitches, int16 (T, 4), in place."""

_BAR: Final = 16
_TRIES: Final = 8
_A_NOTE_IN: Final = 24
"""Steps for each note that is changed."""
_IN_PARALLEL: Final = (0, 7, 12, 19, 24)
_FARTHEST: Final = 7


def corrupted(pitches: Pitches, name: str, rng: np.random.Generator) -> Pitches:
    """``pitches`` made worse; unchanged only where nothing can be changed.

    Args:
        pitches: int16 (T, 4).
        name: which of ``CORRUPTIONS``.
        rng: of the choice.
    """
    for _ in range(_TRIES):
        found = pitches.copy()
        CORRUPTIONS[name](found, rng)
        if (found != pitches).any():
            return found
    return pitches


def _move_notes(pitches: Pitches, rng: np.random.Generator) -> None:
    """Some notes are a semitone or two beside what they were."""
    for _ in range(_number(pitches, rng)):
        voice = int(rng.integers(len(Voice)))
        start, stop = _any(notes(pitches[:, voice]), rng)
        by = int(rng.choice([-2, -1, 1, 2]))
        _write(pitches, voice, slice(start, stop), pitches[start:stop, voice] + by)


def _move_borders(pitches: Pitches, rng: np.random.Generator) -> None:
    """Some notes begin one sixteenth or three too early or too late.

    An eighth would be nothing: suspensions and anticipations are that.
    """
    for _ in range(2 * _number(pitches, rng)):
        voice = int(rng.integers(len(Voice)))
        start, stop = _any(notes(pitches[:, voice]), rng)
        by = int(rng.choice([1, 3]))
        if rng.random() < 0.5 and start > by:  # noqa: PLR2004  # as often early as late
            pitches[start - by : start, voice] = pitches[start, voice]
        elif start > 0 and start + by < stop:
            pitches[start : start + by, voice] = pitches[start - 1, voice]


def _shift_a_voice(pitches: Pitches, rng: np.random.Generator) -> None:
    """One voice comes an eighth to a half too late, in all of the window or from somewhere on."""
    voice, by = int(rng.integers(len(Voice))), int(rng.choice([2, 4, 8]))
    start = int(rng.integers(len(pitches) // 2)) // STEPS_PER_QUARTER * STEPS_PER_QUARTER
    line = pitches[start:, voice].copy()
    pitches[start + by :, voice] = line[:-by]
    pitches[start : start + by, voice] = line[0]


def _transpose_a_voice(pitches: Pitches, rng: np.random.Generator) -> None:
    """One voice is a little higher or lower for a bar or two."""
    voice, span = int(rng.integers(len(Voice))), _span(pitches, rng)
    by = int(rng.choice([-5, -4, -3, -2, -1, 1, 2, 3, 4, 5]))
    _write(pitches, voice, span, pitches[span, voice] + by)


def _leap_by_octaves(pitches: Pitches, rng: np.random.Generator) -> None:
    """Some notes of one voice are an octave off."""
    for _ in range(_number(pitches, rng)):
        voice = int(rng.integers(len(Voice)))
        start, stop = _any(notes(pitches[:, voice]), rng)
        by = int(rng.choice([-12, 12]))
        _write(pitches, voice, slice(start, stop), pitches[start:stop, voice] + by)


def _swap_bars(pitches: Pitches, rng: np.random.Generator) -> None:
    """Two bars are exchanged, or two halves of one where there is no other."""
    length = _BAR if len(pitches) >= 2 * _BAR else len(pitches) // 2
    first, second = rng.choice(len(pitches) // length, size=2, replace=False) * length
    a, b = slice(first, first + length), slice(second, second + length)
    pitches[a], pitches[b] = pitches[b].copy(), pitches[a].copy()


def _write_parallels(pitches: Pitches, rng: np.random.Generator) -> None:
    """Some motions of one voice are doubled by another in fifths, octaves or unisons."""
    for _ in range(_number(pitches, rng)):
        upper, lower = np.sort(rng.choice(len(Voice), size=2, replace=False)).tolist()
        leads, follows = (upper, lower) if rng.random() < 0.5 else (lower, upper)  # noqa: PLR2004
        found = notes(pitches[:, leads])
        if len(found) < 2:  # noqa: PLR2004  # a motion has two ends
            continue
        first = int(rng.integers(len(found) - 1))
        before, after = found[first], found[first + 1]
        if before[1] != after[0]:
            continue  # a rest stands between
        _double(pitches, (leads, follows), (before, after))


def _double(pitches: Pitches, voices: tuple[int, int], motion: tuple[Span, Span]) -> None:
    """Let the second voice go with the first, from the quarter before to the one after."""
    leads, follows = voices
    (start, middle), (_, stop) = motion
    span = slice(max(start, middle - STEPS_PER_QUARTER), min(stop, middle + STEPS_PER_QUARTER))
    own, led = int(pitches[middle - 1, follows]), int(pitches[middle - 1, leads])
    if own == REST:
        return
    side = 1 if follows < leads else -1
    apart = min(_IN_PARALLEL, key=lambda wide: abs(led + side * wide - own))
    if abs(led + side * apart - own) <= _FARTHEST:
        _write(pitches, follows, span, pitches[span, leads] + side * apart)


CORRUPTIONS: Final[Mapping[str, Corruption]] = {
    "notes moved": _move_notes,
    "notes early or late": _move_borders,
    "a voice late": _shift_a_voice,
    "a voice transposed": _transpose_a_voice,
    "octave leaps": _leap_by_octaves,
    "bars swapped": _swap_bars,
    "parallels": _write_parallels,
}
"""By name."""


def notes(line: Pitches) -> list[Span]:
    """Where each note of a voice begins and ends, repeats merged; rests are no notes.

    Args:
        line: int16 (T,).
    """
    borders = np.flatnonzero(np.diff(line)) + 1
    starts, stops = [0, *borders.tolist()], [*borders.tolist(), len(line)]
    return [span for span in zip(starts, stops, strict=True) if line[span[0]] != REST]


def _write(pitches: Pitches, voice: int, span: slice, line: Pitches) -> None:
    """Put ``line`` into a voice where it can sing it; its rests stay."""
    low, high = RANGES[Voice(voice)]
    sings = pitches[span, voice] != REST
    if (line[sings] >= low).all() and (line[sings] <= high).all():
        pitches[span, voice] = np.where(sings, line, REST)


def _number(pitches: Pitches, rng: np.random.Generator) -> int:
    """How many notes are changed: one at least, more in a long window."""
    return 1 + int(rng.integers(1 + len(pitches) // _A_NOTE_IN))


def _any(found: list[Span], rng: np.random.Generator) -> Span:
    return found[int(rng.integers(len(found)))] if found else (0, 0)


def _span(pitches: Pitches, rng: np.random.Generator) -> slice:
    """One bar or two, from a quarter on."""
    length = min(int(rng.choice([1, 2])) * _BAR, len(pitches))
    quarters = (len(pitches) - length) // STEPS_PER_QUARTER
    start = int(rng.integers(quarters + 1)) * STEPS_PER_QUARTER
    return slice(start, start + length)
