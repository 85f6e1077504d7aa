"""Linear layers whose result for a row does not depend on the batch, to the bit.

Libraries choose a kernel by the number of rows and by the alignment of the result, and kernels
differ in the order of summation: the notes of a candidate would depend on the other candidates of
its batch. On a CPU each row is therefore multiplied separately (weights that fit the processor's
cache are still read once), with results aligned to 64 bytes, or by a oneDNN kernel with prepacked
weights if a test at construction finds its rows independent of the batch. On other devices batch
invariance is not guaranteed.

Dimensions: B rows, I inputs, O outputs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor

Activation: TypeAlias = Literal["none", "gelu", "relu"]
RowFunction: TypeAlias = Callable[[Tensor], Tensor]
"""A function from (B, 1, I) to (B, 1, O)."""

_ACTIVATIONS: Final[dict[Activation, RowFunction | None]] = {
    "none": None,
    "gelu": F.gelu,
    "relu": F.relu,
}
_MIN_PACKED_WEIGHTS: Final = 2**16
"""Number of weights above which packing saves more than the call costs."""
_PACKED_BATCH: Final = 8
_TESTED_BATCHES: Final = (2, 3, 4, 7, 8, 17)
_ALIGNMENT: Final = 16


def batch_invariant_linear(
    weight_OI: Tensor, bias_O: Tensor | None, *, batch: int, activation: Activation = "none"
) -> RowFunction:
    """Return the function x -> activation(x W^T + b) for ``batch`` rows.

    Args:
        weight_OI: W, as in ``torch.nn.Linear``; copied.
        bias_O: b, or None.
        batch: number B of rows.
        activation: applied to the result. On a CPU the number of outputs should then be a multiple
            of 64: the remainder of a row may be computed by another formula.
    """
    if weight_OI.device.type != "cpu":
        return _with_activation(lambda x_B1I: F.linear(x_B1I, weight_OI, bias_O), activation)
    packed = _packed(weight_OI, bias_O, activation)
    return packed or _one_by_one(weight_OI, bias_O, batch, activation)


def _one_by_one(
    weight_OI: Tensor, bias_O: Tensor | None, batch: int, activation: Activation
) -> RowFunction:
    """Return a batched product: each row is a batch entry, all share the weights."""
    outputs = len(weight_OI)
    spare = -outputs % _ALIGNMENT
    weight_BIO = F.pad(weight_OI.t(), (0, spare)).contiguous().expand(batch, -1, -1)
    if bias_O is None:
        return _with_activation(
            lambda x_B1I: torch.bmm(x_B1I, weight_BIO)[..., :outputs], activation
        )
    bias_B1O = F.pad(bias_O, (0, spare)).expand(batch, 1, -1)
    return _with_activation(
        lambda x_B1I: torch.baddbmm(bias_B1O, x_B1I, weight_BIO)[..., :outputs], activation
    )


def _packed(weight_OI: Tensor, bias_O: Tensor | None, activation: Activation) -> RowFunction | None:
    """Return a oneDNN kernel with packed weights; None if missing, too small or not invariant."""
    if weight_OI.dtype != torch.float32 or weight_OI.numel() <= _MIN_PACKED_WEIGHTS:
        return None
    try:
        kernel = torch.ops.mkldnn._linear_pointwise  # noqa: SLF001  # there is no public name
        order = torch.ops.mkldnn._reorder_linear_weight  # noqa: SLF001
        packed = order(weight_OI.contiguous(), _PACKED_BATCH)
        bias_O = None if bias_O is None else bias_O.clone()

        def multiply(x_B1I: Tensor) -> Tensor:
            out_B1O: Tensor = kernel(x_B1I, packed, bias_O, activation, [], "none")
            return out_B1O

        return multiply if _is_batch_invariant(multiply, weight_OI) else None
    except (AttributeError, RuntimeError):  # a build of torch without it
        return None


def _is_batch_invariant(multiply: RowFunction, weight_OI: Tensor) -> bool:
    rng = torch.Generator().manual_seed(0)
    x_B1I = torch.randn(max(_TESTED_BATCHES), 1, weight_OI.shape[1], generator=rng)
    alone_B1O = torch.stack([multiply(x_1I[None])[0] for x_1I in x_B1I.unbind()])
    return all(torch.equal(multiply(x_B1I[:some]), alone_B1O[:some]) for some in _TESTED_BATCHES)


def _with_activation(multiply: RowFunction, activation: Activation) -> RowFunction:
    act = _ACTIVATIONS[activation]
    return multiply if act is None else lambda x_B1I: act(multiply(x_B1I))
