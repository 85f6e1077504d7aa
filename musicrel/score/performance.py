"""A performance: the time of each step, and the start and release of each note.

One tempo map serves the synthesizer, the player and the MIDI port, so that picture and sound stay
together. Steps are sixteenths from 0 and may be fractional; times are seconds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from musicrel.chorale import DYNAMICS, STEPS_PER_QUARTER, Chorale, Voice
from musicrel.errors import UsageError
from musicrel.score.notes import Note, notes

FERMATA_STRETCH: Final = 1.75  # factor by which a step under a fermata is longer
TEMPO_FACTORS: Final = (0.25, 4.0)
FERMATA_STRETCHES: Final = (1.0, 4.0)

_LEVELS: Final = dict(zip(DYNAMICS, (0.35, 0.45, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6), strict=True))
_NEAR: Final = STEPS_PER_QUARTER  # most steps from the end of a hairpin to its dynamic
_SECONDS_A_MINUTE: Final = 60.0
_REPEAT_GAP: Final = 0.1  # seconds between a note and its repetition, so that the two stay distinct
_BREATH: Final = 0.16  # seconds a voice pauses for breath at the end of a fermata
_MAX_GAP_SHARE: Final = 0.3  # largest share of a note's duration that a gap may take


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Tempo and fermatas of a performance."""

    tempo_factor: float = 1.0  # multiple of the written tempo, within ``TEMPO_FACTORS``
    # factor by which steps under a fermata are longer, within ``FERMATA_STRETCHES``; 1 plays them
    # as written
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
    """Conversion between steps and seconds, with the tempos of the piece."""

    # start of every step in seconds, then the end of the piece: T + 1, ascending
    step_starts: tuple[float, ...]

    @classmethod
    def of(cls, chorale: Chorale, style: Style) -> TempoMap:
        lengths = np.where(chorale.fermatas, style.fermata_stretch, 1.0)
        quarter = _SECONDS_A_MINUTE / (chorale.tempo * style.tempo_factor)
        lengths *= chorale.tempo / chorale.tempos()
        step_starts = np.cumsum(np.concatenate([[0.0], lengths])) * (quarter / STEPS_PER_QUARTER)
        return cls(tuple(step_starts.tolist()))

    @property
    def steps(self) -> int:
        return len(self.step_starts) - 1

    @property
    def seconds(self) -> float:
        return self.step_starts[-1]

    def seconds_at(self, step: float) -> float:
        inside = min(max(step, 0.0), float(self.steps))
        whole = min(int(inside), self.steps - 1)
        begin, end = self.step_starts[whole : whole + 2]
        return end if inside == whole + 1 else begin + (inside - whole) * (end - begin)

    def step_at(self, seconds: float) -> float:
        """Return the step at ``seconds``: the inverse of ``seconds_at``, exact at whole steps."""
        if seconds >= self.seconds:
            return float(self.steps)
        whole = max(bisect_right(self.step_starts, seconds) - 1, 0)
        begin, end = self.step_starts[whole : whole + 2]
        return whole + max(seconds - begin, 0.0) / (end - begin)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedNote:
    """One note of a performance."""

    voice: Voice
    pitch: int
    start: float  # start in seconds
    stop: float  # release in seconds, after ``start``
    level: float = 1.0  # loudness; 1 where no dynamic is written, and for mf


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """The timed notes of a piece."""

    times: TempoMap
    # for each of S, A, T, B the notes in order, without overlaps
    notes: tuple[tuple[TimedNote, ...], ...] = field(repr=False)


def perform(chorale: Chorale, style: Style | None = None) -> Performance:
    """Time the notes of ``chorale`` in ``style`` (None: the default style, with fermatas held)."""
    times = TempoMap.of(chorale, style or Style())
    return Performance(
        times=times, notes=tuple(tuple(_timed(chorale, voice, times)) for voice in Voice)
    )


def _timed(chorale: Chorale, voice: Voice, times: TempoMap) -> Iterator[TimedNote]:
    voice_notes, loudness = notes(chorale, voice), levels(chorale)
    for number, note in enumerate(voice_notes, start=1):
        following = voice_notes[number] if number < len(voice_notes) else None
        start, stop = times.step_starts[note.start], times.step_starts[note.stop]
        gap = min(_gap(chorale, note, following), _MAX_GAP_SHARE * (stop - start))
        yield TimedNote(
            voice=voice, pitch=note.pitch, start=start, stop=stop - gap, level=loudness[note.start]
        )


def levels(chorale: Chorale) -> list[float]:
    """Return the loudness of notes that begin at each step, by the dynamics; 1 without any.

    A hairpin leads evenly to the dynamic at its end or soon after, else to the next one in order.
    """
    found, order = np.ones(chorale.steps), [*_LEVELS.values()]
    dynamics = [(m.start, _LEVELS[str(m.value)]) for m in chorale.marks if m.kind == "dynamic"]
    for mark in chorale.marks:
        start, stop = mark.start, mark.stop
        if mark.kind == "dynamic":
            found[start:] = _LEVELS[str(mark.value)]
        elif mark.kind == "hairpin":
            place = order.index(found[start]) + (1 if mark.value == "crescendo" else -1)
            following = order[min(max(place, 0), len(order) - 1)]
            near = (level for step, level in dynamics if start < step <= stop + _NEAR)
            goal = next(near, following)
            found[start:stop] = np.linspace(found[start], goal, stop - start, endpoint=False)
            found[stop:] = goal
    levels: list[float] = found.tolist()
    return levels


def _gap(chorale: Chorale, note: Note, following: Note | None) -> float:
    if following is None or following.start > note.stop:
        return 0.0
    if chorale.fermatas[note.stop - 1] and not chorale.fermatas[note.stop]:
        return _BREATH
    return _REPEAT_GAP if following.pitch == note.pitch else 0.0
