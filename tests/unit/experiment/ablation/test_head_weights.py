"""The weight of a head for a note against naive formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

from musicrel.experiment.ablation import head_weights

KEYS_SK = np.array([[0, 1, 1, 0, 0], [0, 0, 0, 1, 0]], dtype=np.bool_)


@pytest.fixture
def weights_LHK() -> head_weights.Floats:
    """Return random weights of two layers of three heads on five keys."""
    return np.random.default_rng(0).dirichlet(np.ones(5), size=(2, 3))


def test_the_strongest_source_is_the_largest_sum_over_its_keys(
    weights_LHK: head_weights.Floats,
) -> None:
    found_LH = head_weights.strongest_source(weights_LHK, KEYS_SK)
    for layer in range(2):
        for head in range(3):
            row = weights_LHK[layer, head]
            assert found_LH[layer, head] == pytest.approx(max(row[1] + row[2], row[3]))


def test_start_is_no_source() -> None:
    weights_LHK = np.array([[[0.9, 0.02, 0.02, 0.06, 0.0]]])
    assert head_weights.strongest_source(weights_LHK, KEYS_SK) == pytest.approx(0.06)


def test_without_sources_the_strongest_has_no_weight() -> None:
    none_SK = np.zeros((0, 1), dtype=np.bool_)
    assert head_weights.strongest_source(np.ones((1, 2, 1)), none_SK).tolist() == [[0.0, 0.0]]


def test_concentration_is_one_minus_the_entropy_over_that_of_equal_weights(
    weights_LHK: head_weights.Floats,
) -> None:
    found_LH = head_weights.concentration(weights_LHK)
    row = weights_LHK[1, 2].tolist()
    entropy = -sum(share * math.log(share) for share in row)
    assert found_LH[1, 2] == pytest.approx(1 - entropy / math.log(5))


@pytest.mark.parametrize(
    ("weights", "expected"), [([0.25] * 4, 0.0), ([0.0, 1.0, 0.0, 0.0], 1.0), ([1.0], 1.0)]
)
def test_concentration_goes_from_equal_weights_to_one_key(
    weights: list[float], expected: float
) -> None:
    assert head_weights.concentration(np.array([[weights]])) == pytest.approx(expected)


def test_both_weights_come_in_the_order_of_their_names(weights_LHK: head_weights.Floats) -> None:
    found = dict(
        zip(head_weights.HEAD_WEIGHTS, head_weights.of_heads(weights_LHK, KEYS_SK), strict=True)
    )
    np.testing.assert_array_equal(found["concentration"], head_weights.concentration(weights_LHK))
