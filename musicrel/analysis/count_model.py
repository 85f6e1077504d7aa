"""A count-based baseline model; a network that does not beat it has learned nothing of harmony.

A note is coded in two parts. First the action of the voice (hold, repeat, move or rest), counted by
the voice, the sixteenth in the beat, the length of the note so far, and the voices above that begin
a note at this step. Then, for a move, its semitones, counted by the voice and its last interval.
Every distribution is smoothed by the next simpler one, with one constant.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from enum import IntEnum
from typing import Final, NamedTuple

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Voice

_SMOOTHING: Final = 2.0
_MAX_RUN_STEPS: Final = 16
_MAX_LEAP: Final = 24
_PITCHES: Final = 128

Context = tuple[Hashable, ...]


class Action(IntEnum):
    HOLD = 0
    REST = 1
    MOVE = 2
    REPEAT = 3  # the last, as some music has none


class _Choice(NamedTuple):
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
        actions = len(Action) if repeats else len(Action) - 1
        self._outcomes = {"deed": actions, "interval": 2 * _MAX_LEAP + 1, "entry": _PITCHES}
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
        states = [_State() for _ in Voice]
        for step in range(piece.steps):
            beat = (step - piece.pickup) % STEPS_PER_QUARTER
            began: tuple[bool, ...] = ()
            for voice, state in enumerate(states):
                pitch, onset = int(piece.pitches[step, voice]), bool(piece.onsets[step, voice])
                action = state.action(pitch, onset=onset and self._repeats)
                run = min(state.run, _MAX_RUN_STEPS)
                contexts = ((), (voice, beat), (voice, beat, run), (voice, beat, run, *began))
                yield _Choice("deed", action, contexts)
                if action is Action.MOVE:
                    yield state.move(pitch, voice)
                state.run = state.run + 1 if action is Action.HOLD else 1
                state.pitch = pitch
                began = (*began, action in {Action.MOVE, Action.REPEAT})


class _State:
    """The last action of a voice."""

    def __init__(self) -> None:
        self.pitch, self.run = REST, 0
        self._last_interval = 0

    def action(self, pitch: int, *, onset: bool) -> Action:
        if pitch == REST:
            return Action.HOLD if self.pitch == REST and self.run else Action.REST
        if pitch != self.pitch:
            return Action.MOVE
        return Action.REPEAT if onset else Action.HOLD

    def move(self, pitch: int, voice: int) -> _Choice:
        last, interval = self._last_interval, pitch - self.pitch
        self._last_interval = 0 if self.pitch == REST else interval
        if self.pitch == REST or abs(interval) > _MAX_LEAP:
            return _Choice("entry", pitch, ((), (voice,)))
        return _Choice("interval", interval + _MAX_LEAP, ((), (voice,), (voice, last)))
