"""Ablations: heads whose output is replaced, keys that are removed, layers that are left out.

An ablation is an argument of the forward pass: the network has no state of it.

Dimensions: N layers, B batch, H heads, T queries, S keys, d head width, 5 four voices and their
mean; a dimension may be 1 where all entries are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from musicrel.model.replaced_heads import Ablations, ReplacedHeads


@dataclass(frozen=True, slots=True)
class LayerAblation:
    """The ablation of one layer.

    Attributes:
        replaced_BHT: bool, whether the output of a head is replaced; None: nowhere.
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
            row_BT: int64, the row of the values at each position of each sequence, or of all.
        """
        is_replaced_NH = torch.from_numpy(replaced.is_replaced_LH).to(row_BT.device)
        values_5NHd = torch.from_numpy(replaced.values_5LHd).to(row_BT.device)
        return cls(
            replaced_NBHT=is_replaced_NH[:, None, :, None],
            values_NBHTd=values_5NHd[row_BT].permute(2, 0, 3, 1, 4),
        )

    @classmethod
    def of_rows(
        cls, ablations: Ablations, voice: int, device: torch.device | str, seen: int | None = None
    ) -> Ablation:
        """Return ablations of the queries of some sequences, one of each.

        Args:
            voice: row of the values that replace the outputs.
            seen: number of keys; None: all.
        """
        ablation = cls(layers=ablations.layers)
        if ablations.replaced_RLH is not None and ablations.values_5LHd is not None:
            values_NHd = torch.from_numpy(ablations.values_5LHd[voice]).to(device)
            replaced_NBH = torch.from_numpy(ablations.replaced_RLH).to(device).transpose(0, 1)
            ablation = replace(
                ablation,
                replaced_NBHT=replaced_NBH[..., None],
                values_NBHTd=values_NHd[:, None, :, None],
            )
        if ablations.removed_RS is not None:
            removed_BS = torch.from_numpy(ablations.removed_RS[:, :seen]).to(device)
            ablation = replace(ablation, removed_B1TS=removed_BS[:, None, None])
        return ablation

    def only_at(self, here_T: Tensor) -> Ablation:
        """Return an ablation by ``of_rows`` at some queries of whole sequences alone."""
        replaced_NBHT, removed_B1TS = self.replaced_NBHT, self.removed_B1TS
        return replace(
            self,
            replaced_NBHT=None if replaced_NBHT is None else replaced_NBHT & here_T,
            removed_B1TS=None if removed_B1TS is None else removed_B1TS & here_T[:, None],
        )

    def at(self, places: slice | Tensor) -> Ablation:
        """Return an ablation by ``everywhere`` for some of its positions."""
        if self.values_NBHTd is None:
            return self
        return replace(self, values_NBHTd=self.values_NBHTd[..., places, :])

    def layer(self, index: int) -> LayerAblation | None:
        """Return the ablation of one layer, None where it has none."""
        if self.replaced_NBHT is not None and self.values_NBHTd is not None:
            replaced_BHT, values_BHTd = self.replaced_NBHT[index], self.values_NBHTd[index]
            return LayerAblation(replaced_BHT, values_BHTd, self.removed_B1TS)
        if self.removed_B1TS is not None:
            return LayerAblation(None, None, self.removed_B1TS)
        return None
