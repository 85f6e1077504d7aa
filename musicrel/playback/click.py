"""A metronome: clicks on every beat, the first of a bar higher, and a clock in steps.

Its clock follows the sound as played, so that recordings are in time with the clicks for any device
latency. Without a device it keeps time silently.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Meter
from musicrel.playback.audio import DeviceError, Output, SilentClock, TimeSource
from musicrel.score.audio.timbre import Samples

_LENGTH: Final = 0.05
"""Seconds per click."""
_DECAY: Final = 0.012
"""Seconds to decay by a factor of e."""
_HERTZ: Final = (1568.0, 1046.5)
"""Of the first beat of a bar, and of the others: G6 and C6."""
_LOUDNESS: Final = 0.4


class Click:
    """One run of clicks from the first beat of a bar on.

    Args:
        output: plays the clicks.
        meter: number of beats in a bar.
        tempo: quarters per minute.
        clock: seconds; keeps time without a device.
    """

    def __init__(self, output: Output, meter: Meter, tempo: float, clock: TimeSource) -> None:
        self._output = output
        self._silence = SilentClock(clock, output.rate)
        self._beats = meter.numerator
        self._beat = output.rate * 60 / tempo * 4 / meter.denominator
        self._sounds = tuple(_click(hertz, output.rate) for hertz in _HERTZ)
        self._made = 0
        self._before = 0.0
        self._step = output.rate * 60 / tempo / STEPS_PER_QUARTER
        self.problem = ""
        """A sentence that explains missing sound, or ""."""

    def start(self) -> None:
        """Start clicking."""
        try:
            self._output.start(self.read)
        except DeviceError as reason:
            self.problem = str(reason)
            self._silence.start()

    def stop(self) -> None:
        """Stop clicking."""
        self._output.stop()

    def steps(self) -> float:
        """Return the sixteenths since the first click was played, fractions included."""
        return self._frames() / self._step

    def read(self, frames: int) -> Samples:
        """Return the next ``frames``, float32 (frames, 2)."""
        start, self._made = self._made, self._made + frames
        sound = np.zeros(frames, dtype=np.float32)
        longest = len(self._sounds[0])
        first = max(int((start - longest) / self._beat), 0)
        for beat in range(first, int((start + frames) / self._beat) + 1):
            click = self._sounds[0 if beat % self._beats == 0 else 1]
            _add(sound, click, round(beat * self._beat) - start)
        return np.repeat(sound[:, None], 2, axis=1)

    def _frames(self) -> float:
        """Return the frames played, or elapsed silently if the device is missing or lost."""
        if not self.problem and (trouble := self._output.problem()):
            self._before = self._output.frames_played()
            self._silence.start()
            self.problem = trouble
        return (
            self._before + self._silence.elapsed_frames()
            if self.problem
            else self._output.frames_played()
        )


def _click(hertz: float, rate: int) -> Samples:
    """Synthesise a short decaying tone, float32 (n,)."""
    seconds = np.arange(round(_LENGTH * rate)) / rate
    wave = np.sin(2 * np.pi * hertz * seconds) * np.exp(-seconds / _DECAY)
    return np.asarray(_LOUDNESS * wave, dtype=np.float32)


def _add(sound: Samples, click: Samples, place: int) -> None:
    """Add ``click`` to ``sound`` at ``place``, clipped to ``sound``; ``place`` may be negative."""
    first, last = max(place, 0), min(place + len(click), len(sound))
    if first < last:
        sound[first:last] += click[first - place : last - place]
