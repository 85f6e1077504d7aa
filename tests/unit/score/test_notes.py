"""Notes and spans: conversion from the grid and back."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import MAX_STEPS, Chorale, Voice, spans
from musicrel.errors import DataError
from musicrel.score.notes import Note, from_notes, from_spans, notes


def test_a_repeated_note_is_a_note_of_its_own(hymn: Chorale) -> None:
    """An onset ends the previous note, even at the same pitch."""
    assert notes(hymn, Voice.SOPRANO) == [
        Note(0, 4, 67),
        Note(4, 4, 67),
        Note(8, 4, 69),
        Note(12, 8, 71),
    ]


def test_rests_are_gaps(hymn: Chorale) -> None:
    """Rests at either end have no note."""
    assert notes(hymn, Voice.ALTO) == [Note(4, 4, 62), Note(8, 8, 62)]


def test_a_voice_that_rests_throughout_has_no_notes() -> None:
    """The list is empty."""
    piece = Chorale.of([[60, -1, 50, 40]] * 4)

    assert notes(piece, Voice.ALTO) == []


def test_a_note_may_last_to_the_end(hymn: Chorale) -> None:
    """The last note ends with the piece."""
    assert notes(hymn, Voice.TENOR)[-1].stop == hymn.steps


def test_the_grid_round_trips_through_notes(hymn: Chorale) -> None:
    """from_notes inverts notes."""
    pitches, onsets = from_notes([notes(hymn, voice) for voice in Voice], hymn.steps)

    assert np.array_equal(pitches, hymn.pitches)
    assert np.array_equal(onsets, hymn.onsets)


@pytest.mark.parametrize(
    ("alto", "steps", "sentence"),
    [
        ([Note(0, 4, 60), Note(3, 1, 62)], 8, "Alto, step 3: the note overlaps the one before"),
        ([Note(6, 4, 60)], 8, "Alto, step 6: a note of 4 steps lies outside the piece of 8 steps"),
        ([Note(-1, 4, 60)], 8, "Alto, step -1: a note of 4 steps lies outside"),
        ([Note(0, 0, 60)], 8, "a note of 0 steps"),
        ([Note(0, 1, 128)], 8, "pitch 128 is not a MIDI number: expected 0 to 127"),
        ([], 0, f"the piece has 0 sixteenths: expected 1 to {MAX_STEPS}"),
        ([], 2**40, "sixteenths: expected 1 to"),
    ],
)
def test_impossible_notes_are_refused(alto: list[Note], steps: int, sentence: str) -> None:
    """The message names voice, step and value."""
    with pytest.raises(DataError, match=sentence):
        from_notes([[], alto, [], []], steps)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ([0, 0, 0], []),
        ([1, 1, 1], [(0, 3)]),
        ([1, 0, 1], [(0, 1), (2, 3)]),
        ([0, 1, 1, 0, 0, 1], [(1, 3), (5, 6)]),
    ],
)
def test_spans_are_the_runs_of_true(flags: list[int], expected: list[tuple[int, int]]) -> None:
    """Half-open, in order, and inverted by from_spans."""
    given = np.array(flags, dtype=np.bool_)

    assert spans(given) == expected
    assert np.array_equal(from_spans(expected, len(flags)), given)


@pytest.mark.parametrize("span", [(2, 2), (-1, 2), (2, 9)])
def test_a_span_outside_the_piece_is_refused(span: tuple[int, int]) -> None:
    """An empty one, too."""
    with pytest.raises(DataError, match="expected a range within 0:8"):
        from_spans([span], 8)
