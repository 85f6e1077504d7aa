"""A metronome: clicks on every beat, the first of a bar higher, and tells what time it is.

Its time is that of what is heard, so that whoever plays to the clicks is in time with them however
late the device is. Without a device it keeps time silently. This file knows beats and frames; it
knows nothing of what is played to them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Meter
from musicrel.playback.audio import DeviceError, Output, Seconds, Silence
from musicrel.score.audio.timbre import Samples

_LENGTH: Final = 0.05
"""Seconds a click lasts."""
_DECAY: Final = 0.012
"""Seconds in which it falls to a third."""
_HERTZ: Final = (1568.0, 1046.5)
"""Of the first beat of a bar, and of the others: G6 and C6."""
_LOUDNESS: Final = 0.4


class Click:
    """One run of clicks, from the first beat of a bar on.

    Args:
        output: where it is heard.
        meter: how many beats are a bar.
        tempo: quarters a minute.
        clock: seconds; keeps time where there is no device.
    """

    def __init__(self, output: Output, meter: Meter, tempo: float, clock: Seconds) -> None:
        self._output = output
        self._silence = Silence(clock, output.rate)
        self._beats = meter.numerator
        self._beat = output.rate * 60 / tempo * 4 / meter.denominator
        self._sounds = tuple(_click(hertz, output.rate) for hertz in _HERTZ)
        self._made = 0
        self._before = 0.0
        self._step = output.rate * 60 / tempo / STEPS_PER_QUARTER
        self.problem = ""
        """Why it is silent, one sentence; "" where it is not."""

    def start(self) -> None:
        """Click from now on."""
        try:
            self._output.start(self.read)
        except DeviceError as reason:
            self.problem = str(reason)
            self._silence.start()

    def stop(self) -> None:
        """Be silent."""
        self._output.stop()

    def steps(self) -> float:
        """Sixteenths since the first click was heard, fractions included."""
        return self._frames() / self._step

    def read(self, frames: int) -> Samples:
        """The next ``frames``, float32 (frames, 2)."""
        start, self._made = self._made, self._made + frames
        sound = np.zeros(frames, dtype=np.float32)
        longest = len(self._sounds[0])
        first = max(int((start - longest) / self._beat), 0)
        for beat in range(first, int((start + frames) / self._beat) + 1):
            click = self._sounds[0 if beat % self._beats == 0 else 1]
            _add(sound, click, round(beat * self._beat) - start)
        return np.repeat(sound[:, None], 2, axis=1)

    def _frames(self) -> float:
        """Frames heard, or gone by unheard since the device was lost or found missing."""
        if not self.problem and (trouble := self._output.problem()):
            self._before = self._output.heard()
            self._silence.start()
            self.problem = trouble
        return self._before + self._silence.passed() if self.problem else self._output.heard()


def _click(hertz: float, rate: int) -> Samples:
    """A short tone that dies away, float32 (n,)."""
    seconds = np.arange(round(_LENGTH * rate)) / rate
    wave = np.sin(2 * np.pi * hertz * seconds) * np.exp(-seconds / _DECAY)
    return np.asarray(_LOUDNESS * wave, dtype=np.float32)


def _add(sound: Samples, click: Samples, place: int) -> None:
    """Add ``click`` to ``sound`` from ``place`` on, as far as both reach; it may begin before."""
    first, last = max(place, 0), min(place + len(click), len(sound))
    if first < last:
        sound[first:last] += click[first - place : last - place]
