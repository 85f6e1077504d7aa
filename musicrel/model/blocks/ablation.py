"""Ablations: heads whose output is replaced, keys that are removed, layers that are left out.

An ablation is an argument of the forward pass: the network has no state of it.

Dimensions: N layers, B batch, H heads, T queries, S keys, d head width, 5 four voices and their
mean; a dimension may be 1 where all entries are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from musicrel.model.replaced_heads import Ablations


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """The ablation of a forward pass, or of one of its layers."""

    # bool, whether the output of a head is replaced, (N, B, H, T), or (B, H, T) of a layer; None:
    # nowhere
    replaced: Tensor | None = None
    values: Tensor | None = None  # what replaces it, (N, B, H, T, d) or (B, H, T, d)
    # bool, True for keys that are not attended to in any layer; None: none
    removed_B1TS: Tensor | None = None
    layers: int | None = None  # number of first layers that are applied; None: all

    @classmethod
    def everywhere(cls, ablations: Ablations | None, row_BT: Tensor) -> Ablation:
        """Return the ablation that replaces heads at all positions; None: none."""
        if ablations is None or ablations.replaced_RLH is None or ablations.values_5LHd is None:
            return cls()
        replaced_1NH = torch.from_numpy(ablations.replaced_RLH).to(row_BT.device)
        values_5NHd = torch.from_numpy(ablations.values_5LHd).to(row_BT.device)
        return cls(
            replaced=replaced_1NH.transpose(0, 1)[..., None],
            values=values_5NHd[row_BT].permute(2, 0, 3, 1, 4),
        )

    @classmethod
    def of_rows(
        cls, ablations: Ablations, voice: int, device: torch.device | str, seen: int | None = None
    ) -> Ablation:
        ablation = cls(layers=ablations.layers)
        if ablations.replaced_RLH is not None and ablations.values_5LHd is not None:
            values_NHd = torch.from_numpy(ablations.values_5LHd[voice]).to(device)
            replaced_NBH = torch.from_numpy(ablations.replaced_RLH).to(device).transpose(0, 1)
            ablation = replace(
                ablation,
                replaced=replaced_NBH[..., None],
                values=values_NHd[:, None, :, None],
            )
        if ablations.removed_RS is not None:
            removed_BS = torch.from_numpy(ablations.removed_RS[:, :seen]).to(device)
            ablation = replace(ablation, removed_B1TS=removed_BS[:, None, None])
        return ablation

    def only_at(self, here_T: Tensor) -> Ablation:
        """Return an ablation by ``of_rows`` at some queries of whole sequences alone."""
        replaced, removed_B1TS = self.replaced, self.removed_B1TS
        return replace(
            self,
            replaced=None if replaced is None else replaced & here_T,
            removed_B1TS=None if removed_B1TS is None else removed_B1TS & here_T[:, None],
        )

    def at(self, places: slice | Tensor) -> Ablation:
        if self.values is None:
            return self
        return replace(self, values=self.values[..., places, :])

    def layer(self, index: int) -> Ablation:
        if self.replaced is None or self.values is None:
            return self
        return replace(self, replaced=self.replaced[index], values=self.values[index])

    def applied(self, o_BHTd: Tensor) -> Tensor:
        """Return the outputs of the heads of a layer, those replaced by their values."""
        if self.replaced is None or self.values is None:
            return o_BHTd
        return torch.where(self.replaced[..., None], self.values.to(o_BHTd), o_BHTd)
