"""Comparisons of a device with torch on the CPU."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.checkup import subject


def test_numbers_pass_up_to_a_difference_of_a_ten_thousandth() -> None:
    """The largest difference is the figure."""
    expected = np.zeros((2, 3))
    found = expected.copy()
    found[1, 2] = -9e-5

    assert subject.compared_numbers("logits", found, expected).passed
    found[0, 0] = 2e-4
    outcome = subject.compared_numbers("logits", found, expected)
    assert not outcome.passed
    assert outcome.figure == pytest.approx(2e-4)
    assert outcome.finding == "largest difference of 6 logits: 2.0e-04"


def test_a_number_that_is_none_fails() -> None:
    """No comparison is true of it."""
    assert not subject.compared_numbers("logits", np.array([np.nan]), np.zeros(1)).passed


def test_numbers_of_another_shape_fail() -> None:
    """They are not broadcast."""
    outcome = subject.compared_numbers("logits", np.zeros((1, 3)), np.zeros((2, 3)))

    assert not outcome.passed
    assert outcome.finding == "logits of shape (1, 3) instead of (2, 3)"


def test_every_other_note_counts() -> None:
    """All of a voice that moves, and one that is repeated instead of held."""
    piece = subject.piece()
    pitches, onsets = piece.pitches.copy(), piece.onsets.copy()
    pitches[:, 0] += 1
    held = np.flatnonzero(~onsets[:, 2])[0]
    onsets[held, 2] = True
    changed = replace(piece, pitches=pitches, onsets=onsets)

    assert subject.compared_pieces(piece, piece).passed
    outcome = subject.compared_pieces(changed, piece)
    assert not outcome.passed
    assert outcome.finding == "65 of 256 cells have another note"


def test_a_piece_of_another_length_fails() -> None:
    """Its notes are not compared."""
    piece = subject.piece()

    outcome = subject.compared_pieces(piece.cropped(0, 16), piece)

    assert not outcome.passed
    assert outcome.finding == "16 steps instead of 64"
