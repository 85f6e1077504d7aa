"""An infill model read by torch, in float32 or bfloat16; see ``masked_reader``.

Dimensions: as there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

import numpy as np
import torch

from musicrel.chorale import Flags
from musicrel.generation.infill.muted_layers import torch_layers, value_rows
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Floats
from musicrel.model.decoding.prepared_blocks import PreparedBlocks
from musicrel.model.features.places import Cells
from musicrel.model.replaced_heads import ReplacedHeads
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows

if TYPE_CHECKING:
    from musicrel.model.devices import Precision
    from musicrel.model.families.infiller import Infiller

_DTYPES: Final = {"single": torch.float32, "mixed": torch.bfloat16}
_BATCH: Final = 64
"""Pieces at once on a GPU."""


class TorchReader:
    """A reader; see ``MaskedReader``.

    Only the blocks compute in ``precision``. Features, output layers and biases remain in float32:
    they are a small part where few cells are wanted.

    Args:
        model: a model of family ``infill``.
        precision: precision of the products.
        replaced: heads that are replaced at all steps, in single precision; None: none.

    Attributes:
        precision: as given.
        pieces_at_once: number of pieces in a batch.
    """

    def __init__(
        self, model: LoadedModel, precision: Precision, replaced: ReplacedHeads | None = None
    ) -> None:
        self.precision = precision
        self.pieces_at_once = 1 if model.device.type == "cpu" else _BATCH
        self._device, self._network = model.device, cast("Infiller", model.network)
        self._blocks = PreparedBlocks(self._network.blocks, _DTYPES[precision])
        self._replaced = replaced

    @torch.inference_mode()
    def read(
        self, tokens_BT4: codec.Ids, conditions_BNC: Rows, wanted_BT4: Flags, start: int
    ) -> Floats:
        ids_BN = np.ascontiguousarray(tokens_BT4).reshape(len(tokens_BT4), -1)
        logits_MV = self._network.logits_of(
            torch.from_numpy(ids_BN).to(self._device),
            torch.from_numpy(conditions_BNC).to(self._device),
            Cells.of(torch.from_numpy(wanted_BT4)).to(self._device),
            self._layers(wanted_BT4),
            starts_B=start,
        )
        return logits_MV.cpu().double().numpy()

    def _layers(self, wanted_BT4: Flags) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
        if self._replaced is None:
            return self._blocks
        return torch_layers(self._network, self._replaced, value_rows(wanted_BT4))
