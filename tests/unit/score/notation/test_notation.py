"""Conversion of a chorale to bars of note heads, without loss."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter, Voice
from musicrel.score.notation.notation import Bar, NoteHead, notate
from musicrel.score.notation.spelling import SpelledPitch
from musicrel.score.notes import Note, notes

OPEN_SCORE = tuple((voice,) for voice in Voice)
CLOSED_SCORE = ((Voice.SOPRANO, Voice.ALTO), (Voice.TENOR, Voice.BASS))
_SEMITONES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


def midi(pitch: SpelledPitch) -> int:
    """Return the MIDI number."""
    return _SEMITONES[pitch.step] + pitch.alter + 12 * (pitch.octave + 1)


def merged(heads: list[NoteHead]) -> list[Note]:
    """Merge tied heads into notes."""
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
    """Return all heads of a voice."""
    return [head for bar in bars for head in bar.voices[voice]]


def solo(line: list[int], **fields: object) -> Chorale:
    """Build a piece with ``line`` (a pitch for each step) in the soprano only."""
    return Chorale.of([[pitch, -1, -1, -1] for pitch in line], **fields)


def random_piece(seed: int) -> Chorale:
    """Generate notes and rests of all lengths in a random meter."""
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
    """In any meter, without gaps, with tied heads merged."""
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
    """All bars are complete but the pickup, which is bar 0, and the last."""
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


def test_a_note_over_the_bar_line_is_tied() -> None:
    """A half note that starts on the last beat of 4/4."""
    bars = notate(solo([60] * 12 + [62] * 8), OPEN_SCORE)

    assert of_voice(bars, Voice.SOPRANO)[1:] == [
        NoteHead(start=12, length=4, pitch=SpelledPitch("D", 0, 4), tied_to=True),
        NoteHead(start=16, length=4, pitch=SpelledPitch("D", 0, 4), tied_from=True),
    ]


def test_repeated_notes_are_not_tied() -> None:
    """Two quarters on one pitch remain two."""
    onsets = np.zeros((8, 4), dtype=np.bool_)
    onsets[[0, 4], 0] = True

    bars = notate(solo([60] * 8, onsets=onsets), OPEN_SCORE)

    heads = of_voice(bars, Voice.SOPRANO)
    assert [(head.length, head.tied_to) for head in heads] == [(4, False), (4, False)]


def test_a_silent_bar_has_one_rest() -> None:
    """Of any length; the pickup and a short last bar have ordinary rests."""
    piece = solo([60] * 4 + [-1] * 24, meter=Meter(3, 4), pickup=8)

    heads = of_voice(notate(piece, OPEN_SCORE), Voice.SOPRANO)[1:]

    assert [(head.length, head.whole_bar) for head in heads] == [
        (4, False), (12, True), (4, False), (4, False),
    ]  # fmt: skip


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
    """Each voice has it once."""
    fermatas = np.zeros(len(line), dtype=np.bool_)
    fermatas[list(held)] = True

    heads = of_voice(notate(solo(line, fermatas=fermatas), OPEN_SCORE), Voice.SOPRANO)

    assert [head.start for head in heads if head.fermata] == expected


def test_beams_stop_at_rests() -> None:
    """An eighth, an eighth rest, two eighths."""
    bars = notate(solo([60, 60, -1, -1, 62, 62, 64, 64]), OPEN_SCORE)

    heads = of_voice(bars, Voice.SOPRANO)
    assert [head.beams for head in heads] == [(), (), ("begin",), ("end",)]


def test_accidentals_are_those_of_the_staff() -> None:
    """In closed score soprano and alto share them, in open score they do not."""
    piece = Chorale.of([[72, 61, -1, -1]] * 4 + [[60, 60, -1, -1]] * 4, key=Key("C", "major"))

    alone = of_voice(notate(piece, OPEN_SCORE), Voice.SOPRANO)
    shared = of_voice(notate(piece, CLOSED_SCORE), Voice.SOPRANO)

    assert [head.accidental for head in alone] == [None, None]
    assert [head.accidental and head.accidental.sign for head in shared] == [None, "natural"]


def test_without_a_key_every_black_key_has_its_accidental() -> None:
    """The spelling is that of the best matching scale; the staff has no signature."""
    heads = of_voice(notate(solo([69, 61, 68, 66, 64]), OPEN_SCORE), Voice.SOPRANO)

    named = [head.pitch and head.pitch.step + "#" * head.pitch.alter for head in heads]
    assert named == ["A", "C#", "G#", "F#", "E"]
    assert [bool(head.accidental) for head in heads] == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("meter", "pickup"), [("4/4", 0), ("4/4", 4), ("3/4", 0), ("3/4", 4), ("6/8", 2)]
)
def test_fermatas_stand_under_one_another(meter: str, pickup: int) -> None:
    """On the last place where all voices begin a note, though some move on under the fermata."""
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
