"""A count-based baseline model; a network that does not beat it has learned nothing of harmony.

A note is coded in two parts. First the action of the voice (hold, repeat, move or rest), counted by
the voice, the sixteenth in the beat, the length of the note so far, and the voices above that begin
a note at this step. Then, for a move, its semitones, counted by the voice and its last interval.
Every distribution is smoothed by the next simpler one, with one constant.
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
_MAX_RUN_STEPS: Final = 16
_MAX_LEAP: Final = 24
_PITCHES: Final = 128

Context = tuple[Hashable, ...]


class Action(IntEnum):
    HOLD = 0
    REPEAT = 1
    MOVE = 2
    REST = 3


@dataclass(frozen=True, slots=True)
class _Choice:
    table: str
    outcome: int
    contexts: tuple[Context, ...]


class CountModel:
    """Smoothed counts of the actions and intervals of the voices.

    Args:
        repeats: distinguish repeated notes from held ones; False for JSB16, which cannot.
    """

    def __init__(self, pieces: Iterable[Chorale], *, repeats: bool) -> None:
        self._repeats = repeats
        self._outcomes = {"deed": len(Action), "interval": 2 * _MAX_LEAP + 1, "entry": _PITCHES}
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
                action = state.action(pitch, onset=onset and self._repeats)
                yield state.action_choice(action, voice, beat, began)
                if action is Action.MOVE:
                    yield state.pitch_choice(pitch, voice)
                state.follow(action, pitch)
                began = (*began, action in {Action.MOVE, Action.REPEAT})


class _VoiceState:
    def __init__(self) -> None:
        self._pitch = REST
        self._last_interval = 0
        self._run = 0

    def action(self, pitch: int, *, onset: bool) -> Action:
        if pitch == REST:
            return Action.HOLD if self._pitch == REST and self._run else Action.REST
        if pitch != self._pitch:
            return Action.MOVE
        return Action.REPEAT if onset else Action.HOLD

    def action_choice(
        self, action: Action, voice: int, beat: int, began: Sequence[bool]
    ) -> _Choice:
        # REPEAT and REST change places, so that without repeats the outcomes are 0, 1, 2
        outcome = {Action.REPEAT: 3, Action.REST: 1}.get(action, int(action))
        run = min(self._run, _MAX_RUN_STEPS)
        contexts = ((), (voice, beat), (voice, beat, run), (voice, beat, run, *began))
        return _Choice("deed", outcome, contexts)

    def pitch_choice(self, pitch: int, voice: int) -> _Choice:
        interval = pitch - self._pitch
        if self._pitch == REST or abs(interval) > _MAX_LEAP:
            return _Choice("entry", pitch, ((), (voice,)))
        contexts = ((), (voice,), (voice, self._last_interval))
        return _Choice("interval", interval + _MAX_LEAP, contexts)

    def follow(self, action: Action, pitch: int) -> None:
        self._run = self._run + 1 if action is Action.HOLD else 1
        if action is Action.MOVE:
            self._last_interval = 0 if self._pitch == REST else pitch - self._pitch
        self._pitch = pitch
