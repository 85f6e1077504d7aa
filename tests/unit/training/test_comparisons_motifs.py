"""The fit of the recurrence."""
# ruff: noqa: N806  # shape suffixes: p_M

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from training.comparisons import motifs
from training.comparisons.motifs import Matches


def drawn(nats: float, number: int = 20_000) -> Matches:
    """Return matches that go on as often as with logits raised by ``nats``."""
    random = np.random.default_rng(0)
    p_M = random.random(number)
    again_M = random.random(number) < p_M * np.exp(nats) / (1 - p_M + p_M * np.exp(nats))
    return Matches(np.zeros(number, np.int64), p_M, again_M, notes=number)


@pytest.mark.parametrize("nats", [-1.0, 0.0, 2.0])
def test_the_fit_finds_the_nats_that_matches_were_drawn_with(nats: float) -> None:
    """Within the error of twenty thousand matches."""
    assert motifs.fitted(drawn(nats)) == pytest.approx(nats, abs=0.05)


def test_no_matches_leave_the_logits_alone() -> None:
    """The prior decides."""
    assert motifs.fitted(drawn(0.0, 0)) == 0.0


def test_the_fitted_nats_gain_most() -> None:
    """Less and more raise the likelihood less."""
    found = drawn(2.0)
    gains = [motifs.gain(found, nats) for nats in (1.5, motifs.fitted(found), 2.5)]
    assert max(gains) == gains[1] > 0


def test_matches_of_a_kind_are_told_apart() -> None:
    """The report has a row for each kind."""
    two = Matches(np.array([0, 1]), np.array([0.5, 0.5]), np.array([True, False]), notes=2)

    assert two.of_kind(1).again_M.tolist() == [False]
    assert "| 0 notes elsewhere | 1 | 100.0 | 50.0 | 25.0 |" in motifs.report(two, two, {0: 25.0})


def test_shares_count_what_follows_matches_in_a_piece() -> None:
    """A bar that is written eight times goes on as before, whole phrase by whole phrase."""
    bar = [[72, 67, 64, 48]] * 8 + [[74, 67, 62, 55]] * 8
    piece = Chorale.of(bar * 8, fermatas=np.arange(128) % 16 == 15)
    assert motifs.shares([piece]) == {7: 100.0, 8: 100.0, 9: 100.0}
    assert motifs.shares([piece], "rhythm") == {7: 100.0, 8: 100.0, 9: 100.0}


def test_the_lower_voices_are_counted_together() -> None:
    """The alto holds one note: it goes on with it, in matches without a note."""
    bar = [[72, 67, 64, 48]] * 8 + [[74, 67, 62, 55]] * 8
    piece = Chorale.of(bar * 8, fermatas=np.arange(128) % 16 == 15)
    shares = motifs.shares([piece], "lower")
    assert shares.keys() > motifs.shares([piece]).keys()
    assert shares[8] == 100.0
