"""A causal decoder with an encoder of all given notes.

The encoder reads the given cells of the whole piece, bidirectionally, one position per step of the
grid. Its state of a step is added to the embeddings of the step's four tokens in the decoder, like
any other condition: both count the same steps, so the nearest state needs no attention. With
``cross`` in the config every decoder block also has cross-attention to all steps (see
``blocks.cross_attention``), whose weights can be recorded. A voice is harmonised with knowledge of
its future, and a gap is filled with knowledge of what follows, in one pass.

Dimensions: B batch, N tokens, T steps (N / 4, rounded up), C conditions, D width, S rows summed.
"""

from __future__ import annotations

import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.blocks.cross_attention import Conditioning, encoder_config
from musicrel.model.config import GIVEN, KEY, ModelConfig
from musicrel.model.families.infiller import summed
from musicrel.model.families.transformer import Block, Predictor
from musicrel.model.features.context_features import ContextFeatures
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.positions.table import embedding_positions


class EncoderDecoder(Predictor):
    """Token ids and given cells to logits of the next token."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        names = list(config.conditions)
        self._given = names.index(GIVEN)
        self.context_features = ContextFeatures(
            config.tokens, names.index(KEY) if KEY in names else None
        )
        encoder = encoder_config(config)
        self.embed_given = nn.Embedding(self.context_features.input_rows, config.width)
        self.given_positions = embedding_positions(encoder)
        self.encoder = nn.ModuleList(Block(encoder) for _ in range(config.encoder_layers))
        self.norm_given = nn.LayerNorm(config.width)
        self.project_given = nn.Linear(config.width, VOICES * config.width)
        self._initialise()
        rows = len(self.context_features.first_S) + len(names)
        nn.init.normal_(self.embed_given.weight, std=(config.width * rows) ** -0.5)

    def embed_conditions(self, conditions_BTC: Tensor, mask: Tensor | None = None) -> Conditioning:
        """Embed the conditions and encode the given cells of a piece."""
        plain_BND = super().embed_conditions(conditions_BTC).added_BND
        length = conditions_BTC.shape[1]
        spare = -length % VOICES
        padded_BNC = F.pad(conditions_BTC, (0, 0, 0, spare))
        given_BT4 = padded_BNC[..., self._given].view(len(padded_BNC), -1, VOICES)
        embedded_BTD = summed(
            self.context_features.inputs(given_BT4, padded_BNC[:, ::VOICES]),
            self.embed_given.weight,
        )
        x_BTD = embedded_BTD * self.scale + F.pad(plain_BND, (0, 0, 0, spare))[:, ::VOICES]
        mask = None if mask is None else mask[..., ::VOICES]
        x_BTD = self.dropout(self.given_positions(x_BTD, 0))
        for block in self.encoder:
            x_BTD = block(x_BTD, mask=mask)
        states_BTD = self.norm_given(x_BTD)
        ahead_BT4D: Tensor = self.project_given(states_BTD)
        ahead_BND = ahead_BT4D.view(len(plain_BND), -1, self.config.width)
        memories = tuple(
            block.cross_attention.attention.memory(states_BTD, mask=mask)
            for block in self.blocks
            if isinstance(block, Block) and block.cross_attention is not None
        )
        return Conditioning(plain_BND + ahead_BND[:, :length], memories)
