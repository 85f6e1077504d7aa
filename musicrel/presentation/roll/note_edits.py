"""Edits of single notes: adding, removing, and entering by letter."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from musicrel.chorale import RANGES, REST, STEPS_PER_QUARTER, Chorale, Voice
from musicrel.score.notation.spelling import altered_letters

LETTERS: Final = "CDEFGAB"
GRID: Final = STEPS_PER_QUARTER // 2
"""Notes begin and end on eighths."""

_NATURALS: Final = dict(zip(LETTERS, (0, 2, 4, 5, 7, 9, 11), strict=True))
_OCTAVE: Final = 12


def put_note(piece: Chorale, voice: Voice, span: tuple[int, int], pitch: int) -> Chorale:
    """Return ``piece`` with a note; notes of the voice in its span are cut.

    Args:
        piece: any piece.
        voice: voice of the note.
        span: first step and the step after the last, within the piece.
        pitch: MIDI number.
    """
    start, stop = span
    pitches, onsets = _opened(piece, voice, span)
    pitches[start:stop, voice] = pitch
    onsets[start, voice] = True
    return replace(piece, pitches=pitches, onsets=onsets)


def remove_note(piece: Chorale, voice: Voice, step: int) -> Chorale:
    """Return ``piece`` without the note of ``voice`` at ``step``."""
    pitches, onsets = _opened(piece, voice, span_at(piece, voice, step))
    return replace(piece, pitches=pitches, onsets=onsets)


def span_at(piece: Chorale, voice: Voice, step: int) -> tuple[int, int]:
    """Return start and stop of the note of ``voice`` at ``step``."""
    starts = piece.onsets[:, voice] | (piece.pitches[:, voice] == REST)
    before, after = np.flatnonzero(starts[: step + 1]), np.flatnonzero(starts[step + 1 :])
    start = int(before[-1]) if before.size else 0
    return start, step + 1 + int(after[0]) if after.size else piece.steps


def span_between(steps: tuple[float, float], length: int) -> tuple[int, int]:
    """Return the span between two positions in a piece of ``length`` steps, on the grid.

    It is a quarter long if both positions are the same.
    """
    first, last = sorted(min(max(step, 0.0), length - 1) for step in steps)
    start = int(first) // GRID * GRID
    stop = (int(last) // GRID + 1) * GRID
    return start, min(max(stop, start + STEPS_PER_QUARTER) if first == last else stop, length)


def end(piece: Chorale, voice: Voice) -> int:
    """Return the step after the last note of ``voice``; 0 if it is silent."""
    sounding = np.flatnonzero(piece.pitches[:, voice] != REST)
    return int(sounding[-1]) + 1 if sounding.size else 0


def nearest_pitch(letter: str, piece: Chorale, voice: Voice) -> int:
    """Return the pitch of ``letter`` nearest to the last note of ``voice``, within its range.

    Args:
        letter: one of ``LETTERS``.
        piece: its key signature gives the accidental.
        voice: voice of the note.
    """
    low, high = RANGES[voice]
    last = end(piece, voice)
    before = int(piece.pitches[last - 1, voice]) if last else (low + high) // 2
    altered = altered_letters(piece.key.fifths) if piece.key else {}
    wanted = (_NATURALS[letter] + altered.get(letter, 0)) % _OCTAVE
    return min(
        (pitch for pitch in range(low, high + 1) if pitch % _OCTAVE == wanted),
        key=lambda pitch: abs(pitch - before),
    )


def _opened(
    piece: Chorale, voice: Voice, span: tuple[int, int]
) -> tuple[np.ndarray[tuple[int, int]], np.ndarray[tuple[int, int]]]:
    """Return pitches and onsets with ``voice`` silent in ``span`` and in a note held past it."""
    start, stop = span
    pitches, onsets = piece.pitches.copy(), piece.onsets.copy()
    if stop < piece.steps and not onsets[stop, voice]:
        stop = span_at(piece, voice, stop)[1] if pitches[stop, voice] != REST else stop
    pitches[start:stop, voice] = REST
    onsets[start:stop, voice] = False
    return pitches, onsets
