"""The piano roll as a picture: what lies where, in steps and pitches.

A picture is made anew from the chorale whenever it changed; whoever draws it compares two pictures
to see what has to be drawn again. Steps are sixteenths from 0, ranges are half-open.

This file knows chorales; it knows nothing of pixels, colours or Qt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Flags, Key, Meter, Pitches, Voice
from musicrel.presentation.words import names

LOWEST: Final = 36
HIGHEST: Final = 81
"""The rows that are always there; a piece that goes beyond gets more."""
_MARGIN: Final = 1
_BLACK_KEYS: Final = frozenset({1, 3, 6, 8, 10})


class RollNote(NamedTuple):
    """One note: a rectangle.

    Attributes:
        start: the step it begins at.
        stop: the step after its last.
        pitch: MIDI number.
        voice: 0 soprano ... 3 bass.
    """

    start: int
    stop: int
    pitch: int
    voice: int


class Unison(NamedTuple):
    """Where several voices sound on one pitch: their rectangles share the row, one above another.

    Attributes:
        start: the step it begins at.
        stop: the step after its last.
        pitch: MIDI number.
        voices: from the highest to the lowest.
    """

    start: int
    stop: int
    pitch: int
    voices: tuple[int, ...]


class BarLine(NamedTuple):
    """The step a bar begins at, and its number; a pickup has none."""

    step: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """A piano roll.

    Attributes:
        notes: by start, then from soprano to bass.
        unisons: where notes lie upon each other, in no order.
        steps: its width.
        low: lowest pitch that has a row.
        high: highest pitch that has a row.
        bars: the bar lines.
        beats: the steps at which a beat begins that is no bar.
        fermatas: ranges of steps under a fermata.
        written: steps that have music or silence; those after it are still empty paper.
        meter: time signature.
        pickup: steps before the first bar line.
        key: in whose spelling pitches are named.
    """

    notes: tuple[RollNote, ...]
    unisons: tuple[Unison, ...]
    steps: int
    low: int
    high: int
    bars: tuple[BarLine, ...]
    beats: tuple[int, ...]
    fermatas: tuple[tuple[int, int], ...]
    written: int
    meter: Meter
    pickup: int
    key: Key | None

    def note_at(self, step: float, pitch: int, depth: float = 0.0) -> RollNote | None:
        """The note at a point.

        Args:
            step: in sixteenths, whole or not.
            pitch: the row.
            depth: how far down in the row, 0 its upper edge, 1 its lower; decides in a unison.
        """
        row = (note for note in self.notes if note.pitch == pitch)
        here = sorted((n for n in row if n.start <= step < n.stop), key=lambda n: n.voice)
        return here[min(int(depth * len(here)), len(here) - 1)] if here else None

    def describe(self, note: RollNote) -> str:
        """A note in words, as in 'Alto F♯4, bar 3, beat 2½, dotted quarter'."""
        return ", ".join(
            (
                f"{Voice(note.voice).title} {names.pitch(note.pitch, self.key)}",
                names.place(note.start, self.meter, self.pickup),
                names.length(note.stop - note.start),
            )
        )

    @property
    def octaves(self) -> tuple[tuple[int, str], ...]:
        """The rows of all C, with their names."""
        rows = range(self.low, self.high + 1)
        return tuple((row, names.pitch(row)) for row in rows if row % 12 == 0)


def is_black(pitch: int) -> bool:
    """Whether a pitch is a black key."""
    return pitch % 12 in _BLACK_KEYS


def draw(chorale: Chorale, written: int | None = None) -> Roll:
    """The picture of ``chorale``.

    Args:
        chorale: the piece, silent where it is not written yet.
        written: how many steps are written, None: all.
    """
    sounding = chorale.pitches[chorale.pitches != REST]
    lowest, highest = (sounding.min(), sounding.max()) if sounding.size else (LOWEST, HIGHEST)
    lines = chorale.bar_line_steps()
    return Roll(
        notes=_notes(chorale.pitches, chorale.onsets),
        unisons=_unisons(chorale.pitches, chorale.onsets),
        steps=chorale.steps,
        low=int(min(lowest, LOWEST)) - _MARGIN,
        high=int(max(highest, HIGHEST)) + _MARGIN,
        bars=tuple(BarLine(step, number) for number, step in enumerate(lines, start=1)),
        beats=_beats(chorale),
        fermatas=_ranges(chorale.fermatas),
        written=chorale.steps if written is None else written,
        meter=chorale.meter,
        pickup=chorale.pickup,
        key=chorale.key,
    )


def same_paper(before: Roll | None, after: Roll) -> bool:
    """Whether two pictures differ in their notes at most, and in how much is written."""
    return before is not None and _paper(before) == _paper(after)


def changed_from(before: Roll, after: Roll) -> int | None:
    """The first step at which the notes of two pictures differ, None where they do not."""
    parts: set[RollNote | Unison] = {*before.notes, *before.unisons}
    parts ^= {*after.notes, *after.unisons}
    return min((part.start for part in parts), default=None)


def _paper(roll: Roll) -> tuple[object, ...]:
    """All of a picture that is no note."""
    rows, lines = (roll.low, roll.high), (roll.bars, roll.beats, roll.meter)
    return (roll.steps, rows, lines, roll.fermatas, roll.key)


def _notes(pitches: Pitches, onsets: Flags) -> tuple[RollNote, ...]:
    """All notes of the piece."""
    found: list[RollNote] = []
    for voice in Voice:
        starts, stops = _segments(pitches[:, voice], onsets[:, voice])
        rows = pitches[starts, voice].tolist()
        found += map(RollNote, starts.tolist(), stops.tolist(), rows, [int(voice)] * len(rows))
    return tuple(sorted(found, key=lambda note: (note.start, note.voice)))


def _unisons(pitches: Pitches, onsets: Flags) -> tuple[Unison, ...]:
    """All places where voices meet on a pitch; where one of them begins a note, another begins."""
    same = (pitches[:, :, None] == pitches[:, None, :]) & (pitches != REST)[:, :, None]
    members = same @ (1 << np.arange(len(Voice)))  # (T, voice), a bit for each voice on its pitch
    leads = (same.sum(axis=2) > 1) & ~np.tril(same, -1).any(axis=2)  # it is the highest of them
    found: list[Unison] = []
    for voice in Voice:
        row = np.where(leads[:, voice], pitches[:, voice], REST)
        others = np.append(0, members[:-1, voice]) != members[:, voice]
        anew = others | (same[:, voice] & onsets).any(axis=1)
        starts, stops = _segments(row, (row != REST) & (anew | (np.append(REST, row[:-1]) != row)))
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
            voices = tuple(np.flatnonzero(same[start, voice]).tolist())
            found.append(Unison(start, stop, int(row[start]), voices))
    return tuple(found)


def _segments(
    pitches: Pitches, onsets: Flags
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """First steps and the steps after the last of one voice's notes: two int64 (N,)."""
    starts = np.flatnonzero(onsets)
    ends = np.flatnonzero(onsets | (pitches == REST))
    after = np.searchsorted(ends, starts, side="right")
    stops = np.append(ends, len(pitches))[after]
    return starts, stops


def _beats(chorale: Chorale) -> tuple[int, ...]:
    """Where a beat begins that is no bar line; a bar of an odd meter counts from its line."""
    beat = 4 * STEPS_PER_QUARTER // chorale.meter.denominator
    within = chorale.bar_positions()
    return tuple(np.flatnonzero((within % max(beat, 1) == 0) & (within != 0)).tolist())


def _ranges(flags: Flags) -> tuple[tuple[int, int], ...]:
    """The half-open ranges in which ``flags`` are set."""
    padded = np.concatenate(([False], flags, [False])).astype(np.int8)
    turns = np.diff(padded)
    starts, stops = np.flatnonzero(turns == 1), np.flatnonzero(turns == -1)
    return tuple(zip(starts.tolist(), stops.tolist(), strict=True))
