"""What the device's thread does: read stems along the tape, mix them, and let nothing click.

Wherever the tape jumps, stops or is exchanged, the old sound fades into the new one; gains slide to
where the mixer is set. This file knows samples; it knows nothing of music or devices.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np

from musicrel.chorale import Voice
from musicrel.playback.render_cache import STEMS
from musicrel.score.audio.mixer import limit
from musicrel.score.audio.timbre import Samples

FADE: Final = 1_440
"""Frames in which one sound fades into the next: 30 ms at 48,000 a second."""
SLIDE: Final = 0.1 / 2_400
"""How far a gain moves in a frame: from that of a usual voice to nothing in 50 ms."""

_STEM_AND_EAR: Final = ((0, 0), (0, 1), (1, 0), (2, 1))
"""For each gain: what it multiplies, and the ear that hears it."""
_NEXT: Final = np.sin(np.linspace(0, np.pi / 2, FADE, dtype=np.float32)) ** 2


class Reads(Protocol):
    """Where stems come from."""

    def read(self, position: int, frames: int) -> Samples:
        """Float32 (3, 4, frames) from ``position`` on."""
        ...


class Deck:
    """One reading head and the memory of where it was. For the device's thread alone."""

    def __init__(self) -> None:
        self._source: Reads | None = None
        self._position = 0
        self._old: tuple[Reads | None, int] = (None, 0)
        self._faded = FADE

    def read(self, source: Reads | None, position: int, frames: int) -> Samples:
        """The next ``frames``, faded over from the last ones where they do not follow on.

        Args:
            source: what is read, None for silence.
            position: the frame of it to begin at.
            frames: how many.

        Returns:
            float32 (3, 4, frames).
        """
        if source is not self._source or (source is not None and position != self._position):
            self._old, self._faded = (self._source, self._position), 0
        self._source, self._position = source, position + frames
        sound = _read(source, position, frames)
        fading = min(FADE - self._faded, frames)
        if fading > 0:
            self._fade(sound[..., :fading])
        return sound

    def _fade(self, sound: Samples) -> None:
        """Fade the old sound out and ``sound`` (3, 4, n) in, in place."""
        length = sound.shape[-1]
        rising = _NEXT[self._faded : self._faded + length]
        source, position = self._old
        sound *= rising
        sound += _read(source, position, length) * (1 - rising)
        self._old = (source, position + length)
        self._faded += length


class Mixer:
    """Stems to two ears, with gains that slide. For the device's thread alone.

    Args:
        gains: float32 (4 gains, 4 voices) to begin with, as ``score.mix.gains`` makes them.
    """

    def __init__(self, gains: Samples) -> None:
        self._now = gains

    def mix(self, stems: Samples, gains: Samples) -> Samples:
        """``stems`` as float32 (n, 2) within ±0.97.

        Args:
            stems: float32 (3, 4, n): dry, room left, room right of each voice.
            gains: where each gain is to go, float32 (4, 4).
        """
        frames = stems.shape[-1]
        far = np.arange(1, frames + 1, dtype=np.float32) * np.float32(SLIDE)
        ears = np.zeros((2, frames), dtype=np.float32)
        for row, (stem, ear) in enumerate(_STEM_AND_EAR):
            for voice in Voice:
                now, wanted = self._now[row, voice], gains[row, voice]
                ears[ear] += stems[stem, voice] * _slid(now, wanted, far)
        if frames:
            self._now = _slid(self._now, gains, far[-1])
        return limit(ears).T


def _slid(now: Samples, wanted: Samples, far: Samples) -> Samples:
    """``now`` moved towards ``wanted`` by at most ``far``, exactly there where that is enough."""
    way = wanted - now
    return np.where(np.abs(way) <= far, wanted, now + np.clip(way, -far, far))


def _read(source: Reads | None, position: int, frames: int) -> Samples:
    if source is None:
        return np.zeros((STEMS, len(Voice), frames), dtype=np.float32)
    return source.read(position, frames)
