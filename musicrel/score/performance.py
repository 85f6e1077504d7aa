"""A chorale in seconds: when each step comes, and when each note is struck and let go.

One tempo map serves the synthesizer, the player and the MIDI port, so that what is seen and what
is heard agree. Steps are sixteenths from 0 and may be fractions. This file knows nothing of sound.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Voice
from musicrel.errors import UsageError
from musicrel.score.notes import Note, notes

FERMATA_STRETCH: Final = 1.75
"""How many times longer a step lasts while a fermata holds it."""
TEMPO_FACTORS: Final = (0.25, 4.0)
FERMATA_STRETCHES: Final = (1.0, 4.0)

_SECONDS_A_MINUTE: Final = 60.0
_REPEAT_GAP: Final = 0.1
"""Seconds a note is let go before the same pitch is struck again, or the two would melt."""
_BREATH: Final = 0.16
"""Seconds a voice takes to breathe where a fermata ends."""
_LARGEST_GAP: Final = 0.3
"""Neither takes more than this share of the note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a piece is played.

    Attributes:
        tempo_factor: times the written tempo, within ``TEMPO_FACTORS``.
        fermata_stretch: times longer a step lasts under a fermata, within ``FERMATA_STRETCHES``;
            1 plays it as written.

    Raises:
        UsageError: a value is outside its range.
    """

    tempo_factor: float = 1.0
    fermata_stretch: float = FERMATA_STRETCH

    def __post_init__(self) -> None:
        for name, value, (low, high) in (
            ("tempo factor", self.tempo_factor, TEMPO_FACTORS),
            ("fermata stretch", self.fermata_stretch, FERMATA_STRETCHES),
        ):
            if not low <= value <= high:
                raise UsageError(f"{name} is {value}: expected {low:g} to {high:g}")


@dataclass(frozen=True, slots=True)
class TempoMap:
    """Steps and seconds, each from the other.

    Attributes:
        begins: for every step the second at which it begins, and last the end: T + 1, ascending.
    """

    begins: tuple[float, ...]

    @classmethod
    def of(cls, chorale: Chorale, style: Style) -> TempoMap:
        """When the steps of ``chorale`` come, played in ``style``."""
        lengths = np.where(chorale.fermatas, style.fermata_stretch, 1.0)
        quarter = _SECONDS_A_MINUTE / (chorale.tempo * style.tempo_factor)
        begins = np.cumsum(np.concatenate([[0.0], lengths])) * (quarter / STEPS_PER_QUARTER)
        return cls(tuple(begins.tolist()))

    @property
    def steps(self) -> int:
        """How many steps the piece has."""
        return len(self.begins) - 1

    @property
    def seconds(self) -> float:
        """How long the piece lasts."""
        return self.begins[-1]

    def seconds_at(self, step: float) -> float:
        """When ``step`` comes; outside the piece, its nearer end."""
        inside = min(max(step, 0.0), float(self.steps))
        whole = min(int(inside), self.steps - 1)
        begin, end = self.begins[whole : whole + 2]
        return end if inside == whole + 1 else begin + (inside - whole) * (end - begin)

    def step_at(self, seconds: float) -> float:
        """The step at ``seconds``, the inverse of ``seconds_at``: exact at every whole step."""
        if seconds >= self.seconds:
            return float(self.steps)
        whole = max(bisect_right(self.begins, seconds) - 1, 0)
        begin, end = self.begins[whole : whole + 2]
        return whole + max(seconds - begin, 0.0) / (end - begin)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedNote:
    """One note as it is played.

    Attributes:
        voice: who sings it.
        pitch: MIDI number.
        start: the second it is struck.
        stop: the second it is let go, after ``start``.
    """

    voice: Voice
    pitch: int
    start: float
    stop: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """A piece as it is played.

    Attributes:
        times: steps and seconds.
        notes: for S, A, T, B the notes in order; within a voice none overlap.
    """

    times: TempoMap
    notes: tuple[tuple[TimedNote, ...], ...] = field(repr=False)


def perform(chorale: Chorale, style: Style | None = None) -> Performance:
    """``chorale`` as it is played in ``style`` (None: fermatas held longer, else as written)."""
    times = TempoMap.of(chorale, style or Style())
    return Performance(
        times=times, notes=tuple(tuple(_timed(chorale, voice, times)) for voice in Voice)
    )


def _timed(chorale: Chorale, voice: Voice, times: TempoMap) -> Iterator[TimedNote]:
    sung = notes(chorale, voice)
    for number, note in enumerate(sung, start=1):
        following = sung[number] if number < len(sung) else None
        start, stop = times.begins[note.start], times.begins[note.stop]
        gap = min(_gap(chorale, note, following), _LARGEST_GAP * (stop - start))
        yield TimedNote(voice=voice, pitch=note.pitch, start=start, stop=stop - gap)


def _gap(chorale: Chorale, note: Note, following: Note | None) -> float:
    """Seconds of ``note`` left free before ``following``."""
    if following is None or following.start > note.stop:
        return 0.0
    if chorale.fermatas[note.stop - 1] and not chorale.fermatas[note.stop]:
        return _BREATH
    return _REPEAT_GAP if following.pitch == note.pitch else 0.0
