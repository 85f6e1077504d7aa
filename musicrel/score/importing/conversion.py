"""Conversion of four voices and the metadata of their source to a chorale with a report.

The report names what a chorale cannot represent: changes of meter and tempo, and music beyond the
length limit.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from musicrel.chorale import MAX_STEPS, Chorale, Flags, Meter
from musicrel.score.importing.import_report import Report, listed
from musicrel.score.importing.source import Source, Span
from musicrel.score.notes import Note, from_notes

_log = logging.getLogger(__name__)
TOO_LONG: Final = "too long for a piece"
"""Part of the report's sentence about a piece beyond the length limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedPiece:
    """An imported piece and its report.

    Attributes:
        chorale: the piece.
        report: what was changed, left out or assumed, one clause each; empty for an exact import.
        semitones: the transposition applied to fit the range of a voice.
    """

    chorale: Chorale
    report: tuple[str, ...] = ()
    semitones: int = 0

    def logged(self, name: str) -> Self:
        """Log the report as warnings about the file ``name``, where nothing else shows it."""
        for change in self.report:
            _log.warning("%s: %s", name, change)
        return self


def assemble(
    source: Source, voices: Sequence[Sequence[Note]], steps: int, report: Report
) -> Chorale:
    """Build the chorale from the notes of four voices.

    Args:
        source: the origin of everything but the notes.
        voices: the notes of S, A, T, B, without overlaps within a voice.
        steps: length of the piece; cut at the limit.
        report: receives what the chorale cannot represent.

    Raises:
        DataError: a value is out of range.
    """
    length = _length(source, steps, report)
    _report_meters(source, length, report)
    _report_tempos(source, length, report)
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
        composer=source.composer,
        provenance=source.provenance,
    )


def _length(source: Source, steps: int, report: Report) -> int:
    """Return ``steps``, or the last bar line within the length limit."""
    if steps <= MAX_STEPS:
        return max(steps, 1)
    pickup, bar = round(source.pickup), source.meter.steps
    length = pickup + (MAX_STEPS - pickup) // bar * bar
    report.add_sentence(
        f"it is {steps:,} sixteenths long, {TOO_LONG}: the first {length:,} were kept"
    )
    return length


def _cut(notes: Iterable[Note], steps: int) -> Iterator[Note]:
    """Yield ``notes`` cut at the end of the piece."""
    for note in notes:
        if note.start < steps:
            yield Note(note.start, min(note.length, steps - note.start), note.pitch)


def _fermatas(ranges: Iterable[Span], steps: int) -> Flags:
    """Return the fermata flags, bool (steps,); of overlapping ranges the first one counts."""
    flags = np.zeros(steps, dtype=np.bool_)
    for start, stop in ranges:
        held = slice(round(start), max(round(stop), round(start) + 1))
        if not flags[held].any():
            flags[held] = True
    return flags


def _report_meters(source: Source, steps: int, report: Report) -> None:
    """Report changes of meter, or bars that do not match the meter."""
    kept = source.meter
    changes = [(time, meter) for time, meter in source.meters[1:] if time < steps]
    if changes:
        named = [
            f"{meter} from {report.bars([source.bar_at(time)])}" for time, meter in changes[:4]
        ]
        more = [f"{len(changes) - 4} more"] if len(changes) > 4 else []  # noqa: PLR2004
        report.add_sentence(
            f"its meter changes ({listed([*named, *more])}): {kept} was kept throughout"
        )
    elif odd := _odd_bars(source, kept, steps):
        report.add_sentence(f"{report.bars(odd)} do not match the bar lines of {kept}")


def _odd_bars(source: Source, kept: Meter, steps: int) -> list[int]:
    """List the bars that do not start at a bar line of ``kept`` and the pickup."""
    first = 1 if source.pickup else 0
    return [
        index
        for index, bar in enumerate(source.bar_lines[first:], start=first)
        if bar.start < steps and (bar.start - source.pickup) % kept.steps
    ]


def _report_tempos(source: Source, steps: int, report: Report) -> None:
    others = [time for time, tempo in source.tempos if tempo != source.tempo and time < steps]
    if others:
        bars = report.bars({source.bar_at(time) for time in others})
        report.add_sentence(f"its tempo changes ({bars}): {source.tempo:.3g} was kept throughout")
