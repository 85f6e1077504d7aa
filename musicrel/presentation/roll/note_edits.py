"""Notes that are written by hand: put into a voice, taken out again, named by letters.

This file knows pieces and pitches; it knows nothing of mice, keys or Qt.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from musicrel.chorale import RANGES, REST, STEPS_PER_QUARTER, Chorale, Key, Voice

LETTERS: Final = "CDEFGAB"
GRID: Final = STEPS_PER_QUARTER // 2
"""Notes begin and end on eighths."""

_NATURALS: Final = dict(zip(LETTERS, (0, 2, 4, 5, 7, 9, 11), strict=True))
_SHARPS: Final = "FCGDAEB"
_OCTAVE: Final = 12


def put(piece: Chorale, voice: Voice, span: tuple[int, int], pitch: int) -> Chorale:
    """``piece`` with a note; what the voice sang there is cut off.

    Args:
        piece: any piece.
        voice: who sings it.
        span: first step and the step after the last, within the piece.
        pitch: MIDI number.
    """
    start, stop = span
    pitches, onsets = _opened(piece, voice, span)
    pitches[start:stop, voice] = pitch
    onsets[start, voice] = True
    return replace(piece, pitches=pitches, onsets=onsets)


def taken(piece: Chorale, voice: Voice, step: int) -> Chorale:
    """``piece`` without the note that ``voice`` sings at ``step``."""
    pitches, onsets = _opened(piece, voice, span_at(piece, voice, step))
    return replace(piece, pitches=pitches, onsets=onsets)


def span_at(piece: Chorale, voice: Voice, step: int) -> tuple[int, int]:
    """First step, and the step after the last, of the note that ``voice`` sings at ``step``."""
    begins = piece.onsets[:, voice] | (piece.pitches[:, voice] == REST)
    before, after = np.flatnonzero(begins[: step + 1]), np.flatnonzero(begins[step + 1 :])
    start = int(before[-1]) if before.size else 0
    return start, step + 1 + int(after[0]) if after.size else piece.steps


def spanned(steps: tuple[float, float], length: int) -> tuple[int, int]:
    """The span between two places of a piece of ``length`` steps, on the grid.

    A quarter where both are the same place.
    """
    first, last = sorted(min(max(step, 0.0), length - 1) for step in steps)
    start = int(first) // GRID * GRID
    stop = (int(last) // GRID + 1) * GRID
    return start, min(max(stop, start + STEPS_PER_QUARTER) if first == last else stop, length)


def end(piece: Chorale, voice: Voice) -> int:
    """The step after the last note of ``voice``; 0 where it is silent."""
    sung = np.flatnonzero(piece.pitches[:, voice] != REST)
    return int(sung[-1]) + 1 if sung.size else 0


def named(letter: str, piece: Chorale, voice: Voice) -> int:
    """The pitch that ``letter`` means after the last note of ``voice``: the nearest in its range.

    Args:
        letter: one of ``LETTERS``.
        piece: its key says whether the note is sharp or flat.
        voice: who sings.
    """
    low, high = RANGES[voice]
    last = end(piece, voice)
    before = int(piece.pitches[last - 1, voice]) if last else (low + high) // 2
    wanted = (_NATURALS[letter] + _altered(letter, piece.key)) % _OCTAVE
    return min(
        (pitch for pitch in range(low, high + 1) if pitch % _OCTAVE == wanted),
        key=lambda pitch: abs(pitch - before),
    )


def _altered(letter: str, key: Key | None) -> int:
    """By how many semitones the signature of ``key`` moves a letter: -1, 0 or 1."""
    fifths = 0 if key is None else key.fifths
    if fifths >= 0:
        return int(letter in _SHARPS[:fifths])
    return -int(letter in _SHARPS[fifths:])


def _opened(
    piece: Chorale, voice: Voice, span: tuple[int, int]
) -> tuple[np.ndarray[tuple[int, int]], np.ndarray[tuple[int, int]]]:
    """Pitches and onsets with ``voice`` silent in ``span``; a note that went on after it, too."""
    start, stop = span
    pitches, onsets = piece.pitches.copy(), piece.onsets.copy()
    if stop < piece.steps and not onsets[stop, voice]:
        stop = span_at(piece, voice, stop)[1] if pitches[stop, voice] != REST else stop
    pitches[start:stop, voice] = REST
    onsets[start:stop, voice] = False
    return pitches, onsets
