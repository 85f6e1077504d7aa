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
from musicrel.presentation import names

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
        lane: which part of its row it takes, 0 the upper one; voices in unison share a row.
        lanes: into how many parts its row is divided for it.
    """

    start: int
    stop: int
    pitch: int
    voice: int
    lane: int
    lanes: int


class BarLine(NamedTuple):
    """The step a bar begins at, and its number; a pickup has none."""

    step: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """A piano roll.

    Attributes:
        notes: by start, then from soprano to bass.
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
            depth: how far down in the row, from 0, its upper edge, to below 1.
        """
        row = (note for note in self.notes if note.pitch == pitch)
        here = [note for note in row if note.start <= step < note.stop]
        hit = [note for note in here if int(depth * note.lanes) == note.lane]
        return next(iter(hit or here), None)

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


def changed_from(before: Roll | None, after: Roll) -> int | None:
    """The first step at which two pictures differ.

    Returns:
        None where nothing but the count of written steps differs; 0 where rows, bars or fermatas
        do, so that all must be drawn again.
    """
    if before is None or _frame(before) != _frame(after):
        return 0
    if before.notes == after.notes:
        return None
    different = set(before.notes).symmetric_difference(after.notes)
    return min(note.start for note in different)


def _frame(roll: Roll) -> tuple[object, ...]:
    """All of a picture that is no note."""
    return (roll.steps, roll.low, roll.high, roll.bars, roll.beats, roll.fermatas, roll.key)


def _notes(pitches: Pitches, onsets: Flags) -> tuple[RollNote, ...]:
    """All notes of the piece; each shares its row with as many voices as it ever meets there."""
    same = pitches[:, :, None] == pitches[:, None, :]  # (T, voice, other voice)
    sharing = same.sum(axis=2)
    above = np.tril(same, -1).sum(axis=2)  # voices above it on the same pitch
    found: list[RollNote] = []
    for voice in Voice:
        starts, stops = _segments(pitches[:, voice], onsets[:, voice])
        if not starts.size:
            continue
        rows = pitches[starts, voice].tolist()
        edges = np.column_stack((starts, stops)).ravel()
        lane = _most(above[:, voice], edges)
        lanes = _most(sharing[:, voice], edges)
        found += map(
            RollNote, starts.tolist(), stops.tolist(), rows, [int(voice)] * len(rows), lane, lanes
        )
    return tuple(sorted(found, key=lambda note: (note.start, note.voice)))


def _segments(
    pitches: Pitches, onsets: Flags
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """First steps and the steps after the last of one voice's notes: two int64 (N,)."""
    starts = np.flatnonzero(onsets)
    ends = np.flatnonzero(onsets | (pitches == REST))
    after = np.searchsorted(ends, starts, side="right")
    stops = np.append(ends, len(pitches))[after]
    return starts, stops


def _most(values: npt.NDArray[np.int64], edges: npt.NDArray[np.int64]) -> list[int]:
    """The largest of ``values`` within each pair of ``edges``."""
    padded = np.append(values, 0)  # an edge may be the end of the piece
    most: list[int] = np.maximum.reduceat(padded, edges)[::2].tolist()
    return most


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
