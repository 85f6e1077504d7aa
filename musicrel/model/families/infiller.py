"""A model that predicts hidden notes from all known notes before and after them.

One position is one step of the grid: four input tokens, of soprano, alto, tenor and bass, and four
distributions. Counterpoint is a matter of intervals: each voice has features of the known pitches
around it as distances from its own neighbours in time, and scores its pitch by the distance from
these and from the other voices, given their motion. All of this lies before and after the layers,
and is independent of the positional scheme.

Dimensions: B batch, N tokens in raster order, T steps (N / 4), 4 voices, C conditions, D width,
V vocabulary, P pitches, R distances, H hidden units of a voice, O outputs, S steps or rows
summed, "..." the cells of the wanted steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, TypeAlias

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.model.blocks.ablation import Ablation
from musicrel.model.blocks.attention import Recording
from musicrel.model.config import FIRST_PITCH_TOKEN, KEY, ModelConfig
from musicrel.model.families.transformer import Output, Transformer
from musicrel.model.features.context_features import ContextFeatures, StepContext
from musicrel.model.features.context_rows import CONTEXT_SLOTS, MOTION_GAIN, REFERENCES
from musicrel.model.features.interval_tables import MOTIONS, OCTAVE, VOICES
from musicrel.model.features.logit_biases import ContextBiases

HIDDEN: Final = 64
"""Hidden units H of the output layer of each voice."""

Blocks: TypeAlias = Callable[[Tensor, Tensor | None], Tensor]
"""From the states of all steps (B, T, D) and the indices of some, int64 (S,), or None for all, to
their states after the last block (B, S, D)."""

_SIDES: Final = 2
_STD: Final = 0.02


class Infiller(Transformer):
    """Tokens of whole steps in raster order to the logits of each of them."""

    counterpoint: ContextBiases | None
    tokens_per_position: ClassVar[int] = VOICES

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
        at_S: Tensor | None = None,
        blocks: Blocks | None = None,
    ) -> Output:
        """Compute the logits, four tokens per step.

        Args:
            ids_BT: int64 (B, N).
            conditions_BTC: int64 (B, N, C); those of a step's first token are used.
            starts_B: index of the first token in its piece.
            mask: bool, True for real tokens, (B, 1, 1, N).
            record: whether to return the attention weights between steps.
            ablation: what is replaced, removed or left out; None: nothing.
            at_S: int64, the steps whose logits are wanted, which saves time; None: all.
            blocks: what computes the blocks in place of ``run_blocks``; None: nothing does.

        Raises:
            ModelError: the tokens do not form whole steps.
        """
        if ids_BT.shape[1] % VOICES:
            raise ModelError(f"{ids_BT.shape[1]} tokens: expected whole steps of 4")
        mask = None if mask is None else mask[..., ::VOICES]
        steps = slice(None) if at_S is None else at_S
        ids_BT4, conditions_BTC = _steps(ids_BT, conditions_BTC)
        context = self.context_features(ids_BT4, conditions_BTC, steps)
        x_BTD = self._embedded(context, conditions_BTC, starts_B)
        recorded = Recording() if record else None
        if blocks is None:
            x_BTD = self.run_blocks(x_BTD, mask, record=recorded, ablation=ablation, at_S=at_S)
        else:
            x_BTD = blocks(x_BTD, at_S)
        hidden_BT4H = self.inner(self.norm(x_BTD)).unflatten(-1, (VOICES, HIDDEN))
        hidden_BT4H = F.gelu(hidden_BT4H + summed(context.context, self.embed_context.weight))
        logits_BT4V = self.logits(self.head(self.dropout(hidden_BT4H)), context)
        if self.counterpoint is not None:
            cells = self.counterpoint.neighbourhood(ids_BT4, conditions_BTC, steps)
            logits_BT4V = logits_BT4V + self.counterpoint(*cells)
        return Output.of(logits_BT4V.flatten(1, 2), recorded)

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

    def logits(self, outputs_O: Tensor, context: StepContext) -> Tensor:
        """Return the logits of all tokens from the outputs of the voices' heads."""
        plain_V, by_distance_O, by_degree_O = torch.split(outputs_O, self._sizes, dim=-1)
        by_pitch_P = self._by_pitch(by_distance_O, by_degree_O, context)
        by_token_V = F.pad(torch.cat([by_pitch_P, by_pitch_P], dim=-1), (FIRST_PITCH_TOKEN, 0))
        logits_V: Tensor = plain_V + by_token_V + context.impossible
        return logits_V

    def _by_pitch(self, by_distance_O: Tensor, by_degree_O: Tensor, context: StepContext) -> Tensor:
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
        hidden_4NH = hidden_BT4H.flatten(0, 1).transpose(0, 1)
        outputs_4NO = torch.baddbmm(self.bias, hidden_4NH, self.weight)
        return outputs_4NO.transpose(0, 1).reshape(*hidden_BT4H.shape[:-1], -1)


def _steps(ids_BT: Tensor, conditions_BTC: Tensor) -> tuple[Tensor, Tensor]:
    return ids_BT.view(len(ids_BT), -1, VOICES), conditions_BTC[:, ::VOICES]


def summed(rows: Tensor, table_RD: Tensor) -> Tensor:
    """Sum the rows of the table along the last dimension: (..., S) to (..., D)."""
    sum_ND = F.embedding_bag(rows.flatten(0, -2), table_RD, mode="sum")
    return sum_ND.view(*rows.shape[:-1], -1)
