"""The MusicXML that Verovio gets: every note and rest has an id, and a range of bars can be cut.

The text of our own writer is cut at its tags: parsing and writing it again takes twice as long as
everything else between an edit and Verovio.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from musicrel.chorale import Chorale, Voice
from musicrel.harmony.numeral import Numeral
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.score.verovio_svg import SvgPosition
from musicrel.score.musicxml import musicxml_writer
from musicrel.score.musicxml.musicxml_writer import Layout

STAVES: Final[Mapping[Layout, tuple[tuple[int, ...], ...]]] = {
    "staves": ((Voice.SOPRANO, Voice.ALTO), (Voice.TENOR, Voice.BASS)),
    "parts": tuple((voice,) for voice in Voice),
}
"""The voices of each staff, from top to bottom."""
_PART: Final = re.compile('<part id="([^"]+)">')
_TIMED: Final = re.compile(
    r"<backup>\s*<duration>(?P<back>\d+)"
    r"|<note(?P<rest>[ >].*?<duration>(?P<length>\d+).*?<voice>(?P<voice>\d+))",
    re.DOTALL,
)
"""A note or rest up to its voice, or a step back in time."""
_TEMPO: Final = re.compile(r"(?<=<per-minute>)[\d.]+")
_BAR_LINE: Final = re.compile("<barline.*?</barline>", re.DOTALL)
_MEASURE_END: Final = "</measure>"
_NEW_SYSTEM: Final = '<print new-system="yes"/>'


class _Bar(NamedTuple):
    """A bar of a staff: its text, and the note or rest of each id in it."""

    text: str
    positions: dict[str, SvgPosition]


class _Part(NamedTuple):
    """A staff: its id, its clef, key and meter, and its bars."""

    name: str
    attributes: str
    bars: list[_Bar]


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
        text = musicxml_writer.to_xml(chorale, layout, numerals, for_verovio=True)
        text = _TEMPO.sub(lambda beats: f"{float(beats[0]):.0f}", text, count=1)
        notes = {
            (note.voice, step): note
            for note in roll.draw(chorale).notes
            for step in range(note.start, note.stop)
        }
        self._listed = _between(text, "<part-list>", "</part-list>")
        self._parts: list[_Part] = []
        _, *found = _PART.split(text)
        for name, content, voices in zip(found[::2], found[1::2], STAVES[layout], strict=True):
            bars = _Namer(voices, notes).bars(content if ended else _BAR_LINE.sub("", content))
            attributes = _between(content, "<attributes>", "</attributes>")
            self._parts.append(_Part(name, attributes, bars))
        self.positions = {
            name: position
            for part in self._parts
            for bar in part.bars
            for name, position in bar.positions.items()
        }
        self.bars = len(self._parts[0].bars)

    def section(self, first: int, last: int, breaks: Collection[int] = ()) -> str:
        """Return the MusicXML of a range of bars."""
        listed = _abbreviated(self._listed) if first else self._listed
        found = ['<score-partwise version="4.0">', listed]
        for part in self._parts:
            bars = [bar.text for bar in part.bars[first:last]]
            if first:  # clef and key again, without the meter
                hidden = part.attributes.replace("<time>", '<time print-object="no">')
                bars[0] = _begun(bars[0], hidden)
            for bar in breaks if part is self._parts[0] else ():
                bars[bar - first] = _begun(bars[bar - first], _NEW_SYSTEM)
            found += [f'<part id="{part.name}">', *bars, "</part>"]
        return "".join([*found, "</score-partwise>"])

    def digest(self, first: int, last: int) -> bytes:
        """Return a digest of all that is drawn in a range of bars and of the notes in it."""
        found = blake2b(digest_size=16)
        for part in self._parts:
            found.update(part.attributes.encode())
            for bar in part.bars[first:last]:
                found.update(bar.text.encode())
                found.update(repr([position.note for position in bar.positions.values()]).encode())
        return found.digest()


class _Namer:
    """Gives the notes and rests of a staff their ids."""

    def __init__(self, voices: Sequence[int], notes: Mapping[tuple[int, int], RollNote]) -> None:
        self._voices, self._notes = voices, notes
        self._now = 0
        self._positions: dict[str, SvgPosition] = {}

    def bars(self, content: str) -> list[_Bar]:
        """Return the bars of the staff in order."""
        return [self._bar(text + _MEASURE_END) for text in content.split(_MEASURE_END)[:-1]]

    def _bar(self, text: str) -> _Bar:
        self._positions = {}
        return _Bar(_TIMED.sub(self._named, text), self._positions)

    def _named(self, found: re.Match[str]) -> str:
        """Return the beginning of a note with its id, or a step back as it is."""
        if found["back"]:
            self._now -= int(found["back"])
            return found[0]
        voice, start = self._voices[int(found["voice"]) - 1], self._now
        self._now += int(found["length"])
        name = f"{Voice(voice).letter}{start}"
        note = self._notes.get((voice, start))
        self._positions[name] = SvgPosition(voice, start, self._now, note)
        return f'<note id="{name}"{found["rest"]}'


def _between(text: str, start: str, end: str) -> str:
    """Return the first element of a text from its start tag to its end tag."""
    return text[text.index(start) : text.index(end) + len(end)]


def _begun(bar: str, start: str) -> str:
    """Return a bar with other elements at its beginning."""
    inside = bar.index(">", bar.index("<measure")) + 1
    return bar[:inside] + start + bar[inside:]


def _abbreviated(listed: str) -> str:
    """Return the part list with abbreviated names, as on all systems but the first."""
    root = ET.fromstring(listed)  # noqa: S314 (we wrote it)
    for entry in root.iter("score-part"):
        name = entry.find("part-name")
        if name is not None:
            name.text = entry.findtext("part-abbreviation", "")
    return ET.tostring(root, encoding="unicode")
