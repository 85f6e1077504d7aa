"""Shares of attention that the claims are about."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from musicrel.analysis import cadences
from musicrel.analysis.claims.claim_shares import (
    CELLS,
    STEPS,
    ClaimShares,
    phrase_starts,
)
from musicrel.chorale import REST, Chorale
from musicrel.corpus import bundled


@cache
def piece() -> Chorale:
    """Return eight bars by Bach, with cadences of several kinds."""
    return bundled.load("test")[0].cropped(0, 128)


def rows(cells: np.ndarray, width: int, heads: int = 2) -> np.ndarray:
    """Return random rows of weights that sum to 1 over the cells before and START."""
    weights = np.random.default_rng(0).random((heads, len(cells), width))
    weights[:, np.arange(width) > cells[:, None]] = 0
    normalised: np.ndarray = weights / weights.sum(-1, keepdims=True)
    return normalised


def at_cadences(chorale: Chorale) -> dict[int, int]:
    """Return the first step of the phrase for every step at a cadence, by loops."""
    found: dict[int, int] = {}
    begin = 0
    for end in cadences.phrase_ends(chorale):
        if end.kind and end.step - 4 >= begin + 8:
            found |= dict.fromkeys(range(end.step - 4, end.step + 1), begin)
        begin = end.stop
    return found


def naive(row: np.ndarray, cell: int, starts: dict[int, int]) -> dict[str, float]:
    """Return the shares of one row of a causal model, weight by weight."""
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
    """Against loops over the columns, for any part of the rows."""
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


def test_stored_values_are_decoded() -> None:
    """Only those that are needed."""
    cells, squared = np.arange(64), []
    weights = rows(cells, 64)

    def decode(stored: np.ndarray) -> np.ndarray:
        squared.append(stored.size)
        return stored**2

    found = ClaimShares.of(piece()).measure(np.sqrt(weights), cells, decode)

    expected = ClaimShares.of(piece()).measure(weights, cells)
    for name, values in found.items():
        np.testing.assert_allclose(values, expected[name], atol=1e-12)
    assert max(squared) < weights.size


@pytest.mark.parametrize("columns", [CELLS, STEPS])
def test_equal_weights_have_even_shares(columns: tuple[int, int]) -> None:
    """START counts as a column; an infilling model sees the whole piece."""
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


def test_infilling_models_have_no_last_events() -> None:
    """Their columns are steps: the sum over one is that of its four voices."""
    cells = np.array([4 * 40 + 1])
    weights = np.zeros((1, 1, 128))
    weights[0, 0, 39] = 0.25

    found = ClaimShares.of(piece(), STEPS).measure(weights, cells)

    assert set(found) == {"step_before", "phrase_start", "phrase_start_excess"}
    assert found["step_before"] == 0.25


def test_phrases_begin_after_a_fermata() -> None:
    """The first with the first note; phrases shorter than three quarters do not count."""
    starts = phrase_starts(piece())

    assert {step: int(begin) for step, begin in enumerate(starts) if begin >= 0} == at_cadences(
        piece()
    )
    assert len(set(at_cadences(piece()).values())) > 1
    silent = Chorale.of(np.full((32, 4), REST))
    assert (phrase_starts(silent) == -1).all()


def test_a_piece_that_begins_with_silence_has_its_first_phrase_later() -> None:
    """With the first note."""
    rests = np.full((16, 4), REST)
    later = Chorale.of(np.concatenate([rests, piece().pitches]))
    ends = cadences.phrase_ends(later)
    starts = phrase_starts(later)

    assert ends[0].kind
    assert starts[ends[0].step] == 16
