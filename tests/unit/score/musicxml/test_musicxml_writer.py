"""MusicXML files written from chorales."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter, Provenance, Voice
from musicrel.errors import DataError, FileError
from musicrel.score import files, notes
from musicrel.score.importing import satb_import
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.musicxml import musicxml_reader, musicxml_writer


def parsed(chorale: Chorale, layout: musicxml_writer.Layout = "parts") -> ET.Element:
    """Return the root of the file."""
    return ET.fromstring(musicxml_writer.to_xml(chorale, layout))  # noqa: S314 (it is our own)


def texts(element: ET.Element, path: str) -> list[str | None]:
    """Return the texts of all elements at ``path``."""
    return [found.text for found in element.findall(path)]


def test_four_parts_are_named_for_their_voices(hymn: Chorale) -> None:
    """The tenor has an octave clef; the staves are bracketed."""
    root = parsed(hymn)

    assert root.get("version") == "4.0"
    assert texts(root, ".//part-name") == ["Soprano", "Alto", "Tenor", "Bass"]
    assert texts(root, ".//group-symbol") == ["bracket"]
    assert texts(root, ".//clef/sign") == ["G", "G", "G", "F"]
    assert texts(root.findall("part")[2], ".//clef-octave-change") == ["-1"]


def test_two_staves_have_two_voices_each(hymn: Chorale) -> None:
    """Stems of the upper voice go up, those of the lower down."""
    root = parsed(hymn, "staves")

    assert texts(root, ".//part-name") == ["Soprano\nAlto", "Tenor\nBass"]
    for part, clef in zip(root.findall("part"), ["G", "F"], strict=True):
        assert texts(part, ".//clef/sign") == [clef]
        pitched = [note for note in part.iter("note") if note.find("pitch") is not None]
        stems = {(note.findtext("voice"), note.findtext("stem")) for note in pitched}
        assert stems == {("1", "up"), ("2", "down")}


@pytest.mark.parametrize("layout", ["parts", "staves"])
def test_every_voice_fills_every_bar(hymn: Chorale, layout: musicxml_writer.Layout) -> None:
    """A second voice starts with the first."""
    for measure, length in zip(parsed(hymn, layout).findall("part/measure"), [4, 16, 4] * 4):  # noqa: B905 (two parts or four)
        by_voice: dict[str | None, int] = {}
        for note in measure.iter("note"):
            voice = note.findtext("voice")
            by_voice[voice] = by_voice.get(voice, 0) + int(note.findtext("duration") or 0)
        backups = [int(text or 0) for text in texts(measure, "backup/duration")]
        assert set(by_voice.values()) == {length}
        assert backups == [length] * (len(by_voice) - 1)


def test_the_metadata_of_the_piece_are_written(hymn: Chorale) -> None:
    """Title, key, meter, tempo, pickup and the final bar line."""
    root = parsed(hymn)

    assert root.findtext("work/work-title") == hymn.title
    assert root.findtext(".//key/fifths") == "-2"
    assert root.findtext(".//key/mode") == "major"
    assert (root.findtext(".//time/beats"), root.findtext(".//time/beat-type")) == ("4", "4")
    assert [sound.get("tempo") for sound in root.iter("sound")] == ["72.5"]
    assert texts(root, ".//per-minute") == ["72.5"]
    for part in root.findall("part"):
        first, *_, last = part.findall("measure")
        assert (first.get("number"), first.get("implicit")) == ("0", "yes")
        assert last.findtext("barline/bar-style") == "light-heavy"


def test_the_metronome_counts_the_pulse_and_the_sound_quarters() -> None:
    """80 quarters per minute are 53.33 dotted quarters in 6/8."""
    root = parsed(Chorale.of([[60, 57, 53, 48]] * 12, meter=Meter(6, 8), tempo=80))

    assert texts(root, ".//beat-unit") == ["quarter"]
    assert len(root.findall(".//beat-unit-dot")) == 1
    assert texts(root, ".//per-minute") == ["53.33"]
    assert [sound.get("tempo") for sound in root.iter("sound")] == ["80"]


def test_a_fermata_stands_once_in_each_voice_that_sounds(hymn: Chorale) -> None:
    """Above the upper voice of a staff, below the lower one; none for a resting voice."""
    shapes = [
        [fermata.get("type") for fermata in part.iter("fermata")]
        for part in parsed(hymn, "staves").findall("part")
    ]

    assert shapes == [["upright", "inverted"], ["upright", "inverted"] * 2]


def test_ties_are_written_for_playback_and_for_print(hymn: Chorale) -> None:
    """In ``tie`` and in ``tied`` elements."""
    tenor = parsed(hymn).findall("part")[2]

    for path in (".//tie", ".//tied"):
        kinds = [element.get("type") for element in tenor.findall(path)]
        assert kinds == ["start", "stop", "start", "stop"]


def test_accidentals_and_beams_are_spelled_out() -> None:
    """Renderers do not infer them."""
    piece = Chorale.of(
        [[66, -1, -1, -1]] * 2 + [[67, -1, -1, -1]] * 2 + [[65, -1, -1, -1]] * 4,
        key=Key("G", "minor"),
    )

    notes_of_soprano = parsed(piece).findall("part[@id='P1']//note")[:3]

    assert [n.findtext("accidental") for n in notes_of_soprano] == ["sharp", None, "natural"]
    assert [n.findtext("beam") for n in notes_of_soprano] == ["begin", "end", None]
    assert [n.findtext("pitch/alter") for n in notes_of_soprano] == ["1", None, None]


def test_a_courtesy_accidental_is_marked_as_one() -> None:
    """Programs may print it in brackets."""
    piece = Chorale.of([[66, -1, -1, -1]] * 16 + [[65, -1, -1, -1]] * 16, key=Key("C", "major"))

    accidentals = parsed(piece).findall(".//accidental")

    assert [(a.text, a.get("cautionary")) for a in accidentals] == [
        ("sharp", None),
        ("natural", "yes"),
    ]


def test_a_key_that_is_not_known_has_no_signature(hymn: Chorale) -> None:
    """A key with more than seven signs is respelled."""
    assert parsed(replace(hymn, key=None)).find(".//key") is None
    assert parsed(replace(hymn, key=Key("D#", "major"))).findtext(".//fifths") == "-3"


def test_the_provenance_is_kept(hymn: Chorale) -> None:
    """In fields that other programs ignore; the program is named."""
    root = parsed(hymn)

    fields = {field.get("name"): field.text for field in root.iter("miscellaneous-field")}
    assert fields == {
        "musicrel-model": "relative♯",
        "musicrel-sha256": "0f" * 32,
        "musicrel-seed": str(2**40),
        "musicrel-settings": '{"temperature": 0.9, "locks": [[0, 1, 62]], "key": null}',
        "musicrel-machine": '{"device": "cpu", "threads": 1, "musicrel": "0.1.0"}',
    }
    assert texts(root, ".//software") == ["musicrel"]
    assert parsed(replace(hymn, provenance=None)).find(".//miscellaneous") is None


def test_a_piece_without_a_title_has_none(hymn: Chorale) -> None:
    """The element is omitted."""
    assert parsed(replace(hymn, title="")).find("work") is None


def test_title_and_composer_are_credits_of_the_first_page(hymn: Chorale) -> None:
    """The composer is also the creator; an unknown one is left out."""
    root = parsed(replace(hymn, composer="Jörg"))
    printed = [(c.findtext("credit-type"), c.findtext("credit-words")) for c in root.iter("credit")]

    assert printed == [("title", hymn.title), ("composer", "Jörg")]
    assert [(c.get("type"), c.text) for c in root.iter("creator")] == [("composer", "Jörg")]
    assert [child.tag for child in root][:5] == [
        "work", "identification", "credit", "credit", "part-list"
    ]  # fmt: skip
    assert texts(parsed(hymn), "credit/credit-type") == ["title"]
    assert parsed(hymn).find(".//creator") is None


def test_special_characters_in_a_title_are_escaped(hymn: Chorale) -> None:
    """XML syntax is preserved as text."""
    title = 'Gloria & "Pax" <in terra> ♭ 𝄐'

    assert parsed(replace(hymn, title=title)).findtext("work/work-title") == title


@pytest.mark.parametrize("letter", ["\x00", "\x1b", "\ud800", "\ufffe"])
def test_characters_that_xml_does_not_have_are_left_out(hymn: Chorale, letter: str) -> None:
    """No title makes the export impossible."""
    root = parsed(replace(hymn, title=f"a{letter}b", composer=f"{letter}c"))

    assert (root.findtext("work/work-title"), root.findtext(".//creator")) == ("ab", "c")


@pytest.mark.parametrize("layout", ["parts", "staves"])
@pytest.mark.parametrize(
    "held",
    [
        [(20, 24)],  # all voices rest
        [(2, 6), (9, 15)],  # neither begins nor ends with a note
        [(0, 24)],
        [(8, 12), (13, 14), (18, 24)],
    ],
)
def test_fermatas_of_any_length_survive(
    hymn: Chorale, layout: musicxml_writer.Layout, held: list[tuple[int, int]]
) -> None:
    """Also one that covers no note, or less or more than a note of the soprano."""
    fermatas = notes.from_spans(held, hymn.steps)
    pitches = hymn.pitches.copy()
    pitches[20:] = -1
    onsets = hymn.onsets & (pitches >= 0)
    piece = replace(hymn, pitches=pitches, onsets=onsets, fermatas=fermatas)

    source = musicxml_reader.from_bytes(musicxml_writer.to_xml(piece, layout).encode())

    assert satb_import.import_satb(source) == ImportedPiece(chorale=piece)


def test_settings_that_are_not_json_are_refused(hymn: Chorale) -> None:
    """The same rule holds for every format."""
    provenance = Provenance(model="m", sha256="", seed=1, settings={"x": float("nan")})

    with pytest.raises(DataError, match="cannot be written as JSON"):
        musicxml_writer.to_xml(replace(hymn, provenance=provenance))


def test_the_suffix_musicxml_writes_it(hymn: Chorale, tmp_path: Path) -> None:
    """The bytes are deterministic and can be read back."""
    path = tmp_path / "a.musicxml"

    files.write(hymn, path)

    assert path.read_text(encoding="utf-8") == musicxml_writer.to_xml(hymn)
    assert np.array_equal(files.read(path).pitches, hymn.pitches)


def test_a_folder_that_cannot_be_written_is_a_file_error(hymn: Chorale, tmp_path: Path) -> None:
    """The message names it."""
    (tmp_path / "file").write_text("")

    with pytest.raises(FileError, match="cannot write"):
        musicxml_writer.write(hymn, tmp_path / "file" / "a.musicxml")


def test_the_longest_silence_and_the_shortest_piece_can_be_written() -> None:
    """One step, and a bar of rests."""
    one = Chorale.of([[60, 57, 53, 48]])
    silent = Chorale.of(np.full((16, 4), -1))

    assert len(parsed(one).findall(".//note")) == len(Voice)
    assert len(parsed(silent).findall(".//note/rest[@measure='yes']")) == len(Voice)
    assert notes.notes(silent, Voice.BASS) == []
