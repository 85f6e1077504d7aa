"""Roman numerals in MusicXML: for MuseScore, for music21, and not for our own reader."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key
from musicrel.harmony.numeral import Numeral
from musicrel.score import files
from musicrel.score.musicxml import harmony_xml, musicxml_writer
from musicrel.score.musicxml.musicxml_writer import Layout

PIECE = Chorale.of(
    np.repeat([[67, 64, 60, 48], [65, 62, 59, 47], [67, 64, 60, 48]], [8, 4, 4], axis=0),
    key=Key("C", "major"),
    pickup=4,
)
TONIC = Numeral(
    start=0, stop=6, text="C: I", figure="I", key=Key("C", "major"), degree=1, quality="major",
    inversion=0, applied_to=0, root=0,
)  # fmt: skip
APPLIED = replace(
    TONIC, start=6, stop=16, text="V65/V", figure="V65/V", degree=5, quality="dominant",
    inversion=1, applied_to=5, root=2,
)  # fmt: skip


def parsed(layout: Layout = "parts") -> ET.Element:
    """Return the file with two numerals."""
    text = musicxml_writer.to_xml(PIECE, layout, (TONIC, APPLIED))
    return ET.fromstring(text)  # noqa: S314 (it is our own)


@pytest.mark.parametrize("layout", ["parts", "staves"])
def test_numerals_are_under_the_lowest_staff(layout: Layout) -> None:
    """They are in the last part alone, before the notes that sound at their start."""
    *others, last = parsed(layout).findall("part")

    assert not any(part.findall(".//harmony") for part in others)
    assert [h.get("placement") for h in last.iter("harmony")] == ["below", "below"]
    bars = [[child.tag for child in measure] for measure in last.findall("measure")]
    assert bars[0][bars[0].index("harmony") + 1] == "note"
    assert "harmony" in bars[1]


def test_offset_places_a_numeral_within_a_note() -> None:
    """The second begins two steps into the bass note."""
    first, second = parsed().iter("harmony")

    assert first.findtext("offset") is None
    assert second.findtext("offset") == "2"


def test_function_and_text_are_written() -> None:
    """The text carries the key, the function does not; no chord is named without its root."""
    first, second = parsed().iter("harmony")

    assert [element.text for element in first.findall("function")] == ["I", None]
    assert [element.get("text") for element in first.findall("kind")] == ["C: I", "C: I"]
    assert second.findtext("function") == "V65/V"
    assert {element.text for element in second.findall("kind")} == {"none"}


def test_without_numerals_the_file_is_as_before() -> None:
    assert "harmony" not in musicxml_writer.to_xml(PIECE)


def test_own_reader_ignores_numerals(tmp_path: Path) -> None:
    """Notes, key and pickup are those of the piece."""
    for name, write in (
        ("a.musicxml", musicxml_writer.write),
        ("a.mxl", musicxml_writer.write_compressed),
    ):
        write(PIECE, tmp_path / name, numerals=(TONIC, APPLIED))

        again = files.read(tmp_path / name)

        assert np.array_equal(again.pitches, PIECE.pitches)
        assert np.array_equal(again.onsets, PIECE.onsets)
        assert (again.key, again.pickup) == (PIECE.key, PIECE.pickup)


def test_text_for_verovio_is_that_of_the_root() -> None:
    """Offsets and everything else stay."""
    text = musicxml_writer.to_xml(PIECE, numerals=(TONIC, APPLIED))

    root = ET.fromstring(harmony_xml.for_verovio(text))  # noqa: S314 (it is our own)

    found = [h.find("numeral/numeral-root") for h in root.iter("harmony")]
    assert [element.get("text") for element in found if element is not None] == ["C: I", "V65/V"]
    assert [h.findtext("offset") for h in root.iter("harmony")] == [None, "2"]
    assert not list(root.iter("function"))
    assert len([*root.iter("note")]) == text.count("<note>")
