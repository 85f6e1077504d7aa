"""A short sound beside the tape: notes that are written or moved while the tape stands."""

from __future__ import annotations

from musicrel.playback.audio_callback import StemReader
from musicrel.playback.render_cache import RenderCache
from musicrel.score.audio.timbre import Samples


class Preview:
    """Plays one tape from its beginning to its end, without a position that can be moved.

    The engine guards all but ``read`` by its lock; ``read`` is for the device's thread alone.
    """

    def __init__(self) -> None:
        self._cache: RenderCache | None = None
        self._position = 0
        self._reader = StemReader()

    @property
    def cache(self) -> RenderCache | None:
        """Return the tape that sounds or is about to; None without one."""
        return self._cache

    def start(self, cache: RenderCache) -> None:
        """Play ``cache`` in place of the sound before."""
        self._cache, self._position = cache, 0

    def stop(self) -> None:
        """End the sound; what the device reads next fades it out."""
        self._cache = None

    def release(self) -> None:
        """Forget what the device has read: it fades nothing out once it is closed."""
        self._reader = StemReader()

    def is_ready(self, frames: int) -> bool:
        """Return True if there is a sound and its next ``frames`` are rendered."""
        return self._cache is not None and self._cache.is_ready(self._position, frames)

    def advance(self, frames: int) -> tuple[RenderCache | None, int]:
        """Return what to read for the next ``frames``: the tape, None for silence, and where."""
        cache, position = self._cache, self._position
        if cache is None or not cache.is_ready(position, frames):
            return None, 0
        self._position += frames
        if self._position >= cache.frames:
            self._cache = None
        return cache, position

    def read(self, source: tuple[RenderCache | None, int], frames: int) -> Samples:
        """Return the stems of what ``advance`` returned, float32 (3, 4, frames)."""
        return self._reader.read(*source, frames)
