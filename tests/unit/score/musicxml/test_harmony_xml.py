"""Roman numerals in MusicXML: for MuseScore, for music21, and not for our own reader."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key
from musicrel.harmony.numeral import Numeral
from musicrel.score import files
from musicrel.score.musicxml import musicxml_writer
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


@pytest.mark.parametrize(("layout", "bass", "beside"), [("parts", "1", "2"), ("staves", "2", "3")])
def test_numerals_are_printed_as_lyrics(layout: Layout, bass: str, beside: str) -> None:
    """One belongs to the bass note that begins with it, one to a hidden rest in the held note."""
    part = parsed(layout).findall("part")[-1]

    notes = [note for note in part.iter("note") if note.find("lyric") is not None]
    assert [note.findtext("lyric/text") for note in notes] == ["\xa0C: I\xa0", "\xa0V⁶₅/V\xa0"]
    assert [note.findtext("voice") for note in notes] == [bass, beside]
    assert [note.get("print-object") for note in notes] == [None, "no"]
    assert [note.find("rest") is None for note in notes] == [True, False]


def test_hidden_rest_stands_where_the_numeral_begins() -> None:
    """The bar line stays the last element of its bar."""
    numerals = (TONIC, replace(APPLIED, start=14))
    text = musicxml_writer.to_xml(PIECE, "parts", numerals)

    last = ET.fromstring(text).findall("part")[-1][-1]  # noqa: S314 (it is our own)

    assert [child.tag for child in last][-3:] == ["backup", "note", "barline"]
    assert last.findtext("backup/duration") == "2"


def test_held_bass_leaves_the_numeral_to_the_tenor_of_its_staff() -> None:
    """Notation programs leave room for the lyrics of notes, but not for those of hidden rests."""
    piece = Chorale.of(np.repeat([[67, 64, 60, 48], [67, 64, 62, 48]], [8, 8], axis=0))
    text = musicxml_writer.to_xml(piece, "staves", (TONIC, replace(APPLIED, start=8)))

    part = ET.fromstring(text).findall("part")[-1]  # noqa: S314 (it is our own)

    lyrical = [note for note in part.iter("note") if note.find("lyric") is not None]
    assert [note.findtext("pitch/step") for note in lyrical] == ["D", "C"]


def test_without_numerals_the_file_is_as_before() -> None:
    text = musicxml_writer.to_xml(PIECE)

    assert "harmony" not in text
    assert "lyric" not in text


@pytest.mark.parametrize("layout", ["parts", "staves"])
@pytest.mark.parametrize("suffix", [".musicxml", ".mxl"])
def test_own_reader_ignores_numerals(tmp_path: Path, layout: Layout, suffix: str) -> None:
    """Notes, key and pickup are those of the piece, and nothing is reported."""
    path = tmp_path / f"a{suffix}"
    writers = {".mxl": musicxml_writer.write_compressed, ".musicxml": musicxml_writer.write}
    writers[suffix](PIECE, path, layout=layout, numerals=(TONIC, APPLIED))

    found = files.import_satb(path)

    again = found.chorale
    assert np.array_equal(again.pitches, PIECE.pitches)
    assert np.array_equal(again.onsets, PIECE.onsets)
    assert (again.key, again.pickup, found.report) == (PIECE.key, PIECE.pickup, ())


@pytest.mark.parametrize("layout", ["parts", "staves"])
@pytest.mark.parametrize("silent", [0, 1, 2])
def test_hidden_rests_are_no_voice_beside_a_silent_one(
    tmp_path: Path, layout: Layout, silent: int
) -> None:
    pitches = PIECE.pitches.copy()
    pitches[:, silent] = REST
    piece = Chorale.of(pitches, key=PIECE.key, pickup=PIECE.pickup)
    musicxml_writer.write(piece, tmp_path / "a.musicxml", layout=layout, numerals=(TONIC, APPLIED))

    found = files.import_satb(tmp_path / "a.musicxml")

    assert np.array_equal(found.chorale.pitches, pitches)
    assert found.report == ()


def test_text_for_verovio_is_that_of_the_root() -> None:
    """Offsets and everything else stay; there are no lyrics."""
    text = musicxml_writer.to_xml(PIECE, numerals=(TONIC, APPLIED), for_verovio=True)

    root = ET.fromstring(text)  # noqa: S314 (it is our own)

    found = [h.find("numeral/numeral-root") for h in root.iter("harmony")]
    assert [element.get("text") for element in found if element is not None] == ["C: I", "V65/V"]
    assert [h.findtext("offset") for h in root.iter("harmony")] == [None, "2"]
    assert not [*root.iter("function"), *root.iter("lyric")]
    assert len([*root.iter("note")]) == musicxml_writer.to_xml(PIECE).count("<note>")
