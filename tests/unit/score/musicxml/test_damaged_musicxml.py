"""MusicXML with values that no score can have: the rest is read, and the report names them."""

from __future__ import annotations

import re

import pytest

from musicrel.errors import DataError
from musicrel.score.musicxml import musicxml_reader
from tests.unit.score.musicxml.foreign_scores import (
    BACK,
    HYMN,
    IN_BAR_2,
    ODD,
    hymn,
    note,
    nth,
    one_line,
    pitches,
    read,
    score,
)

DURATION = "<duration>.*?</duration>"
TIMELESS = "notes of zero length were left out in bar 2"
DAMAGED = "damaged events were ignored in bar{}"
TEMPO = "tempos outside 5 to 600 quarters a minute were ignored in bar 2"


@pytest.mark.parametrize("duration", ["0", "-4", "0.0", "x", "1e300", ""])
def test_a_duration_that_none_can_have_counts_as_missing(duration: str) -> None:
    """The note has that of its type; without one it is left out, and the report names its bar."""
    text = nth(hymn(), DURATION, f"<duration>{duration}</duration>", 4)
    whole, cut = read(text), read(nth(text, "<type>.*?</type>", "", 4))

    assert (pitches(whole), whole.report) == (HYMN, ())
    assert pitches(cut) == ((*HYMN[0][:4], *HYMN[0][5:]), *HYMN[1:])
    assert cut.report == (TIMELESS,)


@pytest.mark.parametrize("duration", ["", "<duration>0</duration>", "<duration>-1</duration>"])
def test_a_score_without_any_readable_note_is_refused(duration: str) -> None:
    text = re.sub("<type>.*?</type>", "", re.sub(DURATION, duration, hymn()))

    with pytest.raises(DataError, match="it has no notes"):
        read(text)


def test_a_chord_whose_first_note_is_left_out_keeps_its_place() -> None:
    """The next note of the chord takes its part."""
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
    """The report names its bar."""
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
    """A backup goes to the start of its bar; divisions stay, and without any types count."""
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
    """With the key that it was read as."""
    piece = read(hymn().replace("<mode>major", f"<mode>{mode}"))

    clause = f"the mode {mode.lower()} of its key was read as {key}"
    assert (pitches(piece), piece.report) == (HYMN, (clause,) if key else ())
