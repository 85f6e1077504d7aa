"""The arithmetic of compiled loops against float64 formulas."""
# shape suffixes

from __future__ import annotations

import math
from pathlib import Path

import numba
import numpy as np
import numpy.typing as npt

from musicrel import paths
from musicrel.model.compiled import arithmetic
from musicrel.model.compiled.arithmetic import Floats, compiled


@compiled
def exponentials(x_N: Floats, y_N: Floats) -> None:
    """Set ``y_N`` to e^x."""
    for n in range(x_N.shape[0]):
        y_N[n] = arithmetic.exp(x_N[n])


@compiled
def error_functions(x_N: Floats, y_N: Floats) -> None:
    """Set ``y_N`` to erf(x)."""
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
    """On both sides of 0, and where it is 1."""
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
    """Return x times the normal distribution function."""
    return np.array([one * 0.5 * (1 + math.erf(one / math.sqrt(2))) for one in x])


def test_gelu_and_relu_replace_their_argument() -> None:
    """Against the formulas."""
    x_D = 3 * normal(1000)
    smooth_D, cut_D = x_D.copy(), x_D.copy()
    arithmetic.gelu(smooth_D)
    arithmetic.relu(cut_D)

    np.testing.assert_allclose(smooth_D, gelu(x_D.astype(np.float64)), atol=2e-6)
    assert np.array_equal(cut_D, np.maximum(x_D, 0))


def test_compiled_code_is_kept_in_the_cache_of_the_user() -> None:
    """Not beside the source, which may be read-only."""
    assert Path(numba.config.CACHE_DIR).parent == paths.cache() / "compiled"
