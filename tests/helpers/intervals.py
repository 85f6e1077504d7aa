"""Pitches, intervals and motions of tokens, spelt out one by one.

This file knows the order of tokens; it knows nothing of models.
"""

from __future__ import annotations

from musicrel.model.features.interval_tables import OCTAVE, SIMPLE, WAYS
from musicrel.tokens.vocabulary import PITCHES, REST_TOKEN


def pitch_of(token: int) -> int | None:
    """The semitones above the lowest pitch; None for what is none."""
    return None if token <= REST_TOKEN else (token - REST_TOKEN - 1) % PITCHES


def within(pitch: int | None, other: int | None) -> int:
    """From ``pitch`` to ``other`` within the octave: up 0 to 11, down 12 to 23, 24 for none."""
    if pitch is None or other is None:
        return SIMPLE - 1
    return abs(other - pitch) % OCTAVE + OCTAVE * (other < pitch)


def way(before: int | None, now: int | None) -> int:
    """Stays, steps up, steps down, leaps up, leaps down, or none."""
    if before is None or now is None:
        return WAYS - 1
    moved = now - before
    return 0 if moved == 0 else 1 + 2 * (abs(moved) > 2) + (moved < 0)
