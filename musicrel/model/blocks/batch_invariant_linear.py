"""Rows times weights, each row's result the same to the bit whoever stands beside it.

A library chooses its kernel by the number of rows and by where in memory a result begins, and
kernels differ in the order of their sums: a candidate's notes would depend on the candidates beside
it. On a CPU each row is therefore either multiplied alone (weights that fit the processor's cache
are read once all the same), its results beginning at a multiple of 64 bytes, or by a oneDNN kernel
whose weights were packed beforehand; that one is tried when it is made and taken only where it
gives a row alone what it gives the row in company. On other devices nothing is promised.

Dimensions: B rows, I numbers in, O numbers out.

This file knows matrices; it knows nothing of models.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor

Activation: TypeAlias = Literal["none", "gelu", "relu"]
Product: TypeAlias = Callable[[Tensor], Tensor]
"""From (B, 1, I) to (B, 1, O)."""

_ACTIVATIONS: Final[dict[Activation, Product | None]] = {
    "none": None,
    "gelu": F.gelu,
    "relu": F.relu,
}
_WORTH_PACKING: Final = 2**16
"""More numbers than this gain by being packed; for fewer the call costs more than it saves."""
_PACKED_FOR: Final = 8
_TRIED_WITH: Final = (2, 3, 4, 7, 8, 17)
_EVEN: Final = 16


def product(
    weight_OI: Tensor, bias_O: Tensor | None, *, batch: int, activation: Activation = "none"
) -> Product:
    """The function x -> activation(x W^T + b) for ``batch`` rows, by the fastest exact way.

    Args:
        weight_OI: W, as ``torch.nn.Linear`` keeps it; copied.
        bias_O: b; None: none.
        batch: B, the rows it will be given.
        activation: applied at the end. On a CPU the number of outputs should then be a multiple of
            64: what is left over at the end of a row may be computed by another formula.
    """
    if weight_OI.device.type != "cpu":
        return _together(weight_OI, bias_O, activation)
    packed = _packed(weight_OI, bias_O, activation)
    return packed or _one_by_one(weight_OI, bias_O, batch, activation)


def _together(weight_OI: Tensor, bias_O: Tensor | None, activation: Activation) -> Product:
    return _followed(lambda x_B1I: F.linear(x_B1I, weight_OI, bias_O), activation)


def _one_by_one(
    weight_OI: Tensor, bias_O: Tensor | None, batch: int, activation: Activation
) -> Product:
    """A batched product in which every row has a batch of its own and all share the weights."""
    outputs = len(weight_OI)
    spare = -outputs % _EVEN
    weight_BIO = F.pad(weight_OI.t(), (0, spare)).contiguous().expand(batch, -1, -1)
    if bias_O is None:
        return _followed(lambda x_B1I: torch.bmm(x_B1I, weight_BIO)[..., :outputs], activation)
    bias_B1O = F.pad(bias_O, (0, spare)).expand(batch, 1, -1)
    return _followed(
        lambda x_B1I: torch.baddbmm(bias_B1O, x_B1I, weight_BIO)[..., :outputs], activation
    )


def _packed(weight_OI: Tensor, bias_O: Tensor | None, activation: Activation) -> Product | None:
    """By oneDNN's own order of weights; None where it is missing, not worth it or not the same."""
    if weight_OI.dtype != torch.float32 or weight_OI.numel() <= _WORTH_PACKING:
        return None
    try:
        kernel = torch.ops.mkldnn._linear_pointwise  # noqa: SLF001  # its only name
        order = torch.ops.mkldnn._reorder_linear_weight  # noqa: SLF001
        packed = order(weight_OI.contiguous(), _PACKED_FOR)
        bias_O = None if bias_O is None else bias_O.clone()

        def multiply(x_B1I: Tensor) -> Tensor:
            out_B1O: Tensor = kernel(x_B1I, packed, bias_O, activation, [], "none")
            return out_B1O

        return multiply if _is_the_same_in_company(multiply, weight_OI) else None
    except (AttributeError, RuntimeError):  # a build of torch without it
        return None


def _is_the_same_in_company(multiply: Product, weight_OI: Tensor) -> bool:
    rng = torch.Generator().manual_seed(0)
    x_B1I = torch.randn(max(_TRIED_WITH), 1, weight_OI.shape[1], generator=rng)
    alone_B1O = torch.stack([multiply(x_1I[None])[0] for x_1I in x_B1I.unbind()])
    return all(torch.equal(multiply(x_B1I[:some]), alone_B1O[:some]) for some in _TRIED_WITH)


def _followed(multiply: Product, activation: Activation) -> Product:
    act = _ACTIVATIONS[activation]
    return multiply if act is None else lambda x_B1I: act(multiply(x_B1I))
