"""Statistics of the phrases of the training chorales."""

from __future__ import annotations

from musicrel.generation.phrasing import corpus_phrases
from musicrel.generation.phrasing.corpus_phrases import COMMON, TRIPLE
from musicrel.generation.phrasing.phrase_chain import State


def test_most_chorales_in_common_time_begin_with_a_quarter() -> None:
    """Two of three in triple time begin with a bar."""
    assert corpus_phrases.pickups(COMMON).most_common(1)[0] == (4, 147)
    assert corpus_phrases.pickups(TRIPLE) == {0: 17, 4: 9}


def test_fermatas_depend_on_where_they_end() -> None:
    """Before a pickup of a quarter they last one or three quarters, more often three at the end."""
    within = corpus_phrases.holds(COMMON, 12, is_last=False)
    final = corpus_phrases.holds(COMMON, 12, is_last=True)
    assert {1, 3} == {*within} == {*final}
    assert within[1] > 4 * within[3]
    assert final[1] < 2 * final[3]


def test_no_fermata_is_longer_than_a_bar() -> None:
    """Longer ones end few pieces, and are left out."""
    for end in range(0, 16, 4):
        counts = corpus_phrases.holds(COMMON, end, is_last=True)
        assert max(counts, default=0) <= 4


def test_chorales_without_pickup_have_lengths_of_their_own() -> None:
    """A phrase in five lasts two and a half bars."""
    shares = {
        pickup: corpus_phrases.chain(COMMON, pickup, 4).shares[State(0, 0)].get(10, 0.0)
        for pickup in (0, 4)
    }
    assert shares[0] > 0.1 > shares[4]


def test_a_rare_pickup_has_the_lengths_of_all_chorales() -> None:
    """Two chorales begin with half a bar."""
    rare, rarer = (corpus_phrases.chain(COMMON, pickup, 4).shares for pickup in (8, 12))
    assert rare == rarer
