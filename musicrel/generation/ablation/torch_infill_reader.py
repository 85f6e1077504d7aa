"""An infilling model read by torch that predicts one cell with ablations; see ``AblatedReader``.

Dimensions: R ablations, N cells, T steps, L layers, H heads, d head width, C conditions, V
vocabulary.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import torch
from torch import Tensor

from musicrel.generation.ablation.ablations import NOBODY, Ablations, Floats
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.blocks.ablation import Ablation
from musicrel.model.families.infiller import Infiller
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.features.places import Cells
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows
from musicrel.tokens.vocabulary import MASK


class TorchInfillReader:
    """A piece; the note that is predicted is hidden.

    Args:
        model: a model of family ``infill``.
        ids_N: int64, the tokens of all cells.
        rows_NC: int64, their condition rows.
        notes_N: number of the note of each cell.
    """

    def __init__(
        self, model: LoadedModel, ids_N: codec.Ids, rows_NC: Rows, notes_N: codec.Ids
    ) -> None:
        self._notes_N = notes_N
        self._network = cast("Infiller", model.network)
        self._device, self._ids_N = model.device, ids_N
        self._conditions_1NC = torch.from_numpy(rows_NC)[None].to(model.device)

    @property
    def keys(self) -> int:
        return len(self._ids_N) // VOICES

    def plain(self, cell: int) -> Floats:
        """Return the logits of a cell, (V,)."""
        return self._read(cell, Ablation(), NOBODY)

    def ablated(self, cell: int, ablations: Ablations) -> Floats:
        """Return the logits of a cell with each of some ablations, (R, V)."""
        return np.stack([
            self._read(cell, self._ablation(cell, ablations, row), int(ablations.hidden_R[row]))
            for row in range(len(ablations))
        ])  # fmt: skip

    @torch.inference_mode()
    def weights(self, cell: int) -> Floats:
        """Return the attention weights of its step, (L, H, T)."""
        output = self._network(self._hidden(cell), self._conditions_1NC, record=True)
        return np.stack([_array(layer[0, :, cell // VOICES]) for layer in output.weights])

    def lens(self, cell: int) -> Floats:
        """Return its logits with the first layers alone, (L + 1, V)."""
        layers = range(len(self._network.blocks) + 1)
        return np.stack([self._read(cell, Ablation(layers=number), NOBODY) for number in layers])

    @torch.inference_mode()
    def _read(self, cell: int, ablation: Ablation, hidden_voice: int) -> Floats:
        """Return the logits of a cell, (V,)."""
        step, voice = divmod(cell, VOICES)

        def blocks(x_1TD: Tensor, steps_S: Tensor) -> Tensor:
            if hidden_voice != NOBODY:
                own_D = x_1TD[:, step]
                ids_1N = self._hidden(cell, hidden_voice)
                x_1TD = self._network.embed(ids_1N, self._conditions_1NC)
                x_1TD[:, step] = own_D
            return self._network.run_blocks(x_1TD, ablation=ablation).out_BTD[:, steps_S]

        wanted_1T4 = torch.zeros(1, self.keys, VOICES, dtype=torch.bool)
        wanted_1T4[0, step, voice] = True
        cells = Cells.of(wanted_1T4).to(self._device)
        ids_1N = self._hidden(cell)
        return _array(self._network.logits_of(ids_1N, self._conditions_1NC, cells, blocks)[0])

    def _hidden(self, cell: int, voice: int = NOBODY) -> Tensor:
        """Return the tokens with the note of a cell hidden, and all cells of a voice."""
        ids_1N = torch.from_numpy(self._ids_N)[None].clone()
        ids_1N[0, torch.from_numpy(self._notes_N == self._notes_N[cell])] = MASK
        if voice != NOBODY:
            ids_1N[0, voice::VOICES] = MASK
        return ids_1N.to(self._device)

    def _ablation(self, cell: int, ablations: Ablations, row: int) -> Ablation:
        """Return one of the ablations, at the step of the cell alone."""
        step, voice = divmod(cell, VOICES)
        here_T = torch.arange(self.keys) == step
        replaced_LH = torch.from_numpy(ablations.replaced_RLH[row])
        values_LHd = torch.from_numpy(ablations.values_5LHd[voice])
        removed_TT = here_T[:, None] & torch.from_numpy(ablations.removed_RS[row])
        return Ablation(
            replaced_NBHT=(replaced_LH[:, None, :, None] & here_T).to(self._device),
            values_NBHTd=values_LHd[:, None, :, None].to(self._device),
            removed_B1TS=removed_TT[None, None].to(self._device),
        )


def _array(tensor: Tensor) -> Floats:
    return tensor.float().cpu().numpy()
