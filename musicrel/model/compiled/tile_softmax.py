"""The softmax of a tile of relative attention and its gradient, one pass over the scores each.

Products are left to the caller, ``musicrel.model.positions.kernel_tiles``, where the formulas are.
Keys after the query of a causal tile have the weight 0, and so do weights below 1e-25: products of
denormal numbers are slow.

Dimensions: N heads, t queries of a tile, S keys, W columns of distances.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from musicrel.model.compiled.arithmetic import F32, Floats, compiled, exp, inlined

_NEGLIGIBLE: Final = F32(1e-25)
_MAGNITUDE: Final = np.int32(0x7FFFFFFF)
_LAST_BIT: Final = np.int32(31)
_LEAST: Final = np.int32(-(2**31))


@compiled
def weigh(
    scores_NtS: Floats,
    by_distance_NtW: Floats,
    norm_Nt: Floats,
    first: int,
    zero: int,
    causal: bool,
) -> None:
    """Replace the scores q . k by the softmax of the scores with positions.

    Args:
        scores_NtS: products q . k, scaled; replaced by the weights.
        by_distance_NtW: products q . E, scaled.
        norm_Nt: set to the logarithm of the sum of e^score.
        first: position of the first query.
        zero: column of the distance 0 in ``by_distance_NtW``.
        causal: whether a query attends to itself and earlier keys only.
    """
    bits_Nt = norm_Nt.view(np.int32)
    for n in range(scores_NtS.shape[0]):
        for t in range(scores_NtS.shape[1]):
            keys, begin, shift = _extent(scores_NtS.shape[2], first + t, zero, causal)
            row_S = scores_NtS[n, t, :keys]
            _add(row_S[begin:], by_distance_NtW[n, t, begin + shift : keys + shift])
            bits_Nt[n, t] = _highest_bits(row_S.view(np.int32))
            total = _exponentiate(row_S, norm_Nt[n, t])
            _scale(row_S, F32(1.0) / total)
            scores_NtS[n, t, keys:] = F32(0.0)
            norm_Nt[n, t] += np.log(total)


@compiled
def differentiate(
    scores_NtS: Floats,
    by_distance_NtW: Floats,
    norm_Nt: Floats,
    dweights_NtS: Floats,
    dby_distance_NtW: Floats,
    first: int,
    zero: int,
    causal: bool,
) -> None:
    """Compute the weights again and the gradients of the scores.

    Args:
        scores_NtS: products q . k, scaled; replaced by the weights.
        by_distance_NtW: products q . E, scaled.
        norm_Nt: as set by ``weigh``.
        dweights_NtS: gradient of the weights; replaced by that of the scores.
        dby_distance_NtW: set to the gradient of the products q . E.
        first: position of the first query.
        zero: column of the distance 0 in ``by_distance_NtW``.
        causal: whether a query attends to itself and earlier keys only.
    """
    for n in range(scores_NtS.shape[0]):
        for t in range(scores_NtS.shape[1]):
            keys, begin, shift = _extent(scores_NtS.shape[2], first + t, zero, causal)
            row_S, drow_S = scores_NtS[n, t, :keys], dweights_NtS[n, t, :keys]
            _add(row_S[begin:], by_distance_NtW[n, t, begin + shift : keys + shift])
            mean = _exponentiate_and_dot(row_S, norm_Nt[n, t], drow_S)
            _softmax_gradient(row_S, drow_S, mean)
            dby_distance_NtW[n, t, : begin + shift] = F32(0.0)
            dby_distance_NtW[n, t, begin + shift : keys + shift] = drow_S[begin:]
            dby_distance_NtW[n, t, keys + shift :] = F32(0.0)
            scores_NtS[n, t, keys:] = F32(0.0)
            dweights_NtS[n, t, keys:] = F32(0.0)


@inlined
def _extent(keys: Any, place: Any, zero: Any, causal: Any) -> Any:
    """Return the number of keys, the first one with a column, and a key's column less the key."""
    shift = zero - place
    return (place + 1 if causal else keys), max(0, -shift), shift


@compiled
def _add(row_S: Floats, other_S: Floats) -> None:
    for j in range(row_S.shape[0]):
        row_S[j] += other_S[j]


@compiled
def _highest_bits(bits_S: npt.NDArray[np.int32]) -> Any:
    """Return the bits of the highest float32; integers are compared, which is vectorised.

    With the other bits of negative numbers inverted, integers have the order of the floats.
    """
    highest = _LEAST
    for j in range(bits_S.shape[0]):
        bits = bits_S[j]
        highest = max(highest, np.int32(bits ^ (np.int32(bits >> _LAST_BIT) & _MAGNITUDE)))
    return np.int32(highest ^ (np.int32(highest >> _LAST_BIT) & _MAGNITUDE))


@compiled
def _exponentiate(row_S: Floats, highest: Any) -> Any:
    """Replace each x by e^(x - highest); return the sum."""
    total = F32(0.0)
    for j in range(row_S.shape[0]):
        raised = exp(row_S[j] - highest)
        raised = raised if raised > _NEGLIGIBLE else F32(0.0)
        row_S[j] = raised
        total += raised
    return total


@compiled
def _exponentiate_and_dot(row_S: Floats, norm: Any, drow_S: Floats) -> Any:
    """Replace each x by e^(x - norm); return the sum of the products with ``drow_S``."""
    total = F32(0.0)
    for j in range(row_S.shape[0]):
        raised = exp(row_S[j] - norm)
        raised = raised if raised > _NEGLIGIBLE else F32(0.0)
        row_S[j] = raised
        total += raised * drow_S[j]
    return total


@compiled
def _softmax_gradient(row_S: Floats, drow_S: Floats, mean: Any) -> None:
    for j in range(row_S.shape[0]):
        drow_S[j] = row_S[j] * (drow_S[j] - mean)


@compiled
def _scale(row_S: Floats, factor: Any) -> None:
    for j in range(row_S.shape[0]):
        row_S[j] *= factor


def run_once() -> None:
    """Run both functions on one query with one key, which compiles them or loads them."""
    norm_11 = np.zeros((1, 1), dtype=np.float32)
    scores, by_distance, dweights, dby_distance = np.zeros((4, 1, 1, 1), dtype=np.float32)
    weigh(scores, by_distance, norm_11, 0, 0, True)
    differentiate(scores, by_distance, norm_11, dweights, dby_distance, 0, 0, True)
