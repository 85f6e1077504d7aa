"""Roman numerals in MusicXML: printed as a line of lyrics, and for software as ``harmony``.

Notation programs print lyrics below the staff, on one line and far enough apart; chord symbols they
print above it, if at all. A numeral that begins while all voices of the staff hold their notes
belongs to a hidden rest in a voice of its own.

A ``harmony`` is not printed. It has two chords, since programs read different parts of it. The
first has the numeral as ``function``, which music21 reads. The second has an empty ``function``:
MuseScore takes the last of each and has a Roman numeral (version 3.6) or the text of ``kind`` as a
chord symbol (3.2). The kind is "none": music21 can neither print nor write a chord of another kind
without a root, and MuseScore shows the root of one that has it. MusicXML 4.0 prefers ``numeral`` to
``function``, but neither program reads it; Verovio prints the text of a ``numeral-root``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from musicrel.harmony import numeral_text
from musicrel.harmony.numeral import Numeral

LYRICS: Final = "Roman numerals"
"""The ``name`` of the lyrics that are numerals."""
_UPPER: Final = str.maketrans("0123456789o+", "⁰¹²³⁴⁵⁶⁷⁸⁹°⁺")
_LOWER: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SPACE: Final = "\N{NO-BREAK SPACE}"
"""On both sides of a lyric: MuseScore 3 leaves hardly any space between two of them."""


class _Head(NamedTuple):
    """A note or rest, its voice, and the steps of its start and end."""

    note: ET.Element
    voice: int
    start: int
    stop: int


def add(part: ET.Element, numerals: Sequence[Numeral], *, for_verovio: bool = False) -> None:
    """Add numerals to a part.

    Args:
        part: without numerals; one division is a step, and every voice fills its bars.
        numerals: in order.
        for_verovio: add what Verovio prints, and nothing else.
    """
    waiting, stop = list(reversed(numerals)), 0
    for measure in part:
        heads = list(_heads(measure, stop))
        stop = heads[-1].stop
        begun = []
        while waiting and waiting[-1].start < stop:
            begun.append(waiting.pop())
        for numeral in begun:
            _add_harmony(measure, numeral, heads, for_verovio=for_verovio)
        if not for_verovio:
            _add_lyrics(measure, begun, heads)


def _heads(measure: ET.Element, start: int) -> Iterator[_Head]:
    now = start
    for child in measure:
        length = int(child.findtext("duration", "0"))
        if child.tag == "backup":
            now -= length
        elif child.tag == "note":
            yield _Head(child, int(child.findtext("voice", "1")), now, now + length)
            now += length


def _add_harmony(
    measure: ET.Element, numeral: Numeral, heads: Sequence[_Head], *, for_verovio: bool
) -> None:
    """Add a numeral before the first note that sounds at its start."""
    head = next(head for head in heads if head.start <= numeral.start < head.stop)
    harmony = ET.Element("harmony", placement="below")
    if for_verovio:
        _add(_add(harmony, "numeral"), "numeral-root", "1").set("text", numeral.text)
        _add(harmony, "kind", "none").set("text", "")
    else:
        harmony.set("print-object", "no")
        for function in (numeral.figure, ""):
            _add(harmony, "function", function)
            _add(harmony, "kind", "none").set("text", numeral.text)
    if numeral.start > head.start:
        _add(harmony, "offset", str(numeral.start - head.start))
    measure.insert(list(measure).index(head.note), harmony)


def _add_lyrics(measure: ET.Element, numerals: Sequence[Numeral], heads: Sequence[_Head]) -> None:
    """Add numerals to the notes that begin with them, the bass first, or to hidden rests."""
    notes, now = {head.start: head.note for head in heads}, heads[-1].stop
    end = list(measure.iterfind("barline"))
    for numeral in numerals:
        note = notes.get(numeral.start)
        if note is None:
            if numeral.start != now:
                way = "backup" if numeral.start < now else "forward"
                _add(_add(measure, way), "duration", str(abs(numeral.start - now)))
            note, now = ET.SubElement(measure, "note", {"print-object": "no"}), numeral.start + 1
            for tag, text in (("rest", ""), ("duration", "1"), ("voice", heads[-1].voice + 1)):
                _add(note, tag, str(text))
            _add(note, "type", "16th")
        lyric = ET.SubElement(note, "lyric", number="1", name=LYRICS, placement="below")
        _add(lyric, "syllabic", "single")
        _add(lyric, "text", f"{_SPACE}{_printed(numeral)}{_SPACE}")
    for line in end:  # the bar line stays the last element
        measure.remove(line)
        measure.append(line)


def _printed(numeral: Numeral) -> str:
    """Return a numeral with raised and lowered figures, as 'B♭: V⁶₅'."""
    return "".join(
        piece.text + piece.upper.translate(_UPPER) + piece.lower.translate(_LOWER)
        for piece in numeral_text.pieces(numeral.text)
    )


def _add(parent: ET.Element, tag: str, text: str | None = None) -> ET.Element:
    element = ET.SubElement(parent, tag)
    element.text = text
    return element
