"""Voices of notes and what their source says about them -> a chorale with a report.

What a chorale cannot hold is named here: other meters and tempos than the first, more music than
the longest piece. This file knows nothing of how the voices were found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.chorale import MAX_STEPS, Chorale, Flags, Meter
from musicrel.score.importing.import_report import Report, listed
from musicrel.score.importing.source import Source, Span, Time
from musicrel.score.notes import Note, from_notes

TOO_LONG: Final = "too long for a piece"
"""In the sentence of a report that says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A piece as it was understood.

    Attributes:
        chorale: the piece.
        report: what was bent, left out or guessed, one sentence each; empty where nothing was.
        semitones: how far the piece was moved to fit a voice's range.
    """

    chorale: Chorale
    report: tuple[str, ...] = ()
    semitones: int = 0

    def moved_back(self, chorale: Chorale) -> Chorale:
        """``chorale``, made from this reading, in the key of the file."""
        return chorale.transposed(-self.semitones) if self.semitones else chorale


def assembled(
    source: Source, voices: Sequence[Sequence[Note]], steps: int, report: Report
) -> Chorale:
    """The chorale that sings ``voices``.

    Args:
        source: all that is not notes comes from it.
        voices: the notes of S, A, T, B, none of a voice overlapping.
        steps: how long the piece would be; cut at the limit.
        report: where it is said what the chorale does not hold.

    Raises:
        DataError: a value is none a chorale can have.
    """
    length = _length(source, steps, report)
    _tell_meters(source, length, report)
    _tell_tempos(source, length, report)
    pitches, onsets = from_notes([_cut(notes, length) for notes in voices], length)
    return Chorale(
        pitches=pitches,
        onsets=onsets,
        fermatas=_fermatas(source.fermatas, length),
        meter=source.meter,
        pickup=round(source.pickup),
        key=source.key,
        tempo=source.tempo,
        title=source.title,
        provenance=source.provenance,
    )


def _length(source: Source, steps: int, report: Report) -> int:
    """``steps``, or the last bar line a piece of the longest length has."""
    if steps <= MAX_STEPS:
        return max(steps, 1)
    pickup, bar = round(source.pickup), source.meter.steps
    length = pickup + (MAX_STEPS - pickup) // bar * bar
    report.say(f"it is {steps:,} sixteenths long, {TOO_LONG}: the first {length:,} were kept")
    return length


def _cut(notes: Iterable[Note], steps: int) -> Iterator[Note]:
    """``notes`` as far as the piece goes."""
    for note in notes:
        if note.start < steps:
            yield Note(note.start, min(note.length, steps - note.start), note.pitch)


def _fermatas(ranges: Iterable[Span], steps: int) -> Flags:
    """Where one holds, bool (steps,); of two that overlap the first in ``ranges`` counts."""
    flags = np.zeros(steps, dtype=np.bool_)
    for start, stop in ranges:
        held = slice(round(start), max(round(stop), round(start) + 1))
        if not flags[held].any():
            flags[held] = True
    return flags


def _tell_meters(source: Source, steps: int, report: Report) -> None:
    """Say which bars are not as long as the meter that is kept."""
    kept = source.meter
    changes = [(time, meter) for time, meter in source.meters[1:] if time < steps]
    if changes:
        named = [f"{meter} from {_bar(source, time, report)}" for time, meter in changes[:4]]
        more = [f"{len(changes) - 4} more"] if len(changes) > 4 else []  # noqa: PLR2004
        report.say(f"its meter changes ({listed([*named, *more])}): {kept} was kept throughout")
    elif odd := _odd_bars(source, kept, steps):
        report.say(f"{report.bars(odd)} begin or end beside the bar lines of {kept}")


def _odd_bars(source: Source, kept: Meter, steps: int) -> list[int]:
    """The bars that do not begin where ``kept`` and the pickup put a bar line."""
    first = 1 if source.pickup else 0
    return [
        index
        for index, bar in enumerate(source.bar_lines[first:], start=first)
        if bar.start < steps and (bar.start - source.pickup) % kept.steps
    ]


def _tell_tempos(source: Source, steps: int, report: Report) -> None:
    others = [time for time, tempo in source.tempos if tempo != source.tempo and time < steps]
    if others:
        bars = report.bars({source.bar_at(time) for time in others})
        report.say(f"its tempo changes ({bars}): {source.tempo:.3g} was kept throughout")


def _bar(source: Source, time: Time, report: Report) -> str:
    return report.bars([source.bar_at(time)])
