"""MusicXML files of notation programs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import Chorale, Key, Meter, Voice
from musicrel.corpus import bundled
from musicrel.errors import FileError
from musicrel.score.importing import satb_import
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.importing.source import Source
from musicrel.score.musicxml import musicxml_reader, musicxml_writer
from musicrel.score.notes import Note, notes
from tests.helpers.music import minuet
from tests.unit.score.musicxml.foreign_scores import attributes, measure, note, score


def creators(**names: str) -> str:
    """Build an identification with creators by type."""
    listed = (f'<creator type="{kind}">{name}</creator>' for kind, name in names.items())
    return f"<identification>{''.join(listed)}</identification>"


def source(*parts: str, head: str = "", names: tuple[str, ...] = ()) -> Source:
    """Read such a score."""
    return musicxml_reader.from_bytes(score(*parts, head=head, names=names))


def reading(*parts: str, names: tuple[str, ...] = ()) -> ImportedPiece:
    """Import such a score as four voices."""
    return satb_import.import_satb(source(*parts, names=names))


METRONOME = (
    "<direction><direction-type><metronome><beat-unit>half</beat-unit><beat-unit-dot/>"
    "<per-minute>c. 40</per-minute></metronome></direction-type></direction>"
)
BACK_TO_BAR_LINE = "<backup><duration>16</duration></backup>"


@pytest.mark.parametrize("layout", ["parts", "staves"])
def test_our_own_files_are_read_exactly(layout: musicxml_writer.Layout) -> None:
    """Thirty bundled chorales, equal in every field, with an empty report."""
    for piece in [*bundled.load("valid")[:15], *bundled.load("test")[:15]]:
        again = satb_import.import_satb(
            musicxml_reader.from_bytes(musicxml_writer.to_xml(piece, layout).encode("utf-8"))
        )

        assert again == ImportedPiece(chorale=piece)


@pytest.mark.slow
def test_the_whole_corpus_is_read_exactly() -> None:
    """Every bundled chorale."""
    for piece in [piece for pieces in bundled.load_all().values() for piece in pieces]:
        xml = musicxml_writer.to_xml(piece).encode("utf-8")
        assert satb_import.import_satb(musicxml_reader.from_bytes(xml)).chorale == piece


def test_rests_repeats_provenance_and_title_are_preserved(hymn: Chorale) -> None:
    """Also a fermata that starts within a note."""
    again = satb_import.import_satb(
        musicxml_reader.from_bytes(musicxml_writer.to_xml(hymn).encode())
    ).chorale

    assert again == hymn


@pytest.mark.parametrize(
    ("head", "composer"),
    [
        (creators(composer=" Jörg\n B. "), "Jörg B."),
        (creators(Composer="A", poet="B", composer="C"), "A, C"),
        (creators(composer="A") + creators(composer="A"), "A"),
        ("<credit><credit-type>composer</credit-type><credit-words>D</credit-words></credit>", "D"),
        ("<credit><credit-type>lyricist</credit-type><credit-words>E</credit-words></credit>", ""),
        (creators(arranger="F"), ""),
    ],
)
def test_the_composer_is_the_creator_or_the_credit(head: str, composer: str) -> None:
    """On one line, each name once; lyricists and arrangers are none."""
    music = measure(attributes(), note("C4", 16))

    assert musicxml_reader.from_bytes(score(music, head=head)).composer == composer


def test_a_title_that_is_only_printed_is_read() -> None:
    """Some programs leave the work without a title."""
    credit = "<credit><credit-type>title</credit-type><credit-words>Air</credit-words></credit>"
    music = measure(attributes(), note("C4", 16))

    assert musicxml_reader.from_bytes(score(music, head=credit)).title == "Air"


def test_a_silent_voice_stays_silent() -> None:
    """The pickup is preserved as well."""
    piece = replace(minuet(), fermatas=minuet().fermatas & False)
    silent = piece.pitches.copy()
    silent[:, Voice.ALTO] = -1
    piece = Chorale.of(silent, meter=piece.meter, pickup=piece.pickup, key=piece.key)

    again = satb_import.import_satb(
        musicxml_reader.from_bytes(musicxml_writer.to_xml(piece).encode())
    ).chorale

    assert again == piece


def test_utf_16_is_supported(hymn: Chorale) -> None:
    """Some programs write it."""
    xml = musicxml_writer.to_xml(hymn).replace('encoding="UTF-8"', 'encoding="UTF-16"')

    assert musicxml_reader.from_bytes(xml.encode("utf-16")).title == hymn.title


def test_voices_of_two_staves_in_one_part() -> None:
    """A piano score with backup elements and numbered staves."""
    voices = [("C5", 1, 1), ("E4", 2, 1), ("G3", 5, 2), ("C3", 6, 2)]
    inside = BACK_TO_BAR_LINE.join(
        note(name, 16, f"<staff>{staff}</staff>", voice=voice) for name, voice, staff in voices
    )

    read = reading(measure(attributes(), inside))

    assert read.chorale.pitches[0].tolist() == [72, 64, 55, 48]
    assert read.report == ()


def test_a_part_of_chords_becomes_four_voices_by_pitch() -> None:
    """Hymns are often notated in chords."""
    chord = note("C5", 16) + "".join(note(name, 16, chord=True) for name in ("E4", "G4", "C3"))

    read = reading(measure(attributes(), chord))

    assert read.chorale.pitches[0].tolist() == [72, 67, 64, 48]
    assert read.report == ("voices were assigned by pitch and motion",)


def test_two_staves_with_chords_and_an_occasional_second_voice() -> None:
    """Lines that exist only in places are pooled."""
    upper = (
        note("C5", 8) + note("E4", 8, chord=True) + note("D5", 8) + BACK_TO_BAR_LINE
        + "<forward><duration>8</duration></forward>" + note("F4", 4, voice=2)
        + note("G4", 4, voice=2)
    )  # fmt: skip
    lower = note("G3", 16) + note("C3", 16, chord=True)

    read = reading(measure(attributes(), upper), measure(attributes(), lower))

    assert read.chorale.pitches[::4].tolist() == [
        [72, 64, 55, 48], [72, 64, 55, 48], [74, 65, 55, 48], [74, 67, 55, 48],
    ]  # fmt: skip


def test_an_organ_beside_four_named_voices_is_left_out() -> None:
    """The report names it."""
    bar = [measure(attributes(), note(name, 16)) for name in ("C3", "C5", "G4", "E4", "C2")]

    read = reading(*bar, names=("Bass (B)", "Soprano Solo", "Alt", "Tenor 1", "Organ"))

    assert read.chorale.pitches[0].tolist() == [72, 67, 64, 48]
    assert read.report == ("Organ was left out: only the four parts named after voices were kept",)


def test_ties_join_over_bar_lines_and_repeated_notes_stay_apart() -> None:
    """Tied notes are merged into one, also across several bars."""
    begin = '<tie type="start"/>'
    through = '<tie type="stop"/><tie type="start"/>'
    end = '<notations><tied type="stop"/></notations>'
    bars = [
        measure(attributes(), note("C5", 8), note("C5", 8, begin)),
        measure(note("C5", 16, through), number="2"),
        measure(note("C5", 4, end), note("C5", 12), number="3"),
    ]

    piece = reading("".join(bars)).chorale

    assert notes(piece, Voice.SOPRANO) == [Note(0, 8, 72), Note(8, 28, 72), Note(36, 12, 72)]


def test_divisions_may_change_and_triplets_are_named() -> None:
    """Bar 2 has 12 divisions per quarter."""
    bars = [
        measure(attributes(divisions=1), note("C5", 4)),
        measure(attributes(divisions=12), *[note("D5", 8)] * 6, number="2"),
    ]

    read = reading("".join(bars))

    assert [n.start for n in notes(read.chorale, Voice.SOPRANO)] == [0, 16, 19, 21, 24, 27, 29]
    assert read.report[0] == (
        "notes off the sixteenth-note grid (triplets?) were quantised in bar 2"
    )


def test_transposing_instruments_are_read_at_sounding_pitch() -> None:
    """A clarinet in B flat in D major sounds in C major; a tenor may sound an octave lower."""
    key = "<key><fifths>2</fifths><mode>major</mode></key>"
    clarinet = "<transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose>"
    tenor = "<transpose><chromatic>0</chromatic><octave-change>-1</octave-change></transpose>"

    found = source(
        measure(attributes(inside=key + clarinet), note("D5", 16)),
        measure(attributes(inside=tenor), note("G4", 16)),
    )

    assert [line.notes[0].pitch for line in found.lines] == [72, 55]
    assert found.key == Key("C", "major")


@pytest.mark.parametrize(
    ("fifths", "mode", "last", "key"),
    [
        (-1, "", "D3", Key("D", "minor")),
        (-1, "", "F3", Key("F", "major")),
        (0, "dorian", "D3", Key("D", "minor")),
        (1, "mixolydian", "D3", Key("D", "major")),
        (0, "locrian", "B3", Key("B", "minor")),
        (-7, "minor", "C3", Key("Ab", "minor")),
    ],
)
def test_a_signature_becomes_a_key(fifths: int, mode: str, last: str, key: Key) -> None:
    """The last note decides if the mode is missing."""
    named = f"<mode>{mode}</mode>" if mode else ""
    signature = f"<key><fifths>{fifths}</fifths>{named}</key>"

    assert source(measure(attributes(inside=signature), note(last, 16))).key == key


@pytest.mark.parametrize("implicit", [True, False])
def test_a_short_first_measure_is_the_pickup(implicit: bool) -> None:
    """With and without the ``implicit`` attribute."""
    piece = reading(
        measure(attributes(time="3/4"), note("G4", 4), number="0", implicit=implicit)
        + measure(note("C5", 12), number="1")
    ).chorale

    assert (piece.pickup, piece.meter) == (4, Meter(3, 4))


def test_grace_notes_cues_drums_and_repeats_are_named() -> None:
    """Each kind once, with its bars."""
    grace = "<note><grace/><pitch><step>D</step><octave>5</octave></pitch></note>"
    cue = "<note><cue/><rest/><duration>4</duration></note>"
    drum = "<note><unpitched/><duration>4</duration></note>"
    repeat = '<barline><repeat direction="backward"/></barline>'
    bars = [
        measure(attributes(), grace, note("C5", 16), number="7"),
        measure(note("C5", 8), cue, drum, repeat, number="8"),
        measure(grace, note("C5", 16), number="9"),
    ]

    read = reading("".join(bars))

    assert read.report == (
        "grace notes were left out in bars 7 and 9",
        "cue notes were left out in bar 8",
        "notes without a pitch were left out in bar 8",
        "repeats, endings and jumps in bar 8 were ignored, the bars were read in printed order",
        "it has only one voice, taken as the soprano",
    )


def test_fermatas_span_their_note_and_the_upper_voice_takes_precedence() -> None:
    """A later bass note under the same fermata does not extend it."""
    held = "<notations><fermata/></notations>"
    upper = measure(attributes(), note("C5", 8), note("C5", 8, held))
    lower = measure(attributes(), note("C3", 8, held), note("C3", 4), note("C3", 4, held))

    piece = reading(upper, lower).chorale

    assert piece.fermatas.tolist() == [True] * 16
    assert reading(upper).chorale.fermatas.tolist() == [False] * 8 + [True] * 8


def test_breath_marks_end_phrases_where_there_are_no_fermatas() -> None:
    """Hymnals use them in this way."""
    breath = "<notations><articulations><breath-mark/></articulations></notations>"

    piece = reading(measure(attributes(), note("C5", 12), note("C5", 4, breath))).chorale

    assert piece.fermatas.nonzero()[0].tolist() == [12, 13, 14, 15]


@pytest.mark.parametrize(
    ("direction", "tempo"),
    [
        ('<direction><sound tempo="66.5"/></direction>', 66.5),
        ('<sound tempo="66.5"/>', 66.5),
        (METRONOME, 120.0),
        ('<sound tempo="0"/>', 80.0),
        (METRONOME.replace("</direction>", '<sound tempo="0"/></direction>'), 120.0),
        ("<direction/>", 80.0),
    ],
)
def test_the_tempo_is_the_first_one_named(direction: str, tempo: float) -> None:
    """From ``sound`` or a metronome mark; 80 by default."""
    assert source(measure(attributes(), direction, note("C5", 16))).tempo == tempo


def test_bars_of_another_length_are_named() -> None:
    """An overlong bar shifts the following ones; the last may be short."""
    bars = [
        measure(attributes(), note("C5", 16)),
        measure(note("C5", 20), number="2"),
        measure(note("C5", 16), number="3"),
        measure(note("C5", 4), number="4"),
    ]

    report = reading("".join(bars)).report

    assert report[-1] == "bars 3 and 4 do not match the bar lines of 4/4"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"<html/>", "not a MusicXML score: its root element is 'html'"),
        (b"<score-partwise/>", "a score without measures"),
        (b"<score-timewise/>", "a score without measures"),
        (
            score(measure(*(attributes(d) + note("C5", 1) for d in (9973, 9967, 9949)))),
            "divisions are finer than any score needs",
        ),
    ],
)
def test_invalid_scores_are_refused(content: bytes, sentence: str) -> None:
    """The message names the invalid value."""
    with pytest.raises(FileError, match=sentence):
        musicxml_reader.from_bytes(content)


def test_parts_of_different_lengths_share_their_bar_lines() -> None:
    """A measure is as long as its longest part; a missing one is silent."""
    long = measure(attributes(), note("C5", 16)) + measure(note("D5", 16), number="2")
    short = measure(attributes(), note("C3", 4))

    found = source(long, short)

    assert [bar.start for bar in found.bar_lines] == [0, 16]
    assert {line.end for line in found.lines} == {32}
