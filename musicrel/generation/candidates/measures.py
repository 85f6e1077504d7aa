"""What is said of one proposal: how likely, how near to Bach, how near to the original, how new.

The region is what was to be written: the steps from the first to the last that have a free cell.

This file puts the measures of ``musicrel.analysis`` together; it knows nothing of which is better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.analysis import cadences, events, memorisation, voice_leading
from musicrel.analysis.grade import Reference, grade
from musicrel.analysis.memorisation import Chunk
from musicrel.analysis.passages import Passages
from musicrel.analysis.voice_leading import Rates
from musicrel.chorale import REST, Chorale, Flags

CHUNK_STEPS: Final = 32
"""Two bars of 4/4: the chunks that are looked for in known music."""
HEARD_AROUND: Final = 32
"""Steps on both sides of the region that a critic hears with it, as far as there are any."""

Opinion: TypeAlias = Callable[[Chorale], float]
"""The log-odds, in nats, that a piece is not by Bach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """How far a proposal is from the original, over the free cells.

    Attributes:
        changed: share, 0 to 1, of the cells whose pitch is another.
        interval: mean of the semitones between the pitches of those where both sound; 0.0 where
            there is none.
    """

    changed: float
    interval: float

    @property
    def is_none(self) -> bool:
        """Whether every free cell has the original's pitch."""
        return self.changed == 0

    @classmethod
    def between(cls, piece: Chorale, original: Chorale, free: Flags) -> Distance:
        """That of ``piece`` from ``original`` over the cells ``free``, bool (T, 4)."""
        ours, theirs = (one.pitches[free].astype(np.int64) for one in (piece, original))
        differs = ours != theirs
        both = differs & (ours != REST) & (theirs != REST)
        apart = np.abs(ours - theirs)[both]
        return cls(
            changed=float(differs.mean()) if differs.size else 0.0,
            interval=float(apart.mean()) if apart.size else 0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """The measures of one proposal.

    Attributes:
        nats: nats/note of the whole piece.
        region_nats: nats/note of the region, locked cells in it included.
        onward_nats: nats of all cells from the region's first step to the end of the piece, by the
            cells of the region: what it makes of the locked notes after it counts too. Without
            locked notes after it, it is ``region_nats``.
        grade: distance from Bach of the whole piece; None where it has no note.
        rates: how often the whole piece breaks the rules.
        distance: from the original; None where there is none.
        memorised: share, 0 to 1, of the region's chunks of two bars that are known.
        longest: steps of the longest passage of the region that is known.
        cadences: the kind of every phrase end of the whole piece, "" where it has none.
        astray: share, 0 to 1, of the phrase ends that close otherwise than wished for; 0 where
            nothing is wished for.
        critic: log-odds, in nats, that the region with what is around it is not by Bach; None where
            there is no critic.
    """

    nats: float
    region_nats: float
    onward_nats: float
    grade: float | None
    rates: Rates
    distance: Distance | None
    memorised: float
    longest: int
    cadences: tuple[str, ...] = ()
    astray: float = 0.0
    critic: float | None = None


class Judge:
    """Measures proposals against one reference and one body of known music.

    Args:
        reference: what the grade compares with.
        known: pieces a model may have copied.
        critic: says how sure it is that music is not by Bach; None: nobody does.

    Attributes:
        critic: as given.
    """

    def __init__(
        self, reference: Reference, known: Iterable[Chorale], critic: Opinion | None = None
    ) -> None:
        pieces = list(known)
        self._reference, self.critic = reference, critic
        self._chunks: frozenset[Chunk] = memorisation.chunk_set(pieces, CHUNK_STEPS)
        self._passages = Passages.of(pieces)

    def measure(
        self,
        piece: Chorale,
        nats: npt.NDArray[np.floating],
        free: Flags,
        original: Chorale | None = None,
        cadence: str = "",
    ) -> Measures:
        """The measures of ``piece``.

        Args:
            piece: the proposal.
            nats: -log p of its cells, (T, 4).
            free: the cells that were to be written, bool (T, 4); at least one.
            original: the piece it might replace.
            cadence: the kind in which phrases should close, "": any.
        """
        steps = np.flatnonzero(free.any(axis=1))
        start, stop = int(steps[0]), int(steps[-1]) + 1
        part = piece.cropped(start, stop)
        heard = piece.cropped(max(start - HEARD_AROUND, 0), min(stop + HEARD_AROUND, piece.steps))
        silent = not events.count_notes(piece.pitches)
        closes = tuple(close.kind for close in cadences.closes(piece))
        return Measures(
            nats=float(nats.mean()),
            region_nats=float(nats[start:stop].mean()),
            onward_nats=float(nats[start:].sum() / nats[start:stop].size),
            grade=None if silent else grade(piece, self._reference).total,
            rates=voice_leading.rates(piece),
            distance=Distance.between(piece, original, free) if original else None,
            memorised=memorisation.share_found(part, self._chunks, CHUNK_STEPS),
            longest=self._passages.longest(part),
            cadences=closes,
            astray=sum(kind != cadence for kind in closes) / max(len(closes), 1) if cadence else 0,
            critic=self.critic(heard) if self.critic else None,
        )
