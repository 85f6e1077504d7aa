"""Shares of attention that the claims are about."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from musicrel.analysis import cadences
from musicrel.analysis.claims import claim_shares, intervals
from musicrel.analysis.claims.claim_shares import (
    CELLS,
    OF_PIECES,
    STEPS,
    ClaimShares,
    longest_pitch,
    phrase_starts,
    repeated_notes,
)
from musicrel.analysis.claims.intervals import Pool, ranks, spearman
from musicrel.analysis.corpus import bundled
from musicrel.chorale import REST, Chorale
from musicrel.errors import DataError
from tests.helpers.known import known
from tests.helpers.music import random_chorale


@cache
def piece() -> Chorale:
    return bundled.load("test")[0].cropped(0, 128)


def rows(cells: np.ndarray, width: int, heads: int = 2) -> np.ndarray:
    """Return random rows of weights that sum to 1 over the cells before and START."""
    weights = np.random.default_rng(0).random((heads, len(cells), width))
    weights[:, np.arange(width) > cells[:, None]] = 0
    normalised: np.ndarray = weights / weights.sum(-1, keepdims=True)
    return normalised


def at_cadences(chorale: Chorale) -> dict[int, int]:
    found: dict[int, int] = {}
    begin = 0
    for end in cadences.phrase_ends(chorale):
        if end.kind and end.step - 4 >= begin + 8:
            found |= dict.fromkeys(range(end.step - 4, end.step + 1), begin)
        begin = end.stop
    return found


def naive(row: np.ndarray, cell: int, starts: dict[int, int]) -> dict[str, float]:
    step = cell // 4
    if step == 0:
        return {}
    weight = {n: row[1 + n] for n in range(cell)}  # of cell n; START is column 0
    before = [weight[4 * (step - 1) + voice] for voice in range(4)]
    found = {
        "step_before": sum(before),
        "every_voice": 4 * min(before),
        "last_events": weight[cell - 1] + weight[cell - 2] + weight[cell - 3],
    }
    if step in starts:
        first = sum(weight[4 * starts[step] + n] for n in range(16))
        second = sum(weight[4 * starts[step] + 16 + n] for n in range(16))
        found |= {"phrase_start": first, "phrase_start_excess": first - second}
    return found


@pytest.mark.parametrize("first", [0, 64, 448])
def test_shares_are_sums_of_weights(first: int) -> None:
    cells = np.arange(first, first + 64)
    weights = rows(cells, first + 64)
    starts = at_cadences(piece())

    found = ClaimShares.of(piece()).measure(weights, cells)

    for head in range(2):
        for place, cell in enumerate(cells):
            expected = naive(weights[head, place], int(cell), starts)
            for name, values in found.items():
                assert values[head, place] == pytest.approx(
                    expected.get(name, np.nan), nan_ok=True, abs=1e-12
                )


@pytest.mark.parametrize("columns", [CELLS, STEPS])
def test_equal_weights_have_even_shares(columns: tuple[int, int]) -> None:
    cells = np.arange(512)
    shares = ClaimShares.of(piece(), columns)  # type: ignore[arg-type]
    width = 513 if columns == CELLS else 128
    weights = np.zeros((1, 512, width))
    for cell in cells:
        seen = cell + 1 if columns == CELLS else width
        weights[0, cell, :seen] = 1 / seen

    found, even = shares.measure(weights, cells), shares.even(cells)

    assert set(found) == set(even)
    for name, values in found.items():
        np.testing.assert_allclose(values[0], even[name], atol=1e-12)


def test_phrases_begin_after_a_fermata() -> None:
    starts = phrase_starts(piece())

    assert {step: int(begin) for step, begin in enumerate(starts) if begin >= 0} == at_cadences(
        piece()
    )
    assert len(set(at_cadences(piece()).values())) > 1
    silent = Chorale.of(np.full((32, 4), REST))
    assert (phrase_starts(silent) == -1).all()


def test_a_piece_that_begins_with_silence_has_its_first_phrase_later() -> None:
    rests = np.full((16, 4), REST)
    later = Chorale.of(np.concatenate([rests, piece().pitches]))
    ends = cadences.phrase_ends(later)
    starts = phrase_starts(later)

    assert ends[0].kind
    assert starts[ends[0].step] == 16


@pytest.mark.parametrize("seed", range(5))
def test_rate_is_that_of_successive_notes(seed: int) -> None:
    piece = random_chorale(seed, 60)
    repeated, notes = 0, 0
    for voice in range(4):
        for step in range(1, piece.steps):
            before, now = piece.pitches[step - 1, voice], piece.pitches[step, voice]
            if piece.onsets[step, voice] and before != REST:
                notes += 1
                repeated += before == now
    assert np.nanmean(repeated_notes(piece)) == pytest.approx(repeated / notes)


def test_longest_stay_counts_repeated_and_held_notes() -> None:
    pitches = np.full((16, 4), REST)
    pitches[2:8, 1] = 60
    pitches[8:, 1] = 62
    onsets = np.zeros((16, 4), dtype=bool)
    onsets[[2, 4, 8], 1] = True

    assert longest_pitch(Chorale.of(pitches, onsets=onsets)) == 2
    assert longest_pitch(Chorale.of(np.full((16, 4), REST))) == 0


def test_figures_are_those_of_the_test_pieces() -> None:
    pieces = bundled.load("test")
    draws = intervals.draws(len(pieces), np.random.default_rng(0))
    repeated = [repeated_notes(piece).ravel() for piece in pieces]
    owners = np.repeat(np.arange(len(pieces)), [len(values) for values in repeated])
    pools = (
        Pool.of(np.concatenate(repeated), owners, len(pieces)),
        Pool.of_units([longest_pitch(piece) for piece in pieces]),
    )

    assert len(pieces) == claim_shares.PIECES
    assert tuple(claim_shares.OF_BACH) == OF_PIECES
    for name, pool in zip(OF_PIECES, pools, strict=True):
        assert claim_shares.OF_BACH[name] == pytest.approx(intervals.mean(pool, draws), abs=1e-4)


def naive_means(values: list[list[float]], draws: np.ndarray) -> list[float]:
    found = []
    for counts in draws.astype(int):
        drawn = [x for count, unit in zip(counts, values, strict=True) for x in unit * count]
        found.append(sum(drawn) / len(drawn))
    return found


VALUES = [[1.0, 2.0, 3.0], [4.0], [10.0, 0.0], [5.0, 5.0, 5.0, 6.0]]


def pooled(values: list[list[float]]) -> Pool:
    units = [unit for unit, of_unit in enumerate(values) for _ in of_unit]
    return Pool.of([x for of_unit in values for x in of_unit], units, len(values))


def test_mean_and_interval_are_those_of_all_observations() -> None:
    draws = intervals.draws(4, np.random.default_rng(1), 200)

    found = known(intervals.mean(pooled(VALUES), draws))
    assert found.value == pytest.approx(41 / 10)
    assert found[1:] == pytest.approx(np.quantile(naive_means(VALUES, draws), (0.025, 0.975)))


def test_difference_draws_both_together() -> None:
    draws = intervals.draws(4, np.random.default_rng(1), 200)
    shifted = pooled([[x + 2 for x in unit] for unit in VALUES])

    found = intervals.difference(shifted, pooled(VALUES), draws)

    assert found == pytest.approx((2, 2, 2))
    assert found is not None
    assert found.above_zero
    assert not found.below_zero


def test_missing_observations_do_not_count() -> None:
    draws = intervals.draws(3, np.random.default_rng(0), 50)
    half = Pool.of_units([1.0, np.nan, 3.0])

    assert half.value == 2
    assert intervals.mean(Pool.of_units([np.nan] * 3), draws) is None
    assert intervals.difference(half, Pool.of_units([np.nan] * 3), draws) is None
    found = known(intervals.mean(half, draws))
    assert 1 <= found.low <= found.high <= 3


def test_nothing_cannot_be_drawn_from() -> None:
    with pytest.raises(DataError, match="nothing to draw from: expected at least one piece"):
        intervals.draws(0, np.random.default_rng(0))


def naive_ranks(values: np.ndarray) -> list[float]:
    return [
        1 + sum(other < one for other in values) + (sum(other == one for other in values) - 1) / 2
        for one in values
    ]


def naive_estimate(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.corrcoef(naive_ranks(x), naive_ranks(y))[0, 1])


def observations(seed: int, count: int, values: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.integers(values, size=count).astype(float)
    return x, x + rng.integers(values, size=count)


@pytest.mark.parametrize("values", [2, 5, 1000])
@pytest.mark.parametrize("seed", range(3))
def test_correlation_is_that_of_the_ranks(seed: int, values: int) -> None:
    x, y = observations(seed, 40, values)
    np.testing.assert_allclose(ranks(x), naive_ranks(x))
    assert spearman(x, y) == pytest.approx(naive_estimate(x, y))
    assert spearman(x, np.exp(y / 100)) == pytest.approx(naive_estimate(x, y))


def test_rows_are_correlated_one_by_one() -> None:
    rows = [observations(seed, 20, 6) for seed in range(4)]
    x, y = (np.stack(part) for part in zip(*rows, strict=True))
    y[3] = 7.0

    found = spearman(x, y)

    assert found[:3] == pytest.approx([naive_estimate(*row) for row in rows[:3]])
    assert np.isnan(found[3])
    assert ranks(x).shape == x.shape


def test_values_must_be_finite_and_of_one_shape() -> None:
    with pytest.raises(DataError, match=r"shapes \(2,\) and \(3,\): expected the same"):
        spearman([1, 2], [1, 2, 3])
    with pytest.raises(DataError, match="with at least one value"):
        spearman([], [])
    with pytest.raises(DataError, match="a value to rank is not finite"):
        spearman([1, np.nan], [1, 2])
