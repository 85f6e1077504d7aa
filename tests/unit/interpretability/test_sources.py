"""Sources: notes and steps, and the keys that belong to them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Meter
from musicrel.errors import UsageError
from musicrel.generation.heads.means import note_numbers
from musicrel.interpretability import ablation as sources
from musicrel.interpretability import cell_names
from musicrel.interpretability.results import Source
from tests.helpers.music import random_chorale


def piece() -> Chorale:
    """Return four steps; the soprano has two notes, the alto a rest and a note."""
    pitches = np.array([[72, REST, 55, 48], [72, REST, 55, 48], [74, 65, 55, 48], [74, 65, 55, 48]])
    onsets = np.zeros((4, 4), dtype=np.bool_)
    onsets[[0, 2, 2, 0, 0], [0, 0, 1, 2, 3]] = True
    fermatas = np.zeros(4, dtype=np.bool_)
    return Chorale(pitches=pitches.astype(np.int16), onsets=onsets, fermatas=fermatas)


def test_earlier_notes_end_at_the_cell() -> None:
    assert sources.earlier_notes(piece(), 4 * 2 + 2) == (
        Source(0, 0, 2), Source(2, 0, 2), Source(3, 0, 2), Source(0, 2, 3), Source(1, 2, 3),
    )  # fmt: skip


def test_the_keys_of_a_note_are_its_tokens_and_that_of_a_step_its_number() -> None:
    keys_1K = sources.keys_of([Source(2, 1, 3)], 16)
    assert np.flatnonzero(keys_1K).tolist() == [1 + 4 + 2, 1 + 8 + 2]

    assert np.flatnonzero(sources.keys_of([Source(None, 3, 4)], 5)).tolist() == [3]


def test_other_steps_are_all_but_that_of_the_cell() -> None:
    assert [source.start for source in sources.other_steps(4, 4 * 2 + 1)] == [0, 1, 3]


def test_the_keys_of_the_voices_are_all_tokens_so_far_but_start() -> None:
    keys_4K = sources.keys_of_voices(16, 6)
    assert [np.flatnonzero(row).tolist() for row in keys_4K] == [[1, 5], [2, 6], [3], [4]]


def test_every_note_and_rest_has_a_number() -> None:
    numbers_T4 = note_numbers(piece()).reshape(-1, 4)
    assert [len(set(voice)) for voice in numbers_T4.T.tolist()] == [2, 2, 1, 1]
    assert len(set(numbers_T4.reshape(-1).tolist())) == 6


def test_the_strongest_come_first_and_random_ones_are_of_the_rest() -> None:
    weights = np.array([0.1, 0.4, 0.0, 0.3, 0.2])
    rows, border = sources.strongest_and_random(weights, 2, 2, np.random.default_rng(0))
    assert rows[:border] == [1, 3]
    assert len(rows) == 4
    assert set(rows[border:]) < {0, 2, 4}


PIECE = replace(random_chorale(0, steps=40), pickup=0, meter=Meter())
UPBEAT = replace(PIECE, pickup=4)


@pytest.mark.parametrize(
    ("text", "piece", "cell"),
    [
        ("alto:2.3", PIECE, 4 * (16 + 8) + 1), ("B:1.1.4", PIECE, 4 * 3 + 3),
        ("soprano:0.4", UPBEAT, 0), ("soprano:1.1", UPBEAT, 16),
    ],
)  # fmt: skip
def test_a_cell_is_named_by_voice_bar_beat_and_sixteenth(
    text: str, piece: Chorale, cell: int
) -> None:
    assert cell_names.parse(text, piece) == cell


@pytest.mark.parametrize("piece", [PIECE, UPBEAT])
def test_every_cell_has_a_name_that_is_read_back(piece: Chorale) -> None:
    for cell in range(4 * piece.steps):
        assert cell_names.parse(cell_names.name(cell, piece), piece) == cell


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (
            ("", "alto", "alto 5.2", "viola:1.1", "alto:1", "alto:1.1.1.1"),
            "names no note: expected voice, bar and beat",
        ),
        (
            ("alto:4.1", "alto:1.5", "alto:1.1.5", "alto:0.1", "alto:3.3"),
            "not in the piece: it has bars 1 to 3 of 4 beats of 4 sixteenths",
        ),
    ],
    ids=["no name", "outside"],
)
def test_other_texts_and_notes_are_refused(texts: tuple[str, ...], sentence: str) -> None:
    for text in texts:
        with pytest.raises(UsageError, match=sentence):
            cell_names.parse(text, PIECE)
