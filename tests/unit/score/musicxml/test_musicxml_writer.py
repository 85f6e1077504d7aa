"""MusicXML files written from chorales."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from musicrel import language
from musicrel.analysis.numeral import Numeral
from musicrel.chorale import REST, Chorale, Key, Mark, Meter, Voice
from musicrel.score import files, notes
from musicrel.score.importing import satb_import
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.musicxml import musicxml_reader, musicxml_writer
from musicrel.score.musicxml.musicxml_writer import Layout
from tests.helpers.music import random_chorale, with_marks


def parsed(chorale: Chorale, layout: musicxml_writer.Layout = "parts") -> ET.Element:
    return ET.fromstring(musicxml_writer.to_xml(chorale, layout))  # noqa: S314 (it is our own)


def texts(element: ET.Element, path: str) -> list[str | None]:
    return [found.text for found in element.findall(path)]


def test_four_parts_are_named_for_their_voices(hymn: Chorale) -> None:
    root = parsed(hymn)

    assert root.get("version") == "4.0"
    assert texts(root, ".//part-name") == ["Soprano", "Alto", "Tenor", "Bass"]
    assert texts(root, ".//group-symbol") == ["bracket"]
    assert texts(root, ".//clef/sign") == ["G", "G", "G", "F"]
    assert texts(root.findall("part")[2], ".//clef-octave-change") == ["-1"]


def test_two_staves_have_two_voices_each(hymn: Chorale) -> None:
    root = parsed(hymn, "staves")
    assert texts(root, ".//part-name") == ["Soprano\nAlto", "Tenor\nBass"]
    for part, clef in zip(root.findall("part"), ["G", "F"], strict=True):
        assert texts(part, ".//clef/sign") == [clef]
        pitched = [note for note in part.iter("note") if note.find("pitch") is not None]
        stems = {(note.findtext("voice"), note.findtext("stem")) for note in pitched}
        assert stems == {("1", "up"), ("2", "down")}
    assert [one.get("type") for one in root.iter("tied")] == ["start", "stop"] * 2


def test_the_metadata_of_the_piece_are_written(hymn: Chorale) -> None:
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
    root = parsed(Chorale.of([[60, 57, 53, 48]] * 12, meter=Meter(6, 8), tempo=80))

    assert texts(root, ".//beat-unit") == ["quarter"]
    assert len(root.findall(".//beat-unit-dot")) == 1
    assert texts(root, ".//per-minute") == ["53.33"]
    assert [sound.get("tempo") for sound in root.iter("sound")] == ["80"]


def test_accidentals_and_beams_are_spelled_out() -> None:
    piece = Chorale.of(
        [[66, -1, -1, -1]] * 2 + [[67, -1, -1, -1]] * 2 + [[65, -1, -1, -1]] * 4,
        key=Key("G", "minor"),
    )

    notes_of_soprano = parsed(piece).findall("part[@id='P1']//note")[:3]

    assert [n.findtext("accidental") for n in notes_of_soprano] == ["sharp", None, "natural"]
    assert [n.findtext("beam") for n in notes_of_soprano] == ["begin", "end", None]
    assert [n.findtext("pitch/alter") for n in notes_of_soprano] == ["1", None, None]
    courtesy = Chorale.of([[66] + [-1] * 3] * 16 + [[65] + [-1] * 3] * 16, key=Key("C", "major"))
    assert [one.get("cautionary") for one in parsed(courtesy).iter("accidental")] == [None, "yes"]


def test_a_key_or_title_that_is_not_known_is_left_out(hymn: Chorale) -> None:
    """Special characters in a title are escaped."""
    assert parsed(replace(hymn, key=None)).find(".//key") is None
    assert parsed(replace(hymn, key=Key("D#", "major"))).findtext(".//fifths") == "-3"

    assert parsed(replace(hymn, title="")).find("work") is None

    title = 'Gloria & "Pax" <in terra> ♭ 𝄐'
    assert parsed(replace(hymn, title=title)).findtext("work/work-title") == title


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


def test_title_and_composer_are_credits_of_the_first_page(hymn: Chorale) -> None:
    root = parsed(replace(hymn, composer="Jörg"))
    printed = [(c.findtext("credit-type"), c.findtext("credit-words")) for c in root.iter("credit")]

    assert printed == [("title", hymn.title), ("composer", "Jörg")]
    assert [(c.get("type"), c.text) for c in root.iter("creator")] == [("composer", "Jörg")]
    assert [child.tag for child in root][:5] == [
        "work", "identification", "credit", "credit", "part-list"
    ]  # fmt: skip
    assert texts(parsed(hymn), "credit/credit-type") == ["title"]
    assert parsed(hymn).find(".//creator") is None


@pytest.mark.parametrize("letter", ["\x00", "\x1b", "\ud800", "\ufffe"])
def test_characters_that_xml_does_not_have_are_left_out(hymn: Chorale, letter: str) -> None:
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
    fermatas = notes.from_spans(held, hymn.steps)
    pitches = hymn.pitches.copy()
    pitches[20:] = -1
    onsets = hymn.onsets & (pitches >= 0)
    piece = replace(hymn, pitches=pitches, onsets=onsets, fermatas=fermatas)

    source = musicxml_reader.from_bytes(musicxml_writer.to_xml(piece, layout).encode())

    assert satb_import.import_satb(source) == ImportedPiece(chorale=piece)


@pytest.mark.parametrize("layout", ["parts", "staves"])
@pytest.mark.parametrize("seed", range(5))
def test_marks_survive(layout: musicxml_writer.Layout, seed: int) -> None:
    unheld = replace(random_chorale(seed, steps=200), fermatas=np.zeros(200, dtype=np.bool_))
    piece = with_marks(unheld, seed)

    source = musicxml_reader.from_bytes(musicxml_writer.to_xml(piece, layout).encode())

    assert satb_import.import_satb(source) == ImportedPiece(chorale=piece)


def test_a_tempo_at_the_start_of_a_ritardando_survives(hymn: Chorale) -> None:
    marks = (
        Mark(kind="tempo", start=8, stop=8, value=60.0),
        Mark(kind="slowing", start=8, stop=16, value=50.0),
        Mark(kind="slowing", start=16, stop=20, value=70.0),
    )
    piece = replace(hymn, marks=marks)

    source = musicxml_reader.from_bytes(musicxml_writer.to_xml(piece).encode())

    assert satb_import.import_satb(source) == ImportedPiece(chorale=piece)


def test_notes_are_spelled_and_signed_in_the_key_of_their_bar() -> None:
    change = Mark(kind="key", start=16, stop=16, value=Key("Ab", "major"))
    piece = Chorale.of([[68, 61, 56, 49]] * 32, key=Key("A", "major"), marks=(change,))
    first, other = musicxml_writer.to_tree(piece).findall("part/measure")[:2]
    names = [(e.findtext("note/pitch/step"), e.findtext("note/accidental")) for e in (first, other)]
    assert names == [("G", None), ("G", None)]
    assert [e.findtext("attributes/key/fifths") for e in (first, other)] == ["3", "-4"]


def test_a_key_that_changes_within_a_bar_is_printed_at_the_next() -> None:
    change = Mark(kind="key", start=20, stop=20, value=Key("D", "major"))
    piece = Chorale.of([[73, 66, 62, 50]] * 64, key=Key("C", "major"), marks=(change,))
    bars = musicxml_writer.to_tree(piece).findall("part/measure")[:4]
    assert [e.findtext("attributes/key/fifths") for e in bars] == ["0", None, "2", None]


def test_the_longest_silence_and_the_shortest_piece_can_be_written() -> None:
    one = Chorale.of([[60, 57, 53, 48]])
    silent = Chorale.of(np.full((16, 4), -1))

    assert len(parsed(one).findall(".//note")) == len(Voice)
    assert len(parsed(silent).findall(".//note/rest[@measure='yes']")) == len(Voice)
    assert notes.notes(silent, Voice.BASS) == []


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


def parsed_harmony(layout: Layout = "parts") -> ET.Element:
    text = musicxml_writer.to_xml(PIECE, layout, (TONIC, APPLIED))
    return ET.fromstring(text)  # noqa: S314 (it is our own)


@pytest.mark.parametrize("layout", ["parts", "staves"])
def test_numerals_are_under_the_lowest_staff(layout: Layout) -> None:
    *others, last = parsed_harmony(layout).findall("part")

    assert not any(part.findall(".//harmony") for part in others)
    assert [h.get("placement") for h in last.iter("harmony")] == ["below", "below"]
    bars = [[child.tag for child in measure] for measure in last.findall("measure")]
    assert bars[0][bars[0].index("harmony") + 1] == "note"
    assert "harmony" in bars[1]


def test_offset_places_a_numeral_within_a_note() -> None:
    first, second = parsed_harmony().iter("harmony")
    assert first.findtext("offset") is None
    assert second.findtext("offset") == "2"


def test_function_and_text_are_written() -> None:
    first, second = parsed_harmony().iter("harmony")

    assert [element.text for element in first.findall("function")] == ["I", None]
    assert [element.get("text") for element in first.findall("kind")] == ["C: I", "C: I"]
    assert second.findtext("function") == "V65/V"
    assert {element.text for element in second.findall("kind")} == {"none"}


@pytest.mark.parametrize(("layout", "bass", "beside"), [("parts", "1", "2"), ("staves", "2", "3")])
def test_numerals_are_printed_as_lyrics(layout: Layout, bass: str, beside: str) -> None:
    part = parsed_harmony(layout).findall("part")[-1]

    notes = [note for note in part.iter("note") if note.find("lyric") is not None]
    assert [note.findtext("lyric/text") for note in notes] == ["\xa0C: I\xa0", "\xa0V⁶₅/V\xa0"]
    assert [note.findtext("voice") for note in notes] == [bass, beside]
    assert [note.get("print-object") for note in notes] == [None, "no"]
    assert [note.find("rest") is None for note in notes] == [True, False]


def test_hidden_rest_stands_where_the_numeral_begins() -> None:
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


@pytest.mark.parametrize("layout", ["parts", "staves"])
@pytest.mark.parametrize("suffix", [".musicxml", ".mxl"])
def test_own_reader_ignores_numerals(tmp_path: Path, layout: Layout, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    musicxml_writer.write(PIECE, path, layout=layout, numerals=(TONIC, APPLIED))

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


def test_voices_have_german_names_on_the_screen_and_english_ones_in_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(language, "_installed", [(lambda text, _: text.upper(), True)])

    shown, filed = (
        musicxml_writer.to_tree(PIECE, for_verovio=for_verovio) for for_verovio in (True, False)
    )

    assert texts(shown, ".//part-name") == ["SOPRANO", "ALTO", "TENOR", "BASS"]
    assert texts(filed, ".//part-name") == ["Soprano", "Alto", "Tenor", "Bass"]


def test_text_for_verovio_is_that_of_the_root() -> None:
    root = musicxml_writer.to_tree(PIECE, numerals=(TONIC, APPLIED), for_verovio=True)

    found = [h.find("numeral/numeral-root") for h in root.iter("harmony")]
    assert [element.get("text") for element in found if element is not None] == ["C: I", "V65/V"]
    assert [h.findtext("offset") for h in root.iter("harmony")] == [None, "2"]
    assert not [*root.iter("function"), *root.iter("lyric")]
    assert len([*root.iter("note")]) == musicxml_writer.to_xml(PIECE).count("<note>")
