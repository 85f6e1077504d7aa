"""A cache of rendered sound: chunks of one performance, kept while they are near the playhead.

The device's thread reads the chunks; another thread renders those needed next.
"""

from __future__ import annotations

import threading
from typing import Final

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.score.audio import metronome
from musicrel.score.audio.metronome import NO_CLICKS
from musicrel.score.audio.mixer import Mix
from musicrel.score.audio.reverb import LENGTH
from musicrel.score.audio.synth import Synthesizer
from musicrel.score.audio.timbre import Samples
from musicrel.score.performance import Style, perform

STEMS: Final = 3
"""Per voice: dry, reverb left, reverb right."""

_LOOKAHEAD: Final = 5
"""Chunks rendered ahead of the playhead, 1.5 seconds each."""
_MAX_BYTES: Final = 26_000_000
"""Bytes of the chunks kept, three megabytes each: all that is needed next, and one more."""


class RenderCache:
    """The sound of one piece in one style and its instruments, in chunks of ``LENGTH`` frames.

    Args:
        rate: frames per second.
        clicks: False for a piece that the metronome does not accompany.
    """

    def __init__(
        self, chorale: Chorale, style: Style, mix: Mix, rate: int, *, clicks: bool = True
    ) -> None:
        self.chorale = chorale
        self.performance = perform(chorale, style)
        self.steps = self.performance.times.steps
        """Number of steps of the piece."""
        times = self.performance.times
        self.clicks = metronome.of_piece(chorale, style, times, rate) if clicks else NO_CLICKS
        """The beats, for the metronome."""
        self._synthesizer = Synthesizer(self.performance, mix, rate)
        self.frames = self._synthesizer.frames
        """Number of frames, the reverb's tail included."""
        self._render_lock = threading.Lock()
        self._chunks: dict[int, Samples] = {}

    @property
    def kept_bytes(self) -> int:
        """Return the bytes of the chunks."""
        return sum(chunk.nbytes for chunk in self._chunks.values())

    def step_at(self, frame: float) -> float:
        return self.performance.times.step_at(frame / self._synthesizer.rate)

    def frame_at(self, step: float) -> int:
        return round(self.performance.times.seconds_at(step) * self._synthesizer.rate)

    def render_next(self, position: int, loop: tuple[int, int] | None) -> bool:
        """Render the chunk needed first for a playhead at ``position``.

        Args:
            loop: the frames that are repeated, or None.
        """
        with self._render_lock:
            wanted = self._wanted_chunks(position, loop)
            first_missing = next((chunk for chunk in wanted if chunk not in self._chunks), None)
            if first_missing is None:
                return False
            self._chunks[first_missing] = self._synthesizer.stems(first_missing)
            self._evict(wanted)
            return True

    def is_ready(self, position: int, frames: int) -> bool:
        """Return True if the ``frames`` from ``position`` on are rendered."""
        last = min(position + frames, self.frames) - 1
        return all(chunk in self._chunks for chunk in range(position // LENGTH, last // LENGTH + 1))

    def read(self, position: int, frames: int) -> Samples:
        """Return the sound from ``position`` on, float32 (3, 4, frames): ``STEMS`` of S, A, T, B.

        Chunks not rendered and frames after the end are silent.
        """
        out = np.zeros((STEMS, len(Voice), frames), dtype=np.float32)
        done = 0
        while done < frames:
            number, offset = divmod(position + done, LENGTH)
            length = min(LENGTH - offset, frames - done)
            chunk = self._chunks.get(number)
            if chunk is not None:
                out[..., done : done + length] = chunk[..., offset : offset + length]
            done += length
        return out

    def _wanted_chunks(self, position: int, loop: tuple[int, int] | None) -> list[int]:
        """List the chunks from ``position`` on and of the loop's start, most urgent first."""
        here = position // LENGTH
        wanted_chunks = list(range(here, here + _LOOKAHEAD))
        if loop is not None:
            again = loop[0] // LENGTH
            wanted_chunks[2:2] = [again, again + 1]
        return [chunk for chunk in wanted_chunks if chunk < self._synthesizer.chunks]

    def _evict(self, wanted: list[int]) -> None:
        """Drop the oldest chunks that are not wanted."""
        for chunk in list(self._chunks):
            if self.kept_bytes > _MAX_BYTES and chunk not in wanted:
                del self._chunks[chunk]
