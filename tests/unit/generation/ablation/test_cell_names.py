"""Cells by voice, bar and beat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import Chorale, Meter
from musicrel.errors import UsageError
from musicrel.generation.ablation import cell_names
from tests.helpers.music import random_chorale

PIECE = replace(random_chorale(0, steps=40), pickup=0, meter=Meter())
UPBEAT = replace(PIECE, pickup=4)


def test_a_cell_is_named_by_voice_bar_and_beat() -> None:
    assert cell_names.parse("alto:2.3", PIECE) == 4 * (16 + 8) + 1


def test_a_sixteenth_of_the_beat_is_counted_from_one() -> None:
    assert cell_names.parse("B:1.1.4", PIECE) == 4 * 3 + 3


def test_a_pickup_is_bar_0_with_the_last_beats() -> None:
    assert cell_names.parse("soprano:0.4", UPBEAT) == 0
    assert cell_names.parse("soprano:1.1", UPBEAT) == 16


@pytest.mark.parametrize("piece", [PIECE, UPBEAT])
def test_every_cell_has_a_name_that_is_read_back(piece: Chorale) -> None:
    for cell in range(4 * piece.steps):
        assert cell_names.parse(cell_names.name(cell, piece), piece) == cell


@pytest.mark.parametrize("text", ["", "alto", "alto 5.2", "viola:1.1", "alto:1", "alto:1.1.1.1"])
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"names no note: expected voice, bar and beat"):
        cell_names.parse(text, PIECE)


@pytest.mark.parametrize("text", ["alto:4.1", "alto:1.5", "alto:1.1.5", "alto:0.1", "alto:3.3"])
def test_a_note_outside_the_piece_is_refused(text: str) -> None:
    expected = r"not in the piece: it has bars 1 to 3 of 4 beats of 4 sixteenths"
    with pytest.raises(UsageError, match=expected):
        cell_names.parse(text, PIECE)
