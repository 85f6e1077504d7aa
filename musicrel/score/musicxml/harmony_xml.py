"""Roman numerals as ``harmony`` elements of MusicXML.

An element has two chords, since programs read different parts of it. The first has the numeral as
``function``, which music21 reads. The second has an empty ``function``: MuseScore takes the last of
each and shows a Roman numeral (version 3.6) or the text of ``kind`` as a chord symbol (3.2). The
kind is "none": music21 can neither print nor write a chord of another kind without a root, and
MuseScore shows the root of one that has it. MusicXML 4.0 prefers ``numeral`` to ``function``, but
neither program reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree import ElementTree as ET

from musicrel.harmony.numeral import Numeral

_CHORDS: Final = re.compile(
    r'<function>(?:(?!</harmony>).)*<kind text="([^"]*)">[^<]*</kind>', re.DOTALL
)
"""The two chords of an element, with the text of the last."""
_OF_VEROVIO: Final = (
    r'<numeral><numeral-root text="\1">1</numeral-root></numeral><kind text="">none</kind>'
)


def add(part: ET.Element, numerals: Sequence[Numeral]) -> None:
    """Add numerals to a part, each before the note of its first voice that sounds at its start.

    Args:
        part: without numerals; one division is a step.
        numerals: in order.
    """
    waiting = list(reversed(numerals))
    for measure, place, start, stop in list(_heads(part)):
        while waiting and start <= waiting[-1].start < stop:
            numeral = waiting.pop()
            found = _element(numeral)
            if numeral.start > start:
                ET.SubElement(found, "offset").text = str(numeral.start - start)
            measure.insert(list(measure).index(place), found)


def _element(numeral: Numeral) -> ET.Element:
    harmony = ET.Element("harmony", placement="below")
    for function in (numeral.figure, ""):
        ET.SubElement(harmony, "function").text = function
        ET.SubElement(harmony, "kind", text=numeral.text).text = "none"
    return harmony


def for_verovio(text: str) -> str:
    """Return MusicXML of ours with numerals that Verovio shows: as the text of ``numeral-root``."""
    return _CHORDS.sub(_OF_VEROVIO, text)


def _heads(part: ET.Element) -> Iterator[tuple[ET.Element, ET.Element, int, int]]:
    """Yield measure, element, start and stop of the notes and rests of the first voice."""
    now = 0
    for measure in part:
        for child in measure:
            if child.tag == "backup":
                break
            if child.tag == "note":
                length = int(child.findtext("duration", "0"))
                yield measure, child, now, now + length
                now += length
