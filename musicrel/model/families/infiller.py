"""A model that predicts hidden notes from all known notes before and after them.

One position is one step of the grid: four input tokens, of soprano, alto, tenor and bass, and four
distributions. Counterpoint is a matter of intervals: each voice has features of the known pitches
around it as distances from its own neighbours in time, and scores its pitch by the distance from
these and from the other voices, given their motion. All of this lies before and after the layers,
and is independent of the positional scheme.

Dimensions: B batch, N tokens in raster order, T steps (N / 4), 4 voices, C conditions, D width,
V vocabulary, P pitches, R distances, H hidden units of a voice, O outputs, S steps or rows
summed, "..." the places (see ``features.context_features``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.model.blocks.ablation import Ablation
from musicrel.model.blocks.attention import Recording
from musicrel.model.config import FIRST_PITCH_TOKEN, KEY, ModelConfig
from musicrel.model.families.transformer import Output, Transformer
from musicrel.model.features.context_features import (
    EVERYWHERE,
    Cells,
    ContextFeatures,
    Places,
    StepContext,
)
from musicrel.model.features.context_rows import CONTEXT_SLOTS, MOTION_GAIN, REFERENCES
from musicrel.model.features.interval_tables import MOTIONS, OCTAVE, VOICES
from musicrel.model.features.logit_biases import ContextBiases

HIDDEN: Final = 64
"""Hidden units H of the output layer of each voice."""

_SIDES: Final = 2
_STD: Final = 0.02


class Infiller(Transformer):
    """Tokens of whole steps in raster order to the logits of each of them.

    Args:
        config: hyperparameters; the vocabulary has every pitch as an onset and as a hold.
    """

    counterpoint: ContextBiases | None

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        names = list(config.conditions)
        self.context_features = ContextFeatures(
            config.tokens, names.index(KEY) if KEY in names else None
        )
        distances = self.context_features.distances
        self._sizes = [config.tokens, REFERENCES * distances, OCTAVE]
        self.embed_token = nn.Embedding(self.context_features.input_rows, config.width)
        self.inner = nn.Linear(config.width, VOICES * HIDDEN)
        self.embed_context = nn.Embedding(self.context_features.context_rows, HIDDEN)
        self.motion_biases = nn.Embedding(_SIDES * MOTIONS, distances)
        self.chord_biases = nn.Embedding(VOICES * 3 * distances, distances)
        self.head: VoiceHeads = VoiceHeads(sum(self._sizes))  # type: ignore[assignment]
        self._initialise_own()

    def forward(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        *,
        starts_B: Tensor | int = 0,
        mask: Tensor | None = None,
        record: bool = False,
        ablation: Ablation | None = None,
    ) -> Output:
        """Compute the logits, four tokens per step.

        Args:
            ids_BT: int64 (B, N).
            conditions_BTC: int64 (B, N, C); those of a step's first token are used.
            starts_B: index of the first token in its piece.
            mask: bool, True for real tokens, (B, 1, 1, N).
            record: whether to return the attention weights between steps.
            ablation: what is replaced, removed or left out; None: nothing.

        Raises:
            ModelError: the tokens do not form whole steps.
        """
        if ids_BT.shape[1] % VOICES:
            raise ModelError(f"{ids_BT.shape[1]} tokens: expected whole steps of 4")
        mask = None if mask is None else mask[..., ::VOICES]
        ids_BT4, conditions_BTC = _steps(ids_BT, conditions_BTC)
        context = self.context_features(ids_BT4, conditions_BTC)
        x_BTD = self._embedded(context, conditions_BTC, starts_B)
        recorded = Recording() if record else None
        x_BTD = self.run_blocks(x_BTD, mask, record=recorded, ablation=ablation)
        hidden_BT4H = self._hidden(x_BTD)
        outputs_BT4O = self.head(self._activated(hidden_BT4H, context))
        logits_BT4V = self._logits(outputs_BT4O, context)
        logits_BT4V = self._with_biases(logits_BT4V, ids_BT4, conditions_BTC, EVERYWHERE)
        return Output.of(logits_BT4V.flatten(1, 2), recorded)

    def logits_of(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        cells: Cells,
        blocks: Callable[[Tensor, Tensor], Tensor],
        *,
        starts_B: Tensor | int = 0,
    ) -> Tensor:
        """Return the logits of ``forward`` for some cells, (N, V).

        The output layers of all cells take longer than the layers, and a sampler needs few.

        Args:
            ids_BT: int64 (B, N).
            conditions_BTC: int64 (B, N, C).
            blocks: a function from the states of all steps (B, T, D) and the indices of some, int64
                (S,), to their states after the last block (B, S, D).
            starts_B: index of the first token in its piece.
        """
        ids_BT4, conditions_BTC = _steps(ids_BT, conditions_BTC)
        context = self.context_features(ids_BT4, conditions_BTC, cells)
        x_BTD = self._embedded(context, conditions_BTC, starts_B)
        steps_S, index_N = torch.unique(cells.step_N, return_inverse=True)
        hidden_BS4H = self._hidden(blocks(x_BTD, steps_S))
        hidden_NH = hidden_BS4H[cells.row_N, index_N, cells.voice_N]
        outputs_NO = self.head.of_cells(self._activated(hidden_NH, context), cells)
        logits_NV = self._logits(outputs_NO, context)
        return self._with_biases(logits_NV, ids_BT4, conditions_BTC, cells)

    def embed(self, ids_BT: Tensor, conditions_BTC: Tensor) -> Tensor:
        """Return the states of all steps before the first block, (B, T, D)."""
        ids_BT4, conditions_BTC = _steps(ids_BT, conditions_BTC)
        context = self.context_features(ids_BT4, conditions_BTC)
        return self._embedded(context, conditions_BTC, 0)

    def _embedded(
        self, context: StepContext, conditions_BTC: Tensor, starts_B: Tensor | int
    ) -> Tensor:
        x_BTD = summed(context.inputs, self.embed_token.weight)
        x_BTD = self.add_conditions(x_BTD, conditions_BTC)
        embedded_BTD: Tensor = self.dropout(self.positions(x_BTD, starts_B // VOICES))
        return embedded_BTD

    def _hidden(self, states_BTD: Tensor) -> Tensor:
        """Return the projected states of each voice, (B, T, 4, H)."""
        hidden_BT4H: Tensor = self.inner(self.norm(states_BTD)).unflatten(-1, (VOICES, HIDDEN))
        return hidden_BT4H

    def _activated(self, hidden_H: Tensor, context: StepContext) -> Tensor:
        activated_H: Tensor = self.dropout(
            F.gelu(hidden_H + summed(context.context, self.embed_context.weight))
        )
        return activated_H

    def _with_biases(
        self, logits_V: Tensor, ids_BT4: Tensor, conditions_BTC: Tensor, places: Places
    ) -> Tensor:
        """Add the biases by rule to the logits at some places, if the model has any."""
        if self.counterpoint is None:
            return logits_V
        bias_V: Tensor = self.counterpoint(
            *self.counterpoint.neighbourhood(ids_BT4, conditions_BTC, places)
        )
        return logits_V + bias_V

    def _logits(self, outputs_O: Tensor, context: StepContext) -> Tensor:
        plain_V, by_distance_O, by_degree_O = torch.split(outputs_O, self._sizes, dim=-1)
        by_pitch_P = self._by_pitch(by_distance_O, by_degree_O, context)
        by_token_V = F.pad(torch.cat([by_pitch_P, by_pitch_P], dim=-1), (FIRST_PITCH_TOKEN, 0))
        logits_V: Tensor = plain_V + by_token_V + context.impossible
        return logits_V

    def _by_pitch(self, by_distance_O: Tensor, by_degree_O: Tensor, context: StepContext) -> Tensor:
        """Return the logits of pitches by distance and degree: (..., P)."""
        by_distance_5R = by_distance_O.reshape(*by_distance_O.shape[:-1], REFERENCES, -1)
        motions_2R = summed(context.motions, self.motion_biases.weight)
        chords_3R = summed(context.chords, self.chord_biases.weight)
        by_rule_5R = torch.cat([motions_2R, chords_3R], dim=-2)
        by_distance_5R = by_distance_5R + MOTION_GAIN * by_rule_5R
        by_distance_5R = F.pad(by_distance_5R[..., :-1], (0, 1))  # no distance: no score
        by_pitch_P = by_distance_5R.gather(-1, context.pitch_distances).sum(-2)
        if context.degrees is None:
            return by_pitch_P
        rows_P = context.degrees.expand_as(by_pitch_P)
        by_degree_K = F.pad(by_degree_O, (0, 1))
        is_none = rows_P == 2 * OCTAVE
        return by_pitch_P + by_degree_K.gather(-1, torch.where(is_none, OCTAVE, rows_P % OCTAVE))

    @torch.no_grad()
    def _initialise_own(self) -> None:
        """Initialise the weights that ``Transformer`` does not have.

        input rows      N(0, 1/(S D)), multiplied by sqrt D when used: S of them are summed
        hidden layer    N(0, 1/D), its context rows N(0, 1/26): 26 rows are summed
        motions, chords 0
        """
        rows = len(self.context_features.first_S) + len(self.embed_condition)
        for table in (self.embed_token, *self.embed_condition):
            nn.init.normal_(table.weight, std=(self.config.width * rows) ** -0.5)
        nn.init.normal_(self.inner.weight, std=self.config.width**-0.5)
        nn.init.zeros_(self.inner.bias)
        nn.init.normal_(self.embed_context.weight, std=CONTEXT_SLOTS**-0.5)
        nn.init.zeros_(self.motion_biases.weight)
        nn.init.zeros_(self.chord_biases.weight)


class VoiceHeads(nn.Module):
    """A linear layer for each voice."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(VOICES, HIDDEN, outputs).normal_(std=_STD))
        self.bias = nn.Parameter(torch.zeros(VOICES, 1, outputs))

    def forward(self, hidden_BT4H: Tensor) -> Tensor:
        """Project (B, T, 4, H) to (B, T, 4, O)."""
        hidden_4NH = hidden_BT4H.flatten(0, 1).transpose(0, 1)
        outputs_4NO = torch.baddbmm(self.bias, hidden_4NH, self.weight)
        return outputs_4NO.transpose(0, 1).reshape(*hidden_BT4H.shape[:-1], -1)

    def of_cells(self, hidden_NH: Tensor, cells: Cells) -> Tensor:
        """Project the hidden units of some cells, (N, H) to (N, O)."""
        parts = torch.split(hidden_NH, list(cells.counts))
        layers = zip(parts, self.weight.unbind(), self.bias.unbind(), strict=True)
        return torch.cat([torch.addmm(bias, some_NH, weight) for some_NH, weight, bias in layers])


def _steps(ids_BT: Tensor, conditions_BTC: Tensor) -> tuple[Tensor, Tensor]:
    return ids_BT.view(len(ids_BT), -1, VOICES), conditions_BTC[:, ::VOICES]


def summed(rows: Tensor, table_RD: Tensor) -> Tensor:
    """Sum the rows of the table along the last dimension: (..., S) to (..., D)."""
    sum_ND = F.embedding_bag(rows.flatten(0, -2), table_RD, mode="sum")
    return sum_ND.view(*rows.shape[:-1], -1)
