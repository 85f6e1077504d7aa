"""A critic: a classifier that separates Bach's music from all other.

One position is one step of the grid with the features of ``critic_features``. The logits are those
of the mean of all steps, so that a passage and a whole piece are on one scale.

Dimensions: B batch, N tokens in raster order, T steps (N / 4), 4 voices, C conditions, D width.
"""

from __future__ import annotations

from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.model.blocks.ablation import Ablation
from musicrel.model.blocks.kv_cache import KeyValueCache
from musicrel.model.config import FIRST_PITCH_TOKEN, ModelConfig
from musicrel.model.families.classifier import Classifier
from musicrel.model.families.infiller import summed
from musicrel.model.families.transformer import Output
from musicrel.model.features import critic_features
from musicrel.model.features.conditioning import Conditioning
from musicrel.model.features.interval_tables import VOICES


class Critic(Classifier):
    """Tokens of whole steps in raster order to two logits of the sequence, (B, 1, 2).

    Args:
        config: hyperparameters; the vocabulary has every pitch as an onset and as a hold.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self._pitches = (config.tokens - FIRST_PITCH_TOKEN) // 2
        self.embed_token = nn.Embedding(critic_features.ROWS, config.width)
        std = (config.width * (critic_features.SUMMED + len(self.embed_condition))) ** -0.5
        for table in (self.embed_token, *self.embed_condition):
            nn.init.normal_(table.weight, std=std)

    def forward(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        *,
        starts_B: Tensor | int = 0,
        mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
        conditioning: Conditioning | None = None,
        record: bool = False,
        ablation: Ablation | None = None,
    ) -> Output:
        """Compute the logits.

        Args:
            ids_BT: int64 (B, N), four tokens per step.
            conditions_BTC: int64 (B, N, C); those of a step's first token are used.
            starts_B: index of the first token in its piece.
            mask: bool, True for real tokens, (B, 1, 1, N).
            cache: None: the model is not incremental.
            conditioning: None: there is no longer piece around.
            record: whether to return the attention weights between steps.
            ablation: what is replaced, removed or left out; None: nothing.

        Raises:
            ModelError: a cache is given, or the tokens do not form whole steps.
        """
        if cache is not None or conditioning is not None or ids_BT.shape[1] % VOICES:
            raise ModelError(
                f"{ids_BT.shape[1]} tokens: expected whole steps of 4, read without a cache"
            )
        mask = None if mask is None else mask[..., ::VOICES]
        rows_BTS = critic_features.rows(ids_BT.view(len(ids_BT), -1, VOICES), self._pitches)
        x_BTD = summed(rows_BTS, self.embed_token.weight)
        x_BTD = self.add_conditions(x_BTD, conditions_BTC[:, ::VOICES])
        x_BTD = self.dropout(self.positions(x_BTD, starts_B // VOICES))
        blocks_output = self.run_blocks(x_BTD, mask, record=record, ablation=ablation)
        return Output(self.logits(self.norm(blocks_output.out_BTD), mask), blocks_output.weights)
