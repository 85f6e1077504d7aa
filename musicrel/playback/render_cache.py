"""Sound made ahead of time: pieces of one performance, kept while they are near the playhead.

The device's thread reads what is there; another thread makes what will be needed. This file knows
pieces of sound and where they stand on the tape; it knows nothing of devices or of time.
"""

from __future__ import annotations

import threading
from typing import Final

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.score.audio.reverb import LENGTH
from musicrel.score.audio.synth import Synthesizer
from musicrel.score.audio.timbre import Samples, Sound
from musicrel.score.performance import Style, perform

STEMS: Final = 3
"""Of a voice: itself, its room to the left, its room to the right."""

_AHEAD: Final = 5
"""Pieces made before they are needed, one and a half seconds each."""
_MOST_KEPT: Final = 16
"""Pieces kept, three megabytes each."""


class Stock:
    """The sound of one piece in one style, by ``LENGTH`` frames.

    Args:
        chorale: the piece.
        style: how it is played.
        sound: organ or choir.
        rate: frames a second.
    """

    def __init__(self, chorale: Chorale, style: Style, sound: Sound, rate: int) -> None:
        performance = perform(chorale, style)
        self.chorale = chorale
        self.style = style
        self.sound: Sound = sound
        self.performance = performance
        self._synthesizer = Synthesizer(performance, sound, rate)
        self._making = threading.Lock()
        self._pieces: dict[int, Samples] = {}

    @property
    def frames(self) -> int:
        """How long the sound is, the room's last echo included."""
        return self._synthesizer.frames

    @property
    def steps(self) -> int:
        """How many steps the piece has."""
        return self.performance.times.steps

    def step_at(self, frame: float) -> float:
        """The step at ``frame``."""
        return self.performance.times.step_at(frame / self._synthesizer.rate)

    def frame_at(self, step: float) -> int:
        """The frame at which ``step`` comes."""
        return round(self.performance.times.seconds_at(step) * self._synthesizer.rate)

    def make(self, position: int, loop: tuple[int, int] | None) -> bool:
        """Make the piece that is most needed with the playhead at ``position``.

        Args:
            position: a frame.
            loop: the frames that are repeated, or None.

        Returns:
            Whether there was one to make.
        """
        with self._making:
            wanted = self._wanted(position, loop)
            missing = next((piece for piece in wanted if piece not in self._pieces), None)
            if missing is None:
                return False
            self._pieces[missing] = self._synthesizer.stems(missing)
            self._forget(wanted)
            return True

    def ready(self, position: int, frames: int) -> bool:
        """Whether all sound from ``position`` on for ``frames`` is made."""
        last = min(position + frames, self.frames) - 1
        return all(piece in self._pieces for piece in range(position // LENGTH, last // LENGTH + 1))

    def read(self, position: int, frames: int) -> Samples:
        """The sound from ``position`` on, float32 (3, 4, frames): ``STEMS`` of S, A, T, B.

        What is not made is silent, and so is all after the end.
        """
        out = np.zeros((STEMS, len(Voice), frames), dtype=np.float32)
        done = 0
        while done < frames:
            number, offset = divmod(position + done, LENGTH)
            length = min(LENGTH - offset, frames - done)
            piece = self._pieces.get(number)
            if piece is not None:
                out[..., done : done + length] = piece[..., offset : offset + length]
            done += length
        return out

    def _wanted(self, position: int, loop: tuple[int, int] | None) -> list[int]:
        """Pieces from ``position`` on, and those a loop comes back to, the next one first."""
        here = position // LENGTH
        pieces = list(range(here, here + _AHEAD))
        if loop is not None:
            again = loop[0] // LENGTH
            pieces[2:2] = [again, again + 1]
        return [piece for piece in pieces if piece < self._synthesizer.pieces]

    def _forget(self, wanted: list[int]) -> None:
        """Drop the oldest pieces that are not wanted."""
        for piece in list(self._pieces):
            if len(self._pieces) > _MOST_KEPT and piece not in wanted:
                del self._pieces[piece]
