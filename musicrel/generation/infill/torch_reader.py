"""An infilling model read by torch; see ``masked_reader``.

In bfloat16, weights are packed for the processor; the sums of the residual stream and the norms
remain in float32: the validation loss of the bundled infilling models changes by less than 0.0001
nats.

Dimensions: as there, and D width, S wanted steps.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar, cast

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.chorale import Flags, Voice
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.blocks.ablation import Ablation
from musicrel.model.replaced_heads import Ablations, value_rows
from musicrel.model.tokens import codec
from musicrel.model.tokens.conditions import Rows

if TYPE_CHECKING:
    from musicrel.model.devices import Precision
    from musicrel.model.families.infiller import Infiller

_BATCH: Final = 64  # Pieces at once on a GPU


class TorchReader:
    """A reader, in float32 or bfloat16; see ``MaskedReader``.

    Only the blocks compute in ``precision``. Features, output layers and biases remain in float32:
    they are a small part where few cells are wanted.
    """

    def __init__(
        self, model: LoadedModel, precision: Precision, replaced: Ablations | None = None
    ) -> None:
        self.precision = precision
        self.pieces_at_once = 1 if model.device.type == "cpu" else _BATCH
        self._device, self._network = model.device, cast("Infiller", model.network)
        self._mixed = precision == "mixed"
        self._layers = in_bfloat16(self._network) if self._mixed else self._network
        self._replaced = replaced

    @torch.inference_mode()
    def read(
        self, tokens_BT4: codec.Ids, conditions_BNC: Rows, wanted_BT4: Flags, start: int
    ) -> npt.NDArray[np.float32]:
        ids_BN = np.ascontiguousarray(tokens_BT4).reshape(len(tokens_BT4), -1)
        rows_BT = torch.from_numpy(value_rows(wanted_BT4)).to(self._device)
        ablation = Ablation.everywhere(self._replaced, rows_BT)
        logits_BNV = self._network(
            torch.from_numpy(ids_BN).to(self._device),
            torch.from_numpy(conditions_BNC).to(self._device),
            starts_B=start,
            at_S=torch.from_numpy(np.flatnonzero(wanted_BT4.any(axis=(0, 2)))).to(self._device),
            blocks=lambda x_BTD, at_S: self._blocks(x_BTD, at_S, ablation),
        ).logits_BTV
        logits_BS4V = logits_BNV.unflatten(1, (-1, len(Voice)))
        return cast("npt.NDArray[np.float32]", logits_BS4V.float().cpu().numpy())

    @torch.inference_mode()
    def states(
        self, x_TD: npt.NDArray[np.float32], steps_S: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        """Return the normalised states of some steps after the last block, (S, D)."""
        x_1SD = self._blocks(torch.from_numpy(x_TD)[None], torch.from_numpy(steps_S), None)
        states_SD: npt.NDArray[np.float32] = self._network.norm(x_1SD)[0].numpy()
        return states_SD

    def _blocks(self, x_BTD: Tensor, at_S: Tensor | None, ablation: Ablation | None) -> Tensor:
        with torch.autocast(x_BTD.device.type, torch.bfloat16, enabled=self._mixed):
            return self._layers.run_blocks(x_BTD, ablation=ablation, at_S=at_S).float()


_PACKED_ROWS: Final = 256  # number of rows for which weights are packed; more or fewer work as well

Network = TypeVar("Network", bound=nn.Module)


def in_bfloat16(network: Network) -> Network:
    """Return a copy of a network that multiplies by its weights in bfloat16."""
    copied = copy.deepcopy(network)
    for module in list(copied.modules()):
        for name, child in module.named_children():
            if isinstance(child, nn.Linear):
                setattr(module, name, _Linear(child))
    return copied


class _Linear(nn.Module):
    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight_OI = linear.weight.detach().bfloat16()
        bias: Tensor | None = linear.bias
        bias_O = None if bias is None else bias.detach().bfloat16()
        self._multiply = _packed(weight_OI, bias_O) or partial(
            F.linear, weight=weight_OI, bias=bias_O
        )

    def forward(self, x_BTI: Tensor) -> Tensor:
        return self._multiply(x_BTI.bfloat16())


def _packed(weight_OI: Tensor, bias_O: Tensor | None) -> Callable[[Tensor], Tensor] | None:
    """Return the product with weights packed for a CPU; None where torch has none."""
    if weight_OI.device.type != "cpu":
        return None
    try:
        kernel = torch.ops.mkldnn._linear_pointwise  # noqa: SLF001  # there is no public name
        order = torch.ops.mkldnn._reorder_linear_weight  # noqa: SLF001
        packed = order(weight_OI.contiguous(), _PACKED_ROWS)
        kernel(weight_OI[:1], packed, bias_O, "none", [], "none")
    except (AttributeError, RuntimeError):  # a build of torch without it
        return None

    def multiply(x_BTI: Tensor) -> Tensor:
        out_BTO: Tensor = kernel(x_BTI, packed, bias_O, "none", [], "none")
        return out_BTO

    return multiply
