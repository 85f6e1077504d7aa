"""The features of the critic."""

from __future__ import annotations

import torch

from musicrel.model.features import critic_features
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import ARTICULATED, MASK, PAD, PITCHES
from tests.helpers.music import random_chorale

FIRST = ARTICULATED.first_onset


def feature_rows(*steps: tuple[int, int, int, int]) -> torch.Tensor:
    """Return the rows of steps given as pitches above the lowest, -1 hidden: (T, S)."""
    ids = torch.tensor(steps)
    return critic_features.rows(torch.where(ids < 0, MASK, ids + FIRST)[None], PITCHES)[0]


def test_every_row_is_one_of_the_table() -> None:
    """Also for rests, hidden notes and padding."""
    ids = torch.randint(ARTICULATED.size, (2, 50, 4), generator=torch.Generator().manual_seed(0))
    ids[0, 40:], ids[0, :3] = PAD, MASK
    rows = critic_features.rows(ids, PITCHES)
    assert rows.shape == (2, 50, critic_features.SUMMED)
    assert rows.min() >= 0
    assert rows.max() < critic_features.ROWS


def test_a_piece_is_the_same_in_every_key() -> None:
    """The rows depend on intervals, not on pitches."""
    piece = random_chorale(3, 12, margin=4)
    low, high = (
        torch.from_numpy(codec.encode(one, ARTICULATED)[1:-1]).view(1, -1, 4)
        for one in (piece, piece.transposed(3))
    )
    assert torch.equal(critic_features.rows(low, PITCHES), critic_features.rows(high, PITCHES))


def test_parallel_fifths_have_one_row() -> None:
    """In any two voices; repeated fifths and contrary motion have others."""
    outer = feature_rows((17, -1, -1, 10), (19, -1, -1, 12))[1]
    inner = feature_rows((-1, 29, 10, -1), (-1, 31, 12, -1))[1]
    still = feature_rows((17, -1, -1, 10), (17, -1, -1, 10))[1]
    contrary = feature_rows((17, -1, -1, 10), (15, -1, -1, 20))[1]
    pairs = slice(critic_features.SUMMED - 6, None)
    soprano_and_bass, alto_and_tenor = outer[pairs][2], inner[pairs][3]
    assert soprano_and_bass == alto_and_tenor
    assert soprano_and_bass not in (still[pairs][2], contrary[pairs][2])


def test_crossing_voices_have_a_row_of_their_own() -> None:
    """The distance of soprano and alto shows it."""
    gap = 16
    above, unison, below = (feature_rows((p, 20, 15, 10))[0, gap] for p in (24, 20, 18))
    assert len({int(above), int(unison), int(below)}) == 3
