"""Rendering of one voice, note by note, from any position on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right

from musicrel.score.audio.timbre import Samples
from musicrel.score.performance import TimedNote


class VoiceRenderer(ABC):
    """Renders the notes of one voice; its subclasses are the kinds of instruments.

    Args:
        notes: the notes in order.
        rate: sample rate in Hz.
        release: samples for which a note sounds on after its end.
    """

    def __init__(self, notes: tuple[TimedNote, ...], rate: int, release: int) -> None:
        self._notes = notes
        self._rate = rate
        self._release = release
        self._starts = [round(note.start * rate) for note in notes]
        self._ends = [round(note.stop * rate) + release for note in notes]

    def add_to(self, out: Samples, begin: int) -> None:
        """Add the samples from ``begin`` on to ``out``, float32 (n,)."""
        end = begin + len(out)
        first, last = bisect_right(self._ends, begin), bisect_left(self._starts, end)
        for number in range(first, last):
            start = self._starts[number]
            low, high = max(start, begin), min(self._ends[number], end)
            if low < high:
                sound = self._render(number, low - start, high - start)
                out[low - begin : low - begin + len(sound)] += sound

    @abstractmethod
    def _render(self, number: int, low: int, high: int) -> Samples:
        """Render samples ``low`` to ``high`` of a note from its start; may end early."""
