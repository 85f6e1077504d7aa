"""Measures of a MusicXML part on the time line: note heads -> lines of whole notes.

Heads that a tie joins are one note, as long as they touch and have one pitch; it stays in the line
of its first head. This file knows nothing of XML.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from musicrel.score.importing.source import Line, Sound, Span
from musicrel.score.musicxml.musicxml_part import Head, Measure

_Place = tuple[int, str]
"""A staff within the part, and a voice."""


@dataclass(slots=True)
class _Tied:
    """A note while heads may still be added to it."""

    start: Fraction
    stop: Fraction
    pitch: int
    fermata: bool
    breath: bool


@dataclass(slots=True, kw_only=True)
class PartLines:
    """The lines of one part, and what they carry.

    Attributes:
        lines: by staff and voice.
        fermatas: what each holds, the upper line's first.
        breaths: the notes that a breath mark follows, in the same order.
    """

    lines: list[Line] = field(default_factory=list)
    fermatas: list[Span] = field(default_factory=list)
    breaths: list[Span] = field(default_factory=list)


def part_lines(
    part: Sequence[Measure], starts: Sequence[Fraction], *, name: str, staff: int
) -> PartLines:
    """The lines of ``part``.

    Args:
        part: its measures.
        starts: where each begins, and where the piece ends.
        name: of the part.
        staff: the number of its first staff, counted over the whole score.
    """
    found = PartLines()
    notes = _joined(_placed(part, starts))
    staves = {own: staff + n for n, own in enumerate(sorted({place[0] for place in notes}))}
    for place in sorted(notes, key=_order):
        sung = notes[place]
        found.lines.append(
            Line(
                name=name,
                sounds=tuple(sorted(Sound(float(n.start), float(n.stop), n.pitch) for n in sung)),
                end=float(starts[-1]),
                staff=staves[place[0]],
            )
        )
        found.fermatas += [_span(note) for note in sung if note.fermata]
        found.breaths += [_span(note) for note in sung if note.breath]
    return found


def _placed(part: Sequence[Measure], starts: Sequence[Fraction]) -> Iterator[Head]:
    """All heads in time counted from the beginning of the piece."""
    for begin, measure in zip(starts, part, strict=False):
        for head in measure.heads:
            yield head._replace(start=begin + head.start, stop=begin + head.stop)


def _joined(heads: Iterable[Head]) -> dict[_Place, list[_Tied]]:
    """The notes of each line, ties joined; a line of rests is there and empty."""
    lines: dict[_Place, list[_Tied]] = {}
    open_ties: dict[tuple[int, Fraction], _Tied] = {}
    for head in heads:
        line = lines.setdefault(head.line, [])
        if head.pitch is None:
            continue
        note = open_ties.pop((head.pitch, head.start), None) if head.tied_from else None
        if note is None:
            note = _Tied(head.start, head.stop, head.pitch, head.fermata, head.breath)
            line.append(note)
        note.stop = head.stop
        note.fermata |= head.fermata
        note.breath |= head.breath
        if head.tied_to:
            open_ties[head.pitch, head.stop] = note
    return lines


def _span(note: _Tied) -> Span:
    return float(note.start), float(note.stop)


def _order(place: _Place) -> tuple[int, int, str]:
    """Voices as they are numbered, so that 10 comes after 9."""
    staff, voice = place
    return staff, int(voice) if voice.isdecimal() and len(voice) < 9 else 0, voice  # noqa: PLR2004
