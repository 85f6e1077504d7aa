"""The metronome: its settings, its clicks on a tape, and their sound.

The same clicks serve playback, recording and audio files. A click always sounds to its end, also
when the tape jumps, so that the first beat of a loop is as clear as any other.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Meter
from musicrel.errors import UsageError
from musicrel.score import beats
from musicrel.score.audio.mixer import LOUDEST
from musicrel.score.audio.timbre import Samples
from musicrel.score.beats import Beat
from musicrel.score.performance import Style, TempoMap

# Places where a bar is counted in: none, the beginning or the loop, or wherever play starts.
CountIn: TypeAlias = Literal["never", "start", "always"]

_SECONDS: Final = 0.05  # length of a click
_DECAY: Final = 0.012  # seconds to decay by a factor of e
_FADE: Final = 0.2  # share of a click over which it fades out at its end
# Hertz (G6, C6) and loudness of each stress.
_SOUNDS: Final = ((1568.0, 0.4), (1046.5, 0.32), (1046.5, 0.14))
_NEAR: Final = 0.01  # distance in steps of a playhead that stands at a step; frames are not exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Metronome:
    """The settings of the metronome."""

    on: bool = False  # click on the beats of the piece
    level: float = 1.0  # volume of the clicks, 0 to ``LOUDEST``; 1 is the default
    count_in: CountIn = "never"  # when a bar is counted in

    def __post_init__(self) -> None:
        if not 0 <= self.level <= LOUDEST:
            raise UsageError(
                f"the level of the metronome is {self.level}: expected 0 to {LOUDEST:g}"
            )
        if self.count_in not in get_args(CountIn):
            raise UsageError(
                f"count-in is {self.count_in!r}: expected {', '.join(get_args(CountIn))}"
            )


@dataclass(frozen=True, slots=True)
class Clicks:
    """Clicks on a tape."""

    starts: tuple[int, ...] = ()
    stresses: tuple[int, ...] = ()
    frames: int = 0
    rate: int = 1  # frames per second

    @classmethod
    def of(
        cls, found: Sequence[Beat], seconds_at: Callable[[float], float], end: float, rate: int
    ) -> Clicks:
        return cls(
            tuple(round(seconds_at(beat.step) * rate) for beat in found),
            tuple(beat.stress for beat in found),
            round(seconds_at(end) * rate),
            rate,
        )

    def between(self, first: int, stop: int) -> list[tuple[int, int]]:
        inside = slice(bisect_left(self.starts, first), bisect_left(self.starts, stop))
        return list(zip(self.starts[inside], self.stresses[inside], strict=True))


NO_CLICKS: Final = Clicks()


def of_piece(chorale: Chorale, style: Style, times: TempoMap, rate: int) -> Clicks:
    """Return the clicks of a piece played in ``style``, in time with ``times``."""
    found = beats.of_piece(chorale, style.tempo_factor)
    return Clicks.of(found, times.seconds_at, times.steps, rate)


def count_in(chorale: Chorale, style: Style, step: float, rate: int) -> Clicks:
    """Return the count-in for playback from ``step``, in the tempo of ``style``."""
    step = round(step) if abs(step - round(step)) < _NEAR else step
    tempo = chorale.tempo_at(step) * style.tempo_factor
    first = beats.count_in_start(chorale, step)
    found = beats.beats(chorale.meter, chorale.pickup, first, math.ceil(step), tempo)
    return Clicks.of(found, lambda at: (at - first) * step_seconds(tempo), step, rate)


def steady(meter: Meter, tempo: float, steps: int, rate: int) -> Clicks:
    """Return ``steps`` of clicks at one tempo from a bar line on."""
    found = beats.beats(meter, 0, 0, steps, tempo)
    return Clicks.of(found, lambda at: at * step_seconds(tempo), steps, rate)


def step_seconds(tempo: float) -> float:
    """Return the seconds of a step at ``tempo`` quarters a minute."""
    return 60 / tempo / STEPS_PER_QUARTER


class ClickReader:
    """Reads clicks along a tape; each sounds to its end wherever the tape goes on."""

    def __init__(self, rate: int) -> None:
        self._sounds = _sounds(rate)
        self._tail = np.zeros(len(self._sounds[0]), dtype=np.float32)

    def read(self, clicks: Clicks, position: int, frames: int, level: float = 1.0) -> Samples:
        """Return the next ``frames``, float32 (frames,), with clicks from ``position`` on."""
        sound = np.zeros(frames + len(self._tail), dtype=np.float32)
        sound[: len(self._tail)] = self._tail
        for start, stress in clicks.between(position, position + frames) if level else ():
            click = self._sounds[stress]
            sound[start - position : start - position + len(click)] += np.float32(level) * click
        self._tail = sound[frames:]
        return sound[:frames]


@lru_cache(maxsize=4)
def _sounds(rate: int) -> tuple[Samples, ...]:
    """Synthesise a short decaying tone for each stress, float32 (n,)."""
    seconds = np.arange(round(_SECONDS * rate)) / rate
    decay = np.exp(-seconds / _DECAY) * np.minimum((1 - seconds / _SECONDS) / _FADE, 1)
    return tuple(
        np.asarray(loudness * np.sin(2 * np.pi * hertz * seconds) * decay, dtype=np.float32)
        for hertz, loudness in _SOUNDS
    )
