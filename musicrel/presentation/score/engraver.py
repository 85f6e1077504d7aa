"""Engraving with Verovio: a job that yields a score section by section.

Verovio gets MusicXML written by musicrel, in which every note and rest has an id; ``verovio_svg``
reads its SVG back as plain data. Verovio holds the interpreter lock while it works, so a long piece
is engraved in sections that end where no voice holds a note. Sections and systems without a change
are taken from a cache: an edit touches one or two. Verovio is imported on first use.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import util
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree as ET

from musicrel import jobs
from musicrel.analysis import numeral_search
from musicrel.analysis.numeral import Numeral
from musicrel.chorale import REST, Chorale, Voice
from musicrel.editing import notes
from musicrel.editing.notes import Note
from musicrel.errors import DataError
from musicrel.jobs import Job
from musicrel.presentation.score import verovio_svg
from musicrel.presentation.score.score_picture import Outline, Score, System
from musicrel.presentation.score.verovio_svg import Reader, SvgPosition
from musicrel.score.musicxml import musicxml_writer, xml_tree
from musicrel.score.musicxml.musicxml_writer import Layout

MISSING: Final = "The score cannot be engraved: the package verovio is missing; reinstall musicrel"
# width of a page with room for one bar, in units of ``score_picture``
MIN_PAGE_WIDTH: Final = 7_000.0
_MAX_SECTION_STEPS: Final = 512  # steps per section: 32 bars of 4/4
_CAN_SPARE: Final = 3  # least number of bars in a system that can give one away
_UNITS: Final = 10  # verovio's drawing units per unit of its options
_OPTIONS: Final[Mapping[str, Any]] = {
    "adjustPageHeight": True, "pageHeight": 60_000,
    "header": "none", "footer": "none", "svgFormatRaw": True, "smuflTextFont": "none",
    "pageMarginLeft": 0, "pageMarginRight": 0, "pageMarginTop": 20, "pageMarginBottom": 20,
    "minLastJustification": 0.6, "spacingSystem": 6, "mnumInterval": 0,
}  # fmt: skip
_SYSTEM: Final = re.compile("<system[ >]")  # beginning of a system in MEI


@dataclass(frozen=True, slots=True, kw_only=True)
class Engraved:
    """The event after each engraved section."""

    score: Score  # all systems so far
    share: float  # engraved share of the piece, 0 to 1


def disabled_reason() -> str:
    """Return the reason why scores cannot be engraved here, or "" if they can."""
    return "" if util.find_spec("verovio") is not None else MISSING


def engrave(
    chorale: Chorale,
    *,
    width: float,
    layout: Layout = "staves",
    ended: bool = True,
    numerals: bool = False,
    cache: EngravingCache | None = None,
) -> Job[Engraved, Score]:
    """Engrave ``chorale``.

    Args:
        width: of the page, in units of ``score_picture``; at least ``MIN_PAGE_WIDTH`` is used.
        ended: True if the piece is complete and gets a final bar line.
        cache: systems of earlier versions, which need not be read again; the new ones are added.
    """
    width = max(width, MIN_PAGE_WIDTH)
    cache = cache if cache is not None else EngravingCache()
    found: tuple[Numeral, ...] = ()
    if numerals:
        none = Engraved(score=Score(outlines={}, width=width), share=0)
        found = yield from jobs.map_events(numeral_search.analyse(chorale), lambda _: none)
    source = EngraverSource(chorale, layout, ended=ended, numerals=found)
    press = _Press(source, cache, width, STAVES[layout])
    score = Score(outlines={}, width=width)
    for first, last in sections(chorale):
        systems = press.section(first, last)
        score = score.joined(Score(systems=systems, outlines={**cache.outlines}, width=width))
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
    """Return system breaks that give the last system two bars instead of one."""
    if len(bars) == 1 or bars[-1] > 1 or bars[-2] < _CAN_SPARE:
        return []
    moved = [*bars[:-2], bars[-2] - 1]
    return list(itertools.accumulate(moved))


class _Press:
    """Verovio, and the systems that it has engraved before."""

    def __init__(
        self,
        source: EngraverSource,
        cache: EngravingCache,
        width: float,
        staves: tuple[tuple[int, ...], ...],
    ) -> None:
        self._source, self._cache, self._width = source, cache, width
        self._toolkit = _toolkit(width)
        self._reader = Reader(source.positions, staves, _sign, cache.outlines)

    def section(self, first: int, last: int) -> tuple[System, ...]:
        """Return the systems of a range of bars."""
        key = (self._width, first, self._source.digest(first, last))
        return self._cache.get(key) or self._cache.put(key, self._engraved(first, last))

    def _engraved(self, first: int, last: int) -> tuple[System, ...]:
        bars = self._load(self._source.section(first, last), "auto")
        if starts := without_widow(bars):
            breaks = [first + start for start in starts]
            bars = self._load(self._source.section(first, last, breaks), "line")
        keys = self._keys(first, bars)
        known = [(self._cache.get(key) or (None,))[0] for key in keys]
        systems: list[System] = []
        for page in range(self._toolkit.getPageCount()):
            svg = self._toolkit.renderToSVG(page + 1)
            systems += self._reader.systems(svg, known[len(systems) :])
        for key, system in zip(keys, systems, strict=True):
            self._cache.put(key, (system,))
        return tuple(systems)

    def _load(self, source: str, breaks: str) -> list[int]:
        """Load MusicXML; return the number of bars of each system."""
        self._toolkit.setOptions({"breaks": breaks})
        if not self._toolkit.loadData(source):
            raise DataError("the piece cannot be engraved: Verovio rejects its MusicXML")
        by_page = self._toolkit.getMEI({"scoreBased": False})
        return [system.count("<measure ") for system in _SYSTEM.split(by_page)[1:]]

    def _keys(self, first: int, bars: Sequence[int]) -> list[Hashable]:
        """Return a key for each system: the width of the last one follows that before it."""
        edges = [first, *(first + bar for bar in itertools.accumulate(bars))]
        digests = [self._source.digest(*edge) for edge in itertools.pairwise(edges)]
        keys: list[Hashable] = [(self._width, digest, False) for digest in digests]
        keys[0] = (self._width, digests[0], True)
        keys[-1] = (self._width, *digests[-2:], len(bars) == 1)
        return keys


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
    import verovio  # noqa: PLC0415 (already loaded)

    file = _resources(verovio) / "Leipzig" / f"{name}.xml"
    drawn = ET.parse(file).getroot().find("path")  # noqa: S314 (Verovio's own)
    return (
        verovio_svg.flipped(verovio_svg.parse_path(drawn.get("d", ""))) if drawn is not None else ()
    )


def _resources(verovio: Any) -> Path:
    return Path(verovio.__file__).parent / "data"


# entries of about 50 KB: a piece of four hundred bars, or the last versions of a usual one
_MAX_KEPT: Final = 150


class EngravingCache:
    """The most recently used systems by their content."""

    def __init__(self) -> None:
        self.outlines: dict[str, Outline] = {}
        self._kept: dict[Hashable, tuple[System, ...]] = {}

    def get(self, key: Hashable) -> tuple[System, ...] | None:
        """Return the systems of ``key``, if they are kept."""
        found = self._kept.pop(key, None)
        if found is not None:
            self._kept[key] = found
        return found

    def put(self, key: Hashable, systems: tuple[System, ...]) -> tuple[System, ...]:
        self._kept[key] = systems
        if len(self._kept) > _MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        return systems


# the voices of each staff, from top to bottom
STAVES: Final[Mapping[Layout, tuple[tuple[int, ...], ...]]] = {
    "staves": ((Voice.SOPRANO, Voice.ALTO), (Voice.TENOR, Voice.BASS)),
    "parts": tuple((voice,) for voice in Voice),
}


class _Part(NamedTuple):
    """A staff: its id, its clef, key and meter, its bars and their digests."""

    name: str
    attributes: ET.Element
    bars: list[ET.Element]
    digests: list[bytes]


class EngraverSource:
    """The MusicXML of a piece with note ids, from which sections are cut.

    Args:
        ended: True if the piece is complete and gets a final bar line.
    """

    def __init__(
        self,
        chorale: Chorale,
        layout: Layout,
        *,
        ended: bool = True,
        numerals: Sequence[Numeral] = (),
    ) -> None:
        score = musicxml_writer.to_tree(chorale, layout, numerals, for_verovio=True)
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
        self._listed = score.findall("part-list")[0]
        self.positions: dict[str, SvgPosition] = {}
        self._parts: list[_Part] = []
        for part, voices in zip(score.iterfind("part"), STAVES[layout], strict=True):
            digests = list(self._digests(part, voices, sounding))
            attributes = part.findall("measure/attributes")[0]
            self._parts.append(_Part(part.get("id", ""), attributes, list(part), digests))
        self.bars = len(self._parts[0].bars)

    def _digests(
        self, part: ET.Element, voices: Sequence[int], sounding: Mapping[tuple[int, int], Note]
    ) -> Iterator[bytes]:
        """Give the notes and rests of a staff ids; yield what distinguishes each bar."""
        stop = 0
        for measure in part:
            begun: list[Note | None] = []
            for head in musicxml_writer.heads(measure, stop):
                voice, stop = voices[head.voice - 1], head.stop
                name, note = f"{Voice(voice).letter}{head.start}", sounding.get((voice, head.start))
                head.note.set("id", name)
                self.positions[name] = SvgPosition(voice, head.start, head.stop, note)
                begun.append(note)
            yield ET.tostring(measure) + repr(begun).encode()

    def section(self, first: int, last: int, breaks: Collection[int] = ()) -> str:
        """Return the MusicXML of a range of bars."""
        score = ET.Element("score-partwise", version="4.0")
        score.append(_abbreviated(self._listed) if first else self._listed)
        for part in self._parts:
            element = ET.SubElement(score, "part", id=part.name)
            element.extend(copy.copy(bar) for bar in part.bars[first:last])
            if first:  # clef and key again, without the meter
                hidden = copy.deepcopy(part.attributes)
                hidden.findall("time")[0].set("print-object", "no")
                element[0].insert(0, hidden)
            for bar in breaks if part is self._parts[0] else ():
                element[bar - first].insert(0, ET.Element("print", {"new-system": "yes"}))
        return xml_tree.NOT_IN_XML.sub("", ET.tostring(score, encoding="unicode"))

    def digest(self, first: int, last: int) -> bytes:
        """Return a digest of all that is drawn in a range of bars and of the notes in it."""
        found = blake2b(digest_size=16)
        for part in self._parts:
            found.update(ET.tostring(part.attributes))
            for bar in part.digests[first:last]:
                found.update(bar)
        return found.digest()


def _abbreviated(listed: ET.Element) -> ET.Element:
    found = copy.deepcopy(listed)
    for entry in found.iter("score-part"):
        for name in entry.iterfind("part-name"):
            name.text = entry.findtext("part-abbreviation", "")
    return found
