"""The mixer: how loud each voice is, where it stands, and what keeps the sum below full scale.

This file knows gains and samples; it knows nothing of notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.chorale import Voice
from musicrel.errors import UsageError
from musicrel.score.audio.timbre import Samples, Sound

LOUDEST: Final = 2.0
"""The highest volume, 1 being the usual one."""
GAINS: Final = 4
"""Gains of a voice: itself to the left and the right ear, its room to the left and the right."""

_HEADROOM: Final = 0.08
"""Four usual voices peak near 0.65 with it."""
_KNEE: Final = 0.7
_CEILING: Final = 0.97
_BALANCE: Final[Mapping[Voice, float]] = {
    Voice.SOPRANO: 1.0,
    Voice.ALTO: 0.88,
    Voice.TENOR: 0.92,
    Voice.BASS: 1.1,
}
"""So that none covers another; the ear hears low voices as softer than they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """The controls of one voice.

    Attributes:
        volume: 0 to ``LOUDEST``.
        pan: -1 (left) to 1 (right).
        mute: silence it.
        solo: silence all that are not solo; mute wins.

    Raises:
        UsageError: a value is outside its range.
    """

    volume: float = 1.0
    pan: float = 0.0
    mute: bool = False
    solo: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.volume <= LOUDEST:
            raise UsageError(f"volume is {self.volume}: expected 0 to {LOUDEST:g}")
        if not -1 <= self.pan <= 1:
            raise UsageError(f"pan is {self.pan}: expected -1 (left) to 1 (right)")


_AS_A_CHOIR_STANDS: Final = tuple(Strip(pan=pan) for pan in (-0.45, -0.15, 0.15, 0.45))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """All controls.

    Attributes:
        sound: organ or choir.
        strips: of S, A, T, B.
        room: loudness of the room beside the voices, 0 to 1.
        volume: of everything, 0 to ``LOUDEST``.

    Raises:
        UsageError: a value is outside its range.
    """

    sound: Sound = "choir"
    strips: tuple[Strip, ...] = _AS_A_CHOIR_STANDS
    room: float = 0.3
    volume: float = 1.0

    def __post_init__(self) -> None:
        if len(self.strips) != len(Voice):
            raise UsageError(f"there are {len(self.strips)} strips: expected one a voice, S A T B")
        if not 0 <= self.room <= 1:
            raise UsageError(f"room is {self.room}: expected 0 to 1")
        if not 0 <= self.volume <= LOUDEST:
            raise UsageError(f"volume is {self.volume}: expected 0 to {LOUDEST:g}")

    def hears(self, voice: Voice) -> bool:
        """Whether ``voice`` sounds at all."""
        strip = self.strips[voice]
        chosen = strip.solo or not any(other.solo for other in self.strips)
        return chosen and not strip.mute


def gains(mix: Mix) -> Samples:
    """What each voice is multiplied with.

    Panning keeps the power constant: left cos, right sin of the same angle. The room is panned
    half as far.

    Returns:
        float32 (4 gains, 4 voices): left, right, room left, room right; S A T B.
    """
    table = np.zeros((GAINS, len(Voice)), dtype=np.float32)
    for voice in Voice:
        if mix.hears(voice):
            strip = mix.strips[voice]
            level = _HEADROOM * _BALANCE[voice] * strip.volume * mix.volume
            for ear, turn in enumerate((np.cos, np.sin)):
                table[ear, voice] = level * turn(_angle(strip.pan))
                table[2 + ear, voice] = level * mix.room * turn(_angle(strip.pan / 2))
    return table


def limit(sound: Samples) -> Samples:
    """``sound`` kept within ±0.97: untouched up to 0.7, bent smoothly above."""
    loud = np.abs(sound)
    if not loud.size or loud.max() <= _KNEE:
        return sound
    space = np.float32(_CEILING - _KNEE)
    bent = np.copysign(_KNEE + space * np.tanh((loud - np.float32(_KNEE)) / space), sound)
    return np.where(loud > _KNEE, bent, sound).astype(np.float32, copy=False)


def _angle(pan: float) -> float:
    """From 0 (left) to a right angle (right)."""
    return (pan + 1) * np.pi / 4
