"""The agreement of two pieces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Meter
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.twin.agreement import Agreement, compare, percent
from tests.helpers.music import random_chorale


def chords(steps: int = 32) -> Chorale:
    """Return quarters that repeat one chord."""
    piece = Chorale.of(np.tile([72, 67, 64, 48], (steps, 1)))
    onsets = np.zeros((steps, 4), dtype=np.bool_)
    onsets[::4] = True
    return replace(piece, onsets=onsets)


def changed(piece: Chorale, step: int, voice: int, pitch: int) -> Chorale:
    """Return the piece with another pitch in the quarter from ``step`` on."""
    pitches = piece.pitches.copy()
    pitches[step : step + 4, voice] = pitch
    return replace(piece, pitches=pitches)


def found(first: Chorale, second: Chorale, written: int | None = None) -> Agreement:
    agreement = compare(first, second, written)
    assert agreement is not None
    return agreement


def test_equal_pieces_agree() -> None:
    """There is no first difference, and every note is in both."""
    agreement = found(chords(), chords())

    assert (agreement.share, agreement.first, agreement.notes) == (1.0, None, 64)
    assert agreement.only == (frozenset(), frozenset())
    assert agreement.describe() == "All notes agree"


def test_a_changed_note_differs_in_both_pieces() -> None:
    """Its place is the first difference."""
    agreement = found(chords(), changed(chords(), 20, 1, 65))

    assert agreement.only == (
        frozenset({RollNote(20, 24, 67, 1)}),
        frozenset({RollNote(20, 24, 65, 1)}),
    )
    assert agreement.share == pytest.approx(62 / 64)
    assert agreement.describe() == "97 % of notes agree; first difference bar 2, beat 2"


def test_a_note_of_another_length_differs() -> None:
    """Its beginning agrees, and the first difference is where one of both ends."""
    onsets = chords().onsets.copy()
    onsets[8, 0] = False
    agreement = found(chords(), replace(chords(), onsets=onsets))

    assert agreement.only[1] == {RollNote(4, 12, 72, 0)}
    assert agreement.only[0] == {RollNote(4, 8, 72, 0), RollNote(8, 12, 72, 0)}
    assert agreement.first == 8


def test_only_the_written_steps_are_compared() -> None:
    """The rest is not there yet."""
    agreement = found(chords(), changed(chords(), 20, 1, 65), written=20)

    assert (agreement.first, agreement.notes) == (None, 40)
    assert [piece.steps for piece in agreement.pieces] == [20, 20]


def test_pieces_of_different_length_are_compared_to_the_end_of_the_shorter() -> None:
    """The bars after it count on neither side."""
    agreement = found(chords(48), chords())

    assert agreement.share == 1
    assert agreement.pieces[0].steps == 32


@pytest.mark.parametrize(
    "other", [replace(chords(), meter=Meter(3, 4)), replace(chords(), pickup=4)]
)
def test_pieces_of_another_form_cannot_be_compared(other: Chorale) -> None:
    """Their bars are not above each other."""
    assert compare(chords(), other) is None


def test_nothing_is_compared_before_the_first_step() -> None:
    """Neither piece has notes yet."""
    assert compare(chords(), chords(), written=0) is None


def test_the_counter_equals_a_count_note_by_note() -> None:
    """Two random pieces with a common beginning."""
    first, second = (replace(random_chorale(seed, 64), pickup=0) for seed in (1, 2))
    pitches, onsets = second.pitches.copy(), second.onsets.copy()
    pitches[:24], onsets[:24] = first.pitches[:24], first.onsets[:24]
    onsets[24] = True
    second = replace(second, pitches=pitches, onsets=onsets & (pitches >= 0))
    agreement = found(first, second)

    notes: list[set[tuple[int, int, int, int]]] = []
    for piece in (first, second):
        these = set()
        for voice in range(4):
            begun = np.flatnonzero(piece.onsets[:, voice])
            for start in begun.tolist():
                stop = start + 1
                while (
                    stop < 64
                    and not piece.onsets[stop, voice]
                    and (piece.pitches[stop, voice] == piece.pitches[start, voice])
                ):
                    stop += 1
                these.add((start, stop, int(piece.pitches[start, voice]), voice))
        notes.append(these)
    both = len(notes[0] & notes[1])
    assert agreement.notes == len(notes[0]) + len(notes[1])
    assert agreement.share == pytest.approx(2 * both / agreement.notes)


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0 %"), (0.001, "1 %"), (0.614, "61 %"), (0.999, "99 %"), (1.0, "100 %")],
)
def test_a_share_is_whole_only_where_it_is(share: float, text: str) -> None:
    """One differing note of a thousand is not 100 %."""
    assert percent(share) == text
