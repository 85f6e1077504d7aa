"""A model that tells Bach's music from all other, or how sure it is of that.

One position is one step of the grid; ``hearing`` says what is heard of it. The statement is that of
the mean of all steps, so a passage and a whole piece are judged on one scale.

Dimensions: B batch, N tokens in raster order, T steps (N / 4), 4 voices, C conditions, D width.

This file knows how steps become one statement; it knows nothing of where the music comes from.
"""

from __future__ import annotations

import math
from typing import Final

from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.model.blocks.kv_cache import KeyValueCache
from musicrel.model.config import ModelConfig
from musicrel.model.families.classifier import Classifier
from musicrel.model.families.infiller import summed
from musicrel.model.families.transformer import Output
from musicrel.model.features import critic_features
from musicrel.model.features.conditioning import Told
from musicrel.model.features.critic_features import VOICES
from musicrel.model.features.interval_tables import FIRST_PITCH

OTHER: Final = 0
BACH: Final = 1
"""The classes, in the order of the logits."""


class Critic(Classifier):
    """Tokens of whole steps in raster order in, two logits for all of them out, as (B, 1, 2).

    Args:
        config: the shape; its vocabulary has every pitch as an onset and as a hold.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self._pitches = (config.tokens - FIRST_PITCH) // 2
        self.embed_token = nn.Embedding(critic_features.ROWS, config.width)
        spread = (config.width * (critic_features.SUMMED + len(self.embed_condition))) ** -0.5
        for table in (self.embed_token, *self.embed_condition):
            nn.init.normal_(table.weight, std=spread)

    def forward(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        *,
        starts_B: Tensor | int = 0,
        mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
        told: Told | None = None,
        record: bool = False,
    ) -> Output:
        """Hear music, four tokens a step.

        Args:
            ids_BT: int64 (B, N).
            conditions_BTC: int64 (B, N, C); those of a step's first token count.
            starts_B: index of the first token in its piece.
            mask: bool, True where a token is real, (B, 1, 1, N).
            cache: None; all is heard at once.
            told: None; nothing is told from outside.
            record: whether the attention weights, between steps, are wanted.

        Raises:
            ModelError: there is a cache, or the tokens make no whole steps.
        """
        if cache is not None or told is not None or ids_BT.shape[1] % VOICES:
            raise ModelError(f"{ids_BT.shape[1]} tokens: expected whole steps of 4, heard at once")
        mask = None if mask is None else mask[..., ::VOICES]
        x_BTD = self._heard(ids_BT.view(len(ids_BT), -1, VOICES), conditions_BTC[:, ::VOICES])
        x_BTD = self.dropout(self.positions(x_BTD, starts_B // VOICES))
        passed = self.through(x_BTD, mask, record=record)
        return Output(self.said(self.norm(passed.out_BTD), mask), passed.weights)

    def _heard(self, ids_BT4: Tensor, told_BTC: Tensor) -> Tensor:
        x_BTD = summed(critic_features.rows(ids_BT4, self._pitches), self.embed_token.weight)
        for column, embed in enumerate(self.embed_condition):
            x_BTD = x_BTD + embed(told_BTC[..., column])
        return x_BTD * math.sqrt(self.config.width)
