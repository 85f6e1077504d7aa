"""Pitches, intervals, motions and voice-leading biases of single tokens."""

from __future__ import annotations

from musicrel.model.features.interval_tables import MOTION_KINDS, OCTAVE, SIMPLE_INTERVALS
from musicrel.model.features.logit_biases import LogitBiases
from musicrel.tokens.vocabulary import PITCHES, REST_TOKEN


def pitch_of(token: int) -> int | None:
    """Return the semitones above the lowest pitch, None for tokens without pitch."""
    return None if token <= REST_TOKEN else (token - REST_TOKEN - 1) % PITCHES


def simple_interval(pitch: int | None, other: int | None) -> int:
    """Return the interval within the octave: up 0 to 11, down 12 to 23, 24 for none."""
    if pitch is None or other is None:
        return SIMPLE_INTERVALS - 1
    return abs(other - pitch) % OCTAVE + OCTAVE * (other < pitch)


def motion_kind(before: int | None, now: int | None) -> int:
    """Return the kind of motion: none, step up, step down, leap up, leap down, undefined."""
    if before is None or now is None:
        return MOTION_KINDS - 1
    moved = now - before
    return 0 if moved == 0 else 1 + 2 * (abs(moved) > 2) + (moved < 0)


def voice_leading_bias(
    tables: LogitBiases,
    own: tuple[int | None, int],
    other: tuple[int | None, int | None],
) -> float:
    """Return the bias of a voice's next pitch by another voice; pitches before and now."""
    row = simple_interval(own[0], other[0]) * MOTION_KINDS + motion_kind(*other)
    column = simple_interval(other[1], own[1])
    if column == SIMPLE_INTERVALS - 1:
        return 0.0
    return float(tables.voice_leading_MS[row, column].detach())
