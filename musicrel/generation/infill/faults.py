"""Faults that an infilling model can repair: missed cadences, parallels, untreated 6-4 chords."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from musicrel.analysis import voice_leading
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Key, Voice
from musicrel.generation.constraints import dissonances
from musicrel.generation.phrasing import phrase_ends, planned_phrase
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.tokens import codec

_PARALLELS: Final = ("parallel_fifths", "parallel_octaves", "parallel_unisons")
_APPROACH: Final = 2 * STEPS_PER_QUARTER
"""Steps before a phrase end that are drawn again with it."""
_SEVERE: Final = 3
_REPAIRED: Final = 2
"""Weights of missed cadences and parallels, and of 6-4 chords; other violations weigh 1, so that no
repair brings more of them than it is worth."""
_LEFT_OPEN: Final = 2.0
"""Phrase ends left to a model for each that Bach leaves without a cadence. With 2, relative-infill
closes 84 % of its inner phrases, with 4 only 81, Bach 88."""
_APART: Final = 2 * STEPS_PER_QUARTER
"""Steps between faults that are repaired side by side."""


class Fault(NamedTuple):
    """A fault, and the cells that are drawn again.

    Attributes:
        start: the first step.
        stop: the step after the last.
        end: the phrase end without its cadence; None: the fault is another one.
    """

    start: int
    stop: int
    voices: tuple[Voice, ...]
    weight: int
    end: PhraseEnd | None = None

    @property
    def is_repaired(self) -> bool:
        """Return whether it is a fault to repair; others only count."""
        return self.weight > 1

    def is_near(self, other: Fault) -> bool:
        return max(self.start - other.stop, other.start - self.stop) < _APART


@dataclass(frozen=True, slots=True)
class FaultFinder:
    """Finds the faults of a piece.

    Attributes:
        ends: its phrase ends, in order, with the cadences that are wanted.
        key: its key; None: it is estimated.
    """

    ends: tuple[PhraseEnd, ...]
    key: Key | None

    @classmethod
    def of(
        cls,
        plan: Chorale,
        conditions: Collection[str],
        cadence: str,
        locked_tokens: codec.Ids,
        seed: int,
    ) -> FaultFinder:
        """Return the finder of faults of a piece.

        Args:
            plan: length, key and fermatas of the piece.
            cadence: requested cadences, as ``planned_phrase.parse_cadences`` reads them.
            locked_tokens: int64 (4 T,), the token of every locked cell, -1 elsewhere. A cadence is
                drawn, if none is requested, where no cell is locked.
        """
        is_locked = locked_tokens.reshape(-1, len(Voice)) >= 0
        ends = (
            end
            if end.kind or is_locked[_first(end) : end.stop].any()
            else end.drawn(seed, plan.steps, None, _LEFT_OPEN)
            for end in phrase_ends.planned_ends(
                plan, conditions, planned_phrase.parse_cadences(cadence)
            )
        )
        return cls(tuple(ends), plan.key)

    def faults(self, piece: Chorale) -> list[Fault]:
        """Return the faults of ``piece``: missed cadences, parallels, untreated 6-4 chords, others.

        The others are violations of the default rules, which count but are not repaired.
        """
        return [*self._missed_cadences(piece), *_six_fours(piece), *_violations(piece)]

    def _missed_cadences(self, piece: Chorale) -> Iterator[Fault]:
        for end in self.ends:
            whole = piece.cropped(0, end.stop)
            if not end.is_met_by(whole, piece.steps, self.key):
                yield Fault(_first(end), end.stop, tuple(Voice), weight=_SEVERE, end=end)


def apart(faults: Sequence[Fault]) -> list[Fault]:
    """Return those of ``faults`` that can be repaired side by side, the first ones first."""
    taken: list[Fault] = []
    for fault in faults:
        if not any(fault.is_near(other) for other in taken):
            taken.append(fault)
    return taken


def is_better(found: Sequence[Fault], before: Sequence[Fault], place: Fault) -> bool:
    """Return whether a draw has improved ``place``.

    Its faults weigh less than before, both all of them and those that are repaired alone.

    Args:
        before: those without it.
        place: the fault whose cells were drawn.
    """
    now, then = _weights_near(found, place), _weights_near(before, place)
    return now[0] < then[0] and now[1] < then[1]


def _weights_near(faults: Sequence[Fault], place: Fault) -> tuple[int, int]:
    """Return the weight of the faults that overlap or touch a place: all, and those repaired."""
    near = [each for each in faults if each.start <= place.stop and place.start <= each.stop]
    repaired = (each.weight for each in near if each.is_repaired)
    return sum(each.weight for each in near), sum(repaired)


def _first(end: PhraseEnd) -> int:
    """Return the first step that is drawn again for the cadence at ``end``."""
    return max(end.step - _APPROACH, 0)


def _six_fours(piece: Chorale) -> Iterator[Fault]:
    """Yield the beat of each untreated 6-4 chord, in all voices."""
    for step in range(0, piece.steps - STEPS_PER_QUARTER, STEPS_PER_QUARTER):
        if dissonances.is_untreated_six_four(piece.pitches, step):
            yield Fault(step, step + STEPS_PER_QUARTER, tuple(Voice), weight=_REPAIRED)


def _violations(piece: Chorale) -> Iterator[Fault]:
    """Yield the violations of rules; those of parallels with the notes that make them."""
    for finding in voice_leading.find(piece):
        if finding.rule in _PARALLELS:
            start = min(_note_start(piece, finding.first, voice) for voice in finding.voices)
            stop = max(_note_end(piece, finding.step, voice) for voice in finding.voices)
            yield Fault(start, stop, finding.voices, weight=_SEVERE)
        else:
            yield Fault(finding.step, finding.stop, finding.voices, weight=1)


def _note_start(piece: Chorale, step: int, voice: Voice) -> int:
    onsets = np.flatnonzero(piece.onsets[: step + 1, voice])
    return int(onsets[-1]) if onsets.size else 0


def _note_end(piece: Chorale, step: int, voice: Voice) -> int:
    """Return the step after the note that sounds at ``step``."""
    later = slice(step + 1, None)
    ends = piece.onsets[later, voice] | (piece.pitches[later, voice] == REST)
    return step + 1 + int(ends.argmax()) if ends.any() else piece.steps
