"""The clicks of a recording: the metronome at one tempo, and a clock in steps.

Its clock follows the sound as played, so that recordings are in time with the clicks for any device
latency. Without a device it keeps time silently.
"""

from __future__ import annotations

import numpy as np

from musicrel.chorale import MAX_STEPS, Meter
from musicrel.playback.audio import DeviceError, Output, SilentClock, TimeSource
from musicrel.score.audio import metronome
from musicrel.score.audio.metronome import ClickReader
from musicrel.score.audio.timbre import Samples


class Click:
    """One run of clicks from the first beat of a bar on.

    Args:
        tempo: quarters per minute.
        clock: seconds; keeps time without a device.
    """

    def __init__(self, output: Output, meter: Meter, tempo: float, clock: TimeSource) -> None:
        self._output = output
        self._silence = SilentClock(clock, output.rate)
        self._clicks = metronome.steady(meter, tempo, meter.steps + MAX_STEPS, output.rate)
        self._reader = ClickReader(output.rate)
        self._made = 0
        self._before = 0.0
        self._step = output.rate * metronome.step_seconds(tempo)
        self.problem = ""
        """A sentence that explains missing sound, or ""."""

    def start(self) -> None:
        try:
            self._output.start(self.read)
        except DeviceError as reason:
            self.problem = str(reason)
            self._silence.start()

    def stop(self) -> None:
        self._output.stop()

    def steps(self) -> float:
        """Return the sixteenths since the first click was played, fractions included."""
        return self._frames() / self._step

    def read(self, frames: int) -> Samples:
        """Return the next ``frames``, float32 (frames, 2)."""
        start, self._made = self._made, self._made + frames
        sound = self._reader.read(self._clicks, start, frames)
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
