"""Arithmetic of compiled loops: exponential, error function, matrix product, norm, activations.

The result for a row depends on that row alone, to the bit: every row runs through the same loops,
whatever other rows there are. Sums may be reordered by the compiler, once and for all rows.

Dimensions: R rows, I inputs, O outputs, D width.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from musicrel import paths

F32: Final = np.float32
Floats = npt.NDArray[np.float32]
Function = TypeVar("Function", bound=Callable[..., Any])

UNROLLED: Final = 8
"""Rows of a matrix that one loop adds; inputs are a multiple of it."""
_TOGETHER: Final = 8
"""Rows of a product whose results stay in the processor's nearest cache."""
_EPSILON: Final = F32(1e-5)

numba.config.CACHE_DIR = str(paths.cache() / "compiled")


def compiled(function: Function) -> Function:
    """Compile a function on its first call; the result is kept in the user's cache folder."""
    made: Function = numba.njit(
        cache=True,
        nogil=True,
        error_model="numpy",
        fastmath={"contract", "reassoc", "nsz", "arcp", "afn"},
    )(function)
    return made


def inlined(function: Function) -> Function:
    """Compile a function into the loops that call it."""
    made: Function = numba.njit(inline="always", cache=True)(function)
    return made


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _float_of_bits(_context: Any, bits: Any) -> Any:
    """Return the float32 with these bits, int32."""
    del bits

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.FloatType())

    return types.float32(types.int32), generate


@inlined
def exp(x: Any) -> Any:
    """Return e^x for x <= 88, float32, with a relative error below 2e-7.

    Range reduction and polynomial of Cephes (Moshier 1989), ``expf``; vectorised by the compiler,
    which the library's function is not.
    """
    x = max(x, F32(-87.0))
    n = np.floor(x * F32(1.44269504) + F32(0.5))
    r = x - n * F32(0.693359375) - n * F32(-2.12194440e-4)
    p = F32(1.9875691500e-4)
    p = p * r + F32(1.3981999507e-3)
    p = p * r + F32(8.3334519073e-3)
    p = p * r + F32(4.1665795894e-2)
    p = p * r + F32(1.6666665459e-1)
    p = p * r + F32(5.0000001201e-1)
    p = p * r * r + r + F32(1.0)
    return p * _float_of_bits((np.int32(n) + np.int32(127)) << np.int32(23))


@inlined
def erf(x: Any) -> Any:
    """Return the error function, float32, with an error below 5e-7 (Abramowitz, Stegun 7.1.26)."""
    z = abs(x)
    t = F32(1.0) / (F32(1.0) + F32(0.3275911) * z)
    p = F32(1.061405429)
    p = p * t + F32(-1.453152027)
    p = p * t + F32(1.421413741)
    p = p * t + F32(-0.284496736)
    p = p * t + F32(0.254829592)
    found = F32(1.0) - p * t * exp(-z * z)
    return found if x >= F32(0.0) else -found


@compiled
def add_rows(y_O: Floats, x_I: Floats, w_IO: Floats, first: int) -> None:
    """Add eight rows of ``w_IO`` from ``first`` on, each times its entry of ``x_I``, to ``y_O``."""
    x0, x1, x2, x3 = x_I[first], x_I[first + 1], x_I[first + 2], x_I[first + 3]
    x4, x5, x6, x7 = x_I[first + 4], x_I[first + 5], x_I[first + 6], x_I[first + 7]
    w0, w1, w2, w3 = w_IO[first], w_IO[first + 1], w_IO[first + 2], w_IO[first + 3]
    w4, w5, w6, w7 = w_IO[first + 4], w_IO[first + 5], w_IO[first + 6], w_IO[first + 7]
    for n in range(y_O.shape[0]):
        y_O[n] += (
            x0 * w0[n] + x1 * w1[n] + x2 * w2[n] + x3 * w3[n]
            + x4 * w4[n] + x5 * w5[n] + x6 * w6[n] + x7 * w7[n]
        )  # fmt: skip


@compiled
def add_rows_twice(
    y_O: Floats, z_O: Floats, x_I: Floats, u_I: Floats, w_IO: Floats, first: int
) -> None:
    """Add eight rows of ``w_IO`` to ``y_O`` by ``x_I`` and to ``z_O`` by ``u_I``, read once."""
    x0, x1, x2, x3 = x_I[first], x_I[first + 1], x_I[first + 2], x_I[first + 3]
    x4, x5, x6, x7 = x_I[first + 4], x_I[first + 5], x_I[first + 6], x_I[first + 7]
    u0, u1, u2, u3 = u_I[first], u_I[first + 1], u_I[first + 2], u_I[first + 3]
    u4, u5, u6, u7 = u_I[first + 4], u_I[first + 5], u_I[first + 6], u_I[first + 7]
    w0, w1, w2, w3 = w_IO[first], w_IO[first + 1], w_IO[first + 2], w_IO[first + 3]
    w4, w5, w6, w7 = w_IO[first + 4], w_IO[first + 5], w_IO[first + 6], w_IO[first + 7]
    for n in range(y_O.shape[0]):
        y_O[n] += (
            x0 * w0[n] + x1 * w1[n] + x2 * w2[n] + x3 * w3[n]
            + x4 * w4[n] + x5 * w5[n] + x6 * w6[n] + x7 * w7[n]
        )  # fmt: skip
        z_O[n] += (
            u0 * w0[n] + u1 * w1[n] + u2 * w2[n] + u3 * w3[n]
            + u4 * w4[n] + u5 * w5[n] + u6 * w6[n] + u7 * w7[n]
        )  # fmt: skip


@compiled
def matmul(x_RI: Floats, w_IO: Floats, bias_O: Floats, y_RO: Floats) -> None:
    """Set ``y_RO`` to x W + b; the weights are read once for eight rows."""
    for r in range(x_RI.shape[0]):
        for n in range(w_IO.shape[1]):
            y_RO[r, n] = bias_O[n]
    for group in range(0, x_RI.shape[0], _TOGETHER):
        stop = min(group + _TOGETHER, x_RI.shape[0])
        for first in range(0, w_IO.shape[0], UNROLLED):
            for r in range(group, stop - 1, 2):
                add_rows_twice(y_RO[r], y_RO[r + 1], x_RI[r], x_RI[r + 1], w_IO, first)
            if (stop - group) % 2:
                add_rows(y_RO[stop - 1], x_RI[stop - 1], w_IO, first)


@compiled
def layer_norm(x_D: Floats, gain_D: Floats, bias_D: Floats, y_D: Floats) -> None:
    """Set ``y_D`` to the normalised ``x_D`` (Ba et al. 2016)."""
    width = x_D.shape[0]
    mean, square = F32(0.0), F32(0.0)
    for i in range(width):
        mean += x_D[i]
    mean /= F32(width)
    for i in range(width):
        square += (x_D[i] - mean) * (x_D[i] - mean)
    scale = F32(1.0) / np.sqrt(square / F32(width) + _EPSILON)
    for i in range(width):
        y_D[i] = (x_D[i] - mean) * scale * gain_D[i] + bias_D[i]


@compiled
def gelu(x_D: Floats) -> None:
    """Replace each x by x times the normal distribution function at x (Hendrycks, Gimpel 2016)."""
    for i in range(x_D.shape[0]):
        x = x_D[i]
        x_D[i] = F32(0.5) * x * (F32(1.0) + erf(x * F32(0.7071067811865476)))


@compiled
def relu(x_D: Floats) -> None:
    """Replace each negative entry by 0."""
    for i in range(x_D.shape[0]):
        x_D[i] = max(x_D[i], F32(0.0))
