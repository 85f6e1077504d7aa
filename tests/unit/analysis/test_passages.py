"""The longest passage shared with other music."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis import memorisation
from musicrel.analysis.passages import Passages
from musicrel.chorale import REST, Chorale
from tests.helpers.music import random_chorale

OTHERS = [random_chorale(seed, 40, margin=3) for seed in range(3)]


def spliced(inside: Chorale, at: int) -> Chorale:
    """Build a random piece with ``inside`` in it."""
    around = random_chorale(99, 60, margin=3).pitches.copy()
    around[at : at + inside.steps] = inside.pitches
    return Chorale.of(around)


@pytest.mark.parametrize("semitones", [-2, 0, 3])
def test_a_passage_is_found_wherever_it_is_and_in_any_key(semitones: int) -> None:
    """Twelve steps of another piece, transposed, in the middle of a new one."""
    taken = OTHERS[1].cropped(7, 19).transposed(semitones)
    assert Passages.of(OTHERS).longest(spliced(taken, 20)) == 12


def test_the_piece_itself_is_found_whole() -> None:
    """The match does not continue into the next piece."""
    assert Passages.of(OTHERS).longest(OTHERS[0]) == 40
    both = Chorale.of(np.concatenate([OTHERS[0].pitches, OTHERS[1].pitches]))
    assert Passages.of(OTHERS).longest(both) == 40


def test_a_passage_is_as_long_as_the_longest_chunk_that_is_found() -> None:
    """The reference is ``memorisation`` with every length."""
    piece = spliced(OTHERS[2].cropped(3, 30).transposed(1), 11)
    found = [
        steps
        for steps in range(1, 60)
        if memorisation.share_found(piece, memorisation.chunk_set(OTHERS, steps), steps)
    ]
    assert Passages.of(OTHERS).longest(piece) == max(found)


def test_another_voicing_is_another_passage() -> None:
    """An octave in one voice makes the difference."""
    moved = OTHERS[0].pitches.copy()
    moved[:, 3] = np.where(moved[:, 3] == REST, 40, REST)
    assert Passages.of(OTHERS[:1]).longest(Chorale.of(moved)) == 0


def test_silence_is_nobodys_music() -> None:
    """An empty index has no passage, either."""
    silence = Chorale.of([[REST] * 4] * 8)
    assert Passages.of([silence]).longest(silence) == 0
    assert Passages.of([]).longest(OTHERS[0]) == 0
