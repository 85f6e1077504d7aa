"""The floor: a model that only counts. Whatever does not beat it has learned nothing of harmony.

A note is told in two parts. First what the voice does: hold, repeat, move or rest, counted by the
voice, the sixteenth in the beat, how long the note has sounded already, and which of the voices
above begin a note at this step. Then, where it moves, by how many semitones, counted by the voice
and its last interval. Every distribution is smoothed by the next simpler one, with one constant.

This file knows chorales and counts; it knows nothing of tokens or torch.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Voice

_SMOOTHING: Final = 2.0
_LONGEST_RUN: Final = 16
_WIDEST_LEAP: Final = 24
_PITCHES: Final = 128

Context = tuple[Hashable, ...]


class Deed(IntEnum):
    """What a voice does at a step."""

    HOLD = 0
    REPEAT = 1
    MOVE = 2
    REST = 3


@dataclass(frozen=True, slots=True)
class _Choice:
    """One thing that was decided: of which kind, what, and by which contexts, simple ones first."""

    table: str
    outcome: int
    contexts: tuple[Context, ...]


class CountModel:
    """Counts of what voices do.

    Args:
        pieces: what is counted.
        repeats: whether a repeated note is told from a held one; False for JSB16.
    """

    def __init__(self, pieces: Iterable[Chorale], *, repeats: bool) -> None:
        self._repeats = repeats
        self._outcomes = {"deed": len(Deed), "interval": 2 * _WIDEST_LEAP + 1, "entry": _PITCHES}
        if not repeats:
            self._outcomes["deed"] -= 1
        self._counts: dict[tuple[str, Context], dict[int, int]] = defaultdict(
            lambda: defaultdict(int)
        )
        for piece in pieces:
            for choice in self._choices(piece):
                for context in choice.contexts:
                    self._counts[choice.table, context][choice.outcome] += 1

    def nats(self, piece: Chorale) -> float:
        """-log p of all notes of ``piece``, summed; there are four a step."""
        return -sum(math.log(self._probability(choice)) for choice in self._choices(piece))

    def _probability(self, choice: _Choice) -> float:
        probability = 1.0 / self._outcomes[choice.table]
        for context in choice.contexts:
            counts = self._counts.get((choice.table, context), {})
            total = sum(counts.values()) + _SMOOTHING
            probability = (counts.get(choice.outcome, 0) + _SMOOTHING * probability) / total
        return probability

    def _choices(self, piece: Chorale) -> Iterator[_Choice]:
        voices = [_VoiceState() for _ in Voice]
        for step in range(piece.steps):
            beat = (step - piece.pickup) % STEPS_PER_QUARTER
            began: tuple[bool, ...] = ()
            for voice, state in enumerate(voices):
                pitch, onset = int(piece.pitches[step, voice]), bool(piece.onsets[step, voice])
                deed = state.deed(pitch, onset=onset and self._repeats)
                yield state.deed_choice(deed, voice, beat, began)
                if deed is Deed.MOVE:
                    yield state.pitch_choice(pitch, voice)
                state.follow(deed, pitch)
                began = (*began, deed in {Deed.MOVE, Deed.REPEAT})


class _VoiceState:
    """What one voice has done so far."""

    def __init__(self) -> None:
        self._pitch = REST
        self._last_interval = 0
        self._run = 0

    def deed(self, pitch: int, *, onset: bool) -> Deed:
        if pitch == REST:
            return Deed.HOLD if self._pitch == REST and self._run else Deed.REST
        if pitch != self._pitch:
            return Deed.MOVE
        return Deed.REPEAT if onset else Deed.HOLD

    def deed_choice(self, deed: Deed, voice: int, beat: int, began: Sequence[bool]) -> _Choice:
        # REPEAT and REST change places, so that without repeats the outcomes are 0, 1, 2
        outcome = {Deed.REPEAT: 3, Deed.REST: 1}.get(deed, int(deed))
        run = min(self._run, _LONGEST_RUN)
        contexts = ((), (voice, beat), (voice, beat, run), (voice, beat, run, *began))
        return _Choice("deed", outcome, contexts)

    def pitch_choice(self, pitch: int, voice: int) -> _Choice:
        interval = pitch - self._pitch
        if self._pitch == REST or abs(interval) > _WIDEST_LEAP:
            return _Choice("entry", pitch, ((), (voice,)))
        contexts = ((), (voice,), (voice, self._last_interval))
        return _Choice("interval", interval + _WIDEST_LEAP, contexts)

    def follow(self, deed: Deed, pitch: int) -> None:
        self._run = self._run + 1 if deed is Deed.HOLD else 1
        if deed is Deed.MOVE:
            self._last_interval = 0 if self._pitch == REST else pitch - self._pitch
        self._pitch = pitch
