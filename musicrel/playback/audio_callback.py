"""The audio callback's work: read stems and the metronome along the tape, and mix them smoothly.

At every jump, stop or change of tape the old sound fades into the new one; gains move gradually to
the mixer's settings. The metronome does not fade: its clicks begin at exact frames and sound to
their end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from musicrel.chorale import Voice
from musicrel.playback.render_cache import STEMS
from musicrel.playback.transport import Span
from musicrel.score.audio.metronome import NO_CLICKS, ClickReader, Clicks
from musicrel.score.audio.mixer import limit
from musicrel.score.audio.timbre import Samples

FADE: Final = 1_440
"""Frames of a crossfade: 30 ms at 48,000 Hz."""
GAIN_SLEW: Final = 0.1 / 2_400
"""The largest change of a gain per frame: from the default to zero in 50 ms."""

_STEM_AND_CHANNEL: Final = ((0, 0), (0, 1), (1, 0), (2, 1))
"""For each gain: the stem it multiplies, and the output channel."""
_FADE_IN: Final = np.sin(np.linspace(0, np.pi / 2, FADE, dtype=np.float32)) ** 2


class StemSource(Protocol):
    def read(self, position: int, frames: int) -> Samples:
        """Return float32 (3, 4, frames) from ``position`` on."""


class StemReader:
    """Reads stems and crossfades at discontinuities. For the device's thread alone."""

    def __init__(self) -> None:
        self._source: StemSource | None = None
        self._position = 0
        self._old: tuple[StemSource | None, int] = (None, 0)
        self._faded = FADE

    def read(self, source: StemSource | None, position: int, frames: int) -> Samples:
        """Return the next ``frames``, crossfaded from the last ones at a discontinuity.

        Args:
            source: the source to read, None for silence.
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
        rising = _FADE_IN[self._faded : self._faded + length]
        source, position = self._old
        sound *= rising
        sound += _read(source, position, length) * (1 - rising)
        self._faded += length
        self._old = (source, position + length) if self._faded < FADE else (None, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClickTrack:
    """The clicks of the metronome along the tape."""

    piece: Clicks = NO_CLICKS  # the beats of the piece
    count_in: Clicks = NO_CLICKS  # the beats of the lead-in, as long as it
    level: float = 0.0  # volume of the beats of the piece, 0 while the metronome is off
    count_in_level: float = 0.0  # volume of the lead-in

    def read(self, reader: ClickReader, spans: Sequence[Span]) -> Samples:
        """Return the clicks along ``spans``, float32 (frames,)."""
        return np.concatenate([self._read(reader, span) for span in spans])

    def _read(self, reader: ClickReader, span: Span) -> Samples:
        if span.lead:
            begin = self.count_in.frames - span.lead
            return reader.read(self.count_in, begin, span.frames, self.count_in_level)
        level = self.level if span.running else 0.0
        return reader.read(self.piece, span.position, span.frames, level)


class Mixer:
    """Mixes stems to two channels, with gradual gain changes. For the device's thread alone.

    Args:
        gains: initial gains, float32 (4 gains, 4 voices), from ``score.audio.mixer.gains``.
    """

    def __init__(self, gains: Samples) -> None:
        self._now = gains

    def mix(self, stems: Samples, gains: Samples, clicks: Samples | None = None) -> Samples:
        """Mix ``stems`` to float32 (n, 2) within ±0.97.

        Args:
            stems: float32 (3, 4, n): dry, reverb left, reverb right of each voice.
            gains: target gains, float32 (4, 4).
            clicks: the metronome, float32 (n,), added to both channels; None: none.
        """
        frames = stems.shape[-1]
        reach = np.arange(1, frames + 1, dtype=np.float32) * np.float32(GAIN_SLEW)
        channels = np.zeros((2, frames), dtype=np.float32)
        if clicks is not None:
            channels += clicks
        for row, (stem, channel) in enumerate(_STEM_AND_CHANNEL):
            for voice in Voice:
                now, target = self._now[row, voice], gains[row, voice]
                channels[channel] += stems[stem, voice] * _slewed(now, target, reach)
        if frames:
            self._now = _slewed(self._now, gains, reach[-1])
        return limit(channels).T


def _slewed(now: Samples, target: Samples, reach: Samples) -> Samples:
    """Move ``now`` towards ``target`` by at most ``reach``, and reach it exactly."""
    difference = target - now
    return np.where(np.abs(difference) <= reach, target, now + np.clip(difference, -reach, reach))


def _read(source: StemSource | None, position: int, frames: int) -> Samples:
    if source is None:
        return np.zeros((STEMS, len(Voice), frames), dtype=np.float32)
    return source.read(position, frames)
