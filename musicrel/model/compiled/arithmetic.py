"""Arithmetic of compiled loops: exponential, error function, norm, activations.

The result for a row depends on that row alone, to the bit: every row runs through the same loops,
whatever other rows there are. Sums may be reordered by the compiler, once and for all rows.

Dimensions: D width.
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
from numba.np import linalg as numba_linalg

from musicrel import paths
from musicrel.model.compiled import cache_folder

F32: Final = np.float32
Floats = npt.NDArray[np.float32]
Function = TypeVar("Function", bound=Callable[..., Any])

_EPSILON: Final = F32(1e-5)


def _no_blas() -> None:
    raise ImportError("the loops here do without")


# Numba asks whether scipy has BLAS: to import scipy takes as long as to import numba.
numba_linalg.ensure_blas = _no_blas
numba.config.CACHE_DIR = str(cache_folder.prepared(paths.cache() / "compiled"))


functions: Final[list[Callable[..., Any]]] = []
"""The functions that get a file in the cache, of all modules imported so far."""


def compiled(function: Function) -> Function:
    """Compile a function on its first call; the result is kept in the user's cache folder.

    Functions that call it get it inlined. Otherwise the process that compiles them would link
    another machine code of it, with the last bits of its own, than those that load the cache.
    """
    made: Function = numba.njit(
        cache=True,
        nogil=True,
        forceinline=True,
        error_model="numpy",
        fastmath={"contract", "reassoc", "nsz", "arcp", "afn"},
    )(function)
    functions.append(made)
    return made


def compiled_exactly(function: Function) -> Function:
    """Compile a function as ``compiled`` does, but keep the order of its operations."""
    made: Function = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    functions.append(made)
    return made


def inlined(function: Function) -> Function:
    """Compile a function into the loops that call it."""
    made: Function = numba.njit(inline="always", cache=True)(function)
    return made


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _float_of_bits(_context: Any, bits: Any) -> Any:
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
