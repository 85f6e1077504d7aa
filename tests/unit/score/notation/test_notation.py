"""Notation: a chorale becomes bars of heads, and nothing is lost."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter, Voice
from musicrel.score.notation.notation import Bar, Head, written
from musicrel.score.notation.spelling import Spelled
from musicrel.score.notes import Note, notes

OPEN_SCORE = tuple((voice,) for voice in Voice)
CLOSED_SCORE = ((Voice.SOPRANO, Voice.ALTO), (Voice.TENOR, Voice.BASS))
_SEMITONES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


def midi(pitch: Spelled) -> int:
    """The pitch that sounds."""
    return _SEMITONES[pitch.step] + pitch.alter + 12 * (pitch.octave + 1)


def sung(heads: list[Head]) -> list[Note]:
    """The notes that heads tied together make."""
    found: list[Note] = []
    for head in heads:
        if head.pitch and head.tied_from:
            last = found.pop()
            assert (last.stop, last.pitch) == (head.start, midi(head.pitch))
            found.append(Note(last.start, last.length + head.length, last.pitch))
        elif head.pitch:
            found.append(Note(head.start, head.length, midi(head.pitch)))
    return found


def of_voice(bars: list[Bar], voice: Voice) -> list[Head]:
    """All heads of a voice."""
    return [head for bar in bars for head in bar.voices[voice]]


def solo(line: list[int], **fields: object) -> Chorale:
    """The soprano sings ``line``, a pitch a step; the others are silent."""
    return Chorale.of([[pitch, -1, -1, -1] for pitch in line], **fields)


def random_piece(seed: int) -> Chorale:
    """Notes and rests of all lengths in some meter."""
    dice = np.random.default_rng(seed)
    steps = int(dice.integers(1, 120))
    meter = Meter(int(dice.integers(1, 13)), int(dice.choice([1, 2, 4, 8, 16])))
    grid = np.repeat(dice.integers(36, 82, (steps, 4)), int(dice.integers(1, 9)), axis=0)
    grid[np.repeat(dice.random((steps, 4)) < 0.2, len(grid) // steps, axis=0)] = -1
    fermatas = dice.random(len(grid)) < 0.2
    pickup = int(dice.integers(0, meter.steps))
    return Chorale.of(grid, meter=meter, pickup=pickup, fermatas=fermatas)


@pytest.mark.parametrize("seed", range(40))
def test_the_heads_are_the_notes(seed: int) -> None:
    """In any meter each voice sings what the chorale holds, without gap, tied heads as one."""
    piece = random_piece(seed)

    bars = written(piece, CLOSED_SCORE)

    for voice in Voice:
        heads = of_voice(bars, voice)
        assert sung(heads) == notes(piece, voice)
        assert heads[0].start == 0
        assert all(one.start + one.length == two.start for one, two in itertools.pairwise(heads))
        assert [one.tied_to for one in heads[:-1]] == [two.tied_from for two in heads[1:]]


@pytest.mark.parametrize("seed", range(40))
def test_bars_end_at_the_bar_lines(seed: int) -> None:
    """All are as long as the meter says but the pickup, which is bar 0, and the last."""
    piece = random_piece(seed)

    bars = written(piece, OPEN_SCORE)

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
    """A half note that begins with the last beat of 4/4."""
    bars = written(solo([60] * 12 + [62] * 8), OPEN_SCORE)

    assert of_voice(bars, Voice.SOPRANO)[1:] == [
        Head(start=12, length=4, pitch=Spelled("D", 0, 4), tied_to=True),
        Head(start=16, length=4, pitch=Spelled("D", 0, 4), tied_from=True),
    ]


def test_repeated_notes_are_not_tied() -> None:
    """Two quarters on one pitch stay two."""
    onsets = np.zeros((8, 4), dtype=np.bool_)
    onsets[[0, 4], 0] = True

    bars = written(solo([60] * 8, onsets=onsets), OPEN_SCORE)

    heads = of_voice(bars, Voice.SOPRANO)
    assert [(head.length, head.tied_to) for head in heads] == [(4, False), (4, False)]


def test_a_silent_bar_has_one_rest() -> None:
    """Whatever its length; the pickup and a short last bar have rests of their own lengths."""
    piece = solo([60] * 4 + [-1] * 24, meter=Meter(3, 4), pickup=8)

    heads = of_voice(written(piece, OPEN_SCORE), Voice.SOPRANO)[1:]

    assert [(head.length, head.whole_bar) for head in heads] == [
        (4, False), (12, True), (4, False), (4, False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "held", "expected"),
    [
        ([60] * 8, range(8), [0]),
        ([60] * 4 + [62] * 4, range(8), [4]),  # a suspension resolves under the fermata
        ([60] * 4 + [-1] * 4, range(8), [0]),  # it breathes before the others
        ([60] * 8, range(4), [0]),  # it goes on under the next note of the soprano
        ([60] * 32, range(32), [16]),  # over the bar line on the last head
        ([60] * 4 + [62] * 4, [1, 6], [0, 4]),
        ([-1] * 8, range(8), []),
    ],
)
def test_a_fermata_stands_once_on_the_last_head_under_it(
    line: list[int], held: list[int], expected: list[int]
) -> None:
    """That is where all voices wait."""
    fermatas = np.zeros(len(line), dtype=np.bool_)
    fermatas[list(held)] = True

    heads = of_voice(written(solo(line, fermatas=fermatas), OPEN_SCORE), Voice.SOPRANO)

    assert [head.start for head in heads if head.fermata] == expected


def test_beams_stop_at_rests() -> None:
    """An eighth, an eighth rest, two eighths."""
    bars = written(solo([60, 60, -1, -1, 62, 62, 64, 64]), OPEN_SCORE)

    heads = of_voice(bars, Voice.SOPRANO)
    assert [head.beams for head in heads] == [(), (), ("begin",), ("end",)]


def test_accidentals_are_those_of_the_staff() -> None:
    """In closed score alto and soprano know of each other's, in open score they do not."""
    piece = Chorale.of([[72, 61, -1, -1]] * 4 + [[60, 60, -1, -1]] * 4, key=Key("C", "major"))

    alone = of_voice(written(piece, OPEN_SCORE), Voice.SOPRANO)
    shared = of_voice(written(piece, CLOSED_SCORE), Voice.SOPRANO)

    assert [head.accidental for head in alone] == [None, None]
    assert [head.accidental and head.accidental.sign for head in shared] == [None, "natural"]


def test_without_a_key_every_black_key_has_its_accidental() -> None:
    """The names are those of the scale that fits, the staff has no signature."""
    heads = of_voice(written(solo([69, 61, 68, 66, 64]), OPEN_SCORE), Voice.SOPRANO)

    named = [head.pitch and head.pitch.step + "#" * head.pitch.alter for head in heads]
    assert named == ["A", "C#", "G#", "F#", "E"]
    assert [bool(head.accidental) for head in heads] == [False, True, True, True, False]
