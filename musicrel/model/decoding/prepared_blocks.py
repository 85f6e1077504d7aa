"""The blocks of a bidirectional transformer, prepared for reading whole pieces without gradients.

The result is that of ``Transformer.run_blocks`` (tested to be equal), but products may be computed
in bfloat16, weights are packed for the processor, and of the last block only the wanted steps are
computed. The sums of the residual stream and the norms remain in float32: the validation loss of
the bundled infilling models changes by less than 0.0001 nats. Relative attention is added as a bias
to the scores of a fused kernel, which is impossible in training, where the bias needs a gradient.

Dimensions: B batch, T steps, S wanted steps, D width, H heads, d head width, W distances.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.positions.base import PositionalAttention
from musicrel.model.positions.relative import RelativeAttention
from musicrel.model.positions.skew import skew

if TYPE_CHECKING:
    from musicrel.model.families.transformer import Block

_PACKED_ROWS: Final = 256
"""Number of rows for which weights are packed; more or fewer work as well."""
Layer: TypeAlias = Callable[[Tensor], Tensor]

_ACTIVATIONS: Final[Mapping[str, Layer]] = {"none": nn.Identity(), "gelu": F.gelu, "relu": F.relu}


class PreparedBlocks:
    """The blocks of a transformer.

    Args:
        blocks: the blocks; at least one, bidirectional and without cross-attention.
        dtype: type of the products, ``torch.float32`` or ``torch.bfloat16``.
    """

    def __init__(self, blocks: Iterable[nn.Module], dtype: torch.dtype) -> None:
        self._blocks = [_PreparedBlock(cast("Block", block), dtype) for block in blocks]

    def __call__(self, x_BTD: Tensor, steps_S: Tensor) -> Tensor:
        """Return the states of some steps after the last block, (B, S, D).

        Args:
            x_BTD: float32 states of all steps before the first block.
            steps_S: int64 indices of the wanted steps.
        """
        *others, last = self._blocks
        for block in others:
            x_BTD = block(x_BTD)
        return last(x_BTD, steps_S)


class _PreparedBlock:
    def __init__(self, block: Block, dtype: torch.dtype) -> None:
        first, activation, second = block.feedforward
        self._dtype, self._block, self._heads = dtype, block, block.attention.heads
        self._project_in = _layer(block.attention.project_in, dtype)
        self._project_out = _layer(block.attention.project_out, dtype)
        name = "gelu" if isinstance(activation, nn.GELU) else "relu"
        self._expand = _layer(cast("nn.Linear", first), dtype, name)
        self._contract = _layer(cast("nn.Linear", second), dtype)
        self._attend = _attention(block.attention.positional)

    def __call__(self, x_BTD: Tensor, steps_S: Tensor | None = None) -> Tensor:
        """Return the states of all steps, or of some."""
        block, dtype = self._block, self._dtype
        input_BTD = block.before(x_BTD, block.norm_attention).to(dtype)
        qkv = self._project_in(input_BTD).view(*x_BTD.shape[:2], 3, self._heads, -1)
        q_BHTd, k_BHTd, v_BHTd = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        mixed_BHSd = self._attend(q_BHTd, k_BHTd, v_BHTd, steps_S)
        if steps_S is not None:
            x_BTD = x_BTD[:, steps_S]
        update_BSD = self._project_out(mixed_BHSd.transpose(1, 2).flatten(-2))
        x_BSD = block.after(x_BTD, update_BSD, block.norm_attention)
        input_BSD = block.before(x_BSD, block.norm_feedforward).to(dtype)
        update_BSD = self._contract(self._expand(input_BSD))
        return block.after(x_BSD, update_BSD, block.norm_feedforward)


Attention: TypeAlias = Callable[[Tensor, Tensor, Tensor, Tensor | None], Tensor]
"""(queries, keys, values, wanted steps or None for all) to (B, H, S, d)."""


def _attention(scheme: PositionalAttention) -> Attention:
    if isinstance(scheme, RelativeAttention):
        return _Relative(scheme)
    if type(scheme).fused is PositionalAttention.fused:
        return _Plain(scheme)
    return _Whole(scheme)


class _Plain:
    """Attention of a scheme that at most transforms queries and keys."""

    def __init__(self, scheme: PositionalAttention) -> None:
        self._scheme = scheme

    def __call__(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, steps_S: Tensor | None
    ) -> Tensor:
        q_BHTd, k_BHTd = (
            self._scheme.rotate_qk(one, 0, one.shape[2]).to(v_BHTd.dtype)
            for one in (q_BHTd, k_BHTd)
        )
        q_BHSd = q_BHTd if steps_S is None else q_BHTd[:, :, steps_S]
        return F.scaled_dot_product_attention(q_BHSd, k_BHTd, v_BHTd)


class _Whole:
    """Attention of any other scheme: in float32, for all steps."""

    def __init__(self, scheme: PositionalAttention) -> None:
        self._scheme = scheme

    def __call__(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, steps_S: Tensor | None
    ) -> Tensor:
        length, dtype = q_BHTd.shape[2], q_BHTd.dtype
        q_BHTd, k_BHTd = (
            self._scheme.rotate_qk(one.float(), 0, length) for one in (q_BHTd, k_BHTd)
        )
        mixed_BHTd = self._scheme.fused(q_BHTd, k_BHTd, v_BHTd.float(), causal=False, mask=None)
        mixed_BHTd = mixed_BHTd.to(dtype)
        return mixed_BHTd if steps_S is None else mixed_BHTd[:, :, steps_S]


class _Relative:
    """Relative attention; the bias of the scores is q E^T / sqrt d, skewed."""

    def __init__(self, scheme: RelativeAttention) -> None:
        self._scheme = scheme
        self._rows_HWd: Tensor | None = None

    def __call__(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, steps_S: Tensor | None
    ) -> Tensor:
        steps = q_BHTd.shape[2]
        rows_HWd = self._rows(q_BHTd)
        bias_BHTT = skew(torch.matmul(q_BHTd, rows_HWd.mT), steps)
        if steps_S is not None:
            q_BHTd, bias_BHTT = q_BHTd[:, :, steps_S], bias_BHTT[:, :, steps_S]
        return F.scaled_dot_product_attention(q_BHTd, k_BHTd, v_BHTd, attn_mask=bias_BHTT)

    def _rows(self, q_BHTd: Tensor) -> Tensor:
        """Return the scaled rows of all distances, (H, W, d); those of the last length are kept."""
        columns = 2 * q_BHTd.shape[2]
        if self._rows_HWd is None or self._rows_HWd.shape[1] != columns:
            rows_HWd = self._scheme.rows(columns // 2, columns // 2, causal=False).detach()
            self._rows_HWd = (rows_HWd / math.sqrt(q_BHTd.shape[-1])).to(q_BHTd.dtype)
        return self._rows_HWd


def _layer(linear: nn.Linear, dtype: torch.dtype, activation: str = "none") -> Layer:
    """Return the function x -> activation(x W^T + b) of ``dtype``."""
    weight_OI = linear.weight.detach().to(dtype)
    bias: Tensor | None = linear.bias
    bias_O = None if bias is None else bias.detach().to(dtype)
    packed = _packed(weight_OI, bias_O, activation)
    if packed is not None:
        return packed
    activate = _ACTIVATIONS[activation]
    return lambda x_BTI: activate(F.linear(x_BTI, weight_OI, bias_O))


def _packed(weight_OI: Tensor, bias_O: Tensor | None, activation: str) -> Layer | None:
    """Return a layer with weights packed for bfloat16 on a CPU; None where there is none."""
    if weight_OI.dtype != torch.bfloat16 or weight_OI.device.type != "cpu":
        return None
    try:
        kernel = torch.ops.mkldnn._linear_pointwise  # noqa: SLF001  # there is no public name
        order = torch.ops.mkldnn._reorder_linear_weight  # noqa: SLF001
        packed = order(weight_OI.contiguous(), _PACKED_ROWS)
        kernel(weight_OI[:1], packed, bias_O, activation, [], "none")
    except (AttributeError, RuntimeError):  # a build of torch without it
        return None

    def multiply(x_BTI: Tensor) -> Tensor:
        out_BTO: Tensor = kernel(x_BTI, packed, bias_O, activation, [], "none")
        return out_BTO

    return multiply
