"""Import of MusicXML scores, of musicrel and notation programs, as a source.

Supported are score-partwise and score-timewise, plain or compressed. Each voice of each staff is a
line; tied notes are merged; a measure is as long as its longest part; a short first one is the
pickup. A signature without a mode is minor if the lowest of the last notes before the next one is
the minor tonic. Repeats and their endings are written out as they are played, with the meter, key
and tempo that were in force where a passage begins; jumps such as da capo are not. If a passage has
as many verses as times, and what is played once one at most, each time has a verse: all of them are
one, or a verse each if the whole piece is repeated.

A fermata spans its note, or what ends at its bar line; of overlapping ones in different voices the
upper counts. One on a rest counts if none on a note touches it. In a score without fermatas, breath
marks and caesuras are used instead, since they mark phrase ends, too.

Conversion of the measures of a MusicXML part to lines of notes in absolute time.

Tied notes are merged if they are adjacent and have the same pitch; the result stays in the line of
the first one. A note with words is not merged: a verse may have a syllable where others hold one. A
tie ends at the next such note of its voice even if that one is not marked, and begins at the one
before, since some programs write only the beginning or the end of a tie.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar
from xml.etree.ElementTree import Element  # elements only: xml_tree does the parsing

from musicrel import untrusted
from musicrel.chorale import MAX_STEPS, Key, Mark, Meter, Mode, Provenance
from musicrel.errors import DataError, FileError
from musicrel.language import tr
from musicrel.score import json_file
from musicrel.score.importing.source import (
    DEFAULT_TEMPO,
    BarLine,
    Issue,
    IssueKind,
    Line,
    RawLyric,
    RawNote,
    RawSlur,
    Source,
    Span,
    Time,
    clean_text,
)
from musicrel.score.musicxml import xml_tree
from musicrel.score.musicxml.musicxml_part import Measure, XmlNote, measures
from musicrel.score.musicxml.musicxml_writer import TUNE
from musicrel.score.notation import spelling

_StaffVoice = tuple[int, str]  # a staff of the part, and a voice
_Tied = tuple[list[XmlNote], int]  # the line of a note, and its index there


@dataclass(slots=True, kw_only=True)
class PartLines:
    """The lines of one part with their marks."""

    lines: list[Line] = field(default_factory=list)  # the lines, sorted by staff and voice
    # span of each fermata on a note, upper lines first
    fermatas: list[Span] = field(default_factory=list)
    # span of each fermata on a rest, in the same order
    held_rests: list[Span] = field(default_factory=list)
    # span of each note followed by a breath mark, in the same order
    breaths: list[Span] = field(default_factory=list)


def part_lines(
    part: Sequence[Measure], starts: Sequence[Fraction], *, name: str, staff: int
) -> PartLines:
    """Convert the measures of a part to lines."""
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
                lyrics=tuple(
                    RawLyric(float(n.start), *word) for n in line_notes for word in n.lyrics
                ),
                slurs=tuple(_slurs(line_notes)),
            )
        )
        for note in line_notes:
            if note.fermata:
                held = found.held_rests if note.pitch is None else found.fermatas
                held.append(_floats(*note.held) if note.held else _span(note))
        found.breaths += [_span(note) for note in line_notes if note.breath]
    return found


def _slurs(line: Iterable[XmlNote]) -> Iterator[RawSlur]:
    """Yield the slurs of the notes of a line, in order, that begin and end."""
    begun: dict[str, Fraction] = {}
    for note in line:
        for number, kind in note.slurs:
            if kind == "stop" and number in begun:
                yield RawSlur(*_floats(begun.pop(number), note.stop))
        begun |= {number: note.start for number, kind in note.slurs if kind == "start"}


def _in_absolute_time(part: Sequence[Measure], starts: Sequence[Fraction]) -> Iterator[XmlNote]:
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
        if tied is None or now.lyrics:
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
                slurs=first.slurs + now.slurs,
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


MAX_PARTS: Final = 100
MAX_MEASURES: Final = MAX_STEPS  # the length limit in steps: a measure has at least one

_MAX_TEXT_LENGTH: Final = 200
_MAX_NAME_LENGTH: Final = 60
_OURS: Final = "musicrel-"
# Semitones from the tonic of the major scale with the same signature, and the third's mode.
_MODES: Final[Mapping[str, tuple[int, Mode]]] = {
    "major": (0, "major"), "ionian": (0, "major"), "dorian": (2, "minor"),
    "phrygian": (4, "minor"), "lydian": (5, "major"), "mixolydian": (7, "major"),
    "aeolian": (9, "minor"), "minor": (9, "minor"), "locrian": (11, "minor"),
}  # fmt: skip

_NO_OTHER: Final = ("", "none", "major", "minor")  # modes that need no report
_LEFT_OUT: Final[Mapping[str, IssueKind]] = {
    "movement-number": "movement number", "work/work-number": "work number",
}  # fmt: skip
_KEPT: Final = ("composer", "lyricist", "poet")  # roles of creators

_Value = TypeVar("_Value")
# The parts from the top of the score down: id and measures.
_Parts = Sequence[tuple[str, Sequence[Measure]]]


def source(path: Path) -> Source:
    """Read the MusicXML file ``path`` without assigning voices."""
    content = untrusted.read(path, "musicxml")
    try:
        return from_bytes(content)
    except FileError as reason:
        raise FileError(tr("cannot read {path}: {reason}", path=path, reason=reason)) from reason


def from_bytes(content: bytes) -> Source:
    """Convert MusicXML, plain or in an archive, to a source."""
    root = xml_tree.parse(xml_tree.unpack(content))
    if root.tag not in ("score-partwise", "score-timewise"):
        raise FileError(
            tr("it is not a MusicXML score: its root element is {tag!r}", tag=root.tag[:40])
        )
    elements = _part_elements(root)
    longest = max((len(part) for _, part in elements), default=0)
    if len(elements) > MAX_PARTS or longest > MAX_MEASURES:
        raise FileError(
            tr(
                "it has {parts:,} parts and up to {measures:,} measures: expected at most "
                "{most_parts:,} and {most_measures:,}",
                parts=len(elements),
                measures=longest,
                most_parts=MAX_PARTS,
                most_measures=MAX_MEASURES,
            )
        )
    parts = [(name, list(measures(part))) for name, part in elements]
    if not any(part for _, part in parts):
        raise FileError(tr("it is a score without measures"))
    return _joined(root, _written_out(parts))


def _written_out(parts: _Parts) -> _Parts:
    """Return the measures of each part as often as they are played, in that order."""
    longest = max(len(part) for _, part in parts)
    empty = Measure(label="", implicit=False)
    padded = [[*part, *(empty for _ in range(longest - len(part)))] for _, part in parts]
    played = _played([_signs(column) for column in zip(*padded, strict=True)])
    order = [index for index, _ in played]
    if order == list(range(longest)):
        return parts
    again = _with_words_of_times([[*_again(part, order)] for part in padded], played)
    return [(name, part) for (name, _), part in zip(parts, again, strict=True)]


class _Signs(NamedTuple):
    """The signs of a measure; see ``Measure``."""

    repeat_from: bool
    repeat_times: int
    voltas: frozenset[int]


def _signs(column: Sequence[Measure]) -> _Signs:
    return _Signs(
        any(measure.repeat_from for measure in column),
        max(measure.repeat_times for measure in column),
        frozenset().union(*(measure.voltas for measure in column)),
    )


def _played(signs: Sequence[_Signs]) -> list[tuple[int, int]]:
    """Return the indices of the measures in the order in which they are played, each with its time.

    A time whose number no ending has, as the second of 1 and 3, has the next ending.
    """
    order: list[tuple[int, int]] = []
    voltas = [one.voltas for one in signs]
    together: list[frozenset[int]] = []  # the times of the endings that stand side by side
    for _, run in itertools.groupby(voltas, bool):
        beside = list(run)
        together += [frozenset[int]().union(*beside)] * len(beside)
    index = begin = 0
    time = 1
    while index < len(signs) and len(order) < MAX_MEASURES:
        here = signs[index]
        is_after = time > 1 and not here.voltas and index and voltas[index - 1]
        if index > begin and (here.repeat_from or is_after):
            begin, time = index, 1
        numbers = together[index]
        if numbers and not (index and voltas[index - 1]) and time not in numbers:
            time = min((number for number in numbers if number > time), default=time)
        if not here.voltas or time in here.voltas:
            order.append((index, time))
            more = time < here.repeat_times or time + 1 in numbers
            if here.repeat_times and more:
                index, time = begin, time + 1
                continue
            if here.repeat_times and not here.voltas:
                begin, time = index + 1, 1
        index += 1
    return order


def _again(part: Sequence[Measure], order: Sequence[int]) -> Iterator[Measure]:
    """Yield measures in an order; the meter, key and tempo before one that is gone back to hold."""
    for before, index in itertools.pairwise((-1, *order)):
        measure = part[index]
        if index <= before:
            meters = [one.meter for one in part[:index] if one.meter]
            keys = [(Fraction(0), key) for one in part[:index] for _, key in one.keys]
            tempos = [(Fraction(0), tempo) for one in part[:index] for _, tempo in one.tempos]
            measure = replace(
                measure,
                meter=measure.meter or (meters[-1] if meters else None),
                keys=keys[-1:] + measure.keys,
                tempos=tempos[-1:] + measure.tempos,
                issues=[*measure.issues, "repeat"],
            )
        yield measure


def _with_words_of_times(
    parts: Sequence[list[Measure]], played: Sequence[tuple[int, int]]
) -> Sequence[list[Measure]]:
    """Return played measures with the words of their time only, if that is what the verses are."""
    counts = Counter(index for index, _ in played)
    times = [time for _, time in played]
    again, once = set[int](), set[int]()
    for (index, _), *column in zip(played, *parts, strict=True):
        found = again if counts[index] > 1 else once
        found.update(*(_verses(measure) for measure in column if not measure.voltas))
    if again != {*range(1, max(times) + 1)} or not once <= {1}:
        return parts
    is_whole = times == sorted(times)
    return [[*_sung(part, played, is_whole=is_whole)] for part in parts]


def _sung(
    part: Sequence[Measure], played: Sequence[tuple[int, int]], *, is_whole: bool
) -> Iterator[Measure]:
    """Yield measures with the words of their time; after those of a time, with the first verse.

    Words that the first verse alone has there are a refrain, unless the last word is held.
    """
    last: dict[int, tuple[int, Fraction, bool]] = {}
    for (index, _), measure in zip(played, part, strict=True):
        words = ((note.start, word) for note in measure.notes for word in note.lyrics)
        for start, word in words:
            place = index, start, word.extends
            last[word.verse] = max(place, last.get(word.verse, place))
    for (index, time), measure in zip(played, part, strict=True):
        *end, is_held = last.get(time, (-1, Fraction(0), False))
        number = time if is_whole else 1
        notes: list[XmlNote] = []
        for note in measure.notes:
            verse = time if is_held or [index, note.start] <= end else 1
            kept = [word._replace(verse=number) for word in note.lyrics if word.verse == verse]
            notes.append(note._replace(lyrics=tuple(kept)))
        yield replace(measure, notes=notes)


def _verses(measure: Measure) -> set[int]:
    return {word.verse for note in measure.notes for word in note.lyrics}


def _part_elements(root: Element) -> list[tuple[str, list[Element]]]:
    """List the measures of each part with its id, of a timewise score as of a partwise one."""
    if root.tag == "score-partwise":
        return [(part.get("id", ""), part.findall("measure")) for part in root.iterfind("part")]
    columns = root.findall("measure")
    names = dict.fromkeys(p.get("id", "") for column in columns for p in column.iterfind("part"))
    if len(names) * len(columns) > xml_tree.MAX_ELEMENTS:
        sentence = tr("it has {parts:,} parts in {measures:,} measures, too many for a chorale")
        raise FileError(sentence.format(parts=len(names), measures=len(columns)))
    found: list[tuple[str, list[Element]]] = [(name, []) for name in names]
    for column in columns:
        inside = {part.get("id", ""): part for part in column.iterfind("part")}
        for name, part in found:
            part.append(Element("measure", column.attrib))
            part[-1].extend(inside.get(name, ()))
    return found


def _joined(root: Element, parts: _Parts) -> Source:
    columns = [[m for m in c if m] for c in itertools.zip_longest(*(part for _, part in parts))]
    starts = _starts(columns)
    placed = [(float(at), m) for at, column in zip(starts, columns, strict=False) for m in column]
    found = _lines(root, parts, starts)
    lines = tuple(itertools.chain.from_iterable(part.lines for part in found))
    held = _fermatas(found)
    breaths = [span for part in found for span in part.breaths]
    meters = _changes((start, measure.meter) for start, measure in placed if measure.meter)
    if not meters or meters[0][0] > 0:
        meters.insert(0, (0.0, Meter()))
    tempos = _by_time(placed, lambda measure: measure.tempos)
    modes = (mode for _, measure in placed for _, (_, mode) in measure.keys)
    mode = clean_text(next(modes, ""))[:_MAX_NAME_LENGTH]
    keys = _keys(parts, starts, lines)
    hairpins = tuple(_hairpins(parts, starts))
    implicit = any(part[0].implicit for _, part in parts if part)
    is_pickup = starts[1] < meters[0][1].steps and (len(starts) > 2 or implicit)  # noqa: PLR2004
    ours = root.findtext("identification/encoding/software") == "musicrel"
    again = ("figured bass",) if ours else ()  # ours is found again in the notes
    return Source(
        lines=lines,
        in_score_order=True,
        bar_lines=tuple(
            BarLine(float(start), column[0].label)
            for start, column in zip(starts, columns, strict=False)
        ),
        meters=tuple(meters),
        pickup=float(starts[1]) if is_pickup else 0.0,
        key=keys[0][1] if keys and not (ours and keys[0][0]) else None,
        tempos=tempos,
        slower=tuple(at + float(time) for at, m in placed for time in m.slower),
        again=tuple(at + float(time) for at, m in placed for time in m.again),
        marks=tuple(_slowings(placed)),
        dynamics=_by_time(placed, lambda measure: measure.dynamics),
        hairpins=hairpins,
        keys=keys,
        mode="" if mode in _NO_OTHER else mode,
        tempo=tempos[0][1] if tempos else DEFAULT_TEMPO,
        fermatas=tuple(held or breaths),
        **_texts(root),
        provenance=_provenance(root),
        issues=(
            *(Issue(kind, start) for start, m in placed for kind in m.issues if kind not in again),
            *(Issue(kind, 0.0) for kind in _left_out(root, hairpins)),
        ),
        exact=ours,
    )


def _by_time(
    placed: Sequence[tuple[Time, Measure]],
    values: Callable[[Measure], Iterable[tuple[Fraction, _Value]]],
) -> tuple[tuple[Time, _Value], ...]:
    """Return the changes of a value; of different ones at one time the upper part's counts."""
    found = {at + float(t): value for at, m in reversed(placed) for t, value in values(m)}
    return tuple(_changes((time, found[time]) for time in sorted(found)))


def _texts(root: Element) -> dict[str, Any]:
    return {
        "title": _title(root),
        "subtitle": _one_line(_credit(root, "subtitle")),
        "composer": _creators(root, "composer"),
        "poet": _creators(root, "lyricist", "poet"),
        "tune": _tune(root),
        "copyright": _copyright(root),
    }


def _title(root: Element) -> str:
    names = root.findtext("work/work-title") or root.findtext("movement-title")
    return _one_line(names or _credit(root, "title"))


def _slowings(placed: Iterable[tuple[Time, Measure]]) -> Iterator[Mark]:
    """Yield the ritardandos that musicrel wrote; one without a tempo or a length is none."""
    for at, measure in placed:
        for time, steps, percent in measure.slowings:
            start = round(at + float(time))
            with contextlib.suppress(DataError):
                yield Mark(kind="slowing", start=start, stop=start + steps, value=percent)


def _hairpins(parts: _Parts, starts: Sequence[Fraction]) -> Iterator[tuple[Time, Time, str]]:
    """Yield start, end and kind of the hairpins, the upper parts last; of no length without end."""
    for _, part in reversed(parts):
        begun: dict[str, tuple[Fraction, str]] = {}
        for at, measure in zip(starts, part, strict=False):
            for time, kind, number in sorted(measure.wedges, key=_in_time):
                if number in begun:
                    start, which = begun.pop(number)
                    yield float(start), float(at + time), which
                if kind != "stop":
                    begun[number] = (at + time, kind)
        yield from ((float(start), float(start), which) for start, which in begun.values())


def _in_time(end: tuple[Fraction, str, str]) -> tuple[Fraction, bool]:
    """Return the order of the ends of hairpins: one that ends before another begins."""
    return end[0], end[1] != "stop"


def _starts(columns: Sequence[Sequence[Measure]]) -> list[Fraction]:
    meter = Meter()
    starts = [Fraction(0)]
    for column in columns:
        meter = next((measure.meter for measure in column if measure.meter), meter)
        length = max(measure.length for measure in column)
        starts.append(starts[-1] + (length or meter.steps))
    return starts


def _changes(values: Iterable[tuple[Time, _Value]]) -> list[tuple[Time, _Value]]:
    return [next(run) for _, run in itertools.groupby(values, key=lambda pair: pair[1])]


def _lines(root: Element, parts: _Parts, starts: Sequence[Fraction]) -> list[PartLines]:
    names = {
        entry.get("id"): clean_text(entry.findtext("part-name", ""))[:_MAX_NAME_LENGTH]
        for entry in root.iterfind("part-list/score-part")
    }
    found: list[PartLines] = []
    staff = 0
    for name, part in parts:
        found.append(part_lines(part, starts, name=names.get(name, ""), staff=staff))
        staff = max([staff, *(line.staff + 1 for line in found[-1].lines)])
    return found


def _fermatas(parts: Sequence[PartLines]) -> list[Span]:
    """List the fermatas on notes, then those on rests that touch none of them."""
    held = [span for part in parts for span in part.fermatas]
    starts, stops = {start for start, _ in held}, {stop for _, stop in held}
    rests = (span for part in parts for span in part.held_rests)
    return held + [span for span in rests if span[0] not in stops and span[1] not in starts]


def _keys(
    parts: _Parts, starts: Sequence[Fraction], lines: Sequence[Line]
) -> tuple[tuple[Time, Key], ...]:
    """List the key and its changes; of different keys at one time the upper part's counts."""
    found: dict[Time, tuple[int, str]] = {}
    for _, part in reversed(parts):
        signatures = [
            (float(start + time), key)
            for start, measure in zip(starts, part, strict=False)
            for time, key in measure.keys
        ]
        found |= dict(_changes(signatures))
    ends = [*sorted(found), math.inf][1:]
    keys = (
        (time, _named_key(*found[time], lines, until=end))
        for time, end in zip(sorted(found), ends, strict=True)
    )
    return tuple(_changes(keys))


def _named_key(fifths: int, named: str, lines: Sequence[Line], until: Time) -> Key:
    """Convert a signature to a key; a church mode by its tonic and its third."""
    major = spelling.key_from_signature(fifths, "major")
    if named in _MODES:
        above, mode = _MODES[named]
        return (
            Key.of(major.pitch_class + above, mode)
            if above % 9
            else spelling.key_from_signature(fifths, mode)
        )
    minor = spelling.key_from_signature(fifths, "minor")
    before = ([note for note in line.notes if note.start < until] for line in lines)
    last = [notes[-1] for notes in before if notes]
    end = max((note.stop for note in last), default=0.0)
    lowest = min((note.pitch for note in last if note.stop == end), default=-1)
    return minor if lowest % 12 == minor.pitch_class else major


def _creators(root: Element, *roles: str) -> str:
    """Return the names of those with one of the roles, else the first role's in the credits."""
    found = [
        _one_line(entry.text or "")
        for entry in root.iterfind("identification/creator")
        if entry.get("type", "").lower() in roles
    ]
    return _one_line(", ".join(filter(None, dict.fromkeys(found))) or _credit(root, roles[0]))


def _tune(root: Element) -> str:
    names = (entry.text or "" for entry in _miscellaneous(root) if entry.get("name") == TUNE)
    return _one_line(next(names, ""))


def _copyright(root: Element) -> str:
    rights = " ".join(entry.text or "" for entry in root.iterfind("identification/rights"))
    return _one_line(rights or _credit(root, "rights"))


def _miscellaneous(root: Element) -> Iterator[Element]:
    return root.iterfind("identification/miscellaneous/miscellaneous-field")


def _left_out(root: Element, hairpins: Sequence[tuple[Time, Time, str]]) -> Iterator[IssueKind]:
    """Yield what a chorale has no place for: other names, numbers of the work, endless hairpins."""
    if any(start >= stop for start, stop, _ in hairpins):
        yield "hairpins"
    for path, kind in _LEFT_OUT.items():
        if root.findtext(path, "").strip():
            yield kind
    for entry in root.iterfind("identification/creator"):
        role = entry.get("type", "").lower()
        if role not in _KEPT and (entry.text or "").strip():
            yield "arranger" if role == "arranger" else "other names"
    titles = {_one_line(root.findtext(path, "")) for path in ("work/work-title", "movement-title")}
    if len(titles - {""}) > 1:
        yield "movement title"
    yield from _loose_texts(root, titles)


def _loose_texts(root: Element, titles: Iterable[str]) -> Iterator[IssueKind]:
    """Yield "text" if credits, as a block of verses, have more than names, titles and numbers."""
    names = (entry.text or "" for entry in root.iterfind("identification/creator"))
    known = " ".join([*_texts(root).values(), *titles, *map(_one_line, names)])
    for credit in root.iterfind("credit"):
        words = (_one_line(part.text or "") for part in credit.iterfind("credit-words"))
        if credit.findtext("credit-type", "") != "page number" and any(
            w not in known for w in words
        ):
            yield "text"


def _credit(root: Element, kind: str) -> str:
    for credit in root.iterfind("credit"):
        if credit.findtext("credit-type", "") == kind:
            return " ".join(words.text or "" for words in credit.iterfind("credit-words"))
    return ""


def _one_line(text: str) -> str:
    return clean_text(text)[:_MAX_TEXT_LENGTH]


def _provenance(root: Element) -> Provenance | None:
    """Parse the provenance written by musicrel; None if it is missing or was changed."""
    fields = {
        entry.get("name", "").removeprefix(_OURS): entry.text or ""
        for entry in _miscellaneous(root)
        if entry.get("name", "").startswith(_OURS)
    }
    try:
        values = {
            **fields,
            "seed": untrusted.parse_json(fields["seed"]),
            "settings": untrusted.parse_json(fields["settings"]),
            "machine": untrusted.parse_json(fields.get("machine", "{}")),
        }
        return json_file.provenance_from_plain(values)
    except (KeyError, DataError):
        return None
