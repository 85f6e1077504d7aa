"""Cross-attention: queries from one sequence, keys and values from another.

Positions of both count the same unit from the same origin, so that query i and key j have the
distance i - j and every positional scheme applies as within one sequence. Between the cells of a
decoder and the steps of an encoder positions count steps: cell n belongs to step n // 4, and the
voice of a cell is a condition. The cells of one voice are a step apart, so each voice is treated as
a separate sequence with consecutive positions.

Dimensions: B batch, H heads, T queries, S keys, N cells or positions, D width, d head width.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.blocks.attention import Recording
from musicrel.model.config import GIVEN, ModelConfig
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.positions.base import Place, PositionalAttention, Tokens, masked_softmax
from musicrel.model.positions.table import positional_attention

_COUNTED: Final = ("max_distance", "max_length", "threshold")
"""Options in units of positions: tokens in the decoder, steps in the encoder."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Keys and values of the other sequence, computed once for all queries."""

    keys_BHSd: Tensor  # keys, rotated by the positional scheme
    values_BHSd: Tensor
    planned_length: int  # final length of the sequence, which the rotation may depend on
    mask: Tensor | None  # bool, True for keys that may be attended to, (B, 1, 1, S); None: all


@dataclass(frozen=True, slots=True)
class Conditioning:
    """Embedded conditions of a piece, or of some of its positions."""

    added_BND: Tensor  # added to the token embeddings of these positions
    # keys and values of the whole piece for each layer with cross-attention
    memories: tuple[Memory, ...] = ()

    def at(self, places: slice | Tensor) -> Conditioning:
        return Conditioning(self.added_BND[:, places], self.memories)


class CrossAttention(nn.Module):
    """Attention of a sequence to another (Vaswani et al. 2017, 3.2.3)."""

    def __init__(
        self, width: int, heads: int, positional: PositionalAttention, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.heads = heads
        self.positional = positional
        self.dropout = nn.Dropout(dropout)
        self.project_query = nn.Linear(width, width, bias=False)
        self.project_memory = nn.Linear(width, 2 * width, bias=False)
        self.project_out = nn.Linear(width, width, bias=False)

    def memory(
        self, read_BSD: Tensor, planned_length: int | None = None, mask: Tensor | None = None
    ) -> Memory:
        planned_length = planned_length or read_BSD.shape[1]
        both_BS2Hd = self.project_memory(read_BSD).unflatten(-1, (2, self.heads, -1))
        k_BHSd, v_BHSd = both_BS2Hd.permute(2, 0, 3, 1, 4).unbind(0)
        keys_BHSd = self.positional.rotate_k(k_BHSd, Tokens(0, planned_length, read_BSD))
        return Memory(keys_BHSd, v_BHSd, planned_length, mask)

    def forward(
        self,
        x_BTD: Tensor,
        memory: Memory,
        *,
        first: Place = 0,
        record: Recording | None = None,
    ) -> Tensor:
        """Return the weighted values, projected back to the width."""
        q_BHTd = self.project_query(x_BTD).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        q_BHTd = self.positional.rotate_q(q_BHTd, Tokens(first, memory.planned_length, x_BTD))
        scores_BHTS = self.positional.scores(q_BHTd, memory.keys_BHSd, causal=False, first=first)
        weights_BHTS = masked_softmax(scores_BHTS, causal=False, mask=memory.mask)
        o_BHTd = self.positional.mix(self.dropout(weights_BHTS), memory.values_BHSd, first=first)
        if record is not None:
            record.cross_weights.append(weights_BHTS)
        out_BTD: Tensor = self.project_out(o_BHTd.transpose(1, 2).flatten(-2))
        return out_BTD


class StepCrossAttention(nn.Module):
    """Cross-attention of a decoder block, with its norm."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.width)
        self.attention = CrossAttention(
            config.width,
            config.heads,
            positional_attention(encoder_config(config)),
            config.attention_dropout,
        )

    def forward(
        self, x_BND: Tensor, memory: Memory, *, start: Place, record: Recording | None
    ) -> Tensor:
        if x_BND.shape[1] == 1 or isinstance(start, Tensor):
            attended_BND: Tensor = self.attention(
                x_BND, memory, first=start // VOICES, record=record
            )
            return attended_BND
        cells, before = x_BND.shape[1], start % VOICES
        x_BND = F.pad(x_BND, (0, 0, before, -(before + cells) % VOICES))
        cells_BT4D = x_BND.reshape(len(x_BND), -1, VOICES, x_BND.shape[-1])
        voices = None if record is None else Recording()
        of_voices_BTD = self.attention(
            cells_BT4D.transpose(1, 2).flatten(0, 1),
            _each(memory),
            first=start // VOICES,
            record=voices,
        )
        here = slice(before, before + cells)
        if record is not None and voices is not None:
            (weights_BHTS,) = voices.cross_weights
            record.cross_weights.append(_together(weights_BHTS, 2)[:, :, here])
        return _together(of_voices_BTD, 1)[:, here]


def _each(memory: Memory) -> Memory:
    return Memory(
        memory.keys_BHSd.repeat_interleave(VOICES, 0),
        memory.values_BHSd.repeat_interleave(VOICES, 0),
        memory.planned_length,
        None if memory.mask is None else memory.mask.repeat_interleave(VOICES, 0),
    )


def _together(voices: Tensor, dim: int) -> Tensor:
    each = voices.reshape(-1, VOICES, *voices.shape[1:])
    return each.movedim(1, dim + 1).flatten(dim, dim + 1)


def encoder_config(config: ModelConfig) -> ModelConfig:
    """Return the config of the encoder: bidirectional, positions in steps."""
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
        cross=False,
        pitches=0,
    )
