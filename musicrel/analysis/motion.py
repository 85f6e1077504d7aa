"""Motion of two voices from each step to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Flags, Pitches

FIFTH: Final = 7
OCTAVE: Final = 12

Semitones = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """Two voices between steps 0 and 1, 1 and 2 ...; every array has T - 1 entries.

    Attributes:
        upper: semitones the upper voice moves up.
        lower: semitones the lower voice moves up.
        before: interval from the lower up to the upper voice at the earlier step.
        after: the same at the later step; negative for crossed voices.
        sounding: both voices sound at both steps; elsewhere the other arrays are undefined.
    """

    upper: Semitones
    lower: Semitones
    before: Semitones
    after: Semitones
    sounding: Flags

    @classmethod
    def of(cls, pitches: Pitches, upper: int, lower: int) -> Motion:
        """Compute the motion of two columns of ``pitches``, int16 (T, 4)."""
        pair = pitches[:, [upper, lower]].astype(np.int64)
        moves = np.diff(pair, axis=0)
        intervals = pair[:, 0] - pair[:, 1]
        sounds = (pair != REST).all(axis=1)
        return cls(
            upper=moves[:, 0],
            lower=moves[:, 1],
            before=intervals[:-1],
            after=intervals[1:],
            sounding=sounds[:-1] & sounds[1:],
        )

    def similar(self) -> Flags:
        """Return True where both voices move in the same direction."""
        return self.sounding & (self.upper * self.lower > 0)

    def contrary(self) -> Flags:
        """Return True where the voices move in opposite directions."""
        return self.sounding & (self.upper * self.lower < 0)

    def stays_at(self, interval: int) -> Flags:
        """Return True where the voices are ``interval`` apart before and after, octaves ignored."""
        return _is_at(self.before, interval) & _is_at(self.after, interval)

    def comes_to(self, interval: int) -> Flags:
        """Return True where the voices are ``interval`` apart only after, octaves ignored."""
        return ~_is_at(self.before, interval) & _is_at(self.after, interval)

    def unisons(self) -> Flags:
        """Return True where the voices have the same pitch before, and the same after."""
        return np.asarray((self.before == 0) & (self.after == 0))


def melodic(pitches: Pitches, voice: int) -> tuple[Semitones, Flags]:
    """Return the motion of one voice from each step to the next.

    Args:
        pitches: int16 (T, 4).
        voice: the column.

    Returns:
        Semitones up, and True where the voice sounds at both steps, each (T - 1,).
    """
    line = pitches[:, voice].astype(np.int64)
    sounds = line != REST
    return np.diff(line), sounds[:-1] & sounds[1:]


def _is_at(intervals: Semitones, interval: int) -> Flags:
    return np.asarray(np.abs(intervals) % OCTAVE == interval % OCTAVE)
