"""The last chords of phrases with a requested cadence, as legal tokens.

In the first step of such a phrase end only notes are legal with which the chord can become a triad
that makes the cadence, its root in the bass. All notes stay legal if there is none. An authentic
cadence at the end of a piece with a key is on the tonic of that key.

Dimensions: B sequences, N tokens so far, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from musicrel.analysis import cadences, keys
from musicrel.chorale import REST, STEPS_PER_QUARTER, Flags, Key, Voice
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import REST_TOKEN

_THIRDS: Final = (3, 4)
_FIFTH: Final = 7


class LastChords:
    """Masks of legal tokens, with those of the last chords; see ``decoder.Legality``.

    Args:
        constraints: the legal tokens by locks and rules.
        ends: phrase ends; those without a requested cadence are left alone.
        key: key of the piece; None: it is estimated.

    Attributes:
        constraints: as given.
    """

    def __init__(
        self, constraints: Constraints, ends: Iterable[PhraseEnd], key: Key | None
    ) -> None:
        self.constraints, self._key = constraints, key
        self._ends = {end.step: end for end in ends if end.kind}
        pitch_V = constraints.pitch_V
        self._pitch_class_V = np.where(pitch_V == REST, REST, pitch_V % 12)

    def narrows(self, index: int) -> bool:
        """Return True if the token ``index`` is of a last chord, False if no mask is changed."""
        return codec.cell_of(index)[0] in self._ends

    def legal_next_tokens(self, ids_BN: codec.Ids) -> Flags:
        """Return the legal tokens of the next cell of each sequence; see ``Constraints``."""
        legal_BV = self.constraints.legal_next_tokens(ids_BN)
        step, voice = codec.cell_of(ids_BN.shape[1])
        if step not in self._ends:
            return legal_BV
        end = self._ends[step]
        classes = [self._pitch_classes(ids_N, end, voice) for ids_N in ids_BN]
        chord_BV = np.stack([np.isin(self._pitch_class_V, found) for found in classes])
        both_BV = legal_BV & chord_BV
        return np.where(both_BV.any(axis=1, keepdims=True), both_BV, legal_BV)

    def _pitch_classes(self, ids_N: codec.Ids, end: PhraseEnd, voice: int) -> list[int]:
        """Return the pitch classes with which a voice leaves the cadence possible."""
        piece = self.constraints.piece(_whole_steps(ids_N)) or self.constraints.plan
        known = {pitch % 12 for pitch in piece.pitches[end.step].tolist() if pitch != REST}
        before = ids_N[: codec.index_of(end.step, 0)]
        triads = _triads(roots(before, end, self.constraints, self._key))
        return [
            tone
            for triad in triads
            if known <= {*triad}
            for tone in (triad[:1] if voice == Voice.BASS else triad)
            if len({*triad[:2]} - known - {tone}) < len(Voice) - voice
        ]


def roots(ids_N: codec.Ids, end: PhraseEnd, constraints: Constraints, key: Key | None) -> set[int]:
    """Return the roots of the triads that make the requested cadence; see ``cadences.last_roots``.

    Args:
        ids_N: int64, the tokens before the first of ``end``, START first.
        end: the phrase end.
        constraints: the plan of the piece, and its locks.
        key: key of the piece; None: it is estimated.
    """
    piece = constraints.piece(ids_N)
    if piece is None:
        return set()
    tonic = (key or keys.estimate(piece.pitches)).pitch_class
    found = cadences.last_roots(end.kind, piece.pitches[-STEPS_PER_QUARTER:], tonic)
    return found & {tonic} if end.is_on_tonic(constraints.plan.steps, key) else found


def _triads(found: Iterable[int]) -> Iterator[Sequence[int]]:
    """Yield the pitch classes of the triads on some roots: root, third, fifth."""
    for root in sorted(found):
        for third in _THIRDS:
            yield root, (root + third) % 12, (root + _FIFTH) % 12


def _whole_steps(ids_N: codec.Ids) -> codec.Ids:
    """Return tokens with rests for the voices that are missing in the last step."""
    missing = -(len(ids_N) - 1) % len(Voice)
    rests = missing or len(Voice)
    return np.concatenate([ids_N, np.full(rests, REST_TOKEN)])
