"""Weights of particles."""
# ruff: noqa: N806  # shape suffixes: ids_KN

from __future__ import annotations

import numpy as np
import pytest

from musicrel.generation.causal import resampling


def test_the_effective_size_counts_equal_weights() -> None:
    """Two particles of four with all the weight count as two."""
    assert resampling.effective_size(np.full(4, -7.0)) == pytest.approx(4)
    assert resampling.effective_size(np.array([0.0, 0.0, -99.0, -99.0])) == pytest.approx(2)
    assert resampling.effective_size(np.array([-2000.0, -3000.0])) == pytest.approx(1)


def test_copies_are_in_proportion_to_the_weights() -> None:
    """Each particle is drawn as often as expected, rounded up or down."""
    log_weight_K = np.log([0.5, 0.3, 0.15, 0.05])
    for uniform in np.linspace(0, 0.999, 25):
        times_K = np.bincount(resampling.systematic(log_weight_K, uniform), minlength=4)
        assert (np.abs(times_K - 4 * np.exp(log_weight_K)) < 1).all()


def test_resampling_is_unbiased() -> None:
    """The mean number of copies is that of the weights."""
    weight_K = np.array([0.1, 0.45, 0.25, 0.2])
    uniforms = (np.arange(1000) + 0.5) / 1000
    rows = [resampling.systematic(np.log(weight_K), uniform) for uniform in uniforms]
    np.testing.assert_allclose(np.bincount(np.concatenate(rows)) / 4000, weight_K, atol=1e-3)


def test_drawn_particles_stay_in_their_place() -> None:
    """Only those that are not drawn become copies, so that little is moved."""
    rows_K = resampling.systematic(np.log([0.01, 0.5, 0.01, 0.48]), 0.5)
    assert rows_K[1] == 1
    assert rows_K[3] == 3
    assert set(rows_K.tolist()) == {1, 3}


def test_a_draw_follows_the_weights() -> None:
    """The random number is a place on the cumulative weights."""
    log_weight_K = np.log([0.25, 0.5, 0.25]) - 300
    drawn = [resampling.draw(log_weight_K, uniform) for uniform in (0, 0.2, 0.26, 0.7, 0.8, 0.9999)]
    assert drawn == [0, 0, 1, 1, 2, 2]
