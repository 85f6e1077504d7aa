"""A model that predicts hidden notes from all known notes before and after them.

One position is one step of the grid: four input tokens, of soprano, alto, tenor and bass, and four
distributions. Counterpoint is a matter of intervals: each voice has features of the known pitches
around it as distances from its own neighbours in time, and scores its pitch by the distance from
these and from the other voices, given their motion. All of this lies before and after the layers,
and is independent of the positional scheme.

Dimensions: B batch, N tokens in raster order, T steps (N / 4), 4 voices, C conditions, D width,
V vocabulary, P pitches, R distances, H hidden units of a voice, O outputs, S rows summed.
"""

from __future__ import annotations

from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.model.blocks.kv_cache import KeyValueCache
from musicrel.model.config import FIRST_PITCH_TOKEN, KEY, ModelConfig
from musicrel.model.families.transformer import BlockOutput, Output, Transformer
from musicrel.model.features.conditioning import Conditioning
from musicrel.model.features.context_biases import ContextBiases
from musicrel.model.features.context_features import (
    CONTEXT_SLOTS,
    REFERENCES,
    ContextFeatures,
    StepContext,
)
from musicrel.model.features.interval_tables import MOTIONS, OCTAVE, VOICES

HIDDEN: Final = 64
"""Hidden units H of the output layer of each voice."""

_SIDES: Final = 2
_STD: Final = 0.02
_GAIN: Final = 8.0
"""Factor of the tables of motions and chords: rare rows that act on the logits directly."""


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
        self.head = VoiceHeads(sum(self._sizes))  # type: ignore[assignment]  # no single layer
        self._initialise_own()

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
    ) -> Output:
        """Compute the logits, four tokens per step.

        Args:
            ids_BT: int64 (B, N).
            conditions_BTC: int64 (B, N, C); those of a step's first token are used.
            starts_B: index of the first token in its piece.
            mask: bool, True for real tokens, (B, 1, 1, N).
            cache: None: the model is not incremental.
            conditioning: ignored: there is no longer piece around.
            record: whether to return the attention weights between steps.

        Raises:
            ModelError: a cache is given, or the tokens do not form whole steps.
        """
        if cache is not None or ids_BT.shape[1] % VOICES:
            raise ModelError(
                f"{ids_BT.shape[1]} tokens: expected whole steps of 4, read without a cache"
            )
        mask = None if mask is None else mask[..., ::VOICES]
        blocks_output, step_context = self._encode(
            ids_BT, conditions_BTC, starts_B, mask, record=record
        )
        logits_BT4V = self._voice_logits(self.norm(blocks_output.out_BTD), step_context)
        logits_BT4V = self._add_biases(logits_BT4V, ids_BT, conditions_BTC, slice(None))
        return Output(logits_BT4V.flatten(1, 2), blocks_output.weights)

    def logits_at(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        steps_S: Tensor,
        *,
        starts_B: Tensor | int = 0,
    ) -> Tensor:
        """Return the logits of ``forward`` for the four voices of some steps, (B, S, 4, V).

        The output layers take about half of the time, and a sampler needs few steps.
        """
        blocks_output, step_context = self._encode(
            ids_BT, conditions_BTC, starts_B, None, record=False
        )
        logits_BS4V = self._voice_logits(
            self.norm(blocks_output.out_BTD[:, steps_S]), step_context.at(steps_S)
        )
        return self._add_biases(logits_BS4V, ids_BT, conditions_BTC, steps_S)

    def _encode(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        starts_B: Tensor | int,
        mask: Tensor | None,
        *,
        record: bool,
    ) -> tuple[BlockOutput, StepContext]:
        """Return the states of all steps and the rows of their context."""
        conditions_BTC = conditions_BTC[:, ::VOICES]
        step_context: StepContext = self.context_features(
            ids_BT.view(len(ids_BT), -1, VOICES), conditions_BTC
        )
        x_BTD = summed(step_context.inputs, self.embed_token.weight)
        x_BTD = self.add_conditions(x_BTD, conditions_BTC)
        x_BTD = self.dropout(self.positions(x_BTD, starts_B // VOICES))
        return self.run_blocks(x_BTD, mask, record=record), step_context

    def _add_biases(
        self, logits_BS4V: Tensor, ids_BT: Tensor, conditions_BTC: Tensor, steps: Tensor | slice
    ) -> Tensor:
        """Add the biases by rule to the logits of some steps, if the model has any."""
        if self.counterpoint is None:
            return logits_BS4V
        neighbourhood = self.counterpoint.neighbourhood(
            ids_BT.reshape(len(ids_BT), -1, VOICES), conditions_BTC[:, ::VOICES], steps
        )
        bias_BS4V: Tensor = self.counterpoint(*neighbourhood)
        return logits_BS4V + bias_BS4V

    def _voice_logits(self, states_BTD: Tensor, step_context: StepContext) -> Tensor:
        """Return the logits of the four voices, (B, T, 4, V)."""
        inner_BT4H = self.inner(states_BTD).unflatten(-1, (VOICES, HIDDEN))
        hidden_BT4H = F.gelu(inner_BT4H + summed(step_context.context, self.embed_context.weight))
        outputs_BT4O: Tensor = self.head(self.dropout(hidden_BT4H))
        plain_BT4V, by_distance_BT4O, by_degree_BT4O = torch.split(
            outputs_BT4O, self._sizes, dim=-1
        )
        by_pitch_BT4P = self._by_pitch(by_distance_BT4O, by_degree_BT4O, step_context)
        by_token_BT4V = F.pad(by_pitch_BT4P.repeat(1, 1, 1, 2), (FIRST_PITCH_TOKEN, 0))
        logits_BT4V: Tensor = plain_BT4V + by_token_BT4V + step_context.impossible
        return logits_BT4V

    def _by_pitch(
        self, by_distance_BT4O: Tensor, by_degree_BT4O: Tensor, step_context: StepContext
    ) -> Tensor:
        """Return the logits of pitches by distance and degree: (B, T, 4, P)."""
        shape = (*by_distance_BT4O.shape[:-1], REFERENCES, -1)
        by_distance_BT45R = by_distance_BT4O.reshape(shape)
        motions_BT42R = summed(step_context.motions, self.motion_biases.weight)
        chords_BT43R = summed(step_context.chords, self.chord_biases.weight)
        by_rule_BT45R = torch.cat([motions_BT42R, chords_BT43R], dim=-2)
        by_distance_BT45R = by_distance_BT45R + _GAIN * by_rule_BT45R
        by_distance_BT45R = F.pad(by_distance_BT45R[..., :-1], (0, 1))  # no distance: no score
        by_pitch_BT4P = by_distance_BT45R.gather(-1, step_context.pitch_distances).sum(-2)
        if step_context.degrees is None:
            return by_pitch_BT4P
        rows_BT4P = step_context.degrees.expand_as(by_pitch_BT4P)
        by_degree_BT4K = F.pad(by_degree_BT4O, (0, 1))
        is_none = rows_BT4P == 2 * OCTAVE
        return by_pitch_BT4P + by_degree_BT4K.gather(
            -1, torch.where(is_none, OCTAVE, rows_BT4P % OCTAVE)
        )

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
    """A linear layer for each voice.

    Args:
        outputs: number O of outputs of each.
    """

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(VOICES, HIDDEN, outputs).normal_(std=_STD))
        self.bias = nn.Parameter(torch.zeros(VOICES, 1, outputs))

    def forward(self, hidden_BT4H: Tensor) -> Tensor:
        """Project (B, T, 4, H) to (B, T, 4, O)."""
        hidden_4NH = hidden_BT4H.flatten(0, 1).transpose(0, 1)
        outputs_4NO = torch.baddbmm(self.bias, hidden_4NH, self.weight)
        return outputs_4NO.transpose(0, 1).reshape(*hidden_BT4H.shape[:-1], -1)


def summed(rows: Tensor, table_RD: Tensor) -> Tensor:
    """Sum the rows of the table along the last dimension: (..., S) to (..., D)."""
    sum_ND = F.embedding_bag(rows.flatten(0, -2), table_RD, mode="sum")
    return sum_ND.view(*rows.shape[:-1], -1)
