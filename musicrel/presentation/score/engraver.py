"""Engraves pieces with Verovio: a job that yields section after section of a score.

Verovio gets nothing but MusicXML that we wrote, in which every note and rest has an id; what it
draws is read back as plain ink by ``verovio_svg``. While it works it keeps the interpreter to
itself, so a long piece is engraved in sections that end where no voice holds a note.

This file knows Verovio and MusicXML; it knows nothing of SVG, of pixels or of Qt. Verovio is
imported when it is needed first.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import util
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from musicrel.chorale import REST, Chorale, Voice
from musicrel.errors import DataError
from musicrel.jobs import Job
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.score import outlines
from musicrel.presentation.score.score_picture import Outline, Score, System
from musicrel.presentation.score.verovio_svg import Place, Reader
from musicrel.score.musicxml import musicxml_writer
from musicrel.score.musicxml.musicxml_writer import Layout

MISSING: Final = (
    "The score cannot be engraved: the package verovio is missing; set musicrel up again to get it"
)
LEAST_WIDTH: Final = 7_000.0
"""A page that has room for a bar, in units of ``engraved``."""
_LONGEST_SECTION: Final = 512
"""Steps that are engraved in one go: 32 bars of 4/4."""
_CHUNK: Final = 65_536
_CAN_SPARE: Final = 3
"""Bars of a system that can give one away."""
_UNITS: Final = 10
"""Verovio draws with ten times the resolution that its options are given in."""
_OPTIONS: Final[Mapping[str, Any]] = {
    "adjustPageHeight": True, "pageHeight": 60_000,
    "header": "none", "footer": "none", "svgFormatRaw": True, "smuflTextFont": "none",
    "pageMarginLeft": 0, "pageMarginRight": 0, "pageMarginTop": 20, "pageMarginBottom": 20,
    "minLastJustification": 0.6, "spacingSystem": 6, "mnumInterval": 0,
}  # fmt: skip
_STAVES: Final[Mapping[Layout, tuple[tuple[int, ...], ...]]] = {
    "staves": ((Voice.SOPRANO, Voice.ALTO), (Voice.TENOR, Voice.BASS)),
    "parts": tuple((voice,) for voice in Voice),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Engraved:
    """A section is engraved.

    Attributes:
        score: all that is engraved so far.
        share: how much of the piece that is, 0 to 1.
    """

    score: Score
    share: float


def obstacle() -> str:
    """Why nothing can be engraved here; "" where it can."""
    return "" if util.find_spec("verovio") is not None else MISSING


def engrave(
    chorale: Chorale, *, width: float, layout: Layout = "staves", ended: bool = True
) -> Job[Engraved, Score]:
    """Engrave ``chorale``.

    Args:
        chorale: the piece.
        width: of the page, in units of ``engraved``; no less than ``LEAST_WIDTH`` is used.
        layout: on two staves, as in a hymn book, or on four.
        ended: whether the last bar line is the last one.

    Yields:
        What is there after each section.

    Raises:
        DataError: Verovio is missing or refuses the piece, or XML cannot hold its title.
    """
    width = max(width, LEAST_WIDTH)
    source = _Source(chorale, layout, ended=ended)
    reader, toolkit = Reader(source.places, _STAVES[layout], _sign), _toolkit(width)
    score = Score(outlines={}, width=width)
    for first, last in sections(chorale):
        systems = _systems(toolkit, reader, source.section(first, last), "auto")
        if starts := without_widow([len(system.lines) - 1 for system in systems]):
            source.break_at(first + start for start in starts)
            systems = _systems(toolkit, reader, source.section(first, last), "line")
        score = score.joined(Score(systems=systems, outlines=reader.outlines, width=width))
        yield Engraved(score=score, share=last / source.bars)
    return score


def sections(chorale: Chorale) -> list[tuple[int, int]]:
    """The half-open ranges of bars, counted from 0, that are engraved in one go.

    They are of nearly one length, and end where no voice holds a note, if there is such a bar.
    """
    lines = chorale.bar_line_steps()
    starts = lines if not chorale.pickup else [0, *lines]
    count = -(-chorale.steps // _LONGEST_SECTION)
    anew = (chorale.onsets | (chorale.pitches == REST)).all(axis=1)
    free = [bar for bar, step in enumerate(starts) if bar and anew[step]] or [
        *range(1, len(starts))
    ]
    ideal = [chorale.steps * part / count for part in range(1, count)]
    cuts = {min(free, key=lambda bar: abs(starts[bar] - wish)) for wish in ideal if free}
    edges = [0, *sorted(cuts), len(starts)]
    return list(itertools.pairwise(edges))


def without_widow(bars: Sequence[int]) -> list[int]:
    """Where systems are to begin so that the last one has two bars instead of one.

    Args:
        bars: how many each system has.

    Returns:
        The bars that begin the second system and those after it; none where all may stay.
    """
    if len(bars) == 1 or bars[-1] > 1 or bars[-2] < _CAN_SPARE:
        return []
    moved = [*bars[:-2], bars[-2] - 1]
    return list(itertools.accumulate(moved))


def _systems(toolkit: Any, reader: Reader, source: str, breaks: str) -> tuple[System, ...]:
    """What Verovio makes of some bars."""
    toolkit.setOptions({"breaks": breaks})
    if not toolkit.loadData(source):
        raise DataError("the piece cannot be engraved: Verovio refuses it")
    pages = [toolkit.renderToSVG(page + 1) for page in range(toolkit.getPageCount())]
    return tuple(system for page in pages for system in reader.systems(page))


class _Source:
    """The MusicXML of a piece, its notes named, from which sections are cut.

    Attributes:
        places: what each id is.
        bars: how many there are, a pickup counted.
    """

    def __init__(self, chorale: Chorale, layout: Layout, *, ended: bool) -> None:
        self._root = _parsed(musicxml_writer.to_xml(chorale, layout))
        self._parts = self._root.findall("part")
        self.bars = len(self._parts[0])
        self.places: dict[str, Place] = {}
        notes = _notes_by_cell(chorale)
        for part, voices in zip(self._parts, _STAVES[layout], strict=True):
            self.places |= dict(_named(part, voices, notes))
            if not ended:
                for measure in part:
                    for line in measure.findall("barline"):
                        measure.remove(line)

    def section(self, first: int, last: int) -> str:
        """The MusicXML of some bars."""
        cut = ET.Element("score-partwise", version="4.0")
        listed = self._root.find("part-list")
        if listed is not None:
            cut.append(listed if first == 0 else _abbreviated(listed))
        for part in self._parts:
            section = ET.SubElement(cut, "part", part.attrib)
            section.extend(part[first:last])
            if first:
                section[0] = _begun(part[0], part[first])
        return ET.tostring(cut, encoding="unicode")

    def break_at(self, bars: Iterable[int]) -> None:
        """Let systems begin at these bars."""
        for bar in bars:
            self._parts[0][bar].insert(0, ET.Element("print", {"new-system": "yes"}))


def _parsed(text: str) -> ET.Element:
    """The tree of what we wrote; read by and by, so that other threads have their turn."""
    parser = ET.XMLParser()  # noqa: S314 (we wrote it)
    for start in range(0, len(text), _CHUNK):
        parser.feed(text[start : start + _CHUNK])
    return parser.close()


def _notes_by_cell(chorale: Chorale) -> dict[tuple[int, int], RollNote]:
    """The note that sounds at each voice and step."""
    return {
        (note.voice, step): note
        for note in roll.draw(chorale).notes
        for step in range(note.start, note.stop)
    }


def _named(
    part: ET.Element, voices: Sequence[int], notes: Mapping[tuple[int, int], RollNote]
) -> Iterator[tuple[str, Place]]:
    """Give each note and rest of a part an id, and tell what it is."""
    line = 0
    for measure in part:
        now = line
        for element in measure:
            length = int(element.findtext("duration", "0"))
            if element.tag == "backup":
                now -= length
            elif element.tag == "note":
                voice = voices[int(element.findtext("voice", "1")) - 1]
                name = f"{Voice(voice).letter}{now}"
                element.set("id", name)
                yield name, Place(voice, now, now + length, notes.get((voice, now)))
                now += length
        line = now


def _abbreviated(listed: ET.Element) -> ET.Element:
    """The list of parts, each by its short name, as on all systems but the first."""
    short = copy.deepcopy(listed)
    for entry in short.iter("score-part"):
        name = entry.find("part-name")
        if name is not None:
            name.text = entry.findtext("part-abbreviation", "")
    return short


def _begun(opening: ET.Element, measure: ET.Element) -> ET.Element:
    """``measure`` as one that follows unseen others: clef and key again, the meter known."""
    attributes = copy.deepcopy(opening.find("attributes"))
    begun = ET.Element("measure", measure.attrib)
    if attributes is not None:
        for meter in attributes.iter("time"):
            meter.set("print-object", "no")
        begun.append(attributes)
    begun.extend(measure)
    return begun


def _toolkit(width: float) -> Any:
    try:
        import verovio  # noqa: PLC0415 (nobody pays for it who sees no score)
    except ImportError as reason:
        raise DataError(MISSING) from reason
    verovio.enableLog(verovio.LOG_OFF)
    verovio.setDefaultResourcePath(str(_resources(verovio)))  # every thread has its own
    toolkit = verovio.toolkit()
    toolkit.setOptions({**_OPTIONS, "pageWidth": round(width / _UNITS)})
    return toolkit


@cache
def _sign(name: str) -> Outline:
    """The outline of a sign of Verovio's own music font."""
    import verovio  # noqa: PLC0415 (it is there already)

    file = _resources(verovio) / "Leipzig" / f"{name}.xml"
    drawn = ET.parse(file).getroot().find("path")  # noqa: S314 (Verovio's own)
    return outlines.flipped(outlines.parse(drawn.get("d", ""))) if drawn is not None else ()


def _resources(verovio: Any) -> Path:
    """Where Verovio's fonts lie."""
    return Path(verovio.__file__).parent / "data"
