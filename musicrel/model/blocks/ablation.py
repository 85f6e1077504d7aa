"""Ablations: heads whose output is replaced, keys that are removed, layers that are left out.

An ablation is an argument of the forward pass: the network has no state of it.

Dimensions: N layers, B batch, H heads, T queries, S keys, d head width, 5 four voices and their
mean; a dimension may be 1 where all entries are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from musicrel.model.replaced_heads import ReplacedHeads


@dataclass(frozen=True, slots=True)
class LayerAblation:
    """The ablation of one layer.

    Attributes:
        replaced_BHT: bool, whether the output of a head is replaced; None: nowhere.
        values_BHTd: what replaces it.
        removed_B1TS: bool, True for keys that are not attended to; None: none.
    """

    replaced_BHT: Tensor | None
    values_BHTd: Tensor | None
    removed_B1TS: Tensor | None

    def replace(self, o_BHTd: Tensor) -> Tensor:
        """Return the outputs of the heads, those replaced by their values."""
        if self.replaced_BHT is None or self.values_BHTd is None:
            return o_BHTd
        return torch.where(self.replaced_BHT[..., None], self.values_BHTd.to(o_BHTd), o_BHTd)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """The ablation of a forward pass.

    Attributes:
        replaced_NBHT: bool, whether the output of a head is replaced; None: nowhere.
        values_NBHTd: what replaces it.
        removed_B1TS: bool, True for keys that are not attended to in any layer; None: none.
        layers: number of first layers that are applied; None: all.
    """

    replaced_NBHT: Tensor | None = None
    values_NBHTd: Tensor | None = None
    removed_B1TS: Tensor | None = None
    layers: int | None = None

    @classmethod
    def everywhere(cls, replaced: ReplacedHeads, row_BT: Tensor) -> Ablation:
        """Return the ablation that replaces heads at all positions.

        Args:
            replaced: the heads.
            row_BT: int64, the row of the values at each position of each sequence, or of all.
        """
        is_replaced_NH = torch.from_numpy(replaced.is_replaced_LH).to(row_BT.device)
        values_5NHd = torch.from_numpy(replaced.values_5LHd).to(row_BT.device)
        return cls(
            replaced_NBHT=is_replaced_NH[:, None, :, None],
            values_NBHTd=values_5NHd[row_BT].permute(2, 0, 3, 1, 4),
        )

    def at(self, places: slice) -> Ablation:
        """Return an ablation by ``everywhere`` for some of its positions."""
        if self.values_NBHTd is None:
            return self
        return replace(self, values_NBHTd=self.values_NBHTd[..., places, :])

    def replace(self, layer: int, o_BH1d: Tensor, place_1: Tensor) -> Tensor:
        """Return the outputs at one position, those replaced ``everywhere`` by their values.

        Args:
            layer: its number.
            o_BH1d: the outputs.
            place_1: int64, the position; the host is not synchronised.
        """
        if self.replaced_NBHT is None or self.values_NBHTd is None:
            return o_BH1d
        values_BH1d = self.values_NBHTd[layer].index_select(2, place_1)
        return LayerAblation(self.replaced_NBHT[layer], values_BH1d, None).replace(o_BH1d)

    def layer(self, index: int) -> LayerAblation | None:
        """Return the ablation of one layer, None where it has none."""
        if self.replaced_NBHT is not None and self.values_NBHTd is not None:
            replaced_BHT, values_BHTd = self.replaced_NBHT[index], self.values_NBHTd[index]
            return LayerAblation(replaced_BHT, values_BHTd, self.removed_B1TS)
        if self.removed_B1TS is not None:
            return LayerAblation(None, None, self.removed_B1TS)
        return None
