"""A model that finds hidden notes from all that is known before and after them.

One position is one step of the grid: four tokens in, a soprano's, alto's, tenor's and bass's, four
distributions out. What fits and what is forbidden in counterpoint is a matter of intervals, so each
voice hears the known pitches around as distances from its own neighbours in time, and may say its
pitch as a distance from them and from the other voices, in the light of how these move. All this
stands before and after the layers, alike whatever the scheme of positions.

Dimensions: B batch, N tokens in raster order, T steps (N / 4), 4 voices, C conditions, D width,
V vocabulary, P pitches, R distances, H hidden numbers of a voice, O outputs, S rows summed.

This file knows how states become distributions; it knows nothing of what hides notes, or of chance.
"""

from __future__ import annotations

import math
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.model.blocks.kv_cache import KeyValueCache
from musicrel.model.config import KEY, ModelConfig
from musicrel.model.families.transformer import Output, Passed, Transformer
from musicrel.model.features.conditioning import Told
from musicrel.model.features.context_biases import CounterpointAround
from musicrel.model.features.context_features import HEARD, REFERENCES, VOICES, Around, Surroundings
from musicrel.model.features.interval_tables import FIRST_PITCH, MOTIONS, OCTAVE

HIDDEN: Final = 64
"""Numbers H of the layer that each voice has of its own before it speaks."""

_SIDES: Final = 2
_SPREAD: Final = 0.02
_GAIN: Final = 8.0
"""What the tables of motions and chords are multiplied with: they say logits at once, and rarely
each row."""


class Infiller(Transformer):
    """Tokens of whole steps in raster order in, the distribution of each of them out.

    Args:
        config: the shape; its vocabulary has every pitch as an onset and as a hold.
    """

    counterpoint: CounterpointAround | None

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        names = list(config.conditions)
        self.around = Surroundings(config.tokens, names.index(KEY) if KEY in names else None)
        distances = self.around.distances
        self._sizes = [config.tokens, REFERENCES * distances, OCTAVE]
        self.embed_token = nn.Embedding(self.around.input_rows, config.width)
        self.inner = nn.Linear(config.width, VOICES * HIDDEN)
        self.hear = nn.Embedding(self.around.heard_rows, HIDDEN)
        self.move = nn.Embedding(_SIDES * MOTIONS, distances)
        self.chord = nn.Embedding(VOICES * 3 * distances, distances)
        self.head = VoiceHeads(sum(self._sizes))  # type: ignore[assignment]  # no single layer
        self._begin()

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
        """Read tokens, four a step.

        Args:
            ids_BT: int64 (B, N).
            conditions_BTC: int64 (B, N, C); those of a step's first token count.
            starts_B: index of the first token in its piece.
            mask: bool, True where a token is real, (B, 1, 1, N).
            cache: None; all is read at once.
            told: not looked at: there is no longer piece around.
            record: whether the attention weights, between steps, are wanted.

        Raises:
            ModelError: there is a cache, or the tokens make no whole steps.
        """
        del told
        if cache is not None or ids_BT.shape[1] % VOICES:
            raise ModelError(f"{ids_BT.shape[1]} tokens: expected whole steps of 4, read at once")
        mask = None if mask is None else mask[..., ::VOICES]
        passed, around = self._read(ids_BT, conditions_BTC, starts_B, mask, record=record)
        said_BT4V = self._spoken(self.norm(passed.out_BTD), around)
        said_BT4V = self._fitted(said_BT4V, ids_BT, conditions_BTC, slice(None))
        return Output(said_BT4V.flatten(1, 2), passed.weights)

    def said_at(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        steps_S: Tensor,
        *,
        starts_B: Tensor | int = 0,
    ) -> Tensor:
        """What ``forward`` says of the four voices at some steps, (B, S, 4, V).

        To say something of a step takes half as long as to hear all of them; a sampler wants few.
        """
        passed, around = self._read(ids_BT, conditions_BTC, starts_B, None, record=False)
        said_BS4V = self._spoken(self.norm(passed.out_BTD[:, steps_S]), around.at(steps_S))
        return self._fitted(said_BS4V, ids_BT, conditions_BTC, steps_S)

    def _read(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        starts_B: Tensor | int,
        mask: Tensor | None,
        *,
        record: bool,
    ) -> tuple[Passed, Around]:
        """What the layers make of all steps, and what stands around each."""
        told_BTC = conditions_BTC[:, ::VOICES]
        around: Around = self.around(ids_BT.view(len(ids_BT), -1, VOICES), told_BTC)
        x_BTD = self.positions(self._heard(around, told_BTC), starts_B // VOICES)
        return self.through(self.dropout(x_BTD), mask, record=record), around

    def _heard(self, around: Around, told_BTC: Tensor) -> Tensor:
        x_BTD = summed(around.inputs, self.embed_token.weight)
        for column, embed in enumerate(self.embed_condition):
            x_BTD = x_BTD + embed(told_BTC[..., column])
        return x_BTD * math.sqrt(self.config.width)

    def _fitted(
        self, said_BS4V: Tensor, ids_BT: Tensor, conditions_BTC: Tensor, steps: Tensor | slice
    ) -> Tensor:
        """What is said of some steps, with what tables of counterpoint add where there are any."""
        if self.counterpoint is None:
            return said_BS4V
        ids_BT4, told_BTC = ids_BT.reshape(len(ids_BT), -1, VOICES), conditions_BTC[:, ::VOICES]
        fit_BS4V: Tensor = self.counterpoint(*self.counterpoint.beside(ids_BT4, told_BTC, steps))
        return said_BS4V + fit_BS4V

    def _spoken(self, states_BTD: Tensor, around: Around) -> Tensor:
        """The logits of the four voices, (B, T, 4, V)."""
        inner_BT4H = self.inner(states_BTD).unflatten(-1, (VOICES, HIDDEN))
        hidden_BT4H = F.gelu(inner_BT4H + summed(around.heard, self.hear.weight))
        said_BT4O: Tensor = self.head(self.dropout(hidden_BT4H))
        plain_BT4V, by_distance_BT4O, by_degree_BT4O = torch.split(said_BT4O, self._sizes, dim=-1)
        by_pitch_BT4P = self._by_pitch(by_distance_BT4O, by_degree_BT4O, around)
        by_token_BT4V = F.pad(by_pitch_BT4P.repeat(1, 1, 1, 2), (FIRST_PITCH, 0))
        logits_BT4V: Tensor = plain_BT4V + by_token_BT4V + around.impossible
        return logits_BT4V

    def _by_pitch(self, by_distance_BT4O: Tensor, by_degree_BT4O: Tensor, around: Around) -> Tensor:
        """What distances and degrees add to every pitch, onset and hold alike: (B, T, 4, P)."""
        shape = (*by_distance_BT4O.shape[:-1], REFERENCES, -1)
        by_distance_BT45R = by_distance_BT4O.reshape(shape)
        moved_BT42R = summed(around.moved, self.move.weight)
        chords_BT43R = summed(around.chords, self.chord.weight)
        by_rule_BT45R = torch.cat([moved_BT42R, chords_BT43R], dim=-2)
        by_distance_BT45R = by_distance_BT45R + _GAIN * by_rule_BT45R
        by_distance_BT45R = F.pad(by_distance_BT45R[..., :-1], (0, 1))  # no distance says nothing
        by_pitch_BT4P = by_distance_BT45R.gather(-1, around.said).sum(-2)
        if around.degrees is None:
            return by_pitch_BT4P
        rows_BT4P = around.degrees.expand_as(by_pitch_BT4P)
        by_degree_BT4K = F.pad(by_degree_BT4O, (0, 1))
        is_none = rows_BT4P == 2 * OCTAVE
        return by_pitch_BT4P + by_degree_BT4K.gather(
            -1, torch.where(is_none, OCTAVE, rows_BT4P % OCTAVE)
        )

    @torch.no_grad()
    def _begin(self) -> None:
        """Set the weights that are not the transformer's own.

        input rows    N(0, 1/(S D)), multiplied by sqrt D when used: S of them are added up
        hidden layer  N(0, 1/D), what it hears N(0, 1/26): 26 rows are added up
        motions       0, and chords
        """
        rows = len(self.around.first_S) + len(self.embed_condition)
        for table in (self.embed_token, *self.embed_condition):
            nn.init.normal_(table.weight, std=(self.config.width * rows) ** -0.5)
        nn.init.normal_(self.inner.weight, std=self.config.width**-0.5)
        nn.init.zeros_(self.inner.bias)
        nn.init.normal_(self.hear.weight, std=HEARD**-0.5)
        nn.init.zeros_(self.move.weight)
        nn.init.zeros_(self.chord.weight)


class VoiceHeads(nn.Module):
    """A linear layer for each voice.

    Args:
        outputs: O of each.
    """

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(VOICES, HIDDEN, outputs).normal_(std=_SPREAD))
        self.bias = nn.Parameter(torch.zeros(VOICES, 1, outputs))

    def forward(self, hidden_BT4H: Tensor) -> Tensor:
        """(B, T, 4, H) to (B, T, 4, O)."""
        hidden_4NH = hidden_BT4H.flatten(0, 1).transpose(0, 1)
        said_4NO = torch.baddbmm(self.bias, hidden_4NH, self.weight)
        return said_4NO.transpose(0, 1).reshape(*hidden_BT4H.shape[:-1], -1)


def summed(rows: Tensor, table_RD: Tensor) -> Tensor:
    """The sum of the table's rows that the last dimension names: (..., S) to (..., D)."""
    summed = F.embedding_bag(rows.flatten(0, -2), table_RD, mode="sum")
    return summed.view(*rows.shape[:-1], -1)
