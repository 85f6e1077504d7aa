"""Cross-attention from the cells of a decoder to the steps of an encoder.

Cell n belongs to step n // 4, and positions count steps on both sides: the distance in steps
matters, and the voice of a cell is a condition. The cells of one voice are a step apart, so each
voice is treated as a separate sequence with consecutive positions.

Dimensions: B batch, N cells, T steps, S steps of the encoder, H heads, D width.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.blocks.attention import AttentionOutput
from musicrel.model.blocks.cross_attention import CrossAttention, Memory
from musicrel.model.config import GIVEN, ModelConfig
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.positions.table import positional_attention

_COUNTED: Final = ("max_distance", "max_length")
"""Options in units of positions: tokens in the decoder, steps in the encoder."""


class StepCrossAttention(nn.Module):
    """Cross-attention of a decoder block, with its norm.

    Args:
        config: hyperparameters of the decoder.
    """

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
        self, x_BND: Tensor, memory: Memory, *, start: int, record: bool
    ) -> AttentionOutput:
        """Attend to the steps of the encoder.

        Args:
            x_BND: consecutive cells.
            memory: keys and values of the steps, as returned by ``attention.memory``.
            start: position of the first cell in its piece.
            record: whether to return the weights, (B, H, N, S).
        """
        cells, before = x_BND.shape[1], start % VOICES
        x_BND = F.pad(x_BND, (0, 0, before, -(before + cells) % VOICES))
        cells_BT4D = x_BND.reshape(len(x_BND), -1, VOICES, x_BND.shape[-1])
        cross_attended = self.attention(
            cells_BT4D.transpose(1, 2).flatten(0, 1),
            _each(memory),
            first=start // VOICES,
            record=record,
        )
        here = slice(before, before + cells)
        out_BND = _together(cross_attended.out_BTD, 1)[:, here]
        if cross_attended.weights_BHTS is None:
            return AttentionOutput(out_BND, None)
        return AttentionOutput(out_BND, _together(cross_attended.weights_BHTS, 2)[:, :, here])


def _each(memory: Memory) -> Memory:
    """Repeat the memory for each voice of each sequence."""
    return Memory(
        memory.keys_BHSd.repeat_interleave(VOICES, 0),
        memory.values_BHSd.repeat_interleave(VOICES, 0),
        memory.planned_length,
        None if memory.mask is None else memory.mask.repeat_interleave(VOICES, 0),
    )


def _together(voices: Tensor, dim: int) -> Tensor:
    """Interleave voices along ``dim``: (4 B, ..., N / 4, ...) to (B, ..., N, ...)."""
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
