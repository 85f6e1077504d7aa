"""Notes drawn evenly from pieces."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.experiment.ablation import note_sample
from tests.helpers.music import random_chorale

PIECES = [random_chorale(seed, steps) for seed, steps in enumerate((4, 40, 60))]


def sizes() -> list[int]:
    return [int(piece.onsets.sum()) for piece in PIECES]


def test_a_short_piece_gives_all_its_notes_and_the_others_as_many_as_each_other() -> None:
    short, *_longer = sizes()
    counts = [len(cells) for cells in note_sample.draw(PIECES, short + 41, seed=0)]
    assert counts[0] == short
    assert sorted(counts[1:]) == [20, 21]


def test_notes_begin_in_their_cells_and_none_is_drawn_twice() -> None:
    for piece, cells in zip(PIECES, note_sample.draw(PIECES, 60, seed=1), strict=True):
        assert piece.onsets.reshape(-1)[cells].all()
        assert len(set(cells.tolist())) == len(cells)


def test_all_notes_can_be_drawn() -> None:
    drawn = note_sample.draw(PIECES, sum(sizes()), seed=0)
    assert [len(cells) for cells in drawn] == sizes()


def test_the_notes_follow_from_the_seed() -> None:
    one, same, other = (
        np.concatenate(note_sample.draw(PIECES, 30, seed=seed)).tolist() for seed in (3, 3, 4)
    )
    assert one == same
    assert one != other


@pytest.mark.parametrize("number", [2, 10_000])
def test_too_few_or_too_many_notes_are_refused(number: int) -> None:
    expected = rf"notes is {number}: expected 3, one for each piece, to {sum(sizes())}"
    with pytest.raises(UsageError, match=expected):
        note_sample.draw(PIECES, number, seed=0)


def test_a_piece_without_notes_gives_none() -> None:
    empty = Chorale.of(np.full((4, 4), -1))
    drawn = note_sample.draw([empty, PIECES[1]], 5, seed=0)
    assert [len(cells) for cells in drawn] == [0, 5]
