"""A causal model read by torch that predicts one cell again with ablations; see ``AblatedReader``.

Dimensions: R ablations, L positions, N layers, H heads, d head width, S keys, C conditions, V
vocabulary.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import torch

from musicrel.generation.ablation.ablations import Ablations, Floats
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.blocks.ablation import Ablation
from musicrel.model.blocks.cross_attention import Memory
from musicrel.model.families.transformer import Output
from musicrel.model.features.conditioning import Conditioning
from musicrel.model.features.interval_tables import VOICES
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows

_ROWS: Final = 8
"""Rows of a step: each has a copy of the cache."""


class TorchCausalReader:
    """A piece that has been read.

    Args:
        model: a causal model, or a decoder with an encoder.
        ids_L: int64, the token at every position, START first.
        rows_LC: int64, their condition rows.
    """

    @torch.inference_mode()
    def __init__(self, model: LoadedModel, ids_L: codec.Ids, rows_LC: Rows) -> None:
        self._network = model.network
        self._ids_1L = torch.from_numpy(ids_L)[None].to(model.device)
        rows_1LC = torch.from_numpy(rows_LC)[None].to(model.device)
        self._conditions_1LC = self._network.with_lookahead(rows_1LC)
        self._conditioning = self._network.embed_conditions(self._conditions_1LC)
        self._cache = self._network.new_cache(1, len(ids_L))
        output = self._network(
            self._ids_1L,
            self._conditions_1LC,
            cache=self._cache,
            conditioning=self._conditioning,
        )
        self._logits_LV = output.logits_BTV[0]

    @property
    def keys(self) -> int:
        return self._ids_1L.shape[1]

    def plain(self, cell: int) -> Floats:
        """Return the logits of a cell, (V,)."""
        return _array(self._logits_LV[cell])

    def ablated(self, cell: int, ablations: Ablations) -> Floats:
        """Return the logits of a cell with each of some ablations, (R, V)."""
        parts = [slice(first, first + _ROWS) for first in range(0, len(ablations), _ROWS)]
        return np.concatenate([
            _array(self._read(cell, self._ablation(cell, ablations, part)).logits_BTV[:, 0])
            for part in parts
        ])  # fmt: skip

    def weights(self, cell: int) -> Floats:
        """Return the attention weights of its query, (N, H, S)."""
        output = self._read(cell, Ablation(), record=True)
        return np.stack([_array(layer_1H1S[0, :, 0]) for layer_1H1S in output.weights])

    def lens(self, cell: int) -> Floats:
        """Return its logits with the first layers alone, (N + 1, V)."""
        layers = range(len(self._network.blocks) + 1)
        outputs = [self._read(cell, Ablation(layers=number)) for number in layers]
        return np.concatenate([_array(output.logits_BTV[0]) for output in outputs])

    @torch.inference_mode()
    def _read(self, cell: int, ablation: Ablation, *, record: bool = False) -> Output:
        """Read the token before a cell in as many rows as the ablation has."""
        rows = 1 if ablation.removed_B1TS is None else len(ablation.removed_B1TS)
        cache, here = self._network.new_cache(rows, self.keys), slice(cell, cell + 1)
        cache.fill(self._cache, 0, cell)
        output: Output = self._network(
            self._ids_1L[:, here].expand(rows, -1),
            self._conditions_1LC[:, here].expand(rows, -1, -1),
            cache=cache,
            conditioning=_repeated(self._conditioning.at(here), rows),
            ablation=ablation,
            record=record,
        )
        return output

    def _ablation(self, cell: int, ablations: Ablations, part: slice) -> Ablation:
        device = self._ids_1L.device
        replaced_RNH = torch.from_numpy(ablations.replaced_RLH[part]).to(device)
        values_NHd = torch.from_numpy(ablations.values_5LHd[cell % VOICES]).to(device)
        removed_RS = torch.from_numpy(ablations.removed_RS[part, : cell + 1]).to(device)
        return Ablation(
            replaced_NBHT=replaced_RNH.transpose(0, 1)[..., None],
            values_NBHTd=values_NHd[:, None, :, None],
            removed_B1TS=removed_RS[:, None, None],
        )


def _repeated(conditioning: Conditioning, rows: int) -> Conditioning:
    """Return a conditioning for several equal sequences."""
    memories = tuple(
        Memory(
            memory.keys_BHSd.expand(rows, -1, -1, -1),
            memory.values_BHSd.expand(rows, -1, -1, -1),
            memory.planned_length,
            memory.mask,
        )
        for memory in conditioning.memories
    )
    return Conditioning(conditioning.added_BND.expand(rows, -1, -1), memories)


def _array(tensor: torch.Tensor) -> Floats:
    return tensor.float().cpu().numpy()
