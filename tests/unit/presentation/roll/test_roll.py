"""The picture of a piano roll."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Meter, onsets_where_pitch_changes
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.roll import BarLine, RollNote, Unison

FOUR = [72, 67, 64, 48]


def chord(steps: int, *, pitches: list[int] = FOUR, **fields: object) -> Chorale:
    return Chorale.of([pitches] * steps, **fields)


def test_each_note_is_one_rectangle() -> None:
    """Held steps belong to their note, a rest ends it, the end of the piece too."""
    piece = Chorale.of(
        [[72, REST, REST, 48], [72, REST, REST, 48], [REST, 67, REST, 48], [74, 67, REST, 48]]
    )

    assert roll.draw(piece).notes == (
        RollNote(0, 2, 72, 0),
        RollNote(0, 4, 48, 3),
        RollNote(2, 4, 67, 1),
        RollNote(3, 4, 74, 0),
    )


def test_repeated_note_is_another_rectangle() -> None:
    """An onset on the same pitch begins a new note."""
    piece = chord(4)
    onsets = onsets_where_pitch_changes(piece.pitches)
    onsets[2, 0] = True

    drawn = roll.draw(replace(piece, onsets=onsets))

    assert [note for note in drawn.notes if note.voice == 0] == [
        RollNote(0, 2, 72, 0),
        RollNote(2, 4, 72, 0),
    ]


def test_voices_that_meet_are_a_unison_where_they_do() -> None:
    """Only the steps in which they sound together count; a new one begins with each note."""
    piece = Chorale.of([[64, 67, 64, 48], [67, 67, 64, 48], [67, 67, 64, 48], [67, 65, 64, 48]])
    onsets = piece.onsets.copy()
    onsets[2, 0] = True

    drawn = roll.draw(replace(piece, onsets=onsets))

    assert set(drawn.unisons) == {
        Unison(0, 1, 64, (0, 2)),
        Unison(1, 2, 67, (0, 1)),
        Unison(2, 3, 67, (0, 1)),
    }


def test_all_four_voices_may_meet_and_rests_never_do() -> None:
    """Four on one pitch are one unison; four rests are none."""
    piece = Chorale.of([[60] * 4, [REST] * 4])

    assert roll.draw(piece).unisons == (Unison(0, 1, 60, (0, 1, 2, 3)),)


def test_pickup_has_no_number() -> None:
    """Bar 1 is the first whole bar; beats are counted from its line."""
    drawn = roll.draw(chord(24, pickup=4))

    assert drawn.bars == (BarLine(4, 1), BarLine(20, 2))
    assert drawn.beats == (0, 8, 12, 16)


def test_beats_of_a_compound_meter_are_eighths() -> None:
    """The beat is the meter's denominator."""
    drawn = roll.draw(chord(12, meter=Meter(6, 8)))

    assert drawn.beats == (2, 4, 6, 8, 10)


def test_fermatas_are_ranges() -> None:
    """Each run of steps under a fermata is one range, at the end too."""
    flags = np.zeros(12, dtype=np.bool_)
    flags[2:4] = flags[10:] = True

    assert roll.draw(chord(12, fermatas=flags)).fermatas == ((2, 4), (10, 12))


def test_rows_grow_for_what_lies_outside() -> None:
    """The usual rows are always there, so that the sheet does not jump while it is written."""
    usual, low, silent = (
        roll.draw(chord(1)),
        roll.draw(chord(1, pitches=[90, 67, 64, 30])),
        roll.draw(chord(1, pitches=[REST] * 4)),
    )

    assert (usual.low, usual.high) == (silent.low, silent.high) == (35, 82)
    assert (low.low, low.high) == (29, 91)


def test_all_octaves_are_named() -> None:
    """Every C has its name."""
    assert roll.draw(chord(1)).octaves == ((36, "C2"), (48, "C3"), (60, "C4"), (72, "C5"))


@pytest.mark.parametrize(
    ("step", "pitch", "depth", "expected"),
    [
        (0.5, 72, 0.5, RollNote(0, 2, 72, 0)),
        (1.99, 72, 0.5, RollNote(0, 2, 72, 0)),
        (2.0, 72, 0.5, None),
        (0.5, 71, 0.5, None),
        (0.5, 64, 0.2, RollNote(0, 2, 64, 1)),
        (0.5, 64, 1.0, RollNote(0, 2, 64, 2)),
    ],
)
def test_note_at_a_point(step: float, pitch: int, depth: float, expected: RollNote | None) -> None:
    """In a unison the upper half of the row is the upper voice."""
    assert roll.draw(chord(2, pitches=[72, 64, 64, 48])).note_at(step, pitch, depth) == expected


def test_a_note_is_described() -> None:
    """Voice, name, place and length."""
    drawn = roll.draw(chord(6, pickup=2))

    assert drawn.describe(drawn.notes[0]) == "Soprano C5, pickup, beat 4½, dotted quarter"


def test_same_picture_needs_no_drawing() -> None:
    """Only the count of written steps may differ."""
    piece = chord(4)

    assert roll.changed_from(roll.draw(piece, written=1), roll.draw(piece, written=2)) is None


def test_longer_note_is_drawn_from_its_beginning() -> None:
    """The difference begins at the first differing note."""
    before = Chorale.of([FOUR, FOUR, [REST] * 4])
    after = Chorale.of([FOUR, FOUR, [72, REST, REST, REST]])

    assert roll.changed_from(roll.draw(before), roll.draw(after)) == 0
    later = Chorale.of([FOUR, FOUR, [REST, 65, REST, REST]])
    assert roll.changed_from(roll.draw(before), roll.draw(later)) == 2


def test_another_meter_is_other_paper() -> None:
    """It moves every bar line; the first picture of all is new everywhere."""
    piece = chord(24)
    drawn = roll.draw(piece)

    assert not roll.same_paper(None, drawn)
    assert not roll.same_paper(drawn, roll.draw(replace(piece, meter=Meter(3, 4))))
    assert roll.same_paper(drawn, roll.draw(chord(24, pitches=[60] * 4), written=3))
