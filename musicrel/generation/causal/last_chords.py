"""The last chords of phrases with a requested or drawn cadence, as legal tokens.

In the first step of such a phrase end only notes are legal with which the chord can become a triad
that makes the cadence, its root in the bass. All notes stay legal if there is none. An authentic
cadence at the end of a piece with a key is on the tonic of that key. Before a cadence that was
drawn with its preparation only notes of the chord that prepares it are legal, too: of few
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
        later = len(Voice) - 1 - voice
        fitting = {tone for tone in every if len(self.needed - known - {tone}) <= later}
        return fitting & self.bass if voice == Voice.BASS else fitting


class LastChords:
    """Masks of legal tokens, with those of the last chords.

    Phrase ends without a requested or drawn cadence are left alone; without a key it is estimated.
    """

    def __init__(
        self, constraints: Constraints, ends: Iterable[PhraseEnd], key: Key | None
    ) -> None:
        self._constraints, self._key = constraints, key
        self._ends = {end.step: end for end in ends if end.kind}
        self._before = {
            end.step - end.prepared: _preparations(end, key)
            for end in self._ends.values()
            if key is not None and 0 < end.prepared <= end.step
        }
        self._locked_T4 = constraints.locks.locked_cells.pitches
        pitch_V = constraints.pitch_V
        self._pitch_class_V = np.where(pitch_V == REST, REST, pitch_V % 12)

    def legal_next_tokens(self, ids_BN: codec.Ids) -> Flags | None:
        """Return the legal tokens of the next cell, bool (B, V); None where they are not fewer."""
        step, _ = codec.cell_of(ids_BN.shape[1])
        if step not in self._ends and step not in self._before:
            return None
        legal_BV = self._constraints.legal_next_tokens(ids_BN)
        classes = [self._pitch_classes(ids_N) for ids_N in ids_BN]
        chord_BV = np.stack([np.isin(self._pitch_class_V, found) for found in classes])
        both_BV = legal_BV & chord_BV
        return np.where(both_BV.any(axis=1, keepdims=True), both_BV, legal_BV)

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
    piece = constraints.piece(ids_N)
    if piece is None:
        return set()
    tonic = (key or keys.estimate(piece.pitches)).pitch_class
    found = cadences.last_roots(end.kind, piece.pitches[-STEPS_PER_QUARTER:], tonic)
    root = end.root(constraints.plan.steps, key)
    return found if root is None else found & {root}
