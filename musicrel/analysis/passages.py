"""The longest passage of a piece that occurs in other music, note for note, in any key.

Two passages are the same if at every step their voices are the same distances apart and they move
alike from each step to the next. Repeated and held notes are not distinguished. A passage may be
shorter than the chunks of ``memorisation``: two successive chords are one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Chorale, Pitches

Numbers = npt.NDArray[np.int64]

_BASE = 256
_NO_MOVE = 10_000
"""The move to the first step of a piece: it matches no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passages:
    """Pieces one after another, as chords and the moves between them.

    Attributes:
        chords: int64 (steps,), a number for the intervals of the voices from the first that sounds.
        moves: int64 (steps,), semitones from that voice's pitch at the previous step.
    """

    chords: Numbers
    moves: Numbers

    @classmethod
    def of(cls, chorales: Iterable[Chorale]) -> Passages:
        """Index the passages of ``chorales``."""
        parts = [_read(chorale.pitches) for chorale in chorales]
        chords, moves = zip(*parts, strict=True) if parts else ((), ())
        nothing = np.zeros(0, dtype=np.int64)
        return cls(
            chords=np.concatenate([nothing, *chords]), moves=np.concatenate([nothing, *moves])
        )

    def longest(self, chorale: Chorale) -> int:
        """Return the length in steps of the longest shared passage, silence excluded."""
        chords, moves = _read(chorale.pitches)
        run = np.zeros(len(self.chords) + 1, dtype=np.int64)  # of passages that end at a step
        longest = 0
        for chord, move in zip(chords.tolist(), moves.tolist(), strict=True):
            grown = np.where(self.moves == move, run[:-1] + 1, 1)
            run[1:] = np.where(self.chords == chord, grown, 0) if chord else 0
            longest = max(longest, int(run.max()))
        return longest


def _read(pitches: Pitches) -> tuple[Numbers, Numbers]:
    """Encode one piece as chords and moves; the chord of a silent step is 0."""
    grid = pitches.astype(np.int64)
    sounding = grid != REST
    first = np.take_along_axis(grid, sounding.argmax(axis=1)[:, None], axis=1)
    digits = np.where(sounding, grid - first + _BASE // 2, 1)
    chords = np.where(sounding.any(axis=1), digits @ _BASE ** np.arange(4), 0)
    return chords, np.concatenate([[_NO_MOVE], np.diff(first[:, 0])])
