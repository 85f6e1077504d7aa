"""Conversion of a chorale to bars of note heads, without loss."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Lyric, Mark, Meter, Voice
from musicrel.score.notation import notation
from musicrel.score.notation.notation import Accidental, AccidentalState, Bar, NoteHead, notate
from musicrel.score.notation.spelling import (
    SpelledPitch,
    estimate_key,
    signature,
    spell,
    spell_melody,
)
from musicrel.score.notes import Note, notes

OPEN_SCORE = tuple((voice,) for voice in Voice)
CLOSED_SCORE = ((Voice.SOPRANO, Voice.ALTO), (Voice.TENOR, Voice.BASS))
_SEMITONES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


def midi(pitch: SpelledPitch) -> int:
    return _SEMITONES[pitch.step] + pitch.alter + 12 * (pitch.octave + 1)


def merged(heads: list[NoteHead]) -> list[Note]:
    found: list[Note] = []
    for head in heads:
        if head.pitch and head.tied_from:
            last = found.pop()
            assert (last.stop, last.pitch) == (head.start, midi(head.pitch))
            found.append(Note(last.start, last.length + head.length, last.pitch))
        elif head.pitch:
            found.append(Note(head.start, head.length, midi(head.pitch)))
    return found


def of_voice(bars: list[Bar], voice: Voice) -> list[NoteHead]:
    return [head for bar in bars for head in bar.voices[voice]]


def solo(line: list[int], **fields: object) -> Chorale:
    return Chorale.of([[pitch, -1, -1, -1] for pitch in line], **fields)


def random_piece(seed: int) -> Chorale:
    rng = np.random.default_rng(seed)
    steps = int(rng.integers(1, 120))
    meter = Meter(int(rng.integers(1, 13)), int(rng.choice([1, 2, 4, 8, 16])))
    grid = np.repeat(rng.integers(36, 82, (steps, 4)), int(rng.integers(1, 9)), axis=0)
    grid[np.repeat(rng.random((steps, 4)) < 0.2, len(grid) // steps, axis=0)] = -1
    fermatas = rng.random(len(grid)) < 0.2
    pickup = int(rng.integers(0, meter.steps))
    return Chorale.of(grid, meter=meter, pickup=pickup, fermatas=fermatas)


@pytest.mark.parametrize("seed", range(40))
def test_heads_represent_the_notes(seed: int) -> None:
    piece = random_piece(seed)
    bars = notate(piece, CLOSED_SCORE)
    for voice in Voice:
        heads = of_voice(bars, voice)
        assert merged(heads) == notes(piece, voice)
        assert heads[0].start == 0
        assert all(one.start + one.length == two.start for one, two in itertools.pairwise(heads))
        assert [one.tied_to for one in heads[:-1]] == [two.tied_from for two in heads[1:]]


@pytest.mark.parametrize("seed", range(40))
def test_bars_end_at_the_bar_lines(seed: int) -> None:
    piece = random_piece(seed)

    bars = notate(piece, OPEN_SCORE)

    starts = [bar.voices[0][0].start for bar in bars]
    assert [bar.number for bar in bars] == list(
        range(0 if piece.pickup else 1, len(bars) + (0 if piece.pickup else 1))
    )
    assert set(starts) == {0, *piece.bar_line_steps()}
    assert sum(bar.length for bar in bars) == piece.steps
    assert all(bar.length == piece.meter.steps for bar in bars[1:-1])
    for bar in bars:
        assert {sum(head.length for head in voice) for voice in bar.voices} == {bar.length}


def test_a_silent_bar_has_one_rest_and_beams_stop_at_rests() -> None:
    piece = solo([60] * 4 + [-1] * 24, meter=Meter(3, 4), pickup=8)
    heads = of_voice(notate(piece, OPEN_SCORE), Voice.SOPRANO)[1:]
    assert [(head.length, head.whole_bar) for head in heads] == [
        (4, False), (12, True), (4, False), (4, False),
    ]  # fmt: skip

    bars = notate(solo([60, 60, -1, -1, 62, 62, 64, 64]), OPEN_SCORE)
    heads = of_voice(bars, Voice.SOPRANO)
    assert [head.beams for head in heads] == [(), (), ("begin",), ("end",)]


@pytest.mark.parametrize(
    ("line", "held", "expected"),
    [
        ([60] * 8, range(8), [0]),
        ([60] * 4 + [62] * 4, range(8), [4]),  # a suspension resolves under the fermata
        ([60] * 4 + [-1] * 4, range(8), [0]),  # it rests before the others
        ([60] * 8, range(4), [0]),  # it is held beyond the fermata
        ([60] * 32, range(32), [16]),  # over the bar line on the last head
        ([60] * 4 + [62] * 4, [1, 6], [0, 4]),
        ([-1] * 8, range(8), [0]),  # on a rest, where no voice sounds
    ],
)
def test_a_fermata_is_on_the_last_head_of_its_span(
    line: list[int], held: list[int], expected: list[int]
) -> None:
    fermatas = np.zeros(len(line), dtype=np.bool_)
    fermatas[list(held)] = True
    heads = of_voice(notate(solo(line, fermatas=fermatas), OPEN_SCORE), Voice.SOPRANO)
    assert [head.start for head in heads if head.fermata] == expected


def test_accidentals_are_those_of_the_staff() -> None:
    piece = Chorale.of([[72, 61, -1, -1]] * 4 + [[60, 60, -1, -1]] * 4, key=Key("C", "major"))

    alone = of_voice(notate(piece, OPEN_SCORE), Voice.SOPRANO)
    shared = of_voice(notate(piece, CLOSED_SCORE), Voice.SOPRANO)

    assert [head.accidental for head in alone] == [None, None]
    assert [head.accidental and head.accidental.sign for head in shared] == [None, "natural"]


def test_the_pickup_of_a_later_verse_has_the_signature_that_begins_with_it() -> None:
    words = tuple(Lyric(Voice.SOPRANO, verse, 32 * (verse - 1), "la") for verse in (1, 2))
    change = Mark(kind="key", start=32, stop=32, value=Key("D", "major"))
    line = ([72] * 4 + [74] * 28) + ([73] * 4 + [74] * 28)
    piece = solo(line, key=Key("C", "major"), pickup=4, lyrics=words, marks=(change,))

    heads = of_voice(notate(piece, OPEN_SCORE), Voice.SOPRANO)

    pickups = [head for head in heads if head.start in (0, 32)]
    assert [head.pitch and head.pitch.alter for head in pickups] == [0, 1]
    assert [head.accidental for head in heads] == [None] * len(heads)


def test_without_a_key_every_black_key_has_its_accidental() -> None:
    heads = of_voice(notate(solo([69, 61, 68, 66, 64]), OPEN_SCORE), Voice.SOPRANO)
    named = [head.pitch and head.pitch.step + "#" * head.pitch.alter for head in heads]
    assert named == ["A", "C#", "G#", "F#", "E"]
    assert [bool(head.accidental) for head in heads] == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("meter", "pickup"), [("4/4", 0), ("4/4", 4), ("3/4", 0), ("3/4", 4), ("6/8", 2)]
)
def test_fermatas_stand_under_one_another(meter: str, pickup: int) -> None:
    form = Meter.parse(meter)
    start = pickup + form.steps
    stop = start + form.steps
    pitches = np.repeat([[72, 67, 64, 48]], stop, axis=0)
    pitches[start:] += 2
    pitches[start + 4 :, 1] = 71
    pitches[start + 2 :, 3] = 52
    held = np.arange(stop) >= start
    piece = Chorale.of(pitches, meter=form, pickup=pickup, fermatas=held)

    bars = notate(piece, OPEN_SCORE)

    places = [[head.start for head in of_voice(bars, v) if head.fermata] for v in Voice]
    assert places == [[start]] * 4


F_SHARP = SpelledPitch("F", 1, 4)
F_NATURAL = SpelledPitch("F", 0, 4)
C_SHARP = SpelledPitch("C", 1, 5)
C_NATURAL = SpelledPitch("C", 0, 5)
SHARP = Accidental("sharp", courtesy=False)
NATURAL = Accidental("natural", courtesy=False)


def staff(signature: int = 0) -> AccidentalState:
    state = AccidentalState(signature)
    state.begin_bar()
    return state


def test_notes_of_the_signature_need_no_accidental() -> None:
    """Two sharps are F and C, two flats B and E; other notes need one."""
    in_d, in_b_flat = staff(2), staff(-2)

    assert in_d.accidental_for(0, 0, F_SHARP) is None
    assert in_d.accidental_for(0, 4, C_SHARP) is None
    assert in_d.accidental_for(0, 8, C_NATURAL) == NATURAL
    assert in_b_flat.accidental_for(0, 0, SpelledPitch("B", -1, 4)) is None
    assert in_b_flat.accidental_for(0, 4, SpelledPitch("E", -1, 4)) is None
    assert in_b_flat.accidental_for(0, 8, SpelledPitch("A", -1, 4)) == Accidental(
        "flat", courtesy=False
    )


def test_an_accidental_applies_to_its_voice_and_position_until_the_bar_line() -> None:
    bar = staff()

    assert bar.accidental_for(0, 0, F_SHARP) == SHARP
    assert bar.accidental_for(0, 4, F_SHARP) is None
    assert bar.accidental_for(0, 8, SpelledPitch("F", 1, 5)) == SHARP
    assert bar.accidental_for(0, 12, F_NATURAL) == NATURAL
    bar.begin_bar()
    assert bar.accidental_for(0, 16, SpelledPitch("F", 1, 5)) == SHARP

    bar = staff()

    assert bar.accidental_for(0, 0, C_SHARP) == SHARP
    assert bar.accidental_for(1, 0, C_SHARP) is None
    assert bar.accidental_for(0, 4, C_NATURAL) == NATURAL
    assert bar.accidental_for(1, 8, C_SHARP) == SHARP
    assert bar.accidental_for(0, 12, C_NATURAL) == NATURAL


def test_the_bar_after_an_accidental_has_a_courtesy_one() -> None:
    bar = staff()
    bar.accidental_for(0, 0, F_SHARP)
    bar.begin_bar()

    assert bar.accidental_for(0, 16, F_NATURAL) == Accidental("natural", courtesy=True)
    assert bar.accidental_for(0, 20, F_NATURAL) is None
    bar.begin_bar()
    assert bar.accidental_for(0, 32, F_NATURAL) is None


def test_a_tied_note_has_no_accidental_and_sets_none() -> None:
    """A repetition in the bar needs one; a natural is a courtesy accidental."""
    repeated, natural = staff(), staff()
    for bar in (repeated, natural):
        bar.accidental_for(0, 12, F_SHARP)
        bar.begin_bar()
        bar.tied(F_SHARP)
    assert repeated.accidental_for(0, 20, F_SHARP) == SHARP
    assert natural.accidental_for(0, 20, F_NATURAL) == Accidental("natural", courtesy=True)


COMMON = Meter(4, 4)
THREE = Meter(3, 4)
SIX = Meter(6, 8)


@pytest.mark.parametrize(
    ("meter", "expected"),
    [
        ("4/4", (16, 8, 4, 2, 1)), ("3/4", (12, 4, 2, 1)), ("2/2", (16, 8, 4, 2, 1)),
        ("3/2", (24, 8, 4, 2, 1)), ("6/8", (12, 6, 2, 1)), ("9/8", (18, 6, 2, 1)),
        ("12/8", (24, 12, 6, 2, 1)), ("3/8", (6, 2, 1)), ("5/4", (20, 4, 2, 1)), ("1/16", (1,)),
    ],
)  # fmt: skip
def test_a_meter_divides_its_bar(meter: str, expected: tuple[int, ...]) -> None:
    assert notation.units(Meter.parse(meter)) == expected


@pytest.mark.parametrize(
    ("meter", "start", "length", "expected"),
    [
        (COMMON, 0, 16, [16]),
        (COMMON, 0, 12, [12]),
        (COMMON, 0, 6, [6]),
        (COMMON, 0, 5, [4, 1]),
        (COMMON, 0, 7, [4, 3]),
        (COMMON, 0, 9, [8, 1]),
        (COMMON, 0, 10, [8, 2]),
        (COMMON, 2, 4, [4]),  # eighth quarter eighth
        (COMMON, 1, 2, [2]),  # sixteenth eighth sixteenth
        (COMMON, 4, 8, [8]),  # quarter half quarter
        (COMMON, 4, 6, [6]),  # a dotted quarter on the second beat
        (COMMON, 6, 4, [2, 2]),  # the middle of the bar is shown
        (COMMON, 2, 12, [6, 6]),
        (COMMON, 3, 2, [1, 1]),
        (COMMON, 6, 3, [2, 1]),
        (COMMON, 7, 9, [1, 8]),
        (THREE, 0, 8, [8]),
        (THREE, 4, 8, [8]),
        (THREE, 0, 10, [8, 2]),
        (THREE, 2, 10, [2, 8]),
        (THREE, 4, 6, [6]),
        (THREE, 6, 4, [4]),
        (SIX, 0, 4, [4]),
        (SIX, 0, 12, [12]),
        (SIX, 0, 8, [6, 2]),
        (SIX, 4, 8, [2, 6]),
        (SIX, 4, 4, [2, 2]),
        (SIX, 2, 4, [4]),
        (Meter(12, 8), 6, 12, [12]),
        (Meter(5, 4), 0, 20, [16, 4]),
    ],
)
def test_a_note_is_split_where_it_would_hide_a_beat(
    meter: Meter, start: int, length: int, expected: list[int]
) -> None:
    assert notation.split_note(start, length, meter) == expected


@pytest.mark.parametrize(
    ("meter", "start", "length", "expected"),
    [
        (COMMON, 0, 8, [8]), (COMMON, 4, 8, [4, 4]), (COMMON, 4, 12, [4, 8]),
        (COMMON, 0, 6, [4, 2]), (COMMON, 2, 4, [2, 2]), (COMMON, 3, 13, [1, 4, 8]),
        (THREE, 0, 8, [4, 4]), (SIX, 0, 6, [6]), (SIX, 2, 4, [2, 2]),
    ],
)  # fmt: skip
def test_rests_show_every_beat(meter: Meter, start: int, length: int, expected: list[int]) -> None:
    assert notation.split_rest(start, length, meter) == expected


@pytest.mark.parametrize(
    ("meter", "lengths", "expected"),
    [
        (COMMON, [2, 2, 2, 2], ["begin", "end", "begin", "end"]),
        (COMMON, [4, 2, 2], ["", "begin", "end"]),
        (COMMON, [2, 4, 2], ["", "", ""]),
        (COMMON, [3, 1], ["begin", "end backward hook"]),
        (COMMON, [1, 3], ["begin forward hook", "end"]),
        (COMMON, [1, 2, 1], ["begin forward hook", "continue", "end backward hook"]),
        (COMMON, [2, 1, 1], ["begin", "continue begin", "end end"]),
        (SIX, [2, 2, 2, 4, 2], ["begin", "continue", "end", "", ""]),
        (SIX, [3, 1, 2], ["begin", "continue backward hook", "end"]),
        (SIX, [2, 1, 3], ["begin", "continue forward hook", "end"]),
        (Meter(3, 2), [2, 2, 2, 2], ["begin", "end", "begin", "end"]),
        (Meter(3, 8), [2, 2, 2], ["begin", "continue", "end"]),
    ],
)
def test_beams_join_the_heads_of_a_beat(
    meter: Meter, lengths: list[int], expected: list[str]
) -> None:
    starts = [sum(lengths[:index]) for index in range(len(lengths))]
    beams = notation.beams(starts, lengths, meter)
    assert [" ".join(own) for own in beams] == expected


PRINTED = {
    "F major": "F3 E3 F3 D3 A2 Bb2 C3 D3 E3 F3 F3 Bb3 A3 G3",
    "G minor": "G3 A3 Bb3 A3 G3 F#3 G3 A3 Bb3 G3 Eb3 C3 F3 Bb2",
    "D minor": "F#3 G#3 A3 E3 A2 B2 C3 D3 E3 F3 Bb2 C3 F2 F#2",
    "C minor": "Ab3 Eb3 F3 G3 G2 C3 C4 G3 Ab3 Bb3 D3 Eb3 Ab3 Ab2",
    "B minor": "E4 A#3 B3 C#4 D4 E4 F#4 A3 A3 B3 A3 A3 A3 G#3",
    "A major": "E4 E4 D4 C#4 D4 E4 E4 F#4 G#4 F#4 E4 D4 F#4 E#4",
    "D major": "C#4 B3 C#4 B3 A#3 B3 F#3 B3 A3 G3 F#3 E3 A3 G#3",
    "A minor": "F4 G4 G4 G4 G4 G4 G4 F4 E4 D4 E4 E4 F#4 G#4",
    "G major": "G#2 A2 E3 D3 C3 B2 E3 F#3 G3 F#3 E3 D#3 E3 C#3",
    "Bb major": "Bb4 A4 A4 Bb4 Ab4 G4 F4 E4 D4 C4 D4 C4 C4 Bb3",
    "E major": "G#3 F#3 E3 D#3 B2 C#3 D#3 E3 G#3 F#3 E#3 C#3 F#3 C#4",
    "E minor": "E4 F#4 F#4 E4 D4 B3 C#4 D4 G4 C#4 D4 E4 D#4 A#3",
    "C major": "Bb4 A4 G4 G4 F#4 G#4 A4 A4 A4 G4 G4 F4 F4 Eb4 D4",
    "Eb major": "Ab3 G3 F3 Eb3 Eb4 D4 C4 Bb3 A3 Bb3 F3 Bb2 Eb3 Db3",
    "F# minor": "C#4 C#4 D#4 E#4 F#4 E#4 F#4 G#4 E#4 E4 E4 F#4 G#4 A4",
    "Ab major": "Db4 C4 Bb3 Ab3 G3 F3 G3 Ab3 F3 C3 Bb2 C3 Db3 Eb3",
    "Bb minor": "Db3 Ab3 Gb3 F3 Eb3 Db3 C3 Db3 A2 Bb2 F3 Db4 C4 Bb3",
    "F minor": "F4 F4 Gb4 F4 Eb4 Db4 C4 C4 Bb3 C4 Db4 C4 Bb3 Ab3",
}
"""From the Bach corpus of music21: the most chromatic bars of the first chorale in each key."""
_ALTERS = {"bb": -2, "b": -1, "": 0, "#": 1, "##": 2}


def name(spelled: SpelledPitch) -> str:
    signs = {alter: sign for sign, alter in _ALTERS.items()}
    return f"{spelled.step}{signs[spelled.alter]}{spelled.octave}"


def midi_number(text: str) -> int:
    match = re.fullmatch(r"([A-G])([b#]*)(-?\d)", text)
    assert match
    return _SEMITONES[match[1]] + _ALTERS[match[2]] + 12 * (int(match[3]) + 1)


@pytest.mark.parametrize(
    ("pitch", "key", "expected"),
    [
        (65, "F# minor", "E#4"), (61, "D minor", "C#4"), (71, "D minor", "B4"),
        (70, "D minor", "Bb4"), (68, "A minor", "G#4"), (66, "A minor", "F#4"),
        (60, "C# minor", "B#3"), (67, "G# minor", "F##4"), (59, "Bb major", "B3"),
        (59, "Gb major", "Cb4"), (54, "G minor", "F#3"), (66, "Db major", "Gb4"),
        (63, "E minor", "D#4"), (63, "Eb major", "Eb4"), (0, "C major", "C-1"),
        (127, "C major", "G9"),
    ],
)  # fmt: skip
def test_the_key_names_the_pitch(pitch: int, key: str, expected: str) -> None:
    assert name(spell(pitch, Key.parse(key))) == expected


def test_the_outermost_sharp_is_a_flat_if_the_melody_falls_from_it() -> None:
    melody = [63, 63, 64, 63, 63, 62, 63]
    names = [name(spelled) for spelled in spell_melody(melody, Key("C", "major"))]
    assert names == ["D#4", "D#4", "E4", "Eb4", "Eb4", "D4", "D#4"]


@pytest.mark.parametrize("key", PRINTED)
def test_bachs_melodies_are_spelled_as_printed(key: str) -> None:
    printed = PRINTED[key].split()
    spelled = spell_melody([midi_number(text) for text in printed], Key.parse(key))
    assert [name(one) for one in spelled] == printed


@pytest.mark.parametrize("mode", ["major", "minor"])
@pytest.mark.parametrize("pitch_class", range(12))
def test_every_spelling_has_the_pitch(pitch_class: int, mode: str) -> None:
    key = Key.of(pitch_class, "minor" if mode == "minor" else "major")
    for pitch in range(128):
        for following in (None, pitch - 1, pitch + 1):
            assert midi_number(name(spell(pitch, key, following))) == pitch


def test_a_signature_has_at_most_seven_signs() -> None:
    """A key that would need more uses that of its common spelling."""
    assert signature(Key("F#", "minor")) == 3
    assert signature(Key("Cb", "major")) == -7
    assert signature(Key("D#", "major")) == signature(Key("Eb", "major")) == -3
    assert signature(Key("Cb", "minor")) == signature(Key("B", "minor")) == 2


def test_the_estimated_key_is_the_scale_with_the_most_notes() -> None:
    in_a_major = np.array([[69, 61, 56, -1], [71, 62, 54, -1]], dtype=np.int16)
    white = np.array([[60, 64, 67, 60]], dtype=np.int16)
    silent = np.full((3, 4), -1, dtype=np.int16)

    assert estimate_key(in_a_major) == Key("A", "major")
    assert estimate_key(white) == Key("C", "major")
    assert estimate_key(silent) == Key("C", "major")


def test_double_accidentals_have_names() -> None:
    bar = staff(5)
    assert bar.accidental_for(0, 0, SpelledPitch("F", 2, 4)) == Accidental(
        "double-sharp", courtesy=False
    )
    assert bar.accidental_for(0, 4, SpelledPitch("B", -2, 4)) == Accidental(
        "flat-flat", courtesy=False
    )
