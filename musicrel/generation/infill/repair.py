"""Faults in what an infilling model has written, and their repair.

A Gibbs sweep draws each note given all others. So no sweep sees a cadence as a whole, and parallels
and 6-4 chords stay where each of the notes alone fits. The cells of such a fault are therefore
hidden and drawn again, given each other and the rest of the piece. The first draw that leaves fewer
faults there is kept: rejection sampling, in a few attempts.

Dimensions: T steps, 4 voices.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from musicrel.analysis import keys, voice_leading
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Flags, Key, Mode, Voice
from musicrel.generation.constraints import dissonances
from musicrel.generation.infill import gibbs_blocks
from musicrel.generation.infill.gibbs_blocks import Block
from musicrel.generation.infill.infill_state import InfillState
from musicrel.generation.phrasing import phrase_ends, planned_phrase
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.model.tokens import codec

_APPROACH: Final = 2 * STEPS_PER_QUARTER  # steps before a phrase end that are drawn again with it
_SEVERE: Final = 3
_REPAIRED: Final = 2
"""Weights of missed cadences and parallels, and of 6-4 chords; other violations weigh 1, so that no
repair brings more of them than it is worth."""
_LEFT_OPEN: Final = 2.0
"""Phrase ends left to a model for each that Bach leaves without a cadence. With 2, relative-infill
closes 84 % of its inner phrases, with 4 only 81, Bach 88."""
_APART: Final = 2 * STEPS_PER_QUARTER  # steps between faults that are repaired side by side
_DOMINANT_STEPS: Final = STEPS_PER_QUARTER // 2  # steps of the chord before a last one
_TRIADS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {"authentic": (0, 3, 4, 7), "plagal": (0, 3, 4, 7), "half": (0, 4, 7)}
)
"""Semitones of the last chord above its root, within a piece."""
_ROOTS: Final[Mapping[str, int]] = MappingProxyType({"authentic": 0, "plagal": 0, "half": 7})
"""Semitones of that root above the tonic of the piece."""
_APPROACHES: Final[Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]] = MappingProxyType(
    {"authentic": ((7, 11, 2, 5), (7, 11)), "plagal": ((5, 8, 9, 0), (5,))}
)
"""Semitones of the chord before it above its root: of all voices and of the bass."""
_DEGREES: Final[Mapping[Mode, frozenset[int]]] = MappingProxyType(
    {"major": frozenset({0, 2, 4, 5, 7, 9}), "minor": frozenset({0, 3, 5, 7, 8, 10})}
)
"""Degrees of a key on which phrases close authentically, in semitones above its tonic."""


class Fault(NamedTuple):
    """A fault, and the cells that are drawn again."""

    start: int
    stop: int  # the step after the last
    voices: tuple[Voice, ...]
    weight: int
    end: PhraseEnd | None = None  # the phrase end without its cadence

    @property
    def is_repaired(self) -> bool:
        return self.weight > 1


@dataclass(frozen=True, slots=True)
class FaultFinder:
    """Finds the faults of a piece."""

    ends: tuple[PhraseEnd, ...]  # its phrase ends, in order, with the cadences that are wanted
    key: Key | None  # None: it is estimated

    @classmethod
    def of(
        cls,
        plan: Chorale,
        conditions: Collection[str],
        cadence: str,
        locked_tokens: codec.Ids,
        seed: int,
    ) -> Self:
        """Return the finder of faults of a piece.

        A cadence is drawn, if none is requested, where no cell is locked (-1 in ``locked_tokens``).
        An end that is entirely locked stays as it is.
        """
        is_locked = locked_tokens.reshape(-1, len(Voice)) >= 0
        kinds = planned_phrase.parse_cadences(cadence)
        ends = [
            end
            if end.kind or is_locked[_first(end) : end.stop].any()
            else end.drawn(seed, plan.steps, None, _LEFT_OPEN)
            for end in phrase_ends.planned_ends(plan, conditions, kinds)
            if not is_locked[_first(end) : end.stop].all()
        ]
        return cls(tuple(ends), plan.key)

    def faults(self, piece: Chorale) -> list[Fault]:
        """Return the faults of ``piece``: missed cadences, parallels, untreated 6-4 chords, others.

        The others are violations of the default rules, which count but are not repaired.
        """
        missed = (
            Fault(_first(end), end.stop, tuple(Voice), weight=_SEVERE, end=end)
            for end in self.ends
            if not end.is_met_by(piece.cropped(0, end.stop), piece.steps, self.key)
        )
        return [*missed, *_six_fours(piece), *_violations(piece)]


def _first(end: PhraseEnd) -> int:
    return max(end.step - _APPROACH, 0)


def _six_fours(piece: Chorale) -> Iterator[Fault]:
    for step in range(0, piece.steps - STEPS_PER_QUARTER, STEPS_PER_QUARTER):
        if dissonances.six_four(piece.pitches, step) == "untreated":
            yield Fault(step, step + STEPS_PER_QUARTER, tuple(Voice), weight=_REPAIRED)


def _violations(piece: Chorale) -> Iterator[Fault]:
    for finding in voice_leading.find(piece):
        if finding.rule in voice_leading.PARALLELS:
            start = min(_note_start(piece, finding.first, voice) for voice in finding.voices)
            stop = max(_note_end(piece, finding.step, voice) for voice in finding.voices)
            yield Fault(start, stop, finding.voices, weight=_SEVERE)
        else:
            yield Fault(finding.step, finding.stop, finding.voices, weight=1)


def _note_start(piece: Chorale, step: int, voice: Voice) -> int:
    onsets = np.flatnonzero(piece.onsets[: step + 1, voice])
    return int(onsets[-1]) if onsets.size else 0


def _note_end(piece: Chorale, step: int, voice: Voice) -> int:
    later = slice(step + 1, None)
    ends = piece.onsets[later, voice] | (piece.pitches[later, voice] == REST)
    return step + 1 + int(ends.argmax()) if ends.any() else piece.steps


def apart(faults: Sequence[Fault]) -> list[Fault]:
    """Return those of ``faults`` that can be repaired side by side, the first ones first."""
    taken: list[Fault] = []
    for fault in faults:
        gaps = (max(fault.start - other.stop, other.start - fault.stop) for other in taken)
        if min(gaps, default=_APART) >= _APART:
            taken.append(fault)
    return taken


def is_better(found: Sequence[Fault], before: Sequence[Fault], place: Fault) -> bool:
    """Return whether the draw of the cells of ``place`` has improved it.

    Its faults weigh less than before, both all of them and those that are repaired alone.
    """
    now, then = _weights_near(found, place), _weights_near(before, place)
    return now[0] < then[0] and now[1] < then[1]


def _weights_near(faults: Sequence[Fault], place: Fault) -> tuple[int, int]:
    """Return the weight of the faults that overlap or touch a place: all, and those repaired."""
    near = [each for each in faults if each.start <= place.stop and place.start <= each.stop]
    repaired = (each.weight for each in near if each.is_repaired)
    return sum(each.weight for each in near), sum(repaired)


def close_mask(
    end: PhraseEnd, piece: Chorale, key: Key, start: int, pitch_V: npt.NDArray[np.int64]
) -> Flags:
    """Return the tokens with which a phrase closes as wanted, bool (L, 4, V).

    An authentic cadence within a piece is on the root that its bass has now, if Bach closes there.

    Args:
        start: the first step of the mask; the last one is that of ``end``.
        pitch_V: pitch of every token, REST for those without one.
    """
    legal_L4V = np.ones((end.stop - start, len(Voice), len(pitch_V)), dtype=np.bool_)
    kind = end.kind or "authentic"
    root = _root(kind, end, piece, key)
    if root is None:
        return legal_L4V
    above_V = np.where(pitch_V == REST, REST, (pitch_V - root) % 12)
    first = end.step - start
    legal_L4V[first:, Voice.BASS] = above_V == 0
    is_last = end.stop == piece.steps and kind != "half"
    triad = keys.last_triad(key) if is_last else _TRIADS[kind]
    legal_L4V[-1, : Voice.BASS] = np.isin(above_V, triad)
    if kind in _APPROACHES:
        chord, roots = _APPROACHES[kind]
        approach = slice(max(first - _DOMINANT_STEPS, 0), first)
        legal_L4V[approach] = np.isin(above_V, chord)
        legal_L4V[approach, Voice.BASS] = np.isin(above_V, roots)
    return legal_L4V


def _root(kind: str, end: PhraseEnd, piece: Chorale, key: Key) -> int | None:
    """Return the pitch class of the root of the last chord; None where it is left to the model."""
    if kind not in _ROOTS:
        return None
    bass = int(piece.pitches[end.stop - 1, Voice.BASS])
    if kind != "authentic" or end.stop == piece.steps or bass == REST:
        return (key.pitch_class + _ROOTS[kind]) % 12
    return bass % 12 if (bass - key.pitch_class) % 12 in _DEGREES[key.mode] else None


class Repair:
    """Attempts to repair the faults of a candidate, which is entirely filled."""

    def __init__(self, state: InfillState, finder: FaultFinder) -> None:
        self._state, self._finder = state, finder
        self._found = finder.faults(state.piece())

    def begin(self, passes: int, *, masked: bool) -> list[list[Block]]:
        """Begin an attempt: hide the cells of the faults, and return them as places to fill.

        Args:
            passes: number of forward passes in which a block is filled.
            masked: allow only tokens with which phrases close as wanted.
        """
        self._before, piece = self._state.tokens.copy(), self._state.piece()
        self._places = apart(
            [fault for fault in self._found if fault.is_repaired and self._cells(fault).any()]
        )
        places = [
            gibbs_blocks.blocks_between(self._cells(place), place.start, place.stop, passes)
            for place in self._places
        ]
        for place, blocks in zip(self._places, places, strict=True):
            self._state.forbid_parallels()
            self._state.hide(blocks)
            if masked and place.end is not None:
                key = self._finder.key or keys.estimate(piece.pitches)
                mask_L4V = close_mask(place.end, piece, key, place.start, self._state.pitch_V)
                self._state.narrow(place.start, mask_L4V)
        return places

    def end(self) -> None:
        """End the attempt: take back the draws that are not better."""
        self._state.widen()
        found = self._finder.faults(self._state.piece()) if self._places else []
        worse = [place for place in self._places if not is_better(found, self._found, place)]
        for place in worse:
            steps = slice(place.start, place.stop)
            self._state.tokens[steps] = self._before[steps]
        if len(worse) < len(self._places):
            self._found = self._finder.faults(self._state.piece()) if worse else found

    def _cells(self, fault: Fault) -> Flags:
        cells = np.zeros_like(self._state.free)
        cells[fault.start : fault.stop, list(fault.voices)] = True
        return np.asarray(cells & self._state.free)
