"""Sampling of one token."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from musicrel.generation.sampling import Sampler, uniforms

PROBABILITIES = np.array([0.1, 0.4, 0.2, 0.25, 0.05])
EVERY = np.ones(5, dtype=np.bool_)
DRAWS = 4000
FAR_OUT = 33.4
"""Chi-square of 10 or fewer degrees of freedom exceeds this once in 4,000 tests."""


def tokens(
    uniform_values: npt.NDArray[np.float64],
    logits: npt.NDArray[np.float64] | None = None,
    legal: npt.NDArray[np.bool_] = EVERY,
    **options: Any,
) -> list[int]:
    logits = np.log(PROBABILITIES) + 3.0 if logits is None else logits
    rows = len(uniform_values)
    chosen: list[int] = (
        Sampler(**options)
        .choose(np.tile(logits, (rows, 1)), np.tile(legal, (rows, 1)), uniform_values)
        .tolist()
    )
    return chosen


def draws(
    legal: npt.NDArray[np.bool_] = EVERY,
    logits: npt.NDArray[np.float64] | None = None,
    **options: Any,
) -> list[int]:
    """Return the counts of each token in 4,000 draws from one seed."""
    chosen = tokens(uniforms(1, DRAWS), logits, legal, **options)
    counts: list[int] = np.bincount(chosen, minlength=len(legal)).tolist()
    return counts


def assert_follows(counts: list[int], shares: Iterable[float]) -> None:
    expected = [share * DRAWS for share in shares]
    assert all(count == 0 for count, mean in zip(counts, expected, strict=True) if mean == 0)
    chi_square = sum(
        (count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True) if mean
    )
    assert chi_square < FAR_OUT


def test_tokens_are_sampled_by_their_probability() -> None:
    """Frequencies equal probabilities at temperature 1."""
    assert_follows(draws(), PROBABILITIES.tolist())


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_temperature_sharpens_or_flattens(temperature: float) -> None:
    powers = PROBABILITIES ** (1 / temperature)

    assert_follows(draws(temperature=temperature), (powers / powers.sum()).tolist())


@pytest.mark.parametrize("temperature", [0.0, 1e-320, 1e-300, 1e-9])
def test_at_temperature_0_the_most_probable_token_is_chosen(temperature: float) -> None:
    """The same holds for temperatures close to 0."""
    assert draws(temperature=temperature) == [0, DRAWS, 0, 0, 0]


@pytest.mark.parametrize(
    ("top_k", "shares"),
    [(1, [0, 1, 0, 0, 0]), (2, [0, 0.4, 0, 0.25, 0]), (3, [0, 0.4, 0.2, 0.25, 0]),
     (5, PROBABILITIES.tolist()), (99, PROBABILITIES.tolist())],
)  # fmt: skip
def test_top_k_keeps_the_k_most_probable(top_k: int, shares: list[float]) -> None:
    """Proportions are kept; a k above the vocabulary keeps all."""
    assert_follows(draws(top_k=top_k), [share / sum(shares) for share in shares])


@pytest.mark.parametrize(
    ("top_p", "shares"),
    [(1e-9, [0, 1, 0, 0, 0]), (0.39, [0, 1, 0, 0, 0]), (0.41, [0, 0.4, 0, 0.25, 0]),
     (0.64, [0, 0.4, 0, 0.25, 0]), (0.66, [0, 0.4, 0.2, 0.25, 0]),
     (0.86, [0.1, 0.4, 0.2, 0.25, 0])],
)  # fmt: skip
def test_top_p_keeps_the_most_probable_that_reach_p(top_p: float, shares: list[float]) -> None:
    assert_follows(draws(top_p=top_p), [share / sum(shares) for share in shares])


@pytest.mark.parametrize(
    ("options", "shares"),
    [({"top_p": 0.5}, [0, 0.7, 0, 0.25, 0.05]), ({"top_k": 1}, [0, 0.7, 0, 0.25, 0.05]),
     ({"top_p": 0.6}, [0, 0.7 * 2 / 3, 0.7 / 3, 0.25, 0.05]), ({}, PROBABILITIES.tolist())],
)  # fmt: skip
def test_filters_narrow_which_note_begins_and_not_whether_one_does(
    options: dict[str, Any], shares: list[float]
) -> None:
    """The last two tokens hold a note."""
    assert_follows(draws(first_hold=3, **options), shares)

    holds = np.array([False, False, False, True, True])
    assert_follows(draws(holds, first_hold=3, **options), [0, 0, 0, 5 / 6, 1 / 6])


def test_an_illegal_token_is_never_chosen() -> None:
    legal = np.array([True, False, True, True, False])
    shares = [0.1 / 0.55, 0, 0.2 / 0.55, 0.25 / 0.55, 0]

    assert_follows(draws(legal), shares)
    assert draws(legal, temperature=0.0) == [0, 0, 0, DRAWS, 0]
    assert draws(legal, top_k=1) == [0, 0, 0, DRAWS, 0]


def test_a_single_legal_token_is_chosen_however_improbable() -> None:
    logits = np.array([500.0, -500.0, 3.0])
    legal = np.array([False, True, False])

    for options in (
        {},
        {"temperature": 0.0},
        {"temperature": 1e-300},
        {"top_p": 0.1},
        {"top_k": 1},
    ):
        assert draws(legal, logits, **options) == [0, DRAWS, 0]


def test_random_numbers_belong_to_their_seed() -> None:
    """Seeds are reproducible and distinct; longer arrays begin like shorter ones."""
    assert np.array_equal(uniforms(3, 50), uniforms(3, 50))
    assert np.array_equal(uniforms(3, 50), uniforms(3, 99)[:50])
    assert not np.array_equal(uniforms(3, 50), uniforms(4, 50))
