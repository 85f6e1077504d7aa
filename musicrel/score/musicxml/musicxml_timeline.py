"""Conversion of the measures of a MusicXML part to lines of notes in absolute time.

Tied notes are merged if they are adjacent and have the same pitch; the result stays in the line of
the first one. A tie ends at the next such note of its voice even if that one is not marked, and
begins at the one before, since some programs write only the beginning or the end of a tie.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from musicrel.score.importing.source import Line, RawNote, Span
from musicrel.score.musicxml.musicxml_part import Measure, XmlNote

_StaffVoice = tuple[int, str]
"""A staff of the part, and a voice."""
_Tied = tuple[list[XmlNote], int]
"""The line of a note, and its index there."""


@dataclass(slots=True, kw_only=True)
class PartLines:
    """The lines of one part with their marks.

    Attributes:
        lines: the lines, sorted by staff and voice.
        fermatas: span of each fermata on a note, upper lines first.
        held_rests: span of each fermata on a rest, in the same order.
        breaths: span of each note followed by a breath mark, in the same order.
    """

    lines: list[Line] = field(default_factory=list)
    fermatas: list[Span] = field(default_factory=list)
    held_rests: list[Span] = field(default_factory=list)
    breaths: list[Span] = field(default_factory=list)


def part_lines(
    part: Sequence[Measure], starts: Sequence[Fraction], *, name: str, staff: int
) -> PartLines:
    """Convert the measures of a part to lines.

    Args:
        part: the measures.
        starts: start of each measure, and the end of the piece.
        name: name of the part.
        staff: index of its first staff in the whole score.
    """
    found = PartLines()
    notes = _join_ties(_in_absolute_time(part, starts))
    staves = {own: staff + n for n, own in enumerate(sorted({place[0] for place in notes}))}
    for place in sorted(notes, key=_order):
        line_notes = notes[place]
        found.lines.append(
            Line(
                name=name,
                notes=tuple(
                    sorted(RawNote(*_span(n), n.pitch) for n in line_notes if n.pitch is not None)
                ),
                end=float(starts[-1]),
                staff=staves[place[0]],
            )
        )
        for note in line_notes:
            if note.fermata:
                held = found.held_rests if note.pitch is None else found.fermatas
                held.append(_floats(*note.held) if note.held else _span(note))
        found.breaths += [_span(note) for note in line_notes if note.breath]
    return found


def _in_absolute_time(part: Sequence[Measure], starts: Sequence[Fraction]) -> Iterator[XmlNote]:
    """Yield all notes with times counted from the start of the piece."""
    for begin, measure in zip(starts, part, strict=False):
        for xml_note in measure.notes:
            held = xml_note.held
            yield xml_note._replace(
                start=begin + xml_note.start,
                stop=begin + xml_note.stop,
                held=held and (begin + held[0], begin + held[1]),
            )


def _join_ties(xml_notes: Iterable[XmlNote]) -> dict[_StaffVoice, list[XmlNote]]:
    """Merge tied notes and leave out rests without a fermata; a line of rests is empty."""
    lines: dict[_StaffVoice, list[XmlNote]] = {}
    open_ties: dict[tuple[int, Fraction], dict[str, _Tied]] = {}
    ended: dict[tuple[int, Fraction, _StaffVoice], _Tied] = {}
    for now in xml_notes:
        line = lines.setdefault(now.line, [])
        if now.pitch is None:
            line += [now] if now.fermata else []
            continue
        waiting = open_ties.get((now.pitch, now.start), {})
        tied = waiting.pop(now.line[1], None)
        if tied is None and now.tied_from:
            before = ended.get((now.pitch, now.start, now.line))
            tied = waiting.pop(next(iter(waiting))) if waiting else before
        if tied is None:
            tied = line, len(line)
            line.append(now)
        else:
            begun, index = tied
            first = begun[index]
            begun[index] = first._replace(
                stop=now.stop,
                fermata=first.fermata or now.fermata,
                held=first.held or now.held,
                breath=first.breath or now.breath,
            )
        ended[now.pitch, now.stop, now.line] = tied
        if now.tied_to:
            open_ties.setdefault((now.pitch, now.stop), {})[now.line[1]] = tied
    return lines


def _span(note: XmlNote) -> Span:
    return _floats(note.start, note.stop)


def _floats(start: Fraction, stop: Fraction) -> Span:
    return float(start), float(stop)


def _order(staff_voice: _StaffVoice) -> tuple[int, int, str]:
    """Return a sort key by staff and voice number, so that voice 10 comes after 9."""
    staff, voice = staff_voice
    return staff, int(voice) if voice.isdecimal() and len(voice) < 9 else 0, voice  # noqa: PLR2004
