"""MusicXML of other programs is read, and every change is reported."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from musicrel.chorale import Key, Meter, Voice, spans
from musicrel.score.musicxml import musicxml_reader
from musicrel.score.notes import Note, notes
from tests.unit.score.musicxml.foreign_scores import (
    BACK,
    HYMN,
    IN_BAR_2,
    ODD,
    attributes,
    hymn,
    measure,
    name,
    note,
    nth,
    one_line,
    pitches,
    read,
    score,
)

FERMATA = "<notations><fermata/></notations>"
HELD_BAR_LINE = '<barline location="right"><fermata/></barline>'
BESIDE = "</note>{}<note><rest/><duration>0</duration>"
CHORD_SYMBOL = "<harmony><root><root-step>C</root-step></root><kind>major</kind></harmony>"
WORDS = (
    "<direction><direction-type><words>dolce</words></direction-type>"
    "<direction-type><dynamics><p/></dynamics></direction-type></direction>"
)


def transpose(semitones: int, staff: str = "", inside: str = "") -> str:
    """Build a transposition."""
    return f"<transpose{staff}><chromatic>{semitones}</chromatic>{inside}</transpose>"


def test_the_hymn_is_read_exactly() -> None:
    """The piece that the other tests change."""
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
    """The notes do not depend on it; the report names its bar."""
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
    """The report names its bar; the others keep their places."""
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
    """Each tie ends in its own voice."""
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
    """A start within a bar makes a pickup."""
    bars = [note("R", rest) for rest in rests]
    bars[-1] += note("G4", pickup) if pickup else ""

    piece = read(one_line(*bars, note("G4", 16)))

    assert (piece.chorale.pickup, piece.chorale.steps) == (pickup, pickup + 16)
    assert clause in piece.report


def test_changes_of_key_are_reported() -> None:
    """A repeated signature is none, nor are other signatures of other parts at the same time."""

    def key(fifths: int, mode: str = "major") -> str:
        return f"<attributes><key><fifths>{fifths}</fifths><mode>{mode}</mode></key></attributes>"

    bar = note("G4", 16)
    changes = [key(1), key(1), key(2), note("R", 8) + key(-1, "minor")]
    upper = one_line(*(change + bar for change in changes))

    piece = read(upper)

    assert piece.chorale.key == Key("G", "major")
    assert (
        "key changes (D major from bar 3 and D minor from bar 4) were dropped: G major throughout"
        in piece.report
    )


@pytest.mark.parametrize(
    ("alter", "pitch", "reported"),
    [
        ("0.5", 66, True), ("1.5", 67, True), ("-0.5", 64, True), ("-1.5", 63, True),
        ("0.25", 65, True), ("-0.75", 64, True), ("1.0", 66, False), ("", 65, False),
    ],
)  # fmt: skip
def test_quarter_tones_become_semitones(alter: str, pitch: int, reported: bool) -> None:
    """Away from the natural, up as well as down; the report names the bars."""
    bar = note("F4", 16).replace("</step>", f"</step><alter>{alter}</alter>")

    piece = read(one_line(bar))

    assert pitches(piece)[0] == (pitch,)
    assert ("quarter tones were rounded to semitones in bar 1" in piece.report) == reported


@pytest.mark.parametrize(
    ("inside", "clause"),
    [
        ("<lyric><text>la</text></lyric>" * 2, "lyrics were left out"),
        ("<notations><slur type='start'/></notations>", "slurs were left out"),
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
            "dynamics and pedal marks were left out",
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
        ("<lyric/>" + BESIDE.format(WORDS), "lyrics, dynamics and text were left out"),
    ],
)
def test_what_a_chorale_has_no_place_for_is_named(inside: str, clause: str) -> None:
    """In one clause."""
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
    """Whatever its part."""
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
    """A rest after a note with a fermata does not prolong it."""
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
    """Without a number it is that of all staves."""
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
    """Both voices of its staff have it, unless the music is mostly for three."""
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
    """In names, title and composer; the voices are found."""
    head = "<work><work-title>A\x01\x0bve &#x2;Maria</work-title></work>"
    text = hymn().replace("<part-list>", head + "<part-list>").replace("Bass<", "Bass\0<")

    piece = read(text)

    assert (piece.chorale.title, pitches(piece), piece.report) == ("Ave Maria", HYMN, ())


def test_a_timewise_score_is_read_as_a_partwise_one() -> None:
    """A part may be silent in a measure."""
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
    """With its dots."""
    bar = note("G4", 4).replace("<duration>4</duration>", kind) + note("A4", 4)

    piece = read(one_line(bar + note("R", 12 - length) * (length < 12)))

    assert notes(piece.chorale, Voice.SOPRANO)[:2] == [Note(0, length, 67), Note(length, 4, 69)]


def test_triplets_and_whole_rests_without_durations() -> None:
    """The ratio of a tuplet and the meter count."""
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
    """Around a repeat sign within a bar, for example; others are named, in the right number."""
    piece = read(one_line(*(note("G4", length) for length in lengths)))

    one_voice = "it has only one voice, taken as the soprano"
    assert piece.report == tuple(filter(None, (one_voice, clause)))
