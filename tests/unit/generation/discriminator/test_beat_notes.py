"""Beats as the networks of the discriminator read them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.generation.discriminator import beat_notes
from musicrel.generation.discriminator.beat_notes import DEGREES, INTERVALS, BeatNotes
from tests.helpers.music import random_chorale

REST_DEGREE = DEGREES - 1
NO_MOTION = INTERVALS // 2


def two_beats(first: int, second: int, key: Key | None = None) -> beat_notes.BeatNotes:
    """Return a quarter of one soprano pitch, then one of another; the other voices rest."""
    table = np.full((8, 4), REST)
    table[:4, Voice.SOPRANO], table[4:, Voice.SOPRANO] = first, second
    return beat_notes.of_piece(replace(Chorale.of(table), key=key))


def test_pitches_are_degrees_of_the_key() -> None:
    notes = two_beats(62, 73, Key("D", "minor"))
    assert notes.degrees_KBC[0, :, 0].tolist() == [0, 11]
    assert notes.modes_B.tolist() == [1, 1]


def test_without_a_key_they_are_pitch_classes() -> None:
    notes = two_beats(62, 73)
    assert notes.degrees_KBC[0, :, 0].tolist() == [2, 1]
    assert notes.modes_B.tolist() == [0, 0]


def test_rests_have_a_degree_of_their_own_and_no_height() -> None:
    notes = two_beats(REST, 72)
    assert notes.degrees_KBC[0, 0].tolist() == [REST_DEGREE] * 16
    assert notes.heights_KBC[0, :, 0].tolist() == [0, 1]


@pytest.mark.parametrize(("before", "after", "motion"), [(60, 62, 2), (60, 48, -8), (REST, 60, 0)])
def test_intervals_are_those_from_the_step_before(before: int, after: int, motion: int) -> None:
    """They are cut off at a sixth."""
    notes = two_beats(before, after)
    assert notes.intervals_KBC[0, 1, ::4].tolist() == [NO_MOTION + motion, *[NO_MOTION] * 3]


def test_onsets_are_read_step_by_step() -> None:
    piece = random_chorale(3, 32)
    notes = beat_notes.of_piece(replace(piece, pickup=0))
    np.testing.assert_array_equal(notes.onsets_KBC.reshape(-1, 4), piece.onsets)


def test_a_piece_is_read_from_its_first_quarter_on() -> None:
    """The first two steps are an eighth before the third beat."""
    piece = replace(random_chorale(4, 34), pickup=10)
    notes = beat_notes.of_piece(piece)
    assert notes.numbers_B.tolist() == [2, 3, 0, 1, 2, 3, 0, 1]
    np.testing.assert_array_equal(notes.onsets_KBC.reshape(-1, 4), piece.onsets[2:])
    assert notes.fermatas_B.tolist() == piece.fermatas[2::4].astype(int).tolist()


@pytest.mark.parametrize(("steps", "pickup"), [(3, 0), (2, 3), (5, 6)])
def test_a_piece_without_a_whole_beat_has_none(steps: int, pickup: int) -> None:
    piece = Chorale.of(np.full((steps, 4), 60), pickup=pickup)
    assert len(beat_notes.of_piece(piece).numbers_B) == 0


def test_a_part_has_all_fields_of_its_beats() -> None:
    notes = beat_notes.of_piece(replace(random_chorale(3, 32), pickup=0))
    part = notes.part(slice(2, 5))
    for name in BeatNotes._fields:
        whole, found = getattr(notes, name), getattr(part, name)
        of_pieces = name.endswith("KBC")
        np.testing.assert_array_equal(found, whole[:, 2:5] if of_pieces else whole[2:5])
