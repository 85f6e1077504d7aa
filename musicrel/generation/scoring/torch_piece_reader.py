"""Reading of a piece by torch: for every causal model and device."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from musicrel.chorale import Voice
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.scoring.piece_output import Floats, PieceOutput
from musicrel.model.blocks.ablation import Ablation
from musicrel.model.replaced_heads import ReplacedHeads
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows


class TorchPieceReader:
    """A model with the conditions of a piece.

    Args:
        model: a causal model.
        rows_NC: int64, the condition rows of all cells.
        record: record attention weights.
        replaced: heads that are replaced at all positions; None: none.
    """

    def __init__(
        self,
        model: LoadedModel,
        rows_NC: Rows,
        *,
        record: bool,
        replaced: ReplacedHeads | None = None,
    ) -> None:
        self._network, self._device, self._record = model.network, model.device, record
        rows_1NC = torch.from_numpy(rows_NC)[None].to(self._device)
        with torch.inference_mode():
            self._conditions_1NC = self._network.with_lookahead(rows_1NC)
            self._conditioning = self._network.embed_conditions(self._conditions_1NC)
        self._cache = self._network.new_cache(1, len(rows_NC))
        voice_1N = torch.arange(len(rows_NC), device=self._device)[None] % len(Voice)
        self._ablation = Ablation.everywhere(replaced, voice_1N) if replaced else Ablation()

    def read(self, ids_T: codec.Ids) -> PieceOutput:
        """Read the next tokens; see ``PieceReader``."""
        part = slice(self._cache.length, self._cache.length + len(ids_T))
        with torch.inference_mode():
            output = self._network(
                torch.from_numpy(ids_T)[None].to(self._device),
                self._conditions_1NC[:, part],
                cache=self._cache,
                conditioning=self._conditioning.at(part),
                record=self._record,
                ablation=self._ablation.at(part),
            )
            return PieceOutput(
                output.logits_BTV[0].float().cpu().numpy(),
                _stacked(output.weights),
                _stacked(output.cross_weights),
            )


def _stacked(weights: tuple[Tensor, ...]) -> Floats | None:
    """Return the weights of all layers as one array, None where there are none."""
    if not weights:
        return None
    return np.stack([layer_1HTS[0].float().cpu().numpy() for layer_1HTS in weights])
