"""A model that writes in order, as a causal one does, and hears beforehand all that is given.

An encoder reads the cells that are given, of the whole piece and from both sides, one position a
step of the grid. What it makes of a step is told to the decoder at the step's four tokens, like any
other condition: the two go at the same pace, so the nearest has not to be looked for. Where the
config says ``cross``, every block of the decoder also looks at all steps (see ``across``), and what
it looked at can be seen. So a voice is harmonised in view of where it will go, and a gap is filled
in view of what follows, by one pass.

Dimensions: B batch, N tokens, T steps (N / 4, rounded up), C conditions, D width, S rows summed.

This file knows what an encoder hears and tells; decoding is ``Transformer``'s.
"""

from __future__ import annotations

import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.blocks.kv_cache import KeyValueCache
from musicrel.model.config import GIVEN, KEY, ModelConfig
from musicrel.model.families.infiller import summed
from musicrel.model.families.step_cross_attention import reader
from musicrel.model.families.transformer import Block, Output, Transformer
from musicrel.model.features.conditioning import Told
from musicrel.model.features.context_features import VOICES, Surroundings
from musicrel.model.positions.table import embedding_positions


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
        read = reader(config)
        self.embed_given = nn.Embedding(self.around.input_rows, config.width)
        self.given_positions = embedding_positions(read)
        self.encoder = nn.ModuleList(Block(read) for _ in range(config.encoder_layers))
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
        told: Told | None = None,
        record: bool = False,
    ) -> Output:
        """Read tokens; see ``Transformer``. ``mask`` is for the encoder: the decoder looks back.

        With a cache ``told`` is needed, as the encoder has to see the whole piece.
        """
        if told is None:
            conditions_BTC = self.widened(conditions_BTC)
            told = self.told(conditions_BTC, mask)
        return super().forward(
            ids_BT,
            conditions_BTC,
            starts_B=starts_B,
            cache=cache,
            told=told,
            record=record,
        )

    def told(self, conditions_BTC: Tensor, mask: Tensor | None = None) -> Told:
        """What the conditions and the given cells tell of a piece.

        Args:
            conditions_BTC: int64 (B, N, C) of a whole piece, or of a window that begins on a step.
            mask: bool, True where a token is real, (B, 1, 1, N); for padded batches.
        """
        plain_BND = super().told(conditions_BTC).added_BND
        length = conditions_BTC.shape[1]
        spare = -length % VOICES
        padded_BNC = F.pad(conditions_BTC, (0, 0, 0, spare))
        given_BT4 = padded_BNC[..., self._given].view(len(padded_BNC), -1, VOICES)
        heard_BTD = summed(
            self.around.inputs(given_BT4, padded_BNC[:, ::VOICES]), self.embed_given.weight
        )
        x_BTD = heard_BTD * self.scale + F.pad(plain_BND, (0, 0, 0, spare))[:, ::VOICES]
        mask_of_steps = None if mask is None else mask[..., ::VOICES]
        states_BTD = self._read(x_BTD, mask_of_steps)
        ahead_BT4D: Tensor = self.tell(states_BTD)
        ahead_BND = ahead_BT4D.view(len(plain_BND), -1, self.config.width)
        memories = tuple(
            block.across.attention.memory(states_BTD, mask=mask_of_steps)
            for block in self.blocks
            if isinstance(block, Block) and block.across is not None
        )
        return Told(plain_BND + ahead_BND[:, :length], memories)

    def _read(self, x_BTD: Tensor, mask: Tensor | None) -> Tensor:
        """The encoder's states of every step."""
        x_BTD = self.dropout(self.given_positions(x_BTD, 0))
        for block in self.encoder:
            x_BTD = block(x_BTD, mask=mask, cache=None, start=0, record=False).out_BTD
        states_BTD: Tensor = self.norm_given(x_BTD)
        return states_BTD
