"""Conversion of four voices and the metadata of their source to a chorale with a report.

A piece starts at its first note: silence before it is removed, and a start within a bar makes a
pickup. The report names this, and what a chorale cannot represent: changes of meter, key and tempo,
and music beyond the length limit.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self, TypeVar

import numpy as np

from musicrel.chorale import MAX_STEPS, REST, STEPS_PER_QUARTER, Chorale, Flags, Meter
from musicrel.score.importing.import_report import Report, listed
from musicrel.score.importing.source import Source, Span, Time
from musicrel.score.notes import Note, from_notes

_log = logging.getLogger(__name__)
TOO_LONG: Final = "too long for a piece"
"""Part of the report's sentence about a piece beyond the length limit."""
_MAX_CHANGES: Final = 4
"""Further changes of meter or key are only counted."""

_Value = TypeVar("_Value")


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
    if source.mode:
        report.add_sentence(f"the mode {source.mode} of its key was read as {source.key}")
    _report_changes("key", source.keys, source, length, report)
    _report_tempos(source, length, report)
    pitches, onsets = from_notes([_cut(notes, length) for notes in voices], length)
    chorale = Chorale(
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
    return chorale if source.exact else from_first_note(chorale, report)


def from_first_note(chorale: Chorale, report: Report) -> Chorale:
    """Remove the silence before the first note of ``chorale``, and report it."""
    first = int((chorale.pitches != REST).any(axis=1).argmax())
    if first == 0:
        return chorale
    bar = chorale.meter.steps
    unit, count = ("bar", first / bar) if first >= bar else ("quarter", first / STEPS_PER_QUARTER)
    silence = f"a {unit}" if count == 1 else f"{count:.3g} {unit}s"
    verb = "was" if count == 1 else "were"
    report.add_sentence(f"{silence} of silence before the first note {verb} removed")
    return chorale.cropped(first, chorale.steps)


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
        first = max(round(start), 0)
        held = slice(first, max(round(stop), first + 1))
        if not flags[held].any():
            flags[held] = True
    return flags


def _report_meters(source: Source, steps: int, report: Report) -> None:
    """Report changes of meter, or bars that do not match the meter."""
    if _report_changes("meter", source.meters, source, steps, report):
        return
    if odd := _odd_bars(source, source.meter, steps):
        verb = "does" if len(odd) == 1 else "do"
        report.add_sentence(f"{report.bars(odd)} {verb} not match the bar lines of {source.meter}")


def _report_changes(
    what: str, values: Sequence[tuple[Time, _Value]], source: Source, steps: int, report: Report
) -> bool:
    """Report that the first of ``values`` was kept throughout; return whether there are others."""
    changes = [(time, value) for time, value in values[1:] if time < steps]
    named = [
        f"{value} from {report.bars([source.bar_at(time)])}"
        for time, value in changes[:_MAX_CHANGES]
    ]
    if len(changes) > _MAX_CHANGES:
        named.append(f"{len(changes) - _MAX_CHANGES} more")
    if changes:
        report.add_sentence(
            f"{what} changes ({listed(named)}) were dropped: {values[0][1]} throughout"
        )
    return bool(changes)


def _odd_bars(source: Source, kept: Meter, steps: int) -> list[int]:
    """List the bars that do not start at a bar line of ``kept`` and the pickup.

    Measures that make one bar together, as around a repeat sign within a bar, are no oddity.
    """
    first = 1 if source.pickup else 0
    starts = [bar.start for bar in source.bar_lines[first:] if bar.start < steps]
    odd: list[int] = []
    parts: list[int] = []
    begin = source.pickup
    for index, start in enumerate([*starts, float(steps)], start=first):
        if (start - source.pickup) % kept.steps and index < first + len(starts):
            parts.append(index)
            continue
        if start - begin != kept.steps:
            odd += parts
        parts, begin = [], start
    return odd


def _report_tempos(source: Source, steps: int, report: Report) -> None:
    others = [time for time, tempo in source.tempos if tempo != source.tempo and time < steps]
    if others:
        bars = report.bars({source.bar_at(time) for time in others})
        report.add_sentence(f"tempo changes in {bars} were dropped: {source.tempo:.3g} throughout")
