"""Measures of one candidate: probability, likeness to Bach, distance from the original, copying.

The region is the part that was generated: the steps from the first to the last with a free cell.
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
from musicrel.generation import cadence_list

CHUNK_STEPS: Final = 32
"""Length of the chunks that are looked up in known music: two bars of 4/4."""
CRITIC_CONTEXT: Final = 32
"""Steps on both sides of the region that the critic reads with it."""

CriticFunction: TypeAlias = Callable[[Chorale], float]
"""A function of a piece: log-odds, in nats, that it is not by Bach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """Distance of a candidate from the original, over the free cells.

    Attributes:
        changed: share, 0 to 1, of cells with another pitch.
        interval: mean difference in semitones of cells that sound in both; 0.0 for none.
    """

    changed: float
    interval: float

    @property
    def is_none(self) -> bool:
        """Return True where every free cell has the pitch of the original."""
        return self.changed == 0

    @classmethod
    def between(cls, piece: Chorale, original: Chorale, free: Flags) -> Distance:
        """Return the distance of ``piece`` from ``original`` over ``free``, bool (T, 4)."""
        new_pitches, original_pitches = (
            one.pitches[free].astype(np.int64) for one in (piece, original)
        )
        differs = new_pitches != original_pitches
        sounding = differs & (new_pitches != REST) & (original_pitches != REST)
        semitones = np.abs(new_pitches - original_pitches)[sounding]
        return cls(
            changed=float(differs.mean()) if differs.size else 0.0,
            interval=float(semitones.mean()) if semitones.size else 0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """The measures of one candidate.

    Attributes:
        nats: nats/note of the whole piece.
        region_nats: nats/note of the region, locked cells in it included.
        region_to_end_nats: nats of all cells from the first step of the region to the end of the
            piece, divided by the cells of the region: it includes the locked notes after the
            region. Without those it equals ``region_nats``.
        grade: distance from Bach of the whole piece; None where it has no note.
        rates: rates of rule violations in the whole piece.
        distance: distance from the original; None where there is none.
        memorised: share, 0 to 1, of the region's chunks of two bars that are in known music.
        longest: steps of the longest passage of the region that is in known music.
        cadences: kind of every phrase end of the whole piece, "" where it has none.
        missed_cadence_share: share, 0 to 1, of the phrase ends without their requested cadence; 0
            where none is requested.
        critic: log-odds, in nats, that the region with its context is not by Bach; None without a
            critic.
    """

    nats: float
    region_nats: float
    region_to_end_nats: float
    grade: float | None
    rates: Rates
    distance: Distance | None
    memorised: float
    longest: int
    cadences: tuple[str, ...] = ()
    missed_cadence_share: float = 0.0
    critic: float | None = None


class CandidateEvaluator:
    """An evaluator of candidates: one reference, one body of known music and a critic.

    Args:
        reference: reference of the grade.
        known: pieces that a model can have copied.
        critic: a function of a piece that returns the log-odds that it is not by Bach; None: none.

    Attributes:
        critic: as given.
    """

    def __init__(
        self, reference: Reference, known: Iterable[Chorale], critic: CriticFunction | None = None
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
        *,
        shown: Chorale | None = None,
    ) -> Measures:
        """Return the measures of ``piece``.

        Args:
            piece: the candidate.
            nats: -log p of its cells, (T, 4).
            free: cells to generate, bool (T, 4); at least one.
            original: the piece it can replace.
            cadence: requested cadence of phrases, "": any; "half,,authentic": one for each.
            shown: the piece whose rules are checked, in its own key and ranges; None: ``piece``.
        """
        steps = np.flatnonzero(free.any(axis=1))
        start, stop = int(steps[0]), int(steps[-1]) + 1
        region = piece.cropped(start, stop)
        context = piece.cropped(
            max(start - CRITIC_CONTEXT, 0), min(stop + CRITIC_CONTEXT, piece.steps)
        )
        is_silent = not events.count_notes(piece.pitches)
        phrase_ends = tuple(close.kind for close in cadences.phrase_ends(piece))
        return Measures(
            nats=float(nats.mean()),
            region_nats=float(nats[start:stop].mean()),
            region_to_end_nats=float(nats[start:].sum() / nats[start:stop].size),
            grade=None if is_silent else grade(piece, self._reference).total,
            rates=voice_leading.rates(shown or piece),
            distance=Distance.between(piece, original, free) if original else None,
            memorised=memorisation.share_found(region, self._chunks, CHUNK_STEPS),
            longest=self._passages.longest(region),
            cadences=phrase_ends,
            missed_cadence_share=_missed_share(phrase_ends, cadence_list.parse(cadence)),
            critic=self.critic(context) if self.critic else None,
        )


def _missed_share(phrase_ends: tuple[str, ...], requested: tuple[str, ...]) -> float:
    """Return the share of the phrase ends with a requested cadence that have another.

    Args:
        phrase_ends: kind of each phrase end.
        requested: one kind for all, or one for each; "" for any.
    """
    wanted = requested * len(phrase_ends) if len(requested) == 1 else requested
    pairs = zip(phrase_ends, wanted, strict=False)  # a piece may end after its last fermata
    judged = [kind != one for kind, one in pairs if one]
    return sum(judged) / max(len(judged), 1)
