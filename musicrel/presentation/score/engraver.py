"""Engraving with Verovio: a job that yields a score section by section.

Verovio gets MusicXML written by musicrel, in which every note and rest has an id; ``verovio_svg``
reads its SVG back as plain data. Verovio holds the interpreter lock while it works, so a long piece
is engraved in sections that end where no voice holds a note. Sections and systems without a change
are taken from a cache: an edit touches one or two. Verovio is imported on first use.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import util
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from musicrel import jobs
from musicrel.chorale import REST, Chorale
from musicrel.errors import DataError
from musicrel.harmony import analysis
from musicrel.harmony.numeral import Numeral
from musicrel.jobs import Job
from musicrel.presentation.score import outlines
from musicrel.presentation.score.engraver_source import STAVES, EngraverSource
from musicrel.presentation.score.engraving_cache import EngravingCache
from musicrel.presentation.score.score_picture import Outline, Score, System
from musicrel.presentation.score.verovio_svg import Reader
from musicrel.score.musicxml.musicxml_writer import Layout

MISSING: Final = "The score cannot be engraved: the package verovio is missing; reinstall musicrel"
MIN_PAGE_WIDTH: Final = 7_000.0
"""Width of a page with room for one bar, in units of ``score_picture``."""
_MAX_SECTION_STEPS: Final = 512
"""Steps per section: 32 bars of 4/4."""
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
_SYSTEM: Final = re.compile("<system[ >]")
"""Beginning of a system in MEI."""


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
        found = yield from jobs.map_events(analysis.analyse(chorale), lambda _: none)
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
    """Return the outline of a sign of Verovio's music font."""
    import verovio  # noqa: PLC0415 (already loaded)

    file = _resources(verovio) / "Leipzig" / f"{name}.xml"
    drawn = ET.parse(file).getroot().find("path")  # noqa: S314 (Verovio's own)
    return outlines.flipped(outlines.parse(drawn.get("d", ""))) if drawn is not None else ()


def _resources(verovio: Any) -> Path:
    return Path(verovio.__file__).parent / "data"
