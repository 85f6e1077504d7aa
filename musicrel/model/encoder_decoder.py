"""A model that writes in order, as a causal one does, and hears beforehand all that is given.

An encoder reads the cells that are given, of the whole piece and from both sides, one position a
step of the grid. What it makes of a step is told to the decoder at the step's four tokens, like any
other condition: the two go at the same pace, so nothing has to be looked for, and the decoder's
step costs what it costs without an encoder. So a voice is harmonised in view of where it will go,
and a gap is filled in view of what follows, by one pass.

Dimensions: B batch, N tokens, T steps (N / 4, rounded up), C conditions, D width, S rows summed.

This file knows what an encoder hears and tells; decoding is ``Transformer``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.around import VOICES, Surroundings
from musicrel.model.cache import KeyValueCache
from musicrel.model.config import GIVEN, ModelConfig
from musicrel.model.infiller import summed
from musicrel.model.intervals import KEY
from musicrel.model.positions.table import embedding_positions
from musicrel.model.transformer import Block, Output, Transformer

_COUNTED: Final = ("max_distance", "max_length")
"""Options of schemes that count positions: tokens in the decoder, steps in the encoder."""


class EncoderDecoder(Transformer):
    """Token ids and what is given in, distributions of the next token out.

    Args:
        config: the shape; its vocabulary has every pitch as an onset and as a hold.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        names = list(config.conditions)
        self._given = names.index(GIVEN)
        self.around = Surroundings(config.tokens, names.index(KEY) if KEY in names else None)
        reader = _reader(config)
        self.embed_given = nn.Embedding(self.around.input_rows, config.width)
        self.given_positions = embedding_positions(reader)
        self.encoder = nn.ModuleList(Block(reader) for _ in range(config.encoder_layers))
        self.norm_given = nn.LayerNorm(config.width)
        self.tell = nn.Linear(config.width, VOICES * config.width)
        self._initialise()
        rows = len(self.around.first_S) + len(names)
        nn.init.normal_(self.embed_given.weight, std=(config.width * rows) ** -0.5)

    def forward(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        *,
        starts_B: Tensor | int = 0,
        mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
        told_BTD: Tensor | None = None,
        record: bool = False,
    ) -> Output:
        """Read tokens; see ``Transformer``. ``mask`` is for the encoder: the decoder looks back.

        With a cache ``told_BTD`` is needed, as the encoder has to see the whole piece.
        """
        if told_BTD is None:
            conditions_BTC = self.widened(conditions_BTC)
            told_BTD = self.told(conditions_BTC, mask)
        return super().forward(
            ids_BT,
            conditions_BTC,
            starts_B=starts_B,
            cache=cache,
            told_BTD=told_BTD,
            record=record,
        )

    def told(self, conditions_BTC: Tensor, mask: Tensor | None = None) -> Tensor:
        """What the conditions and the given cells add to the embeddings: (B, N, D).

        Args:
            conditions_BTC: int64 (B, N, C) of a whole piece, or of a window that begins on a step.
            mask: bool, True where a token is real, (B, 1, 1, N); for padded batches.
        """
        plain_BND = super().told(conditions_BTC)
        length = conditions_BTC.shape[1]
        spare = -length % VOICES
        padded_BNC = F.pad(conditions_BTC, (0, 0, 0, spare))
        given_BT4 = padded_BNC[..., self._given].view(len(padded_BNC), -1, VOICES)
        heard_BTD = summed(
            self.around.inputs(given_BT4, padded_BNC[:, ::VOICES]), self.embed_given.weight
        )
        x_BTD = heard_BTD * self.scale + F.pad(plain_BND, (0, 0, 0, spare))[:, ::VOICES]
        states_BTD = self._read(x_BTD, None if mask is None else mask[..., ::VOICES])
        ahead_BT4D: Tensor = self.tell(states_BTD)
        ahead_BND = ahead_BT4D.view(len(plain_BND), -1, self.config.width)
        return plain_BND + ahead_BND[:, :length]

    def _read(self, x_BTD: Tensor, mask: Tensor | None) -> Tensor:
        """The encoder's states of every step."""
        x_BTD = self.dropout(self.given_positions(x_BTD, 0))
        for block in self.encoder:
            x_BTD = block(x_BTD, mask=mask, cache=None, start=0, record=False).out_BTD
        states_BTD: Tensor = self.norm_given(x_BTD)
        return states_BTD


def _reader(config: ModelConfig) -> ModelConfig:
    """The shape of the encoder's blocks: they see both ways and count steps."""
    options: Mapping[str, Any] = {
        name: -(-value // VOICES) if name in _COUNTED else value
        for name, value in config.options.items()
    }
    names = {name: rows for name, rows in config.conditions.items() if name != GIVEN}
    return replace(
        config,
        family="infill",
        options=options,
        conditions=names,
        trained_length=max(-(-config.trained_length // VOICES), 2),
        encoder_layers=0,
        pitches=0,
    )
