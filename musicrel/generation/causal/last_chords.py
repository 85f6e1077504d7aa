"""The first chord of a piece, and the last ones of phrases with a requested or drawn cadence.

They are masks of legal tokens.

In the first step of such a phrase end only notes are wanted with which the chord can become a triad
that makes the cadence, its root in the bass. All legal notes are if none of these is legal. An
authentic cadence at the end of a piece with a key is on the tonic of that key. Before a cadence
that was drawn with its preparation only notes of the chord that prepares it are wanted, too: of few
particles, hardly one would come to it in another key by itself.

Dimensions: B sequences, N tokens so far, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

import numpy as np

from musicrel.analysis import cadences, keys
from musicrel.chorale import REST, STEPS_PER_QUARTER, Flags, Key, Voice
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.generation.phrasing import openings
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.model.tokens import codec

_THIRDS: Final = (3, 4)
_FIFTH: Final = 7


class _Chord(NamedTuple):
    """A chord, as pitch classes."""

    needed: frozenset[int]  # those that have to sound
    others: frozenset[int]
    bass: frozenset[int]

    @classmethod
    def above(
        cls, root: int, needed: Iterable[int], others: Iterable[int], bass: Iterable[int]
    ) -> _Chord:
        return cls(*(frozenset((root + up) % 12 for up in ups) for ups in (needed, others, bass)))

    def tones(self, known: AbstractSet[int], voice: int) -> AbstractSet[int]:
        every = self.needed | self.others
        if not known <= every:
            return frozenset()
        if voice == Voice.BASS:
            return {tone for tone in every & self.bass if self.needed <= known | {tone}}
        later = len(Voice) - 1 - voice  # the bass can have few tones
        missing = {tone: self.needed - known - {tone} for tone in every}
        return {
            tone
            for tone, left in missing.items()
            if len(left) <= later and len(left - self.bass) < later
        }


class LastChords:
    """Masks of the tokens of the first chord, if it is given, and of last chords.

    Phrase ends without a requested or drawn cadence are left alone; without a key it is estimated.
    """

    def __init__(
        self,
        constraints: Constraints,
        ends: Iterable[PhraseEnd],
        key: Key | None,
        begins_on: str = openings.ANY,
    ) -> None:
        self._constraints, self._key = constraints, key
        self._ends = {end.step: end for end in ends if end.kind}
        self._before = {
            end.step - end.prepared: _preparations(end, key)
            for end in self._ends.values()
            if key is not None and 0 < end.prepared <= end.step
        }
        if key is not None and begins_on != openings.ANY:
            opening = openings.OPENINGS[begins_on, key.mode]
            self._before[0] = [_Chord.above(key.pitch_class, *opening)]
        self._locked_T4 = constraints.locks.locked_cells.pitches
        pitch_V = constraints.pitch_V
        self._pitch_class_V = np.where(pitch_V == REST, REST, pitch_V % 12)

    def next_tokens(self, ids_BN: codec.Ids) -> Flags | None:
        """Return the tokens wanted in the next cell, bool (B, V); None where all are."""
        if not self.narrows(ids_BN.shape[1]):
            return None
        classes = [self._pitch_classes(ids_N) for ids_N in ids_BN]
        return np.stack([np.isin(self._pitch_class_V, found) for found in classes])

    def narrows(self, index: int) -> bool:
        step, _ = codec.cell_of(index)
        return step in self._ends or step in self._before

    def _pitch_classes(self, ids_N: codec.Ids) -> list[int]:
        step, voice = codec.cell_of(len(ids_N))
        written = self._constraints.pitch_V[ids_N[codec.index_of(step, 0) :]].tolist()
        given = (*written, *self._locked_T4[step, voice:].tolist())
        known = {pitch % 12 for pitch in given if pitch not in {REST, UNKNOWN}}
        chords = self._before.get(step) or self._last_chords(ids_N, self._ends[step])
        return [tone for chord in chords for tone in chord.tones(known, voice)]

    def _last_chords(self, ids_N: codec.Ids, end: PhraseEnd) -> list[_Chord]:
        before = ids_N[: codec.index_of(end.step, 0)]
        return [
            _Chord.above(root, (0, third), (_FIFTH,), (0,))
            for root in sorted(roots(before, end, self._constraints, self._key))
            for third in _THIRDS
        ]


def _preparations(end: PhraseEnd, key: Key) -> list[_Chord]:
    """Return the chords that can prepare an authentic, deceptive or plagal cadence.

    A dominant has the leading tone and the root or the seventh, and no seventh in the bass.
    """
    tonic = key.pitch_class + (end.degree or 0)
    if end.kind == "plagal":
        return [_Chord.above(tonic, (5, third), (0,), (5, third)) for third in (8, 9)]
    return [
        _Chord.above(tonic, (7, 11), (2, 5), (2, 7, 11)),
        _Chord.above(tonic, (5, 11), (2,), (2, 11)),
    ]


def roots(ids_N: codec.Ids, end: PhraseEnd, constraints: Constraints, key: Key | None) -> set[int]:
    """Return the roots of the triads that make the cadence wanted after the tokens ``ids_N``."""
    pitches_T4 = constraints.pitch_V[ids_N[1:]].reshape(-1, len(Voice)).astype(np.int16)
    if not len(pitches_T4):
        return set()
    tonic = (key or keys.estimate(pitches_T4)).pitch_class
    found = cadences.last_roots(end.kind, pitches_T4[-STEPS_PER_QUARTER:], tonic)
    root = end.root(constraints.plan.steps, key)
    return found if root is None else found & {root}
