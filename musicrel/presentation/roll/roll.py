"""The contents of a piano roll in steps and pitches.

A roll is immutable and made from the chorale after each change; views compare two rolls to find
what to repaint. Steps are sixteenths from 0, ranges are half-open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import (
    REST,
    Chorale,
    Flags,
    Key,
    Meter,
    Pitches,
    Voice,
    spans,
)
from musicrel.editing.notes import Note, notes
from musicrel.editing.selection import Selection
from musicrel.meter_beats import written_unit
from musicrel.presentation.words import names
from musicrel.score.notes import note_spans

LOWEST: Final = 36
HIGHEST: Final = 81  # rows that are always shown; a piece beyond them adds rows
_MARGIN: Final = 1
_BLACK_KEYS: Final = frozenset({1, 3, 6, 8, 10})


class Unison(NamedTuple):
    """Several voices on one pitch; their rectangles share the row, stacked."""

    start: int  # first step
    stop: int  # the step after the last
    pitch: int  # MIDI number
    voices: tuple[int, ...]  # from the highest to the lowest


class BarLine(NamedTuple):
    """First step and number of a bar; a pickup has no bar line."""

    step: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    notes: tuple[Note, ...]  # by start, then from soprano to bass
    unisons: tuple[Unison, ...]  # overlapping notes, in no order
    steps: int
    low: int  # lowest pitch with a row
    high: int  # highest pitch with a row
    bars: tuple[BarLine, ...]
    beats: tuple[int, ...]  # first steps of beats that are not on a bar line
    fermatas: tuple[tuple[int, int], ...]  # ranges of steps under a fermata
    written: int  # number of written steps; those after it are still empty
    meter: Meter  # time signature
    pickup: int  # steps before the first bar line
    key: Key | None  # for the spelling of pitch names

    def note_at(self, step: float, pitch: int, depth: float = 0.0) -> Note | None:
        """Return the note at a point.

        Args:
            step: in sixteenths, fractions allowed.
            depth: position within the row, 0 at the top, 1 at the bottom; selects in a unison.
        """
        row = (note for note in self.notes if note.pitch == pitch)
        here = sorted((n for n in row if n.start <= step < n.stop), key=lambda n: n.voice)
        return here[min(int(depth * len(here)), len(here) - 1)] if here else None

    def describe(self, note: Note) -> str:
        """Describe a note, as 'Alto F♯4, bar 3, beat 2½, dotted quarter'."""
        return ", ".join(
            (
                f"{Voice(note.voice).title} {names.pitch(note.pitch, self.key)}",
                names.position(note.start, self.meter, self.pickup),
                names.length(note.stop - note.start),
            )
        )

    @property
    def octaves(self) -> tuple[tuple[int, str], ...]:
        rows = range(self.low, self.high + 1)
        return tuple((row, names.pitch(row)) for row in rows if row % 12 == 0)


def is_black(pitch: int) -> bool:
    return pitch % 12 in _BLACK_KEYS


def draw(chorale: Chorale, written: int | None = None) -> Roll:
    """Return the roll of ``chorale``.

    Args:
        written: number of written steps; None: all.
    """
    sounding = chorale.pitches[chorale.pitches != REST]
    lowest, highest = (sounding.min(), sounding.max()) if sounding.size else (LOWEST, HIGHEST)
    lines = chorale.bar_line_steps()
    return Roll(
        notes=tuple(sorted(notes(chorale), key=lambda note: (note.start, note.voice))),
        unisons=_unisons(chorale.pitches, chorale.onsets),
        steps=chorale.steps,
        low=int(min(lowest, LOWEST)) - _MARGIN,
        high=int(max(highest, HIGHEST)) + _MARGIN,
        bars=tuple(BarLine(step, number) for number, step in enumerate(lines, start=1)),
        beats=_beats(chorale),
        fermatas=tuple(spans(chorale.fermatas)),
        written=chorale.steps if written is None else written,
        meter=chorale.meter,
        pickup=chorale.pickup,
        key=chorale.key,
    )


def same_paper(before: Roll | None, after: Roll) -> bool:
    """Return whether two rolls differ only in notes and in how much is written."""
    return before is not None and _paper(before) == _paper(after)


def changed_from(before: Roll, after: Roll) -> int | None:
    """Return the first step where the notes of two rolls differ; None if they agree."""
    parts: set[Note | Unison] = {*before.notes, *before.unisons}
    parts ^= {*after.notes, *after.unisons}
    return min((part.start for part in parts), default=None)


def _paper(roll: Roll) -> tuple[object, ...]:
    """Return everything but the notes."""
    rows, lines = (roll.low, roll.high), (roll.bars, roll.beats, roll.meter)
    return (roll.steps, rows, lines, roll.fermatas, roll.key)


def _unisons(pitches: Pitches, onsets: Flags) -> tuple[Unison, ...]:
    """Return all unisons; one ends where any of its voices begins a new note."""
    same = (pitches[:, :, None] == pitches[:, None, :]) & (pitches != REST)[:, :, None]
    members = same @ (1 << np.arange(len(Voice)))  # (T, voice), a bit per voice on its pitch
    leads = (same.sum(axis=2) > 1) & ~np.tril(same, -1).any(axis=2)  # the highest voice
    found: list[Unison] = []
    for voice in Voice:
        row = np.where(leads[:, voice], pitches[:, voice], REST)
        others = np.append(0, members[:-1, voice]) != members[:, voice]
        again = others | (same[:, voice] & onsets).any(axis=1)
        onset_flags = (row != REST) & (again | (np.append(REST, row[:-1]) != row))
        for start, stop in note_spans(row, onset_flags):
            voices = tuple(np.flatnonzero(same[start, voice]).tolist())
            found.append(Unison(start, stop, int(row[start]), voices))
    return tuple(found)


def _beats(chorale: Chorale) -> tuple[int, ...]:
    """Return the first steps of beats that are not on a bar line, counted from the bar line."""
    beat = written_unit(chorale.meter)
    within = chorale.bar_positions()
    return tuple(np.flatnonzero((within % beat == 0) & (within != 0)).tolist())


def padded_piece(plan: Chorale, pitches: Pitches, onsets: Flags) -> Chorale:
    """Return the piece as far as known, silent where nothing is written yet.

    A note whose onset is not written yet begins at its first known cell.

    Args:
        pitches: int16 (T, 4), MIDI numbers, below 0 for rests and unknown cells.
        onsets: bool (T, 4), where notes begin.
    """
    known = np.where(pitches >= 0, pitches, REST).astype(np.int16)
    others = np.vstack([np.ones_like(onsets[:1]), known[1:] != known[:-1]])
    return replace(plan, pitches=known, onsets=(known != REST) & (onsets | others))


def describe(selection: Selection, roll: Roll) -> str:
    """Describe a selection, as 'Alto, Tenor: bar 2, beat 1 to bar 3, beat 4¾'."""
    voices = ", ".join(Voice(voice).title for voice in selection.voices)
    first, last = (
        names.position(step, roll.meter, roll.pickup)
        for step in (selection.start, selection.stop - 1)
    )
    return f"{voices}: {first}" + (f" to {last}" if last != first else "")


def in_band(roll: Roll, steps: tuple[float, float], pitches: tuple[int, int]) -> Selection | None:
    """Select the voices with a note in a rubber band; None if there is none."""
    start, stop = max(math.floor(min(steps)), 0), min(math.ceil(max(steps)), roll.steps)
    low, high = min(pitches), max(pitches)
    if start >= stop:
        return None
    band = replace(everything(roll), start=start, stop=stop)
    voices = {n.voice for n in roll.notes if low <= n.pitch <= high and band.touches(n)}
    return replace(band, voices=tuple(sorted(voices))) if voices else None


def everything(roll: Roll) -> Selection:
    """Select all voices from beginning to end."""
    return Selection(voices=tuple(map(int, Voice)), start=0, stop=roll.steps)


def bar_at(roll: Roll, step: float) -> Selection:
    """Select all voices of the bar with ``step``, within the roll; a pickup is a bar."""
    here = int(min(max(step, 0), roll.steps - 1))
    return whole_bars(roll, replace(everything(roll), start=here, stop=here + 1))


def whole_bars(roll: Roll, selection: Selection) -> Selection:
    """Select all voices of the bars that ``selection`` touches."""
    lines = sorted({0, *(line.step for line in roll.bars), roll.steps})
    start = max(line for line in lines if line <= selection.start)
    stop = min((line for line in lines if line >= selection.stop), default=roll.steps)
    return replace(everything(roll), start=start, stop=stop)


def parts_in(roll: Roll, selection: Selection) -> tuple[Note, ...]:
    """Return the selected parts of notes, cut at the edges of the selection."""
    return tuple(
        note._replace(start=max(note.start, selection.start), stop=min(note.stop, selection.stop))
        for note in roll.notes
        if selection.touches(note)
    )
