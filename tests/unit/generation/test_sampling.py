"""Choosing one token."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from musicrel.generation.sampling import Sampler, Sampling, chance, log_probabilities

PROBABILITIES = np.array([0.1, 0.4, 0.2, 0.25, 0.05])
EVERY = np.ones(5, dtype=np.bool_)
DRAWS = 4000
FAR_OUT = 33.4
"""Chi-square of 10 or fewer degrees of freedom exceeds this once in 4,000 tests."""


def tokens(
    numbers: npt.NDArray[np.float64],
    logits: npt.NDArray[np.float64] | None = None,
    legal: npt.NDArray[np.bool_] = EVERY,
    **how: Any,
) -> list[int]:
    """What one sequence after the other chooses, each by a number of its own."""
    logits = np.log(PROBABILITIES) + 3.0 if logits is None else logits
    rows = len(numbers)
    sampler = Sampler([Sampling(**how)] * rows)
    chosen: list[int] = sampler.choose(
        np.tile(logits, (rows, 1)), np.tile(legal, (rows, 1)), numbers
    ).tolist()
    return chosen


def draws(
    legal: npt.NDArray[np.bool_] = EVERY,
    logits: npt.NDArray[np.float64] | None = None,
    **how: Any,
) -> list[int]:
    """How often each token is chosen in 4,000 draws from one seed."""
    chosen = tokens(chance(1, DRAWS), logits, legal, **how)
    counts: list[int] = np.bincount(chosen, minlength=len(legal)).tolist()
    return counts


def assert_follows(counts: list[int], shares: Iterable[float]) -> None:
    """The counts are those of the distribution, as far as chance allows."""
    expected = [share * DRAWS for share in shares]
    assert all(count == 0 for count, mean in zip(counts, expected, strict=True) if mean == 0)
    chi_square = sum(
        (count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True) if mean
    )
    assert chi_square < FAR_OUT


def test_tokens_come_as_often_as_the_model_says() -> None:
    """At temperature 1 with nothing left out."""
    assert_follows(draws(), PROBABILITIES.tolist())


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_temperature_sharpens_or_flattens(temperature: float) -> None:
    """p^(1/t), made to sum to 1."""
    powers = PROBABILITIES ** (1 / temperature)

    assert_follows(draws(temperature=temperature), (powers / powers.sum()).tolist())


@pytest.mark.parametrize("temperature", [0.0, 1e-320, 1e-300, 1e-9])
def test_without_temperature_the_likeliest_is_taken(temperature: float) -> None:
    """At 0, and however near to it."""
    assert draws(temperature=temperature) == [0, DRAWS, 0, 0, 0]


@pytest.mark.parametrize(
    ("top_k", "shares"),
    [(1, [0, 1, 0, 0, 0]), (2, [0, 0.4, 0, 0.25, 0]), (3, [0, 0.4, 0.2, 0.25, 0]),
     (5, PROBABILITIES.tolist()), (99, PROBABILITIES.tolist())],
)  # fmt: skip
def test_top_k_keeps_the_k_likeliest(top_k: int, shares: list[float]) -> None:
    """In their proportions; more than there are is all."""
    assert_follows(draws(top_k=top_k), [share / sum(shares) for share in shares])


@pytest.mark.parametrize(
    ("top_p", "shares"),
    [(1e-9, [0, 1, 0, 0, 0]), (0.39, [0, 1, 0, 0, 0]), (0.41, [0, 0.4, 0, 0.25, 0]),
     (0.64, [0, 0.4, 0, 0.25, 0]), (0.66, [0, 0.4, 0.2, 0.25, 0]),
     (0.86, [0.1, 0.4, 0.2, 0.25, 0])],
)  # fmt: skip
def test_top_p_keeps_the_likeliest_that_reach_p(top_p: float, shares: list[float]) -> None:
    """The smallest set whose probabilities sum to at least p, in their proportions."""
    assert_follows(draws(top_p=top_p), [share / sum(shares) for share in shares])


def test_the_narrower_of_both_rules() -> None:
    """top-k after top-p or before, it is the same."""
    assert draws(top_k=1, top_p=0.9) == [0, DRAWS, 0, 0, 0]
    assert draws(top_k=4, top_p=0.3) == [0, DRAWS, 0, 0, 0]


def test_top_p_counts_after_temperature() -> None:
    """A flat distribution needs more tokens for the same p."""
    assert draws(top_p=0.39, temperature=100.0).count(0) == 3


def test_an_illegal_token_is_never_chosen() -> None:
    """The others share its probability."""
    legal = np.array([True, False, True, True, False])
    shares = [0.1 / 0.55, 0, 0.2 / 0.55, 0.25 / 0.55, 0]

    assert_follows(draws(legal), shares)
    assert draws(legal, temperature=0.0) == [0, 0, 0, DRAWS, 0]
    assert draws(legal, top_k=1) == [0, 0, 0, DRAWS, 0]


def test_a_single_legal_token_is_chosen_however_unlikely() -> None:
    """Also where its probability is nothing in single precision."""
    logits = np.array([500.0, -500.0, 3.0])
    legal = np.array([False, True, False])

    for how in ({}, {"temperature": 0.0}, {"temperature": 1e-300}, {"top_p": 0.1}, {"top_k": 1}):
        assert draws(legal, logits, **how) == [0, DRAWS, 0]


def test_the_numbers_of_a_seed_are_its_own() -> None:
    """The same seed gives the same, another one others; a longer piece begins like a shorter."""
    assert np.array_equal(chance(3, 50), chance(3, 50))
    assert np.array_equal(chance(3, 50), chance(3, 99)[:50])
    assert not np.array_equal(chance(3, 50), chance(4, 50))


@pytest.mark.parametrize("how", [{}, {"top_k": 3}, {"top_p": 0.7}, {"temperature": 1e-300}])
@pytest.mark.parametrize("number", [0.0, 1.0 - 2**-53])
def test_the_ends_of_chance_choose_a_token_too(number: float, how: dict[str, Any]) -> None:
    """A legal one that is possible, never one beyond the last."""
    legal = np.array([False, True, True, True, False])

    assert tokens(np.array([number]), legal=legal, **how)[0] in {1, 2, 3}


def test_every_sequence_is_sampled_in_its_own_way() -> None:
    """Side by side as each alone."""
    ways = [
        Sampling(),
        Sampling(temperature=0.0),
        Sampling(temperature=3.0, top_k=2),
        Sampling(top_p=0.5),
        Sampling(temperature=1e-300),
    ]
    logits = np.random.default_rng(0).normal(size=(5, 9)) * 2
    legal = np.random.default_rng(1).random((5, 9)) < 0.7
    for numbers in np.random.default_rng(2).random((100, 5)):
        together = Sampler(ways).choose(logits, legal, numbers)
        alone = [
            Sampler([way]).choose(logits[[row]], legal[[row]], numbers[[row]])[0]
            for row, way in enumerate(ways)
        ]
        assert together.tolist() == alone


def test_log_probabilities_are_those_of_the_logits() -> None:
    """Whatever was added to all of them."""
    logits = np.log(PROBABILITIES)[None] + [[3.0], [-700.0]]

    np.testing.assert_allclose(np.exp(log_probabilities(logits)), [PROBABILITIES] * 2)
