"""Classifiers of sequences: a head over the mean of all states.

A critic separates Bach's music from all other. One of its positions is one step of the grid. Its
logits are those of the mean of all steps, so that a passage and a whole piece are on one scale.
Good counterpoint is a matter of intervals, mostly within the octave. Absolute pitches and the
octaves of a chord's notes are left out: a step is the same in every key, and a small data set
offers less to memorise. The features of a step are

- the interval within the octave from the bass to each note of the step, of the step before and of
  the one after: the chord, its predecessor and its successor;
- the motion of each voice, clipped to an octave;
- the distance of adjacent voices: crossings, unisons and wide gaps;
- for each pair of voices, the interval within the octave before and now, and the direction of the
  upper voice: parallel octaves and fifths follow from these.

Dimensions: B batch, T tokens, or steps of N tokens in raster order, 4 voices, 12 cells (4 before,
4 now, 4 after), 6 pairs, S rows summed, D width, K classes.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.model.blocks.attention import Recording
from musicrel.model.config import FIRST_PITCH_TOKEN, ModelConfig
from musicrel.model.families.infiller import summed
from musicrel.model.families.transformer import Output, Transformer
from musicrel.model.features.context_rows import CRITIC_ROWS, SUMMED, critic_rows
from musicrel.model.features.interval_tables import VOICES


class Classifier(Transformer):
    """Token ids to logits of the classes of the whole sequence, (B, 1, K)."""

    def forward(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        *,
        starts_B: Tensor | int = 0,
        mask: Tensor | None = None,
        record: bool = False,
    ) -> Output:
        x_BTD = self.embed_token(ids_BT) * self.scale
        x_BTD = x_BTD + self.embed_conditions(conditions_BTC).added_BND
        return self._classified(self.positions(x_BTD, starts_B), mask, record=record)

    def _classified(self, x_BTD: Tensor, mask: Tensor | None, *, record: bool) -> Output:
        """Project the mean of the states of real tokens, their number clamped to at least 1."""
        recorded = Recording() if record else None
        states_BTD = self.norm(self.run_blocks(self.dropout(x_BTD), mask, record=recorded))
        mean_B1D = states_BTD.mean(1, keepdim=True)
        if mask is not None:
            real_BT1 = mask[:, 0, 0, :, None].to(states_BTD.dtype)
            sum_B1D = (states_BTD * real_BT1).sum(1, keepdim=True)
            mean_B1D = sum_B1D / real_BT1.sum(1, keepdim=True).clamp(min=1.0)
        return Output.of(self.head(mean_B1D), recorded)


class Critic(Classifier):
    """Tokens of whole steps in raster order to two logits of the sequence, (B, 1, 2)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self._pitches = (config.tokens - FIRST_PITCH_TOKEN) // 2
        self.embed_token = nn.Embedding(CRITIC_ROWS, config.width)
        std = (config.width * (SUMMED + len(self.embed_condition))) ** -0.5
        for table in (self.embed_token, *self.embed_condition):
            nn.init.normal_(table.weight, std=std)

    def forward(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        *,
        starts_B: Tensor | int = 0,
        mask: Tensor | None = None,
        record: bool = False,
    ) -> Output:
        if ids_BT.shape[1] % VOICES:
            raise ModelError(f"{ids_BT.shape[1]} tokens: expected whole steps of 4")
        mask = None if mask is None else mask[..., ::VOICES]
        ids_BT4 = ids_BT.view(len(ids_BT), -1, VOICES).cpu().numpy()
        rows_BTS = torch.from_numpy(critic_rows(ids_BT4, self._pitches)).to(ids_BT.device)
        x_BTD = summed(rows_BTS, self.embed_token.weight)
        x_BTD = self.add_conditions(x_BTD, conditions_BTC[:, ::VOICES])
        x_BTD = self.positions(x_BTD, starts_B // VOICES)
        return self._classified(x_BTD, mask, record=record)
