"""A causal model read by the kernel that predicts one cell again with ablations, many in one step.

Each ablation is a row of the step. Keys and values of the tokens before are those of the piece, and
only those after the last whole panel are copied. See ``AblatedReader``.

Dimensions: R ablations, L capacity, N layers, H heads, d head width, V vocabulary, S keys, C
conditions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from musicrel.generation.ablation.ablations import Ablations
from musicrel.model.compiled import attention, step
from musicrel.model.compiled.arithmetic import F32, Floats
from musicrel.model.compiled.attention import Ablation, Flags, Places, Rows
from musicrel.model.compiled.decoder import CompiledDecoder, CompiledModel, panels_of
from musicrel.model.compiled.tiles import padded
from musicrel.model.features.interval_tables import VOICES

_ROWS: Final = 32
"""Rows of a step; the first, whose sequence holds the piece, is the token without ablation."""


class AblatedDecoder(CompiledDecoder):
    """A piece that has been read.

    Args:
        model: the model.
        conditions_LC: int64, rows of the conditions of every position.
        ids_L: int64, the token at every position, START first.
    """

    def __init__(self, model: CompiledModel, conditions_LC: Places, ids_L: Places) -> None:
        super().__init__(model, np.repeat(conditions_LC[None], _ROWS, axis=0))
        self._logits_LV = self.read(ids_L)[0]

    @property
    def keys(self) -> int:
        return len(self._logits_LV)

    def plain(self, cell: int) -> Floats:
        """Return the logits of a cell, (V,)."""
        logits_V: Floats = self._logits_LV[cell]
        return logits_V

    def ablated(self, cell: int, ablations: Ablations) -> Floats:
        """Return the logits of a cell with each of some ablations, (R, V)."""
        parts = range(0, len(ablations), _ROWS - 1)
        self._copy_end(cell, min(len(ablations), _ROWS - 1))
        return np.concatenate([self._part(cell, ablations, first) for first in parts])

    def weights(self, cell: int) -> Floats:
        """Return the attention weights of its query, (N, H, S)."""
        config = self._model.config
        shape = (1, config.layers, config.heads, padded(self.capacity))
        weights_1NHL = np.zeros(shape, dtype=F32)
        self._read_rows(self._model, cell, weights_1NHL, attention.nothing(), 1, record=True)
        return weights_1NHL[0, :, :, : cell + 1]

    def lens(self, cell: int) -> Floats:
        """Return its logits with the first layers alone, (N + 1, V)."""
        weights = self._model.weights
        found = []
        for layers in range(self._model.config.layers + 1):
            some = weights._replace(norms_N4D=weights.norms_N4D[:layers])
            model = replace(self._model, weights=some)
            found.append(self._read_rows(model, cell, self._scratch(1), attention.nothing(), 1))
        return np.concatenate(found)

    def _part(self, cell: int, ablations: Ablations, first: int) -> Floats:
        """Return the logits of some ablations; the first row of the step has none."""
        part = slice(first, first + _ROWS - 1)
        own = Ablation(
            replaced_RNH=_after_none(ablations.replaced_RLH[part]),
            value_4NHd=np.ascontiguousarray(ablations.values_5LHd[:VOICES]),
            removed_RL=_after_none(ablations.removed_RS[part]),
        )
        rows = len(own.removed_RL)
        return self._read_rows(self._model, cell, self._scratch(rows), own, rows)[1:]

    def _read_rows(
        self,
        model: CompiledModel,
        place: int,
        weights_RNHL: Floats,
        ablation: Ablation,
        count: int,
        *,
        record: bool = False,
    ) -> Floats:
        """Read one token in the first ``count`` sequences; return the logits."""
        logits_RV = np.empty((count, model.config.tokens), dtype=F32)
        own_R, place_R = np.arange(count), np.full(count, place)
        rows = Rows(own_R, place_R, weights_RNHL, record, panels_of(place), ablation)
        step.read(rows, model.weights, model.tables, self._memory, logits_RV)
        return logits_RV

    def _copy_end(self, place: int, count: int) -> None:
        """Copy the keys and values that are not shared to the sequences of the ablations."""
        for row in range(1, count + 1):
            self._copy(self._memory, 0, row, range(panels_of(place), place))


def _after_none(flags: Flags) -> Flags:
    """Return rows after one without a flag."""
    return np.concatenate([np.zeros_like(flags[:1]), flags])
