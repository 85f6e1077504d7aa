"""The voice that a new note belongs to, by its pitch and the notes around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from musicrel.chorale import REST, Chorale, Voice
from musicrel.editing.notes import voice_notes

_OUTSIDE: Final = 100
"""Cost of a note outside the range of its voice, in semitones."""
_CROSSES: Final = 24
"""Cost of a note above the next higher voice or below the next lower one."""
_REPLACES: Final = 3
"""Cost of a place where the voice sounds already."""


def fitting_voice(
    piece: Chorale, step: int, pitch: int, ranges: Mapping[Voice, tuple[int, int]]
) -> Voice:
    """Return the voice that a note fits best.

    It has the note in its range, crosses no neighbour, and sounds near it at this step or, if it
    rests there, in the note nearest in time. A voice that rests is preferred.
    """
    return min(Voice, key=lambda voice: _cost(piece, step, pitch, voice, ranges[voice]))


def _cost(piece: Chorale, step: int, pitch: int, voice: Voice, between: tuple[int, int]) -> int:
    low, high = between
    sounding = piece.pitches[step]
    crossed = [
        other
        for other in Voice
        if sounding[other] != REST
        and ((other < voice and pitch > sounding[other]) or
             (other > voice and pitch < sounding[other]))
    ]  # fmt: skip
    cost = abs(pitch - _pitch_near(piece, step, voice, (low + high) // 2))
    cost += _CROSSES * len(crossed) + (0 if low <= pitch <= high else _OUTSIDE)
    return cost + (_REPLACES if sounding[voice] != REST else 0)


def _pitch_near(piece: Chorale, step: int, voice: Voice, usual: int) -> int:
    """Return the pitch of the note of a voice nearest to a step; ``usual`` if it is silent."""
    notes = voice_notes(piece, voice)
    nearest = min(
        notes, key=lambda note: max(note.start - step, step - note.stop + 1, 0), default=None
    )
    return usual if nearest is None else nearest.pitch
