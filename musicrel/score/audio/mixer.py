"""The mixer: volume and pan of each voice, reverb level, and a limiter for the sum."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from musicrel.chorale import Voice
from musicrel.errors import UsageError
from musicrel.score import instruments
from musicrel.score.audio.timbre import Samples
from musicrel.score.instruments import Sound, Sounds

LOUDEST: Final = 2.0  # highest volume; 1 is the default

_HEADROOM: Final = 0.08  # scale at which four voices of default volume peak near 0.65
_KNEE: Final = 0.7
_CEILING: Final = 0.97
# Relative levels of equal loudness: low voices are perceived as softer.
_BALANCE: Final = (1.0, 0.88, 0.92, 1.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """The channel strip of one voice."""

    volume: float = 1.0  # 0 to ``LOUDEST``
    pan: float = 0.0  # -1 (left) to 1 (right)
    mute: bool = False
    solo: bool = False  # silence all voices that are not solo; mute takes precedence

    def __post_init__(self) -> None:
        if not 0 <= self.volume <= LOUDEST:
            raise UsageError(f"volume is {self.volume}: expected 0 to {LOUDEST:g}")
        if not -1 <= self.pan <= 1:
            raise UsageError(f"pan is {self.pan}: expected -1 (left) to 1 (right)")


_AS_A_CHOIR_STANDS: Final = tuple(Strip(pan=pan) for pan in (-0.45, -0.15, 0.15, 0.45))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """All controls of the mixer."""

    sound: Sound | Sounds = "choir"
    strips: tuple[Strip, ...] = _AS_A_CHOIR_STANDS
    reverb: float = 0.3  # level of the reverb relative to the dry voices, 0 to 1
    volume: float = 1.0  # master volume, 0 to ``LOUDEST``
    # SoundFont of the sampled instruments; None: the one inside pretty_midi
    soundfont: Path | None = None

    def __post_init__(self) -> None:
        instruments.parse(",".join(self.sounds))
        if len(self.strips) != len(Voice):
            raise UsageError(
                f"there are {len(self.strips)} strips: expected one for each voice, S A T B"
            )
        if not 0 <= self.reverb <= 1:
            raise UsageError(f"reverb is {self.reverb}: expected 0 to 1")
        if not 0 <= self.volume <= LOUDEST:
            raise UsageError(f"volume is {self.volume}: expected 0 to {LOUDEST:g}")

    @property
    def sounds(self) -> Sounds:
        return instruments.for_voices(self.sound)

    def is_audible(self, voice: Voice) -> bool:
        strip = self.strips[voice]
        chosen = strip.solo or not any(other.solo for other in self.strips)
        return chosen and not strip.mute


def gains(mix: Mix) -> Samples:
    """Compute the gains (4, 4 voices): left, right, reverb left, reverb right; S A T B.

    The pan law keeps the power constant: left cos, right sin of the same angle. The reverb is
    panned half as far.
    """
    table = np.zeros((4, len(Voice)), dtype=np.float32)
    for voice in Voice:
        if mix.is_audible(voice):
            strip = mix.strips[voice]
            level = _HEADROOM * _BALANCE[voice] * strip.volume * mix.volume
            for channel, pan_law in enumerate((np.cos, np.sin)):
                table[channel, voice] = level * pan_law(_angle(strip.pan))
                table[2 + channel, voice] = level * mix.reverb * pan_law(_angle(strip.pan / 2))
    return table


def limit(sound: Samples) -> Samples:
    """Limit ``sound`` to ±0.97: linear up to 0.7, a smooth tanh knee above."""
    loud = np.abs(sound)
    if not loud.size or loud.max() <= _KNEE:
        return sound
    space = np.float32(_CEILING - _KNEE)
    limited = np.copysign(_KNEE + space * np.tanh((loud - np.float32(_KNEE)) / space), sound)
    return np.where(loud > _KNEE, limited, sound).astype(np.float32, copy=False)


def _angle(pan: float) -> float:
    return (pan + 1) * np.pi / 4
