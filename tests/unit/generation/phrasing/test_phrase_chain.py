"""The Markov chain of phrase lengths."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest

from musicrel.generation.phrasing.phrase_chain import PhraseChain

PIECES = [[2, 2, 4], [2, 2, 4], [3, 1, 4], [4, 4]]


def naive_share(pieces: list[list[int]], lengths: tuple[int, ...], parts: int) -> float:
    """Return the probability of a piece, the product of smoothed shares."""
    paths = [(0, *piece, 0) for piece in pieces]
    counts, at = Counter[tuple[int, int, int]](), Counter[tuple[int, int]]()
    for path in paths:
        for n in range(1, len(path)):
            place = sum(path[:n]) % parts
            counts[path[n - 1], place, path[n]] += 1
            at[place, path[n]] += 1
    share, path = 1.0, (0, *lengths, 0)
    for n in range(1, len(path)):
        before, place, length = path[n - 1], sum(path[:n]) % parts, path[n]
        usual = sum(count for (where, _), count in at.items() if where == place)
        known = sum(c for (was, where, _), c in counts.items() if (was, where) == (before, place))
        smooth = 2 * at[place, length] / usual
        share *= (counts[before, place, length] + smooth) / (known + 2)
    return share


@pytest.mark.parametrize("parts", [1, 2])
def test_pieces_are_drawn_with_the_probability_of_their_sum(parts: int) -> None:
    """Shares of 4,000 draws agree with the formula over all pieces of that length."""
    chain, generator = PhraseChain.of(PIECES, parts), np.random.default_rng(1)
    drawn = Counter(chain.draw(8, generator) for _ in range(4000))
    possible = [
        lengths
        for number in range(1, 9)
        for lengths in product((1, 2, 3, 4), repeat=number)
        if sum(lengths) == 8
    ]
    shares = np.array([naive_share(PIECES, lengths, parts) for lengths in possible])
    found = np.array([drawn[lengths] / 4000 for lengths in possible])
    np.testing.assert_allclose(found, shares / shares.sum(), atol=0.03)


def test_phrases_off_the_bar_return_to_it_as_they_did() -> None:
    """Three parts are followed by one, not by two."""
    generator = np.random.default_rng(2)
    chain = PhraseChain.of(PIECES, 2)
    for lengths in (chain.draw(16, generator) for _ in range(200)):
        for here, later in pairwise(lengths):
            assert here != 3 or later == 1


def test_a_sum_that_no_phrases_fit_is_one_phrase() -> None:
    """There is no phrase of an odd length."""
    chain = PhraseChain.of([[2, 2], [4]], 1)
    assert chain.draw(7, np.random.default_rng(0)) == (7,)
    assert PhraseChain.of([[4]], 1).draw(2, np.random.default_rng(0)) == (2,)


def test_rare_lengths_are_not_drawn() -> None:
    """One of a thousand phrases is an accident."""
    chain = PhraseChain.of([[2, 2]] * 500 + [[1, 3]], 1)
    generator = np.random.default_rng(3)
    assert {chain.draw(4, generator) for _ in range(500)} == {(2, 2)}
