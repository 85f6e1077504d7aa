"""Words in MusicXML: what is written, printed, and read again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from musicrel import paths
from musicrel.analysis.corpus import bundled, hymns
from musicrel.analysis.numeral_search import numerals
from musicrel.chorale import REST, Chorale, Lyric, Meter, Voice
from musicrel.score import files
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.importing.satb_import import import_satb
from musicrel.score.musicxml import musicxml_reader, musicxml_writer
from musicrel.score.musicxml.musicxml_writer import Layout
from tests.helpers.music import with_words

LAYOUTS: tuple[Layout, ...] = ("parts", "staves")
HYMNS = paths.shared_data() / "hymns" / hymns.FILE_NAME
FILE = paths.shared_data() / "files" / "x14_lyrics_verses.musicxml"


def read_again(piece: Chorale, layout: Layout) -> ImportedPiece:
    xml = musicxml_writer.to_xml(piece, layout).encode("utf-8")
    return import_satb(musicxml_reader.from_bytes(xml))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_words_are_read_as_they_were_written(layout: Layout) -> None:
    for number, piece in enumerate(bundled.load("test")[:5]):
        lines = {"poet": "P. G.", "tune": "ASSAM", "copyright": "© 1900", "title": "Air"}
        worded = replace(with_words(piece, number), **lines, subtitle="For choir")  # type: ignore[arg-type]
        assert read_again(worded, layout) == ImportedPiece(chorale=worded)


def distinct_hymns() -> Iterator[Chorale]:
    for hymn in json.loads(HYMNS.read_text(encoding="utf-8")):
        if hymn["copy_of"] is None:
            pitches = np.array(hymn["pitches"], dtype=np.int16)
            yield Chorale.of(
                np.where(pitches == 0, REST, pitches),
                onsets=np.array(hymn["onsets"], dtype=np.bool_),
                meter=Meter.parse("32/1" if hymn["meter"] == "none" else hymn["meter"]),
                pickup=hymn["pickup"],
                title=hymn["tune"],
            )


@pytest.mark.skipif(not HYMNS.exists(), reason="no shared data: hymns")
def test_words_of_all_hymns_are_read_as_they_were_written() -> None:
    found = list(distinct_hymns())
    assert len(found) == 239
    for number, hymn in enumerate(found):
        piece = with_words(hymn, number, verses=1 + number % 3)
        if number % 2:
            soprano = (word for word in piece.lyrics if word.voice == Voice.SOPRANO)
            piece = replace(piece, lyrics=tuple(soprano))
        back = read_again(piece, LAYOUTS[number % 4 // 2]).chorale
        assert np.array_equal(back.pitches, piece.pitches)
        assert np.array_equal(back.onsets, piece.onsets)
        assert back.lyrics == piece.lyrics


@pytest.mark.skipif(not FILE.exists(), reason="no shared data: a score with two verses")
def test_the_verses_of_another_program_are_read() -> None:
    read = files.import_satb(FILE)
    assert read.report == ()
    assert {(word.voice, word.verse, word.text) for word in read.chorale.lyrics} == {
        (Voice.SOPRANO, 1, "la"), (Voice.SOPRANO, 2, "lo"),
    }  # fmt: skip
    assert len(read.chorale.lyrics) == 16


# ---------------------------------------------------------------- what is written

PLAIN = Chorale.of(np.repeat([[72, 67, 60, 48], [71, 65, 62, 50], [72, 67, 60, 52]], 4, axis=0))
WORDS = (
    Lyric(Voice.SOPRANO, 1, 0, "Ma", hyphen=True),
    Lyric(Voice.SOPRANO, 1, 4, "ri‿a", extends=True),
    Lyric(Voice.SOPRANO, 2, 8, "No"),
)


def lyrics(piece: Chorale, layout: Layout = "staves", voice: int = 0) -> list[ET.Element]:
    """Return the elements of a voice on the upper staff."""
    part = musicxml_writer.to_tree(piece, layout).findall("part")[0]
    of_voice = (note for note in part.iter("note") if note.findtext("voice") == str(voice + 1))
    return [lyric for note in of_voice for lyric in note.iterfind("lyric")]


def test_a_word_has_hyphens_elisions_and_a_line_to_its_last_note() -> None:
    first, second, end, other = lyrics(replace(PLAIN, lyrics=WORDS))

    assert [first.findtext("syllabic"), first.findtext("text")] == [
        "begin",
        "1.\N{NO-BREAK SPACE}Ma",
    ]
    assert [child.text for child in second][:5] == ["end", "ri", "‿", "single", "a"]
    assert [extend.get("type") for extend in second.iterfind("extend")] == ["start"]
    assert (other.get("number"), other.findtext("text")) == ("2", "2.\N{NO-BREAK SPACE}No")
    assert (end.get("number"), [child.get("type") for child in end]) == ("1", ["stop"])


def test_the_words_of_the_soprano_are_printed_once_on_two_staves() -> None:
    twice = (*WORDS, *(replace(word, voice=Voice.ALTO) for word in WORDS))
    piece = replace(PLAIN, lyrics=twice)

    assert {lyric.get("print-object") for lyric in lyrics(piece, voice=0)} == {None}
    assert {lyric.get("print-object") for lyric in lyrics(piece, voice=1)} == {"no"}
    assert {lyric.get("print-object") for lyric in lyrics(piece, "parts")} == {None}
    assert read_again(piece, "staves").chorale.lyrics == piece.lyrics


def test_other_words_of_a_lower_voice_are_further_lines() -> None:
    """Their names have their verses."""
    others = tuple(replace(word, voice=Voice.ALTO, text="o") for word in WORDS)
    piece = replace(PLAIN, lyrics=(*WORDS, *others))

    found = {(lyric.get("number"), lyric.get("name")) for lyric in lyrics(piece, voice=1)}
    assert found == {("3", "verse 1"), ("4", "verse 2")}
    assert read_again(piece, "staves").chorale.lyrics == piece.lyrics


def test_roman_numerals_stand_below_the_words() -> None:
    bass = tuple(replace(word, voice=Voice.BASS) for word in WORDS)
    tree = musicxml_writer.to_tree(replace(PLAIN, lyrics=bass), "parts", numerals(PLAIN))
    lines = {lyric.get("number"): lyric.get("name") for lyric in tree.iter("lyric")}
    assert lines == {"1": None, "2": None, "3": musicxml_writer.LYRICS}
    xml = ET.tostring(tree)
    assert import_satb(musicxml_reader.from_bytes(xml)).chorale.lyrics == bass


# ---------------------------------------------------------------- what is read


@pytest.mark.parametrize(
    ("element", "words"),
    [
        ("<lyric><text>la</text></lyric>", ["1 la"]),
        ("<lyric number='2'><text> la </text></lyric>", ["2 la"]),
        ("<lyric number='part1verse3'><text>la</text></lyric>", ["3 la"]),
        ("<lyric number='0'><text>la</text></lyric><lyric number='9999'><text>lo</text></lyric>",
         ["1 la", "2 lo"]),
        ("<lyric number='1'><text>la</text></lyric>" * 2, ["1 la"]),
        ("<lyric number='7' name='Verse 2'><text>la</text></lyric>", ["2 la"]),
        ("<lyric><syllabic>middle</syllabic><text>la</text><extend/></lyric>", ["1 la-_"]),
        ("<lyric><syllabic>end</syllabic><text>la</text><extend type='stop'/></lyric>", ["1 la"]),
        ("<lyric><extend/></lyric><lyric><text> </text></lyric><lyric><humming/></lyric>", []),
        ("<lyric><text>la</text><elision/><syllabic>begin</syllabic><text>o</text></lyric>",
         ["1 la‿o-"]),
        ("<lyric><text>l</text><text>ao</text></lyric>", ["1 lao"]),
    ],
)  # fmt: skip
def test_a_lyric_is_read_as_programs_write_it(element: str, words: list[str]) -> None:
    root = musicxml_writer.to_tree(PLAIN, "parts")
    root.findall("part/measure/note")[0].extend(ET.fromstring(f"<x>{element}</x>"))  # noqa: S314

    found = import_satb(musicxml_reader.from_bytes(ET.tostring(root))).chorale.lyrics

    assert [
        f"{word.verse} {word.text}{'-' * word.hyphen}{'_' * word.extends}" for word in found
    ] == words


@pytest.mark.parametrize(
    ("printed", "read"),
    [("1. Glo", "Glo"), ("2.\u00a0Glo", "Glo"), ("3 Glo", "Glo"), ("10.", "10."), ("1", "1")],
)
def test_a_number_printed_before_a_verse_of_another_program_is_left_out(
    printed: str, read: str
) -> None:
    """The score prints the number of each verse itself."""
    words = (Lyric(Voice.SOPRANO, 1, 0, printed), Lyric(Voice.SOPRANO, 1, 4, "4. O"))
    xml = musicxml_writer.to_xml(replace(PLAIN, lyrics=words)).replace(">musicrel<", ">Other<")
    found = import_satb(musicxml_reader.from_bytes(xml.encode())).chorale.lyrics
    assert [word.text for word in found] == [read, "4. O"]


def test_words_of_rests_are_named_as_left_out() -> None:
    root = musicxml_writer.to_tree(replace(PLAIN.padded(4), lyrics=()), "parts")
    rest = next(note for note in root.iter("note") if note.find("rest") is not None)
    rest.append(ET.fromstring("<lyric><text>la</text></lyric>"))  # noqa: S314
    read = import_satb(musicxml_reader.from_bytes(ET.tostring(root)))
    assert (read.chorale.lyrics, read.report) == ((), ("lyrics were left out",))


def note(words: str, inside: str = "", length: int = 4) -> str:
    lyrics = "".join(
        f"<lyric number='{verse}'><text>{text}</text></lyric>"
        for verse, text in enumerate(words.split("/"), start=1)
        if text
    )
    pitch = "<pitch><step>C</step><octave>5</octave></pitch>"
    return f"<note>{inside}{pitch}<duration>{length}</duration>{lyrics}</note>"


def read_bars(*bars: str, before: str = "") -> tuple[list[str], tuple[str, ...]]:
    """Return the words of a melody in bars, as "1 la" at each of its steps, and the report."""
    measures = "".join(f"<measure>{bar}</measure>" for bar in bars)
    xml = f"<score-partwise>{before}<part id='P1'>{measures}</part></score-partwise>"
    xml = xml.replace("<measure>", "<measure><attributes><divisions>4</divisions></attributes>", 1)
    read = import_satb(musicxml_reader.from_bytes(xml.encode()))
    report = tuple(
        one for one in read.report if one != "it has only one voice, taken as the soprano"
    )
    return [f"{word.step} {word.verse} {word.text}" for word in read.chorale.lyrics], report


def test_a_word_under_a_tied_note_is_kept_with_a_note_of_its_own() -> None:
    tied = note("la/lo", "<tie type='start'/>", 8), note("/li", "<tie type='stop'/>", 8)
    assert read_bars("".join(tied)) == (
        ["0 1 la", "0 2 lo", "8 2 li"],
        ("notes with words were not tied to those before them in bar 1",),
    )


def test_a_word_of_a_grace_note_belongs_to_the_note_after_it() -> None:
    words, report = read_bars(note("la", "<grace/>", 1) + note("") + note("lo", length=12))
    assert words == ["0 1 la", "4 1 lo"]
    assert report == ("grace notes were left out in bar 1",)


def test_what_is_too_much_for_a_note_is_named_as_left_out() -> None:
    words = "/".join(f"la{verse}" for verse in range(1, 101))
    found, report = read_bars(note(words, length=16))
    assert (len(found), report) == (99, ("lyrics were left out",))
    assert read_bars(note(201 * "a", length=16)) == (
        [f"0 1 {200 * 'a'}"],
        ("lyrics were left out",),
    )


def test_a_long_word_of_ours_is_read_whole() -> None:
    """A text under too few notes stands under the last one."""
    piece = replace(PLAIN, lyrics=(Lyric(Voice.SOPRANO, 1, 0, 300 * "a"),))
    assert read_again(piece, "parts").chorale == piece


def test_a_second_word_of_a_verse_under_a_note_is_named_as_left_out() -> None:
    twice = note("Herr", length=16).replace(
        "</note>", "<lyric number='1'><text>Lord</text></lyric></note>"
    )
    assert read_bars(twice) == (["0 1 Herr"], ("lyrics were left out",))


@pytest.mark.parametrize(
    ("text", "report"),
    [("2. A block of words", ("text was left out",)), ("Air", ()), ("E. Bo", ())],
)
def test_verses_beside_the_notes_are_named_as_left_out(text: str, report: tuple[str, ...]) -> None:
    names = "<work><work-title>Air</work-title></work>"
    names += "<identification><creator type='composer'>E. Bo</creator></identification>"
    number = "<credit><credit-type>page number</credit-type><credit-words>1</credit-words></credit>"
    credit = f"<credit><credit-words>{text}</credit-words></credit>"
    found = read_bars(note("la", length=16), before=names + number + credit)
    assert found == (["0 1 la"], report)


BEGIN = "<barline location='left'><repeat direction='forward'/></barline>"
AGAIN = "<barline location='right'><repeat direction='backward'/></barline>"
FIRST, SECOND = (
    f"<barline location='left'><ending number='{n}' type='start'/></barline>{{}}"
    f"<barline location='right'><ending number='{n}' type='stop'/>{again}</barline>"
    for n, again in ((1, "<repeat direction='backward'/>"), (2, ""))
)


@pytest.mark.parametrize(
    ("bars", "words"),
    [
        # a bar form: the second line belongs to the second time
        ([BEGIN + note("a/b", length=16) + AGAIN, note("c", length=16)],
         ["0 1 a", "16 1 b", "32 1 c"]),
        # the whole piece twice: two verses; a refrain has the words of the first
        ([BEGIN + note("a/b", length=8) + note("c", length=8) + AGAIN],
         ["0 1 a", "8 1 c", "16 2 b", "24 2 c"]),
        # an ending has words of its time on either line
        ([BEGIN + note("a/b", length=16), FIRST.format(note("c", length=16)),
          SECOND.format(note("d", length=16))],
         ["0 1 a", "16 1 c", "32 2 b", "48 2 d"]),
        ([BEGIN + note("a/b", length=16), FIRST.format(note("c", length=16)),
          SECOND.format(note("/d", length=16)), note("e", length=16)],
         ["0 1 a", "16 1 c", "32 1 b", "48 1 d", "64 1 e"]),
        # verses that have all words are verses each time, and so are one or three verses
        ([BEGIN + note("a/b", length=16) + AGAIN, note("c/d", length=16)],
         ["0 1 a", "0 2 b", "16 1 a", "16 2 b", "32 1 c", "32 2 d"]),
        ([note("a", length=16) + AGAIN], ["0 1 a", "16 1 a"]),
        ([note("a/b/c", length=16) + AGAIN],
         ["0 1 a", "0 2 b", "0 3 c", "16 1 a", "16 2 b", "16 3 c"]),
    ],
)  # fmt: skip
def test_each_time_of_a_repeat_has_its_words(bars: list[str], words: list[str]) -> None:
    found, report = read_bars(*bars)
    assert sorted(found, key=lambda word: [*map(int, word.split()[:2])]) == words
    assert report == ("repeats were written out, from bar 1 on",)


def test_the_last_syllable_of_a_time_is_held_where_others_have_more() -> None:
    held = note("/b", length=8).replace("</text>", "</text><extend/>")
    bar = held.replace("<lyric", "<lyric number='1'><text>a</text></lyric><lyric", 1)
    found, _ = read_bars(BEGIN + bar + note("men", length=8) + AGAIN)
    assert sorted(found) == ["0 1 a", "16 2 b", "8 1 men"]


def test_words_of_chords_belong_to_the_highest_voice() -> None:
    """Both voices of a staff are one chord, like in a hymn for the organ."""
    root = musicxml_writer.to_tree(replace(PLAIN, lyrics=WORDS), "staves")
    upper = root.findall("part")[0]
    for measure in upper:
        notes = measure.findall("note")
        high, low = notes[: len(notes) // 2], notes[len(notes) // 2 :]
        for element in [*low, *measure.findall("backup")]:
            measure.remove(element)
        for below, above in zip(low, high, strict=True):
            below.insert(0, ET.Element("chord"))
            for stem in below.findall("stem"):
                below.remove(stem)
            measure.insert(list(measure).index(above) + 1, below)
            for voice in below.findall("voice"):
                voice.text = "1"

    read = import_satb(musicxml_reader.from_bytes(ET.tostring(root)))

    assert read.chorale.lyrics == WORDS
