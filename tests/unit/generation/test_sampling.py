"""Choosing one token."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
import torch

from musicrel.generation.sampling import sample

PROBABILITIES = torch.tensor([0.1, 0.4, 0.2, 0.25, 0.05])
EVERY = torch.ones(5, dtype=torch.bool)
DRAWS = 4000
FAR_OUT = 33.4
"""Chi-square of 10 or fewer degrees of freedom exceeds this once in 4,000 tests."""


def draws(legal: torch.Tensor = EVERY, logits: torch.Tensor | None = None, **how: Any) -> list[int]:
    """How often each token is chosen in 4,000 draws from one seed."""
    rng = torch.Generator().manual_seed(1)
    options = {"temperature": 1.0, "top_k": 0, "top_p": 1.0} | how
    logits = PROBABILITIES.log() + 3.0 if logits is None else logits
    counts = [0] * len(legal)
    for _ in range(DRAWS):
        counts[sample(logits, legal, rng, **options)] += 1
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


def test_at_temperature_zero_no_chance_is_used() -> None:
    """The source stays where it is."""
    rng = torch.Generator().manual_seed(1)
    before = rng.get_state()

    sample(PROBABILITIES.log(), EVERY, rng, temperature=0.0, top_k=0, top_p=1.0)

    assert torch.equal(rng.get_state(), before)


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
    legal = torch.tensor([True, False, True, True, False])
    shares = [0.1 / 0.55, 0, 0.2 / 0.55, 0.25 / 0.55, 0]

    assert_follows(draws(legal), shares)
    assert draws(legal, temperature=0.0) == [0, 0, 0, DRAWS, 0]
    assert draws(legal, top_k=1) == [0, 0, 0, DRAWS, 0]


def test_a_single_legal_token_is_chosen_however_unlikely() -> None:
    """Also where its probability is nothing in single precision."""
    logits = torch.tensor([500.0, -500.0, 3.0])
    legal = torch.tensor([False, True, False])

    for how in ({}, {"temperature": 0.0}, {"temperature": 1e-300}, {"top_p": 0.1}, {"top_k": 1}):
        assert draws(legal, logits, **how) == [0, DRAWS, 0]


def test_the_same_seed_gives_the_same_tokens() -> None:
    """And another one others."""

    def tokens(seed: int) -> list[int]:
        rng = torch.Generator().manual_seed(seed)
        return [
            sample(PROBABILITIES.log(), EVERY, rng, temperature=1.0, top_k=0, top_p=1.0)
            for _ in range(50)
        ]

    assert tokens(3) == tokens(3) != tokens(4)
