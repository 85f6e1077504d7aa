"""A piece read by torch with an infilling model; see ``NoteReader``.

Dimensions: R ablations, N cells, L layers, H heads, d head width, T steps, C conditions, V
vocabulary, D width, S wanted steps.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import torch
from torch import Tensor

from musicrel.interpretability.ablation import InfillNoteReader
from musicrel.model.blocks.ablation import Ablation
from musicrel.model.blocks.attention import Recording
from musicrel.model.families.infiller import Infiller
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.reading import Floats
from musicrel.model.replaced_heads import Ablations
from musicrel.model.tokens import codec


class TorchInfillReader(InfillNoteReader):
    def _prepare(self) -> None:
        super()._prepare()
        self._network, self._device = cast("Infiller", self.model.network), self.model.device
        self._rows_1NC = torch.from_numpy(self._rows_NC)[None].to(self._device)
        self._note, self._weights_LHTT = -1, np.zeros((0, 0, 0, 0), np.float32)

    def _plain(self, cell: int) -> Floats:
        return self._read(cell, Ablation())

    def _ablated(self, cell: int, ablations: Ablations) -> Floats:
        step, voice = divmod(cell, VOICES)
        here_T = torch.arange(self.keys, device=self._device) == step
        rows = [Ablation.of_rows(one, voice, self._device) for one in ablations.parts(1)]
        return np.stack([self._read(cell, row.only_at(here_T)) for row in rows])

    def _without_voices(self, cell: int) -> Floats:
        return np.stack([self._read(cell, Ablation(), voice) for voice in range(VOICES)])

    @torch.inference_mode()
    def weights(self, cell: int) -> Floats:
        note = int(self._notes_N[cell])
        if note != self._note:  # all its steps are read together
            x_1TD = self._network.embed(self._tensor(self._hidden(cell)), self._rows_1NC)
            recorded = Recording()
            self._network.run_blocks(x_1TD, record=recorded)
            self._weights_LHTT = np.stack([_array(one_1HTT[0]) for one_1HTT in recorded.weights])
            self._note = note
        return self._weights_LHTT[:, :, cell // VOICES]

    def _lens(self, cell: int) -> Floats:
        layers = range(len(self._network.blocks) + 1)
        return np.stack([self._read(cell, Ablation(layers=number)) for number in layers])

    @torch.inference_mode()
    def _read(self, cell: int, ablation: Ablation, hidden_voice: int | None = None) -> Floats:
        step, voice = divmod(cell, VOICES)

        def blocks(x_1TD: Tensor, at_S: Tensor | None) -> Tensor:
            if hidden_voice is not None:
                own_D = x_1TD[:, step]
                ids_1N = self._tensor(self._hidden(cell, hidden_voice))
                x_1TD = self._network.embed(ids_1N, self._rows_1NC)
                x_1TD[:, step] = own_D
            return self._network.run_blocks(x_1TD, ablation=ablation, at_S=at_S)

        ids_1N, at_S = self._tensor(self._hidden(cell)), torch.tensor([step], device=self._device)
        output = self._network(ids_1N, self._rows_1NC, at_S=at_S, blocks=blocks)
        return _array(output.logits_BTV[0, voice])

    def _tensor(self, ids_N: codec.Ids) -> Tensor:
        return torch.from_numpy(ids_N)[None].to(self._device)


def _array(tensor: Tensor) -> Floats:
    return tensor.float().cpu().numpy()
