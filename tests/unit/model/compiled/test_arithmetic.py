"""The arithmetic of compiled loops against float64 formulas."""

from __future__ import annotations

import math
from pathlib import Path

import numba
import numpy as np
import numpy.typing as npt
import pytest

from musicrel import paths
from musicrel.model.compiled import arithmetic
from musicrel.model.compiled.arithmetic import Floats, compiled
from musicrel.model.compiled.tiles import HEIGHT, PANEL, add_product, padded, panels


@compiled
def exponentials(x_N: Floats, y_N: Floats) -> None:
    for n in range(x_N.shape[0]):
        y_N[n] = arithmetic.exp(x_N[n])


@compiled
def error_functions(x_N: Floats, y_N: Floats) -> None:
    for n in range(x_N.shape[0]):
        y_N[n] = arithmetic.erf(x_N[n])


def normal(*shape: int, seed: int = 0) -> Floats:
    """Return normal random numbers, float32."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def test_exp_is_precise_to_single_precision() -> None:
    """The relative error is a few units in the last place; very small results are not 0."""
    x_N = np.linspace(-86, 80, 20_001, dtype=np.float32)
    y_N = np.empty_like(x_N)
    exponentials(x_N, y_N)

    np.testing.assert_allclose(y_N, np.exp(x_N.astype(np.float64)), rtol=3e-7)


def test_erf_is_precise_to_single_precision() -> None:
    x_N = np.linspace(-6, 6, 10_001, dtype=np.float32)
    y_N = np.empty_like(x_N)
    error_functions(x_N, y_N)

    expected = [math.erf(x) for x in x_N.astype(np.float64)]
    np.testing.assert_allclose(y_N, expected, atol=5e-7)


def test_layer_norm_has_mean_0_and_variance_1_before_gain_and_bias() -> None:
    """Ba et al. 2016, with the epsilon of torch."""
    x_D, gain_D, bias_D = 3 + 2 * normal(128), normal(128, seed=1), normal(128, seed=2)
    y_D = np.empty_like(x_D)
    arithmetic.layer_norm(x_D, gain_D, bias_D, y_D)

    x = x_D.astype(np.float64)
    expected_D = (x - x.mean()) / np.sqrt(x.var() + 1e-5) * gain_D + bias_D
    np.testing.assert_allclose(y_D, expected_D, atol=3e-6)


def gelu(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.array([one * 0.5 * (1 + math.erf(one / math.sqrt(2))) for one in x])


def test_gelu_and_relu_replace_their_argument() -> None:
    x_D = 3 * normal(1000)
    smooth_D, cut_D = x_D.copy(), x_D.copy()
    arithmetic.gelu(smooth_D)
    arithmetic.relu(cut_D)

    np.testing.assert_allclose(smooth_D, gelu(x_D.astype(np.float64)), atol=2e-6)
    assert np.array_equal(cut_D, np.maximum(x_D, 0))


def test_compiled_code_is_kept_in_the_cache_of_the_user() -> None:
    assert Path(numba.config.CACHE_DIR).parent == paths.cache() / "compiled"


def test_the_last_panel_is_filled_with_zeros() -> None:
    w_IO = normal(3, PANEL + 2)

    found_PIn = panels(w_IO)

    assert found_PIn.shape == (2, 3, PANEL)
    assert np.array_equal(found_PIn.transpose(1, 0, 2).reshape(3, -1)[:, : PANEL + 2], w_IO)
    assert not found_PIn[1, :, 2:].any()


@pytest.mark.parametrize("outputs", [1, PANEL, PANEL + 1, 3 * PANEL, 4 * PANEL])
@pytest.mark.parametrize("column", [0, 3, 17])
def test_a_product_is_added_to_each_row_the_same_in_any_division(outputs: int, column: int) -> None:
    """Tiles of all heights, and some of them together: each row is also multiplied by itself."""
    w_IO = normal(23, outputs, seed=1)
    for rows in range(1, 2 * HEIGHT + 2):
        x_RI, before_RO = normal(rows, 40), normal(rows, padded(outputs), seed=2)
        y_RO, divided_RO = before_RO.copy(), before_RO.copy()
        add_product(x_RI, 0, column, rows, panels(w_IO), y_RO, 0)

        x_RJ = x_RI[:, column : column + 23].astype(np.float64)
        expected_RO = before_RO[:, :outputs] + x_RJ @ w_IO.astype(np.float64)
        np.testing.assert_allclose(y_RO[:, :outputs], expected_RO, atol=3e-5)
        cut = rows // 3
        for part in (range(cut), range(cut, rows)):
            add_product(x_RI, part.start, column, len(part), panels(w_IO), divided_RO, part.start)
        assert np.array_equal(divided_RO, y_RO)
        for row in range(rows):
            alone_1O = before_RO[row : row + 1].copy()
            add_product(x_RI, row, column, 1, panels(w_IO), alone_1O, 0)
            assert np.array_equal(alone_1O[0], y_RO[row])


def test_some_rows_and_inputs_are_multiplied_and_no_others_change() -> None:
    x_RI, w_IO = normal(12, 30), normal(10, PANEL, seed=1)
    y_RO = np.zeros((20, PANEL), dtype=np.float32)
    add_product(x_RI, 2, 20, 9, panels(w_IO), y_RO, 5)

    np.testing.assert_allclose(y_RO[5:14], x_RI[2:11, 20:] @ w_IO, atol=1e-5)
    assert not y_RO[:5].any()
    assert not y_RO[14:].any()
