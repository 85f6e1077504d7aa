"""Engraving with Verovio: a job that yields a score section by section.

Verovio gets MusicXML written by musicrel, in which every note and rest has an id; its SVG is read
back as ink. Verovio holds the interpreter lock while it works, so a long piece is engraved in
sections that end where no voice holds a note. Sections and systems without a change are taken from
a cache: an edit touches one or two. These are first engraved alone, within the systems of before,
so that what is written is seen at once. Verovio is imported on first use.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from importlib import util
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree as ET

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QTransform

from musicrel import jobs
from musicrel.analysis import numeral_search
from musicrel.analysis.numeral import Numeral
from musicrel.chorale import ELISION, REST, Chorale, Voice
from musicrel.errors import DataError
from musicrel.figures.score import (
    SPACE,
    Column,
    Glyph,
    Head,
    Ink,
    Owner,
    Score,
    Shape,
    Staff,
    Stroke,
    System,
    Words,
)
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.score.editing import notes
from musicrel.score.editing.notes import Note
from musicrel.score.musicxml import musicxml_writer, xml_tree
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.score.notation import repeats
from musicrel.score.notation.figured_bass import figured_bass
from musicrel.score.notation.repeats import Repeat
from musicrel.score.verses.harmonies import harmonies

MISSING: Final = tr(
    "The score cannot be engraved: the package verovio is missing; reinstall musicrel"
)
MIN_PAGE_WIDTH: Final = 7_000.0  # of a page with room for one bar, in units of the score
_MAX_SECTION_STEPS: Final = 512  # steps per section: 32 bars of 4/4
_CAN_SPARE: Final = 3  # least number of bars in a system that can give one away
_UNITS: Final = 10  # verovio's drawing units per unit of its options
_OPTIONS: Final[Mapping[str, Any]] = {
    "adjustPageHeight": True, "pageHeight": 60_000,
    "header": "none", "footer": "none", "svgFormatRaw": True, "smuflTextFont": "none",
    "pageMarginLeft": 0, "pageMarginRight": 0, "pageMarginTop": 20, "pageMarginBottom": 20,
    "minLastJustification": 0.6, "spacingSystem": 6, "mnumInterval": 0,
    "lyricWordSpace": 2.5,  # a system may be narrowed to fit, and words with it
}  # fmt: skip
_SYSTEM: Final = re.compile("<system[ >]")  # beginning of a system in MEI
# the voices of each staff, from top to bottom
STAVES: Final[Mapping[Layout, tuple[tuple[int, ...], ...]]] = {
    "staves": ((Voice.SOPRANO, Voice.ALTO), (Voice.TENOR, Voice.BASS)),
    "parts": tuple((voice,) for voice in Voice),
}
# entries of about 50 KB: a piece of four hundred bars, or the last versions of a usual one
_MAX_KEPT: Final = 150
_MOST_ALONE: Final = 2  # changed systems, the last one with that before it, engraved alone


class Engraved(NamedTuple):
    score: Score  # all systems so far
    share: float  # engraved share of the piece, 0 to 1


def disabled_reason() -> str:
    """Return the reason why scores cannot be engraved here, or "" if they can."""
    return "" if util.find_spec("verovio") is not None else MISSING


class EngravingCache:
    """The most recently used systems by their content, and the bars of the last ones.

    Attributes:
        bars: width, first bar and last bar of a section -> number of bars of each of its systems.
    """

    def __init__(self) -> None:
        self.bars: dict[tuple[float, int, int], list[int]] = {}
        self._kept: dict[Hashable, tuple[System, ...]] = {}

    def get(self, key: Hashable) -> tuple[System, ...]:
        found = self._kept.pop(key, ())
        if found:
            self._kept[key] = found
        return found

    def put(self, key: Hashable, systems: tuple[System, ...]) -> tuple[System, ...]:
        self._kept[key] = systems
        if len(self._kept) > _MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        return systems


def engrave(
    chorale: Chorale,
    *,
    width: float,
    layout: Layout = "staves",
    ended: bool = True,
    numerals: bool = False,
    figures: bool = False,
    repeat_signs: bool = False,
    cache: EngravingCache | None = None,
) -> Job[Engraved, Score]:
    """Engrave ``chorale``.

    Args:
        width: of the page, in units of the score; at least ``MIN_PAGE_WIDTH`` is used.
        ended: True if the piece is complete and gets a final bar line.
        repeat_signs: engrave what comes twice once, with repeat signs.
        cache: systems of earlier versions, which need not be read again; the new ones are added.

    Yields:
        The systems so far, section by section; or, if the piece differs from the last version in
        one system or two, all of it with the bars of each system as before, then the result.
    """
    width = max(width, MIN_PAGE_WIDTH)
    score = Score(width=width)
    found: tuple[Numeral, ...] = ()
    if numerals:
        none = Engraved(score, 0)
        found = yield from jobs.map_events(numeral_search.analyse(chorale), lambda _: none)
    signs = repeats.find(chorale) if repeat_signs else ()
    source = EngraverSource(
        chorale, layout, ended=ended, numerals=found, figures=figures, signs=signs
    )
    press = _Press(source, EngravingCache() if cache is None else cache, width)
    parts = sections(chorale, signs)
    preview = Engraved(Score(systems=press.preview(parts), width=width), 1)
    if preview.score.systems:
        yield preview
    for first, last in parts:
        score = Score(systems=score.systems + press.section(first, last), width=width)
        is_shorter = preview.score.systems and last < source.bars
        yield preview if is_shorter else Engraved(score, last / source.bars)
    return score


def sections(chorale: Chorale, signs: Sequence[Repeat] = ()) -> list[tuple[int, int]]:
    """Return the sections as half-open ranges of bars, counted from 0; each begins a system.

    Each harmony has sections of its own, of about equal length, which end where no voice holds a
    note, if possible.
    """
    found = harmonies(chorale)
    edges = {step for one in signs for step in one.edges if step < chorale.steps}
    again = {step for one in signs for step in range(one.stop, one.resumes)}  # not written
    starts = sorted({0, *chorale.bar_line_steps(), *(one.start for one in found), *edges} - again)
    restarts = (chorale.onsets | (chorale.pitches == REST)).all(axis=1)
    cuts = {starts.index(one.start) for one in found}
    for one in found:
        inside = [bar for bar, step in enumerate(starts) if one.start < step < one.stop]
        free = [bar for bar in inside if restarts[starts[bar]]] or inside
        length = one.stop - one.start
        count = -(-length // _MAX_SECTION_STEPS)
        ideal = [one.start + length * part / count for part in range(1, count)]
        cuts |= {min(free, key=lambda bar: abs(starts[bar] - target)) for target in ideal if free}
    return list(itertools.pairwise([*sorted(cuts), len(starts)]))


def without_widow(bars: Sequence[int]) -> list[int]:
    """Return system breaks that give the last system two bars instead of one."""
    if len(bars) == 1 or bars[-1] > 1 or bars[-2] < _CAN_SPARE:
        return []
    return list(itertools.accumulate([*bars[:-2], bars[-2] - 1]))


class _Line(NamedTuple):
    """A system of the last version, and the bars around it that determine its widths."""

    bars: tuple[int, ...] = ()  # first bars of systems that are engraved for it, and their end
    place: int = 0  # its place among these systems
    known: tuple[System, ...] = ()  # the system, if it has not changed


class _Press:
    """Verovio, and the systems that it has engraved before."""

    def __init__(self, source: EngraverSource, cache: EngravingCache, width: float) -> None:
        self._source, self._cache, self._width = source, cache, width
        self._toolkit = _toolkit(width)

    def section(self, first: int, last: int) -> tuple[System, ...]:
        key = (self._width, first, self._source.digest(first, last))
        return self._cache.get(key) or self._cache.put(key, self._engraved(first, last))

    def preview(self, sections: Sequence[tuple[int, int]]) -> tuple[System, ...]:
        """Return all systems, the changed ones engraved alone; none where too much has changed."""
        lines = [line for section in sections for line in self._lines(*section)]
        changed = sum(not line.known for line in lines)
        if all(line.bars for line in lines) and 0 < changed <= min(_MOST_ALONE, len(lines) - 1):
            return sum((line.known or self._alone(line) for line in lines), ())
        return ()

    def _lines(self, first: int, last: int) -> Iterator[_Line]:
        """Yield the systems of the last version of a section; one without bars if unknown."""
        bars = self._cache.bars.get((self._width, first, last), [])
        if not bars:
            yield _Line()
            return
        edges = list(itertools.accumulate(bars, initial=first))
        for index, key in enumerate(self._keys(first, bars)):
            start, stop = edges[index : index + 2]
            before = edges[max(index - 1, 0)] if stop == last else start  # the last one follows it
            around = {max(before - 1, first), before, start, stop, min(stop + 1, last)}
            place = sum(edge < start for edge in around)
            yield _Line(tuple(sorted(around)), place, self._cache.get(key))

    def _alone(self, line: _Line) -> tuple[System, ...]:
        first, *breaks, last = line.bars
        self._load(self._source.section(first, last, breaks), "line")
        group, glyphs = list(_drawn_systems(self._toolkit.renderToSVG(1)))[line.place]
        return (SystemReader(self._source, glyphs).system(group),)

    def _engraved(self, first: int, last: int) -> tuple[System, ...]:
        bars = self._load(self._source.section(first, last), "auto")
        if starts := without_widow(bars):
            breaks = [first + start for start in starts]
            bars = self._load(self._source.section(first, last, breaks), "line")
        self._cache.bars[self._width, first, last] = bars
        pages = range(1, self._toolkit.getPageCount() + 1)
        drawn = itertools.chain.from_iterable(
            _drawn_systems(self._toolkit.renderToSVG(page)) for page in pages
        )
        systems: list[System] = []
        for key, (group, glyphs) in zip(self._keys(first, bars), drawn, strict=True):
            systems += self._cache.get(key) or self._cache.put(
                key, (SystemReader(self._source, glyphs).system(group),)
            )
        return tuple(systems)

    def _load(self, source: str, breaks: str) -> list[int]:
        """Load MusicXML; return the number of bars of each system."""
        self._toolkit.setOptions({"breaks": breaks})
        if not self._toolkit.loadData(source):
            raise DataError(tr("the piece cannot be engraved: Verovio rejects its MusicXML"))
        by_page = self._toolkit.getMEI({"scoreBased": False})
        return [system.count("<measure ") for system in _SYSTEM.split(by_page)[1:]]

    def _keys(self, first: int, bars: Sequence[int]) -> list[Hashable]:
        """Return a key for each system: the width of the last one follows that before it."""
        edges = itertools.pairwise(itertools.accumulate(bars, initial=first))
        digests = [self._source.digest(*edge) for edge in edges]
        keys: list[Hashable] = [(self._width, digest, False) for digest in digests]
        keys[0] = (self._width, digests[0], True)
        keys[-1] = (self._width, *digests[-2:], len(bars) == 1)
        return keys


def _toolkit(width: float) -> Any:
    try:
        import verovio
    except ImportError as reason:
        raise DataError(MISSING) from reason
    verovio.enableLog(verovio.LOG_OFF)
    verovio.setDefaultResourcePath(str(_resources(verovio)))  # per thread
    toolkit = verovio.toolkit()
    toolkit.setOptions({**_OPTIONS, "pageWidth": round(width / _UNITS)})
    return toolkit


def _resources(verovio: Any) -> Path:
    return Path(verovio.__file__).parent / "data"


# ------------------------------------------------------------------------------- MusicXML


class _Part(NamedTuple):
    name: str
    attributes: list[ET.Element]  # those in force at the beginning of each bar
    bars: list[ET.Element]
    digests: list[bytes]


class SvgPosition(NamedTuple):
    """The position in the piece of a note or rest of the file; a rest has no note."""

    voice: int
    start: int
    stop: int
    note: Note | None


class EngraverSource:
    """The MusicXML of a piece with note ids, from which sections are cut."""

    def __init__(
        self,
        chorale: Chorale,
        layout: Layout,
        *,
        ended: bool = True,
        numerals: Sequence[Numeral] = (),
        figures: bool = False,
        signs: Sequence[Repeat] = (),
    ) -> None:
        score = musicxml_writer.to_tree(chorale, layout, numerals, repeats=signs, for_verovio=True)
        found = figured_bass(chorale) if figures else ()
        self.figures = {place.step: place.figures for place in found}
        for tempo in score.iterfind("part/measure/direction/direction-type/metronome/per-minute"):
            tempo.text = f"{float(tempo.text or 0):.0f}"
        if not ended:
            for last in score.iterfind("part/measure[barline]"):
                last.remove(last.findall("barline")[0])
        sounding = {
            (note.voice, step): note
            for note in notes.notes(chorale)
            for step in range(note.start, note.stop)
        }
        self._listed, self.staves = score.findall("part-list")[0], STAVES[layout]
        self._after = {one.stop: one.resumes for one in signs}  # where the score goes on
        self.positions: dict[str, SvgPosition] = {}
        self._parts: list[_Part] = []
        for part, voices in zip(score.iterfind("part"), self.staves, strict=True):
            digests = list(self._digests(part, voices, sounding))
            self._parts.append(_Part(part.get("id", ""), _in_force(part), list(part), digests))
        self.bars = len(self._parts[0].bars)

    def _digests(
        self, part: ET.Element, voices: Sequence[int], sounding: Mapping[tuple[int, int], Note]
    ) -> Iterator[bytes]:
        """Give the notes and rests of a staff ids; yield what distinguishes each bar."""
        stop = 0
        for measure in part:
            start, begun = self._after.get(stop, stop), list[Note | None]()
            for head in musicxml_writer.heads(measure, start):
                voice, stop = voices[head.voice - 1], head.stop
                name, note = f"{Voice(voice).letter}{head.start}", sounding.get((voice, head.start))
                head.note.set("id", name)
                self.positions[name] = SvgPosition(voice, head.start, head.stop, note)
                begun.append(note)
            figured = [self.figures.get(step) for step in range(start, stop)]
            yield ET.tostring(measure) + repr((begun, *filter(None, figured))).encode()

    def section(self, first: int, last: int, breaks: Collection[int] = ()) -> str:
        score = ET.Element("score-partwise", version="4.0")
        score.append(_abbreviated(self._listed) if first else self._listed)
        for part in self._parts:
            element = ET.SubElement(score, "part", id=part.name)
            element.extend(copy.copy(bar) for bar in part.bars[first:last])
            if first:  # clef and key again, without the meter
                element[0][:] = [child for child in element[0] if child.tag != "attributes"]
                hidden = copy.deepcopy(part.attributes[first])
                hidden.findall("time")[0].set("print-object", "no")
                element[0].insert(0, hidden)
            for bar in breaks if part is self._parts[0] else ():
                element[bar - first].insert(0, ET.Element("print", {"new-system": "yes"}))
        return xml_tree.NOT_IN_XML.sub("", ET.tostring(score, encoding="unicode"))

    def digest(self, first: int, last: int) -> bytes:
        """Return a digest of all that is drawn in a range of bars and of the notes in it."""
        found = blake2b(digest_size=16)
        for part in self._parts:
            found.update(ET.tostring(part.attributes[first]))
            for bar in part.digests[first:last]:
                found.update(bar)
        return found.digest()


def _in_force(part: ET.Element) -> list[ET.Element]:
    """Return the attributes of each bar: those of the first one with the latest key."""
    found = part.findall("measure/attributes")[:1]
    for measure in list(part)[1:]:
        now = found[-1]
        for key in measure.iterfind("attributes/key"):
            now = copy.copy(now)
            now[:] = [now[0], key, *(child for child in now[1:] if child.tag != "key")]
        found.append(now)
    return found


def _abbreviated(listed: ET.Element) -> ET.Element:
    found = copy.deepcopy(listed)
    for entry in found.iter("score-part"):
        for name in entry.iterfind("part-name"):
            name.text = entry.findtext("part-abbreviation", "")
    return found


# ------------------------------------------------------------------------------- SVG
# Format: Verovio 6, *Toolkit Reference Book*, "SVG output". Coordinates are those of Verovio's
# ``definition-scale``, below the margin of the page.

_SVG: Final = "{http://www.w3.org/2000/svg}"
_XLINK: Final = "{http://www.w3.org/1999/xlink}href"
_MOVE: Final = re.compile(r"translate\((-?[\d.]+), ?(-?[\d.]+)\)(?: scale\((-?[\d.]+))?")
_LINE: Final = re.compile(r"M(-?[\d.]+) (-?[\d.]+) L(-?[\d.]+) (-?[\d.]+)")
_TEXT_STYLES: Final = {
    "mNum": "italic",
    "tempo": "bold",
    "dir": "italic",
    "harm": "numeral",
    "verse": "lyric",
}
_ELISIONS: Final = "\ue550\ue551\ue552"  # between syllables on one note, narrow to wide
_HEAD_MIDDLE: Final = 0.59 * SPACE  # distance from the left edge of a black head to its centre
# private use area of music fonts (W3C, *SMuFL 1.4*)
_FIRST_SIGN, _LAST_SIGN = "\ue000", "\uf8ff"
_SIGN_WIDTH: Final = 0.5  # width of a glyph within text, in font sizes
_SIGN_WIDTHS: Final = {"ECB7": 0.25}  # that of the dot of a note
_STAFF_LINES: Final = 5
# of a figured bass: height of a figure, distances of lines and of a sign to the left of its number
_FIGURE: Final = 380.0
_FIGURE_LINE: Final = 400.0
_FIGURE_SIGN: Final = 260.0
_SIGNS: Final = {
    "flat": "E260", "natural": "E261", "sharp": "E262", "double-sharp": "E263", "flat-flat": "E264",
}  # fmt: skip


def _drawn_systems(svg: str) -> Iterator[tuple[ET.Element, Mapping[str, QPainterPath]]]:
    """Yield the systems of a page, in order, and the glyphs of the page by name."""
    root = ET.fromstring(svg)  # noqa: S314 (Verovio wrote it)
    glyphs = {
        _glyph_name(sign.get("id", "")): _glyph(path.get("d", ""))
        for sign in root.iterfind(f"{_SVG}defs/{_SVG}g")
        for path in sign.iterfind(f"{_SVG}path")
    }
    for group in root.iter(f"{_SVG}g"):
        if group.get("class") == "system":
            yield group, glyphs


def _glyph_name(reference: str) -> str:
    return reference.partition("-")[0]


class SystemReader:
    """A reader of one system: nested pictures, references, styles and spans become plain ink."""

    def __init__(self, source: EngraverSource, glyphs: Mapping[str, QPainterPath]) -> None:
        self._positions, self._voices = source.positions, source.staves
        self._glyphs, self._figures = glyphs, source.figures
        self._ink: list[Ink] = []
        self._heads: list[Head] = []
        self._staves: list[Staff] = []
        self._columns: dict[int, float] = {}
        self._lines: list[Column] = []
        self._end = Column(0, 0.0)

    def system(self, group: ET.Element) -> System:
        for child in group:
            if child.get("class") == "measure":
                self._measure(child)
            else:
                self._read(child, None, "")
        whole = self._extent()
        if self._figures:
            self._ink += self._figured_bass(whole.bottom())
            whole = self._extent()
        columns = (Column(*column) for column in sorted(self._columns.items()))
        return System(
            ink=tuple(self._ink),
            heads=tuple(self._heads),
            staves=tuple(self._staves),
            columns=(*columns, self._end),
            lines=(*self._lines, self._end),
            top=whole.top(),
            bottom=whole.bottom(),
            right=whole.right(),
        )

    def _extent(self) -> QRectF:
        whole = QRectF()
        for ink in self._ink:
            whole |= _box(ink)
        return whole

    def _figured_bass(self, bottom: float) -> Iterator[Ink]:
        """Yield the figures of the system on lines below all else: Verovio has one for numerals."""
        for step, x in self._columns.items():
            for row, figure in enumerate(self._figures.get(step, ())):
                y = bottom + (1 + row) * _FIGURE_LINE
                left = x - _FIGURE_SIGN if figure.number else x - _FIGURE_SIGN / 2
                if figure.sign:
                    name = _SIGNS[figure.sign]
                    yield Glyph(name, _sign(name), left, y - _FIGURE / 3, _FIGURE / 700)
                if figure.number:
                    yield Words(str(figure.number), x, y, _FIGURE, "middle")

    def _measure(self, group: ET.Element) -> None:
        """Read a bar: its staves, and the marks above and below them."""
        names = [element.get("id", "") for element in group.iter(f"{_SVG}g")]
        known = [self._positions[name] for name in names if name in self._positions]
        start = min(position.start for position in known)
        edges = [_staff_box(child) for child in group if child.get("class") == "staff"]
        left = edges[0].left()
        self._lines.append(Column(start, left))
        self._end = Column(max(position.stop for position in known), edges[0].right())
        if not self._staves:
            self._staves = [
                Staff(box.top(), box.bottom(), voices)
                for box, voices in zip(edges, self._voices, strict=True)
            ]
        for child in group:
            self._read(child, None, "")
        self._columns.setdefault(start, left + SPACE)

    def _read(self, element: ET.Element, owner: Owner | None, style: str) -> None:
        kind = element.get("class", "")
        if "placeholder" in kind or element.get("visibility") == "hidden":
            return
        if element.tag != f"{_SVG}g":
            self._ink += self._drawn(element, owner, style)
            return
        position = self._positions.get(element.get("id", ""))
        if position is not None:
            owner = Owner(position.voice, position.start)
            self._record_position(element, position)
        if number := element.findtext(f"{_SVG}title[@class='labelAttr']"):
            self._ink += _verse_number(number, element)
        for child in element:
            if child.tag != f"{_SVG}title":
                self._read(child, owner, _TEXT_STYLES.get(kind, style))

    def _record_position(self, element: ET.Element, position: SvgPosition) -> None:
        """Record the position of a note or rest; rests of a whole bar have none."""
        sign = element.find(f".//{_SVG}use")
        if sign is None or element.get("class") == "mRest":
            return
        x, y, _ = _moved(sign.get("transform", ""))
        x += _HEAD_MIDDLE
        self._columns[position.start] = min(self._columns.get(position.start, x), x)
        if position.note is not None:
            self._heads.append(Head(position.note, position.start, position.stop, x, y))

    def _drawn(self, element: ET.Element, owner: Owner | None, style: str) -> Iterator[Ink]:
        kind, width = element.tag.removeprefix(_SVG), float(element.get("stroke-width", 0))
        match kind:
            case "use":
                name = _glyph_name(element.get(_XLINK, "")[1:])
                place = _moved(element.get("transform", ""))
                yield Glyph(name, self._glyphs[name], *place, owner)
            case "text":
                yield from _words(element, style)
            case "path" if line := _LINE.fullmatch(element.get("d", "")):
                x1, y1, x2, y2 = map(float, line.groups())
                yield Stroke(x1, y1, x2, y2, width, owner)
            case "polyline":  # a hairpin
                for one, other in itertools.pairwise(_points(element.get("points", ""))):
                    yield Stroke(one.x(), one.y(), other.x(), other.y(), width, owner)
            case "path" | "polygon" | "rect" | "ellipse":
                yield Shape(shape_of(kind, element.attrib), width, owner)
            case _:
                raise DataError(
                    f"the engraved score has an element {kind!r}: expected lines and glyphs"
                )


def _staff_box(staff: ET.Element) -> QRectF:
    found = [_LINE.fullmatch(path.get("d", "")) for path in staff.iterfind(f"{_SVG}path")]
    rows = [[*map(float, line.groups())] for line in found if line]
    return QRectF(QPointF(*rows[0][:2]), QPointF(*rows[_STAFF_LINES - 1][2:]))


def _words(element: ET.Element, style: str) -> Iterator[Ink]:
    """Read text line by line; signs in it become glyphs and shift the text after them."""
    x, y = float(element.get("x", 0)), float(element.get("y", 0))
    anchor, text, size = element.get("text-anchor", "start"), "", 0.0
    for span in element.iter(f"{_SVG}tspan"):
        if span.get("x") is not None:
            yield from _unless_blank(Words(text, x, y, size, anchor, style))
            x, y, text = float(span.get("x", 0)), float(span.get("y", 0)), ""
        if not span.text:
            continue
        if span.text in _ELISIONS:
            text += ELISION
            continue
        size = float(span.get("font-size", "0px")[:-2])
        if not _FIRST_SIGN <= span.text[0] <= _LAST_SIGN:
            text += span.text
            continue
        for sign in span.text:  # a note and perhaps a dot, with a blank between
            if _FIRST_SIGN <= sign <= _LAST_SIGN:
                name = f"{ord(sign):04X}"
                yield Glyph(name, _sign(name), x, y, size / 1000)
                x += size * _SIGN_WIDTHS.get(name, _SIGN_WIDTH)
    yield from _unless_blank(Words(text, x, y, size, anchor, style))


def _verse_number(number: str, verse: ET.Element) -> Iterator[Ink]:
    """Print the number of a verse before its first word, as in a hymn book."""
    for text in verse.iter(f"{_SVG}text"):
        for word in _words(text, "lyric"):
            if isinstance(word, Words):
                yield word._replace(text=number, x=word.x - SPACE / 2, anchor="end")


def _unless_blank(words: Words) -> Iterator[Words]:
    if words.text.strip():
        yield words._replace(text=words.text.strip())


def _box(ink: Ink) -> QRectF:
    match ink:
        case Stroke():
            return QRectF(QPointF(ink.x1, ink.y1), QPointF(ink.x2, ink.y2)).normalized()
        case Shape():
            return ink.path.controlPointRect()
        case Glyph():
            box = ink.path.controlPointRect()
            place = QPointF(ink.x, ink.y) + box.topLeft() * ink.scale
            return QRectF(place, box.size() * ink.scale)
        case Words():
            return QRectF(ink.x, ink.y - ink.size, 0, 1.25 * ink.size)


def _moved(transform: str) -> tuple[float, float, float]:
    """Parse a transform: offsets right and down, scale."""
    found = _MOVE.match(transform)
    if found is None:
        return 0.0, 0.0, 1.0
    return float(found[1]), float(found[2]), float(found[3] or 1)


# ------------------------------------------------------------------------------- outlines

_TOKEN: Final = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_NUMBERS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Z": 0}


@cache
def _sign(name: str) -> QPainterPath:
    """Return the outline of a glyph within text by its SMuFL code; in fonts y grows upwards."""
    import verovio

    file = _resources(verovio) / "Leipzig" / f"{name}.xml"
    drawn = ET.parse(file).getroot().find("path")  # noqa: S314 (Verovio's own)
    return QPainterPath() if drawn is None else _glyph(drawn.get("d", ""))


@cache
def _glyph(data: str) -> QPainterPath:
    path = QTransform.fromScale(1, -1).map(path_of(data))
    path.controlPointRect()  # kept in the path, which several threads read
    return path


def shape_of(kind: str, given: Mapping[str, str]) -> QPainterPath:
    """Return the outline of a path, polygon, rect or ellipse with these attributes."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    match kind:
        case "path":
            return path_of(given["d"])
        case "polygon":
            path.addPolygon(_points(given["points"]))
            path.closeSubpath()
        case "rect":
            path.addRect(*(float(given[name]) for name in ("x", "y", "width", "height")))
        case _:
            x, y, across, down = (float(given[name]) for name in ("cx", "cy", "rx", "ry"))
            path.addEllipse(QPointF(x, y), across, down)
    return path


def _points(text: str) -> list[QPointF]:
    return [QPointF(*map(float, one.split(","))) for one in text.split()]


def path_of(data: str) -> QPainterPath:
    """Parse the ``d`` attribute of a path; parts that overlap are filled, too."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    smooth = QPointF()
    for command, numbers in _commands(data):
        kind, here = command.upper(), path.currentPosition()
        origin = here if command.islower() else QPointF()
        pairs = zip(numbers[::2], numbers[1::2], strict=False)
        points = [origin + QPointF(*pair) for pair in pairs]
        match kind:
            case "M":
                path.moveTo(points[0])
            case "L":
                path.lineTo(points[0])
            case "H":
                path.lineTo(origin.x() + numbers[0], here.y())
            case "V":
                path.lineTo(here.x(), origin.y() + numbers[0])
            case "Z":
                path.closeSubpath()
            case _:
                path.cubicTo(*(points if kind == "C" else (smooth, *points)))
        here = path.currentPosition()  # S continues the curve before
        smooth = here * 2 - points[-2] if kind in "CS" else here
    return path


def _commands(data: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield each command with its numbers; repeated commands get their letter."""
    tokens, at = _TOKEN.findall(data), 0
    command = ""
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        count = _NUMBERS.get(command.upper())
        if count is None:
            raise DataError(f"an outline has the command {command!r}: expected M L H V C S or Z")
        yield command, tuple(map(float, tokens[at : at + count]))
        at += count
        command = {"M": "L", "m": "l"}.get(command, command)
