"""MusicXML as other programs write it is read, and every change is reported."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import pytest

from musicrel.analysis.corpus import bundled
from musicrel.chorale import Key, Mark, Meter, Voice, spans
from musicrel.errors import FileError
from musicrel.score.importing import satb_import
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.importing.source import Source
from musicrel.score.musicxml import musicxml_reader, musicxml_writer
from musicrel.score.notes import Note, notes

HYMN: Final = (
    (67, 72, 74, 71, 72, 69, 66, 67),
    (62, 64, 66, 67, 64, 64, 62, 62),
    (59, 60, 57, 62, 60, 60, 57, 59),
    (55, 48, 50, 55, 48, 52, 50, 43),
)
"""Two bars in G major, in quarters: S, A, T, B."""
VOICES: Final = ("Soprano", "Alto", "Tenor", "Bass")
BACK: Final = "<backup><duration>16</duration></backup>"
IN_BAR_2: Final = r'(number="2">)'
ODD: Final = r"\1<attributes>{}</attributes>"
_NAMES: Final = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")


def hymn() -> str:
    parts = []
    for line in HYMN:
        notes = [note(name(pitch), 4, "<type>quarter</type>") for pitch in line]
        key = "<key><fifths>1</fifths><mode>major</mode></key>"
        first = measure(attributes(inside=key), *notes[:4])
        parts.append(first + measure(*notes[4:], number="2"))
    return score(*parts, names=VOICES).decode()


def name(pitch: int) -> str:
    return f"{_NAMES[pitch % 12]}{pitch // 12 - 1}"


def score(*parts: str, head: str = "", names: tuple[str, ...] = ()) -> bytes:
    """Build a score; each of ``parts`` is the content of a part."""
    listed = "".join(
        f'<score-part id="P{number}"><part-name>{name}</part-name></score-part>'
        for number, name in enumerate(names or ("",) * len(parts))
    )
    music = "".join(f'<part id="P{n}">{part}</part>' for n, part in enumerate(parts))
    return (
        '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE score-partwise PUBLIC '
        '"-//Recordare//DTD MusicXML 4.0 Partwise//EN" '
        '"http://www.musicxml.org/dtds/partwise.dtd">'
        f"<score-partwise>{head}<part-list>{listed}</part-list>{music}</score-partwise>"
    ).encode()


def measure(*inside: str, number: str = "1", implicit: bool = False) -> str:
    pickup = ' implicit="yes"' if implicit else ""
    return f'<measure number="{number}"{pickup}>{"".join(inside)}</measure>'


def attributes(divisions: int = 4, time: str = "4/4", inside: str = "") -> str:
    beats, unit = time.split("/")
    return (
        f"<attributes><divisions>{divisions}</divisions>{inside}<time><beats>{beats}</beats>"
        f"<beat-type>{unit}</beat-type></time></attributes>"
    )


def note(name: str, duration: int, inside: str = "", *, chord: bool = False, voice: int = 1) -> str:
    """Build a note such as C4 or F#4, or a rest, named R."""
    pitch = "<rest/>"
    if name != "R":
        alter = "<alter>1</alter>" if "#" in name else ""
        pitch = f"<pitch><step>{name[0]}</step>{alter}<octave>{name[-1]}</octave></pitch>"
    together = "<chord/>" if chord else ""
    return (
        f"<note>{together}{pitch}<duration>{duration}</duration><voice>{voice}</voice>{inside}"
        "</note>"
    )


def read(text: str | bytes) -> ImportedPiece:
    content = text if isinstance(text, bytes) else text.encode()
    return satb_import.import_satb(musicxml_reader.from_bytes(content))


def pitches(piece: ImportedPiece) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(note.pitch for note in notes(piece.chorale, voice)) for voice in Voice)


def nth(text: str, pattern: str, new: str, index: int = 0) -> str:
    """Replace the match of ``pattern`` at ``index`` (from 0)."""
    found = list(re.finditer(pattern, text))[index]
    return text[: found.start()] + found.expand(new) + text[found.end() :]


def one_line(*bars: str, **of_attributes: str) -> str:
    first = attributes(**of_attributes)  # type: ignore[arg-type]
    numbered = [measure(first * (n == 0), bar, number=str(n + 1)) for n, bar in enumerate(bars)]
    return score("".join(numbered)).decode()


FERMATA = "<notations><fermata/></notations>"
HELD_BAR_LINE = '<barline location="right"><fermata/></barline>'
BESIDE = "</note>{}<note><rest/><duration>0</duration>"
CHORD_SYMBOL = "<harmony><root><root-step>C</root-step></root><kind>major</kind></harmony>"
WORDS = (
    "<direction><direction-type><words>dolce</words></direction-type>"
    "<direction-type><dynamics><p/></dynamics></direction-type></direction>"
)


def sound(tempo: float) -> str:
    return f'<sound tempo="{tempo:g}"/>'


def transpose(semitones: int, staff: str = "", inside: str = "") -> str:
    return f"<transpose{staff}><chromatic>{semitones}</chromatic>{inside}</transpose>"


def test_the_hymn_is_read_exactly() -> None:
    piece = read(hymn())
    assert (pitches(piece), piece.report) == (HYMN, ())


@pytest.mark.parametrize(
    ("pattern", "new", "bar"),
    [
        (r"<time>.*?</time>", "<time><beats>3</beats><beat-type>32</beat-type></time>", "1"),
        (IN_BAR_2, ODD.format("<time><beats>0</beats><beat-type>4</beat-type></time>"), "2"),
        (IN_BAR_2, ODD.format("<time><beats>3/4</beats></time>"), "2"),
        (IN_BAR_2, ODD.format("<key><fifths>18</fifths></key>"), "2"),
        (IN_BAR_2, ODD.format("<key><fifths>G</fifths></key>"), "2"),
        (IN_BAR_2, ODD.format("<transpose/>"), "2"),
        (IN_BAR_2, ODD.format("<time><senza-misura/></time>"), ""),
        (r"(<voice>1</voice>)", r"\1<staff>upper</staff>", ""),
    ],
)  # fmt: skip
def test_an_odd_element_does_not_refuse_the_piece(pattern: str, new: str, bar: str) -> None:
    clause = f"a key, meter or transposition that cannot be used was ignored in bar {bar}"
    piece = read(nth(hymn(), pattern, new))
    assert (pitches(piece), piece.report) == (HYMN, (clause,) if bar else ())
    assert (piece.chorale.meter, piece.chorale.key) == (Meter(4, 4), Key("G", "major"))


@pytest.mark.parametrize(
    "pitch",
    [
        "<step>H</step><octave>4</octave>", "<step>C</step><octave>99</octave>",
        "<step>C</step><octave>x</octave>", "<step/><octave>4</octave>",
    ],
)  # fmt: skip
def test_a_note_without_a_valid_pitch_is_left_out(pitch: str) -> None:
    piece = read(nth(hymn(), "<step>.*?</octave>", pitch, 4))
    assert pitches(piece) == ((*HYMN[0][:4], *HYMN[0][5:]), *HYMN[1:])
    assert notes(piece.chorale, Voice.SOPRANO)[4] == Note(20, 4, 69)
    assert piece.report == ("notes whose pitch cannot be read were left out in bar 2",)


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ('<tie type="start"/>', "", True),
        ('<notations><tied type="start"/></notations>', "", True),
        ('<notations><tied type="continue"/></notations>', "", True),
        ('<tie type="start"/>', '<tie type="stop"/>', True),
        ('<notations><tied type="let-ring"/></notations>', "", False),
        ("", '<tie type="stop"/>', True),
        ("", '<notations><tied type="stop"/></notations>', True),
        ("", "", False),
    ],
)
def test_a_tie_ends_at_the_next_note_of_its_voice(first: str, second: str, joined: bool) -> None:
    """Some programs write only its beginning or its end; another pitch or voice does not count."""
    whole = [Note(0, 12, 72), Note(12, 20, 71)]
    apart = [Note(0, 12, 72), Note(12, 4, 71), Note(16, 16, 71)]
    upper = note("C5", 12) + note("B4", 4, first)
    lower = BACK + note("B4", 16, voice=2)
    other = BACK + note("B4", 16, voice=2) + BACK + note("D4", 16, voice=3) * 2

    alone = read(one_line(upper, note("B4", 16, second))).chorale
    beside = musicxml_reader.from_bytes(
        one_line(upper + lower, note("A4", 16, second) + other).encode()
    )

    assert notes(alone, Voice.SOPRANO) == (whole if joined else apart)
    assert [len(line.notes) for line in beside.lines] == [3, 2, 2]


def test_two_voices_may_tie_the_same_pitch() -> None:
    bars = [
        BACK.join(note("G4", 16, f'<tie type="{kind}"/>', voice=voice) for voice in (1, 2))
        for kind in ("start", "stop")
    ]
    lines = musicxml_reader.from_bytes(one_line(*bars).encode()).lines
    assert [[(n.start, n.stop) for n in line.notes] for line in lines] == [[(0, 32)], [(0, 32)]]


@pytest.mark.parametrize(
    ("rests", "pickup", "clause"),
    [
        ([12], 4, "3 quarters of silence before the first note were removed"),
        ([14], 2, "3.5 quarters of silence before the first note were removed"),
        ([16, 12], 4, "1.75 bars of silence before the first note were removed"),
        ([16], 0, "a bar of silence before the first note was removed"),
        ([4], 12, "a quarter of silence before the first note was removed"),
    ],
)
def test_rests_before_the_first_note_are_removed(
    rests: Sequence[int], pickup: int, clause: str
) -> None:
    bars = [note("R", rest) for rest in rests]
    bars[-1] += note("G4", pickup) if pickup else ""

    piece = read(one_line(*bars, note("G4", 16)))

    assert (piece.chorale.pickup, piece.chorale.steps) == (pickup, pickup + 16)
    assert clause in piece.report


def test_changes_of_key_are_kept_at_bar_lines() -> None:
    def key(fifths: int, mode: str = "major") -> str:
        return f"<attributes><key><fifths>{fifths}</fifths><mode>{mode}</mode></key></attributes>"

    bar = note("G4", 16)
    changes = [key(1), key(1), key(2), note("R", 8) + key(-1, "minor")]
    upper = one_line(*(change + bar for change in changes))

    piece = read(upper)

    assert [str(piece.chorale.key_at(step)) for step in (0, 31, 32, 64)] == [
        "G major", "G major", "D major", "D minor",
    ]  # fmt: skip
    assert piece.chorale.marks[-1].start == 64
    assert "key changes within bar 4 were moved to the nearest bar line" in piece.report


def direction(words: str, inside: str = "") -> str:
    return f"<direction><direction-type><words>{words}</words></direction-type>{inside}</direction>"


@pytest.mark.parametrize(
    ("bars", "slowings", "sentences"),
    [
        # a word alone, up to the tempo that returns
        (["", direction("rit."), direction("a tempo")], [(16, 32, 75.0)], 1),
        (["", direction("poco rallentando"), "", ""], [(16, 48, 75.0)], 1),
        # with tempos, which need not be seen
        (
            [sound(80), direction("Rit.") + sound(70), sound(60), direction("Tempo I", sound(80))],
            [(16, 48, 75.0)],
            0,
        ),
        (
            [sound(80), direction("Rit"), sound(60), direction("a tempo", sound(120))],
            [(16, 48, 75.0)],
            0,
        ),
    ],
)
def test_a_ritardando_lasts_until_the_tempo_returns(
    bars: list[str], slowings: list[tuple[int, int, float]], sentences: int
) -> None:
    piece = read(one_line(*(bar + note("G4", 16) for bar in bars)))

    found = [m for m in piece.chorale.marks if m.kind == "slowing"]
    assert [(m.start, m.stop, m.value) for m in found] == slowings
    assert len([line for line in piece.report if "ritardando" in line]) == sentences


@pytest.mark.parametrize(
    ("alter", "pitch", "reported"),
    [
        ("0.5", 66, True), ("1.5", 67, True), ("-0.5", 64, True), ("-1.5", 63, True),
        ("0.25", 65, True), ("-0.75", 64, True), ("1.0", 66, False), ("", 65, False),
    ],
)  # fmt: skip
def test_quarter_tones_become_semitones(alter: str, pitch: int, reported: bool) -> None:
    bar = note("F4", 16).replace("</step>", f"</step><alter>{alter}</alter>")
    piece = read(one_line(bar))
    assert pitches(piece)[0] == (pitch,)
    assert ("quarter tones were rounded to semitones in bar 1" in piece.report) == reported


def test_hairpins_of_the_parts_are_read_once_and_one_without_an_end_is_named() -> None:
    text = hymn()
    # notes of the soprano, the alto and the bass, each of eight
    ends = [(1, "crescendo"), (5, "stop"), (9, "crescendo"), (13, "stop"), (30, "diminuendo")]
    for note_index, kind in reversed(ends):
        inside = f'<direction><direction-type><wedge type="{kind}"/></direction-type></direction>'
        text = nth(text, "<note>", f"{inside}<note>", note_index)

    piece = read(text)

    hairpin = Mark(kind="hairpin", start=4, stop=20, value="crescendo")
    assert (piece.chorale.marks, piece.report) == ((hairpin,), ("hairpins were left out",))


@pytest.mark.parametrize(
    ("inside", "clause"),
    [
        ("<lyric><text>la</text></lyric>" * 2, ""),
        ("<notations><slur type='start'/></notations>", ""),
        ("<notations><ornaments><trill-mark/></ornaments></notations>", "ornaments were left out"),
        ("<notations><ornaments><tremolo/></ornaments></notations>", "ornaments were left out"),
        ("<notations><arpeggiate/></notations>", "ornaments were left out"),
        ("<notations><non-arpeggiate/></notations>", "ornaments were left out"),
        ("<notations><glissando/></notations>", "ornaments were left out"),
        (
            "<notations><technical><up-bow/></technical></notations>",
            "playing techniques were left out",
        ),
        (
            BESIDE.format(WORDS.replace("<words>dolce</words>", "<pedal/>")),
            "pedal marks were left out",
        ),
        (
            "<notations><articulations><staccato/></articulations></notations>",
            "articulations were left out",
        ),
        ("<notations><articulations><breath-mark/></articulations></notations>", ""),
        ("<beam number='1'>begin</beam><accidental>sharp</accidental>", ""),
        (BESIDE.format(CHORD_SYMBOL), "chord symbols were left out"),
        (BESIDE.format("<harmony><function>V</function><kind>none</kind></harmony>"), ""),
        (BESIDE.format("<figured-bass/>"), "figured bass was left out"),
        ("<lyric/>" + BESIDE.format(WORDS), "text was left out"),
        (BESIDE.format(WORDS.replace("<p/>", "<sf/>")), "dynamics and text were left out"),
        (
            BESIDE.format(WORDS.replace("<dynamics><p/></dynamics>", "<wedge/>")),
            "hairpins and text were left out",
        ),
    ],
)
def test_what_a_chorale_has_no_place_for_is_named(inside: str, clause: str) -> None:
    piece = read(nth(hymn(), "(</type>)", r"\1" + inside, 2))
    assert (pitches(piece), piece.report) == (HYMN, (clause,) if clause else ())


@pytest.mark.parametrize(
    ("part", "bar_line", "index", "held"),
    [
        (0, HELD_BAR_LINE, 1, [(28, 32)]), (3, HELD_BAR_LINE, 0, [(12, 16)]),
        (0, "<barline><fermata/></barline>", 0, [(12, 16)]),
    ],
)  # fmt: skip
def test_a_fermata_on_a_bar_line_holds_what_ends_there(
    part: int, bar_line: str, index: int, held: list[tuple[int, int]]
) -> None:
    piece = read(nth(hymn(), "(</measure>)", bar_line + r"\1", 2 * part + index))
    assert spans(piece.chorale.fermatas) == held


@pytest.mark.parametrize(
    ("bars", "held"),
    [
        ([note("G4", 12), HELD_BAR_LINE.replace("right", "left") + note("A4", 16)], [(0, 12)]),
        ([note("G4", 8) + HELD_BAR_LINE.replace("right", "middle") + note("A4", 8)], [(0, 8)]),
        ([note("G4", 8) + note("R", 8, FERMATA)], [(8, 16)]),
        ([note("G4", 8, FERMATA) + note("R", 8, FERMATA)], [(0, 8)]),
        ([note("G4", 8) + note("R", 8) + HELD_BAR_LINE], [(8, 16)]),
        ([note("G4", 16, '<tie type="start"/>') + HELD_BAR_LINE, note("G4", 8) + note("A4", 8)],
         [(0, 24)]),
    ],
)  # fmt: skip
def test_fermatas_within_bars_and_on_rests(bars: list[str], held: list[tuple[int, int]]) -> None:
    assert spans(read(one_line(*bars)).chorale.fermatas) == held


@pytest.mark.parametrize(
    ("attribute", "shifts"),
    [
        (transpose(-12, ' number="2"'), (0, -12)),
        (transpose(0, ' number="1"', "<octave-change>1</octave-change>"), (12, 0)),
        (transpose(-12), (-12, -12)),
        (transpose(2) + transpose(-2, ' number="2"'), (2, -2)),
    ],
)
def test_a_transposition_is_that_of_its_staff(attribute: str, shifts: tuple[int, int]) -> None:
    voices = [(67, 1, 1), (62, 2, 1), (59, 5, 2), (55, 6, 2)]
    inside = BACK.join(note(name(p), 16, f"<staff>{s}</staff>", voice=v) for p, v, s in voices)
    text = one_line(inside, inside=attribute + "<key><fifths>1</fifths></key>")

    piece = read(text)

    assert pitches(piece) == tuple((p + shifts[s - 1],) for p, _, s in voices)


@pytest.mark.parametrize(
    ("upper", "lower", "found"),
    [
        ([(67, 62), (67,), (72, 64), (71, 62)], [(59, 55), (60, 48), (60, 48), (59, 55)],
         ((67, 67, 72, 71), (62, 67, 64, 62), (59, 60, 60, 59), (55, 48, 48, 55))),
        ([(67,), (69, 64), (72, 64), (71, 62)], [(59, 55), (57, 48), (60, 48), (55,)],
         ((67, 69, 72, 71), (67, 64, 64, 62), (59, 57, 60, 55), (55, 48, 48, 55))),
        ([(74,), (76,), (77,), (74,)], [(59, 55), (57, 48), (60, 48), (59, 55)],
         ((74, 76, 77, 74), (), (59, 57, 60, 59), (55, 48, 48, 55))),
    ],
)  # fmt: skip
def test_a_single_note_in_a_hymn_of_chords_is_a_unison(
    upper: list[tuple[int, ...]],
    lower: list[tuple[int, ...]],
    found: tuple[tuple[int, ...], ...],
) -> None:
    parts = [
        measure(
            attributes(),
            *(note(name(p), 4, chord=n > 0) for chord in chords for n, p in enumerate(chord)),
        )
        for chords in (upper, lower)
    ]
    piece = read(score(*parts))
    assert pitches(piece) == found
    assert any("given to both of its voices" in c for c in piece.report) == (found[1] != ())


def test_control_characters_in_texts_are_stripped() -> None:
    head = "<work><work-title>A\x01\x0bve &#x2;Maria</work-title></work>"
    text = hymn().replace("<part-list>", head + "<part-list>").replace("Bass<", "Bass\0<")
    piece = read(text)
    assert (piece.chorale.title, pitches(piece), piece.report) == ("Ave Maria", HYMN, ())


def test_a_timewise_score_is_read_as_a_partwise_one() -> None:
    bars = re.findall("<measure.*?</measure>", hymn())
    columns = [
        "".join(f'<part id="P{p}">{re.sub("</?measure[^>]*>", "", bars[2 * p + n])}</part>'
                for p in range(4) if (n, p) != (1, 3))
        for n in range(2)
    ]  # fmt: skip
    listed = hymn()[hymn().index("<part-list") : hymn().index("<part id")]
    timewise = "".join(f'<measure number="{n + 1}">{c}</measure>' for n, c in enumerate(columns))

    piece = read(f"<score-timewise>{listed}{timewise}</score-timewise>")

    assert pitches(piece) == (*HYMN[:3], HYMN[3][:4])
    assert piece.report == ()


@pytest.mark.parametrize(
    ("kind", "length"),
    [
        ("<type>half</type>", 8), ("<type>quarter</type><dot/>", 6), ("<type>16th</type>", 1),
        ("<type>quarter</type><dot/><dot/>", 7), ("<duration>x</duration><type>whole</type>", 16),
    ],
)  # fmt: skip
def test_a_note_without_a_duration_has_that_of_its_type(kind: str, length: int) -> None:
    bar = note("G4", 4).replace("<duration>4</duration>", kind) + note("A4", 4)
    piece = read(one_line(bar + note("R", 12 - length) * (length < 12)))
    assert notes(piece.chorale, Voice.SOPRANO)[:2] == [Note(0, length, 67), Note(length, 4, 69)]


def test_triplets_and_whole_rests_without_durations() -> None:
    triplet = (
        "<note><pitch><step>G</step><octave>4</octave></pitch><type>eighth</type>"
        "<time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes>"
        "</time-modification></note>"
    )
    rest = '<note><rest measure="yes"/></note>'

    source = musicxml_reader.from_bytes(one_line(triplet * 3 + note("A4", 12), rest).encode())

    assert source.lines[0].notes[3].start == 4
    assert source.lines[0].end == 32


@pytest.mark.parametrize(
    ("lengths", "clause"),
    [
        ([16, 12, 4, 16], ""),  # the upbeat of a second half
        ([4, 16, 12, 4, 16, 12], ""),  # with a pickup
        ([16, 4, 8, 4, 16], ""),
        ([16, 12, 4], ""),
        ([16, 20, 16, 16], "bars 3 and 4 do not match the bar lines of 4/4"),
        ([16, 12, 16, 4], "bars 3 and 4 do not match the bar lines of 4/4"),
        ([16, 20, 12, 16], "bar 3 does not match the bar lines of 4/4"),
    ],
)
def test_measures_that_are_one_bar_together_are_no_oddity(
    lengths: Sequence[int], clause: str
) -> None:
    piece = read(one_line(*(note("G4", length) for length in lengths)))
    one_voice = "it has only one voice, taken as the soprano"
    assert piece.report == tuple(filter(None, (one_voice, clause)))


DURATION = "<duration>.*?</duration>"
TIMELESS = "notes of zero length were left out in bar 2"
DAMAGED = "damaged events were ignored in bar{}"
TEMPO = "tempos outside 5 to 600 quarters a minute were ignored in bar 2"


@pytest.mark.parametrize("duration", ["0", "-4", "0.0", "x", "1e300", ""])
def test_a_duration_that_none_can_have_counts_as_missing(duration: str) -> None:
    text = nth(hymn(), DURATION, f"<duration>{duration}</duration>", 4)
    whole, cut = read(text), read(nth(text, "<type>.*?</type>", "", 4))

    assert (pitches(whole), whole.report) == (HYMN, ())
    assert pitches(cut) == ((*HYMN[0][:4], *HYMN[0][5:]), *HYMN[1:])
    assert cut.report == (TIMELESS,)


def test_a_chord_whose_first_note_is_left_out_keeps_its_place() -> None:
    chord = note("G4", 0) + note("E4", 4, chord=True) + note("C4", 4, chord=True)
    lines = musicxml_reader.from_bytes(one_line(chord + note("A4", 12)).encode()).lines
    assert lines[0].notes == ((0, 4, 60), (0, 4, 64), (4, 16, 69))


@pytest.mark.parametrize(
    "tempo",
    [
        *(f'<sound tempo="{t}"/>' for t in ("2", "700", "1e999", "0", "-5", "nan", "fast", "")),
        *(
            f"<direction><direction-type><metronome><beat-unit>{unit}</beat-unit>"
            f"<per-minute>{text}</per-minute></metronome></direction-type></direction>"
            for unit, text in (("quarter", "1000"), ("whole", "200"), ("quarter", "fast"))
        ),
    ],
)
def test_a_tempo_that_a_piece_cannot_have_is_ignored(tempo: str) -> None:
    piece = read(nth(hymn(), IN_BAR_2, r"\1" + tempo))
    assert (pitches(piece), piece.chorale.tempo, piece.report) == (HYMN, 80, (TEMPO,))


@pytest.mark.parametrize(
    ("pattern", "new", "index", "where"),
    [
        ("<backup>.*?</backup>", "<backup><duration>-16</duration></backup>", 0, " 1"),
        ("<backup>.*?</backup>", "<backup/>", 1, " 2"),
        ("<backup>.*?</backup>", "<backup><duration>x</duration></backup>", 1, " 2"),
        (IN_BAR_2, r"\1<forward/>", 0, " 2"),
        (IN_BAR_2, r"\1<forward><duration>-4</duration></forward>", 0, " 2"),
        (IN_BAR_2, ODD.format("<divisions>0</divisions>"), 0, " 2"),
        (IN_BAR_2, ODD.format("<divisions>many</divisions>"), 1, " 2"),
        ("<divisions>.*?</divisions>", "<divisions>0</divisions>", 1, "s 1 and 2"),
        ("<divisions>.*?</divisions>", "<divisions/>", 0, "s 1 and 2"),
        ("<divisions>.*?</divisions>", "<divisions>-4</divisions>", 0, "s 1 and 2"),
    ],
)
def test_times_that_cannot_be_read_are_ignored(
    pattern: str, new: str, index: int, where: str
) -> None:
    bars = re.findall("<measure.*?</measure>", hymn())
    staves = [
        "".join(
            bars[upper + n].replace("</measure>", BACK)
            + re.sub("^.*?(?=<note>)", "", bars[upper + 2 + n]).replace(">1</v", ">2</v")
            for n in range(2)
        )
        for upper in (0, 4)
    ]
    piece = read(nth(score(*staves).decode(), pattern, new, index))
    assert (pitches(piece), piece.report) == (HYMN, (DAMAGED.format(where),))


@pytest.mark.parametrize(
    ("mode", "key"),
    [
        ("dorian", "A minor"), ("Phrygian", "B minor"), ("lydian", "C major"),
        ("mixolydian", "D major"), ("aeolian", "E minor"), ("ionian", "G major"),
        ("locrian", "F# minor"), ("dorisch", "G major"), ("none", ""), ("major", ""),
    ],
)  # fmt: skip
def test_another_mode_than_major_and_minor_is_named(mode: str, key: str) -> None:
    piece = read(hymn().replace("<mode>major", f"<mode>{mode}"))
    clause = f"the mode {mode.lower()} of its key was read as {key}"
    assert (pitches(piece), piece.report) == (HYMN, (clause,) if key else ())


_CREATOR = "<identification><creator type='{}'>A</creator></identification>"


@pytest.mark.parametrize(
    ("head", "clause"),
    [
        (_CREATOR.format("composer"), ""),
        (_CREATOR.format("lyricist"), ""),
        (_CREATOR.format("arranger"), "arranger was left out"),
        (_CREATOR.format("editor"), "other names were left out"),
        (("<work><work-number>BWV 1</work-number><work-title>A</work-title></work>"
         "<movement-number>6</movement-number><movement-title>B</movement-title>"
         "<identification><creator type='poet'>C</creator><rights>D</rights></identification>"),
         "movement title, movement number and work number were left out"),
        (("<work><work-number/><work-title>A</work-title></work><movement-title>A</movement-title>"
         "<identification><rights/></identification>"), ""),
    ],
)  # fmt: skip
def test_names_numbers_and_rights_of_a_work_are_named(head: str, clause: str) -> None:
    piece = read(hymn().replace("<part-list>", f"{head}<part-list>", 1))
    assert (pitches(piece), piece.report) == (HYMN, (clause,) if clause else ())


def creators(**names: str) -> str:
    listed = (f'<creator type="{kind}">{name}</creator>' for kind, name in names.items())
    return f"<identification>{''.join(listed)}</identification>"


def source(*parts: str, head: str = "", names: tuple[str, ...] = ()) -> Source:
    return musicxml_reader.from_bytes(score(*parts, head=head, names=names))


def reading(*parts: str, names: tuple[str, ...] = ()) -> ImportedPiece:
    return satb_import.import_satb(source(*parts, names=names))


METRONOME = (
    "<direction><direction-type><metronome><beat-unit>half</beat-unit><beat-unit-dot/>"
    "<per-minute>c. 40</per-minute></metronome></direction-type></direction>"
)


def test_the_whole_corpus_is_read_exactly() -> None:
    for piece in [piece for pieces in bundled.load_all().values() for piece in pieces]:
        xml = musicxml_writer.to_xml(piece).encode("utf-8")
        assert satb_import.import_satb(musicxml_reader.from_bytes(xml)).chorale == piece


def test_subtitle_poet_copyright_and_tune_are_read() -> None:
    head = (
        "<identification><creator type='poet'>P. G.</creator><rights>© 1900</rights><miscellaneous>"
        "<miscellaneous-field name='tune'>ASSAM</miscellaneous-field></miscellaneous>"
        "</identification><credit><credit-type>subtitle</credit-type>"
        "<credit-words>For choir</credit-words></credit>"
    )
    found = source(measure(attributes(), note("C4", 16)), head=head)
    lines = (found.subtitle, found.poet, found.copyright, found.tune)
    assert lines == ("For choir", "P. G.", "© 1900", "ASSAM")


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
    music = measure(attributes(), note("C4", 16))
    assert musicxml_reader.from_bytes(score(music, head=head)).composer == composer


def test_a_title_that_is_only_printed_is_read() -> None:
    credit = "<credit><credit-type>title</credit-type><credit-words>Air</credit-words></credit>"
    music = measure(attributes(), note("C4", 16))
    assert musicxml_reader.from_bytes(score(music, head=credit)).title == "Air"


def test_divisions_may_change_and_triplets_are_named() -> None:
    bars = [
        measure(attributes(divisions=1), note("C5", 4)),
        measure(attributes(divisions=12), *[note("D5", 8)] * 6, number="2"),
    ]
    read = reading("".join(bars))
    assert [n.start for n in notes(read.chorale, Voice.SOPRANO)] == [0, 16, 19, 21, 24, 27, 29]
    assert read.report[0] == (
        "notes off the sixteenth-note grid (triplets?) were quantised in bar 2"
    )


@pytest.mark.parametrize(
    ("fifths", "mode", "last", "key"),
    [
        (-1, "", "D3", Key("D", "minor")), (-1, "", "F3", Key("F", "major")),
        (0, "dorian", "D3", Key("D", "minor")), (1, "mixolydian", "D3", Key("D", "major")),
        (0, "locrian", "B3", Key("B", "minor")), (-7, "minor", "C3", Key("Ab", "minor")),
    ],
)  # fmt: skip
def test_a_signature_becomes_a_key(fifths: int, mode: str, last: str, key: Key) -> None:
    named = f"<mode>{mode}</mode>" if mode else ""
    signature = f"<key><fifths>{fifths}</fifths>{named}</key>"
    assert source(measure(attributes(inside=signature), note(last, 16))).key == key


@pytest.mark.parametrize("implicit", [True, False])
def test_a_short_first_measure_is_the_pickup(implicit: bool) -> None:
    piece = reading(
        measure(attributes(time="3/4"), note("G4", 4), number="0", implicit=implicit)
        + measure(note("C5", 12), number="1")
    ).chorale
    assert (piece.pickup, piece.meter) == (4, Meter(3, 4))


START = '<barline location="left"><repeat direction="forward"/></barline>'
END = '<barline location="right"><repeat direction="backward"{}/></barline>'


def ending(numbers: str, bar: str, *, repeats: bool = False) -> str:
    inside = '<repeat direction="backward"/>' if repeats else ""
    return (
        f'<barline location="left"><ending number="{numbers}" type="start"/></barline>{bar}'
        f'<barline location="right"><ending number="{numbers}" type="stop"/>{inside}</barline>'
    )


A, B, C, D = (note(f"{letter}4", 16) for letter in "ABCD")


@pytest.mark.parametrize(
    ("bars", "played"),
    [
        ([A, B + END.format(""), C], "ABABC"),
        ([A, START + B + END.format(""), C], "ABBC"),
        ([A + END.format(""), B + END.format(' times="3"'), C], "AABBBC"),
        ([A, ending("1", B, repeats=True), ending("2", C), D], "ABACD"),
        ([A, ending("1", B, repeats=True), C, D + END.format("")], "ABACDCD"),
        ([A, ending("1, 2", B, repeats=True), ending("3", C), D], "ABABACD"),
        ([A, ending("1", B, repeats=True), ending("3", C), D], "ABACD"),
        ([START + A, B + END.format(""), START + C, D + END.format("")], "ABABCDCD"),
        ([START + A, B], "AB"),
    ],
)
def test_repeats_and_their_endings_are_written_out(bars: list[str], played: str) -> None:
    piece = read(one_line(*bars))

    soprano = notes(piece.chorale, Voice.SOPRANO)
    assert [name(note.pitch)[0] for note in soprano] == [*played]
    is_longer = len(played) > len(bars)
    assert any("repeats were written out, from bar" in line for line in piece.report) == is_longer


def test_a_passage_is_repeated_in_the_key_and_tempo_that_it_began_in() -> None:
    key = "<attributes><key><fifths>{}</fifths><mode>major</mode></key></attributes>"
    bars = [
        key.format(1) + sound(60) + A, START + B, key.format(3) + sound(90) + C + END.format(""), D,
    ]  # fmt: skip
    piece = read(one_line(*bars)).chorale

    starts = range(0, 96, 16)
    assert [piece.tempo_at(step) for step in starts] == [60, 60, 90, 60, 90, 90]
    assert [str(piece.key_at(step))[0] for step in starts] == [*"GGAGAA"]


def test_a_repeat_to_a_pickup_completes_the_bar_before_it() -> None:
    pickup = measure(attributes(), note("A4", 4), number="0", implicit=True)
    short = measure(note("C5", 12) + END.format(""), number="2")
    after = measure(note("D5", 4), number="2", implicit=True) + measure(D, number="3")
    piece = read(score(pickup + measure(B) + short + after, names=("Soprano",)))

    assert piece.chorale.pickup == 4
    starts = [note.start for note in notes(piece.chorale, Voice.SOPRANO)]
    assert starts == [0, 4, 20, 32, 36, 52, 64, 68]
    assert not any("match the bar lines" in line for line in piece.report)


def test_grace_notes_cues_drums_and_repeats_are_named() -> None:
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
        "repeats were written out, from bar 7 on",
        "it has only one voice, taken as the soprano",
    )


def test_fermatas_span_their_note_and_the_upper_voice_takes_precedence() -> None:
    held = "<notations><fermata/></notations>"
    upper = measure(attributes(), note("C5", 8), note("C5", 8, held))
    lower = measure(attributes(), note("C3", 8, held), note("C3", 4), note("C3", 4, held))

    piece = reading(upper, lower).chorale

    assert piece.fermatas.tolist() == [True] * 16
    assert reading(upper).chorale.fermatas.tolist() == [False] * 8 + [True] * 8


def test_breath_marks_end_phrases_where_there_are_no_fermatas() -> None:
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
    assert source(measure(attributes(), direction, note("C5", 16))).tempo == tempo


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
    with pytest.raises(FileError, match=sentence):
        musicxml_reader.from_bytes(content)


def test_parts_of_different_lengths_share_their_bar_lines() -> None:
    long = measure(attributes(), note("C5", 16)) + measure(note("D5", 16), number="2")
    short = measure(attributes(), note("C3", 4))

    found = source(long, short)

    assert [bar.start for bar in found.bar_lines] == [0, 16]
    assert {line.end for line in found.lines} == {32}


def test_transposing_instruments_are_read_at_sounding_pitch() -> None:
    key = "<key><fifths>2</fifths><mode>major</mode></key>"
    clarinet = "<transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose>"
    tenor = "<transpose><chromatic>0</chromatic><octave-change>-1</octave-change></transpose>"

    found = source(
        measure(attributes(inside=key + clarinet), note("D5", 16)),
        measure(attributes(inside=tenor), note("G4", 16)),
    )

    assert [line.notes[0].pitch for line in found.lines] == [72, 55]
    assert found.key == Key("C", "major")
