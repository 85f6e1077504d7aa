"""Engraving with Verovio: a job that yields a score section by section.

Verovio gets MusicXML written by musicrel, in which every note and rest has an id; ``verovio_svg``
reads its SVG back as plain data. Verovio holds the interpreter lock while it works, so a long piece
is engraved in sections that end where no voice holds a note. Verovio is imported on first use.
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
from musicrel.presentation.score.verovio_svg import Reader, SvgPosition
from musicrel.score.musicxml import musicxml_writer
from musicrel.score.musicxml.musicxml_writer import Layout

MISSING: Final = "The score cannot be engraved: the package verovio is missing; reinstall musicrel"
MIN_PAGE_WIDTH: Final = 7_000.0
"""Width of a page with room for one bar, in units of ``score_picture``."""
_MAX_SECTION_STEPS: Final = 512
"""Steps per section: 32 bars of 4/4."""
_CHUNK: Final = 65_536
_CAN_SPARE: Final = 3
"""Least number of bars in a system that can give one away."""
_UNITS: Final = 10
"""Verovio's drawing units per unit of its options."""
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
    """The event after each engraved section.

    Attributes:
        score: all systems so far.
        share: engraved share of the piece, 0 to 1.
    """

    score: Score
    share: float


def disabled_reason() -> str:
    """Return the reason why scores cannot be engraved here, or "" if they can."""
    return "" if util.find_spec("verovio") is not None else MISSING


def engrave(
    chorale: Chorale, *, width: float, layout: Layout = "staves", ended: bool = True
) -> Job[Engraved, Score]:
    """Engrave ``chorale``.

    Args:
        chorale: the piece.
        width: of the page, in units of ``score_picture``; at least ``MIN_PAGE_WIDTH`` is used.
        layout: two staves, as in a hymnal, or four.
        ended: True if the piece is complete and gets a final bar line.

    Yields:
        The score after each section.

    Raises:
        DataError: Verovio is missing or rejects the piece, or XML cannot hold its title.
    """
    width = max(width, MIN_PAGE_WIDTH)
    source = _Source(chorale, layout, ended=ended)
    reader, toolkit = Reader(source.positions, _STAVES[layout], _sign), _toolkit(width)
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
    """Return the sections as half-open ranges of bars, counted from 0.

    They are of about equal length and end where no voice holds a note, if possible.
    """
    lines = chorale.bar_line_steps()
    starts = lines if not chorale.pickup else [0, *lines]
    count = -(-chorale.steps // _MAX_SECTION_STEPS)
    restarts = (chorale.onsets | (chorale.pitches == REST)).all(axis=1)
    free = [bar for bar, step in enumerate(starts) if bar and restarts[step]] or [
        *range(1, len(starts))
    ]
    ideal = [chorale.steps * part / count for part in range(1, count)]
    cuts = {min(free, key=lambda bar: abs(starts[bar] - target)) for target in ideal if free}
    edges = [0, *sorted(cuts), len(starts)]
    return list(itertools.pairwise(edges))


def without_widow(bars: Sequence[int]) -> list[int]:
    """Return system breaks that give the last system two bars instead of one.

    Args:
        bars: number of bars of each system.

    Returns:
        The first bars of all systems but the first; empty if no change is needed.
    """
    if len(bars) == 1 or bars[-1] > 1 or bars[-2] < _CAN_SPARE:
        return []
    moved = [*bars[:-2], bars[-2] - 1]
    return list(itertools.accumulate(moved))


def _systems(toolkit: Any, reader: Reader, source: str, breaks: str) -> tuple[System, ...]:
    """Engrave a section with Verovio."""
    toolkit.setOptions({"breaks": breaks})
    if not toolkit.loadData(source):
        raise DataError("the piece cannot be engraved: Verovio rejects its MusicXML")
    pages = [toolkit.renderToSVG(page + 1) for page in range(toolkit.getPageCount())]
    return tuple(system for page in pages for system in reader.systems(page))


class _Source:
    """The MusicXML of a piece with note ids, from which sections are cut.

    Attributes:
        positions: the note or rest of each id.
        bars: number of bars, a pickup included.
    """

    def __init__(self, chorale: Chorale, layout: Layout, *, ended: bool) -> None:
        self._root = _parsed(musicxml_writer.to_xml(chorale, layout))
        self._parts = self._root.findall("part")
        self.bars = len(self._parts[0])
        self.positions: dict[str, SvgPosition] = {}
        notes = {
            (note.voice, step): note
            for note in roll.draw(chorale).notes
            for step in range(note.start, note.stop)
        }
        for part, voices in zip(self._parts, _STAVES[layout], strict=True):
            self.positions |= dict(_named(part, voices, notes))
            if not ended:
                for measure in part:
                    for line in measure.findall("barline"):
                        measure.remove(line)

    def section(self, first: int, last: int) -> str:
        """Return the MusicXML of a range of bars."""
        cut = ET.Element("score-partwise", version="4.0")
        listed = self._root.find("part-list")
        if listed is not None:
            cut.append(listed if first == 0 else _abbreviated(listed))
        for part in self._parts:
            section = ET.SubElement(cut, "part", part.attrib)
            section.extend(part[first:last])
            if first:
                section[0] = _section_start(part[0], part[first])
        return ET.tostring(cut, encoding="unicode")

    def break_at(self, bars: Iterable[int]) -> None:
        """Begin systems at these bars."""
        for bar in bars:
            self._parts[0][bar].insert(0, ET.Element("print", {"new-system": "yes"}))


def _parsed(text: str) -> ET.Element:
    """Parse MusicXML in chunks, so that other threads can run."""
    parser = ET.XMLParser()  # noqa: S314 (we wrote it)
    for start in range(0, len(text), _CHUNK):
        parser.feed(text[start : start + _CHUNK])
    return parser.close()


def _named(
    part: ET.Element, voices: Sequence[int], notes: Mapping[tuple[int, int], RollNote]
) -> Iterator[tuple[str, SvgPosition]]:
    """Give each note and rest of a part an id, and yield id and position."""
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
                yield name, SvgPosition(voice, now, now + length, notes.get((voice, now)))
                now += length
        line = now


def _abbreviated(listed: ET.Element) -> ET.Element:
    """Return the part list with abbreviated names, as on all systems but the first."""
    short = copy.deepcopy(listed)
    for entry in short.iter("score-part"):
        name = entry.find("part-name")
        if name is not None:
            name.text = entry.findtext("part-abbreviation", "")
    return short


def _section_start(opening: ET.Element, measure: ET.Element) -> ET.Element:
    """Return ``measure`` as the first of a section: clef and key repeated, meter hidden."""
    attributes = copy.deepcopy(opening.find("attributes"))
    cut_measure = ET.Element("measure", measure.attrib)
    if attributes is not None:
        for meter in attributes.iter("time"):
            meter.set("print-object", "no")
        cut_measure.append(attributes)
    cut_measure.extend(measure)
    return cut_measure


def _toolkit(width: float) -> Any:
    try:
        import verovio  # noqa: PLC0415 (slow: only when a score is shown)
    except ImportError as reason:
        raise DataError(MISSING) from reason
    verovio.enableLog(verovio.LOG_OFF)
    verovio.setDefaultResourcePath(str(_resources(verovio)))  # per thread
    toolkit = verovio.toolkit()
    toolkit.setOptions({**_OPTIONS, "pageWidth": round(width / _UNITS)})
    return toolkit


@cache
def _sign(name: str) -> Outline:
    """Return the outline of a sign of Verovio's music font."""
    import verovio  # noqa: PLC0415 (already loaded)

    file = _resources(verovio) / "Leipzig" / f"{name}.xml"
    drawn = ET.parse(file).getroot().find("path")  # noqa: S314 (Verovio's own)
    return outlines.flipped(outlines.parse(drawn.get("d", ""))) if drawn is not None else ()


def _resources(verovio: Any) -> Path:
    """Return the folder of Verovio's fonts."""
    return Path(verovio.__file__).parent / "data"
