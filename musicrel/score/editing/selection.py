"""A selected passage of a piece: some voices over a range of steps.

Steps are sixteenths from 0, ranges half-open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from musicrel.chorale import Flags, Voice
from musicrel.errors import UsageError


class Sounding(Protocol):
    """A note: its voice, and the half-open range of its steps."""

    @property
    def voice(self) -> int: ...

    @property
    def start(self) -> int: ...

    @property
    def stop(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Some voices over a range of steps; never empty."""

    voices: tuple[int, ...]  # 0 soprano ... 3 bass, in that order, at least one
    start: int  # the first step
    stop: int  # the step after the last

    def __post_init__(self) -> None:
        if not self.voices or list(self.voices) != sorted({*self.voices} & {*map(int, Voice)}):
            raise UsageError(
                f"selected voices are {self.voices}: expected at least one of 0 to 3, in order"
            )
        if not 0 <= self.start < self.stop:
            raise UsageError(
                f"selected steps are {self.start} to {self.stop}: expected at least one, from 0"
            )

    @classmethod
    def of_note(cls, note: Sounding) -> Selection:
        return cls(voices=(note.voice,), start=note.start, stop=note.stop)

    @property
    def cell(self) -> int:
        """Return the index of the first cell: S A T B of step 0, then of step 1 ..."""
        return self.start * len(Voice) + self.voices[0]

    def touches(self, note: Sounding) -> bool:
        inside = note.start < self.stop and note.stop > self.start
        return inside and note.voice in self.voices

    def joined(self, other: Selection) -> Selection:
        """Extend to ``other``, with the voices between each of its own and the nearest of these."""
        between = set[int]()
        for voice in other.voices:
            nearest = min(self.voices, key=lambda one: abs(one - voice))
            between.update(range(min(nearest, voice), max(nearest, voice) + 1))
        return Selection(
            voices=tuple(sorted({*self.voices, *between})),
            start=min(self.start, other.start),
            stop=max(self.stop, other.stop),
        )

    def within(self, free: Flags) -> Selection:
        """Leave out the voices that have no cell of ``free``, bool (T, 4), unless none has one."""
        cells = free[self.start : self.stop]
        voices = tuple(voice for voice in self.voices if cells[:, voice].any())
        return replace(self, voices=voices or self.voices)

    def toggled(self, voice: int) -> Selection:
        """Add ``voice``, or remove it unless it is the only one."""
        voices = {*self.voices} ^ {voice} or {voice}
        return replace(self, voices=tuple(sorted(voices)))

    def moved(self, steps: int, voices: int, length: int) -> Selection:
        """Select one cell, offset from the first by steps and voices, within ``length`` steps."""
        step = min(max(self.start + steps, 0), length - 1)
        voice = min(max(self.voices[0] + voices, 0), len(Voice) - 1)
        return Selection(voices=(voice,), start=step, stop=step + 1)

    def stretched(self, steps: int, length: int) -> Selection:
        return replace(self, stop=min(max(self.stop + steps, self.start + 1), length))
