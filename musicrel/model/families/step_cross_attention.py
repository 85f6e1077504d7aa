"""Cells that look at what an encoder made of each step, before and after theirs.

Cell n belongs to step n // 4, and positions count steps on both sides: how far off a note is, is
what matters, and the voice of a cell is told otherwise. The cells of one voice are a step apart, so
each voice looks for itself, as a sequence whose positions run on by one.

Dimensions: B batch, N cells, T steps, S steps of the encoder, H heads, D width.

This file knows cells and steps; it knows nothing of what either holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.blocks.attention import Attended
from musicrel.model.blocks.cross_attention import CrossAttention, Memory
from musicrel.model.config import GIVEN, ModelConfig
from musicrel.model.features.intervals import VOICES
from musicrel.model.positions.table import positional_attention

_COUNTED: Final = ("max_distance", "max_length")
"""Options of schemes that count positions: tokens in the decoder, steps in the encoder."""


class Across(nn.Module):
    """The part of a decoder's block that looks at the steps of the encoder.

    Args:
        config: of the decoder.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.width)
        self.attention = CrossAttention(
            config.width,
            config.heads,
            positional_attention(reader(config)),
            config.attention_dropout,
        )

    def forward(self, x_BND: Tensor, memory: Memory, *, start: int, record: bool) -> Attended:
        """Look across.

        Args:
            x_BND: the cells, in order.
            memory: the steps, as ``attention.memory`` made it.
            start: the first of the cells in its piece.
            record: whether the weights are wanted, (B, H, N, S).
        """
        cells, before = x_BND.shape[1], start % VOICES
        x_BND = F.pad(x_BND, (0, 0, before, -(before + cells) % VOICES))
        looked = self.attention(_apart(x_BND), _each(memory), first=start // VOICES, record=record)
        here = slice(before, before + cells)
        out_BND = _together(looked.out_BTD, 1)[:, here]
        if looked.weights_BHTS is None:
            return Attended(out_BND, None)
        return Attended(out_BND, _together(looked.weights_BHTS, 2)[:, :, here])


def _each(memory: Memory) -> Memory:
    """The same for each voice of each sequence."""
    return Memory(
        memory.keys_BHSd.repeat_interleave(VOICES, 0),
        memory.values_BHSd.repeat_interleave(VOICES, 0),
        memory.planned,
        None if memory.mask is None else memory.mask.repeat_interleave(VOICES, 0),
    )


def _apart(cells_BND: Tensor) -> Tensor:
    """Each voice as a sequence of its own: (4 B, N / 4, D)."""
    batch, _, width = cells_BND.shape
    return cells_BND.reshape(batch, -1, VOICES, width).transpose(1, 2).flatten(0, 1)


def _together(voices: Tensor, dim: int) -> Tensor:
    """A sequence's voices in turn along ``dim``: (4 B, ..., N / 4, ...) to (B, ..., N, ...)."""
    each = voices.reshape(-1, VOICES, *voices.shape[1:])
    return each.movedim(1, dim + 1).flatten(dim, dim + 1)


def reader(config: ModelConfig) -> ModelConfig:
    """The shape of the encoder of ``config``: it sees both ways and counts steps."""
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
