"""Attention of an infill model that predicts a hidden note from all others.

A position of the model is a step of four voices. Torch computes, because the kernel keeps no
weights.

Dimensions: L layers, H heads, T steps, N cells, R cells of a note, C conditions, D width, S wanted
steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from musicrel.chorale import Chorale, Voice
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.features.places import Cells
from musicrel.tokens.vocabulary import MASK

if TYPE_CHECKING:
    from musicrel.model.families.infiller import Infiller


class MaskedAttention:
    """A reader of one piece.

    Args:
        model: a model of family ``infill``.
        chorale: the piece.
        given: names of the conditions.
        notes_N: int64, the number of the note or rest of each cell.
    """

    def __init__(
        self,
        model: LoadedModel,
        chorale: Chorale,
        given: Iterable[str],
        notes_N: npt.NDArray[np.int64],
    ) -> None:
        self._network, self._device = cast("Infiller", model.network), model.device
        cells = chorale.steps * len(Voice)
        self._ids = model.encode(chorale)[1 : cells + 1]
        rows_NC = model.condition_rows(chorale, tuple(given))[:cells]
        self._rows_1NC = torch.from_numpy(rows_NC)[None].to(self._device)
        self._notes_N = notes_N
        self._weights: tuple[Tensor, ...] = ()

    @torch.inference_mode()
    def rows(self, cell: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """Return the cells of the note of a cell, (R,), and their weights, float32 (R, L, H, T).

        The note is hidden as a whole: one that is known to be held afterwards would leave nothing
        to predict. The weights are those of the steps of its cells over all steps.

        Args:
            cell: number of any cell of the note, 4 step + voice.
        """
        hidden_R = np.flatnonzero(self._notes_N == self._notes_N[cell])
        ids, wanted_1N = self._ids.copy(), np.zeros((1, len(self._ids)), dtype=np.bool_)
        ids[hidden_R] = MASK
        wanted_1N[0, cell] = True
        self._network.logits_of(
            torch.from_numpy(ids)[None].to(self._device),
            self._rows_1NC,
            Cells.of(torch.from_numpy(wanted_1N.reshape(1, -1, len(Voice)))).to(self._device),
            self._blocks,
        )
        steps_R = hidden_R // len(Voice)
        weights_LHRT = [layer_1HTT[0, :, steps_R].float().cpu() for layer_1HTT in self._weights]
        return hidden_R, torch.stack(weights_LHRT).permute(2, 0, 1, 3).numpy()

    def _blocks(self, x_1TD: Tensor, steps_S: Tensor) -> Tensor:
        """Apply the blocks and keep their weights; see ``Infiller.logits_of``."""
        output = self._network.run_blocks(x_1TD, record=True)
        self._weights = output.weights
        return output.out_BTD[:, steps_S]
