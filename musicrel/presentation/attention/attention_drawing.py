"""What a model looked at, as a drawing: a heat map with bars and voices on its axes.

Down runs the cell that was chosen, across the cells it looked at, START first. This file knows
which cell is where; it knows nothing of models or of how a map stands on a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.errors import DataError
from musicrel.presentation.attention import attention_record, heat_map
from musicrel.presentation.attention import colour_scale as heat_scale
from musicrel.presentation.attention.attention_record import Weights
from musicrel.presentation.attention.heat_map import HeatMap, Words
from musicrel.presentation.drawing.drawing import Drawing, Item, Pixels
from musicrel.presentation.words.palette import Theme

_NARROWEST_LETTER: Final = 8.0
_VOICES: Final = len(Voice)


def draw(
    weights: Weights, chorale: Chorale, *, layer: int, head: int | None, theme: Theme
) -> Drawing:
    """The attention map of one head.

    Args:
        weights: float32 (N, N), row n is token n of the sequence looking at tokens 0 ... n, token
            0 is START; as a loaded model's ``attention`` gives them for a layer and head.
        chorale: the piece the tokens spell, or begin to spell.
        layer: which, counted from 1.
        head: which, counted from 1; None: the mean of the layer's heads.
        theme: the colours.

    Raises:
        DataError: the weights are not square, or more than the piece has tokens.
    """
    heat = _map(weights, chorale, theme)
    words = Words(
        what=f"Attention, layer {layer}, {f'head {head}' if head else 'mean of all heads'}",
        piece=chorale.title,
        axes="Down: the cell chosen. Across: the cells it looked at.",
        footer="The numbers are bars; each sixteenth is four cells: S, A, T, B. The first column "
        "is START.",
    )
    marks = (*_bars(heat, chorale), *(_letters(heat) if heat.down >= _NARROWEST_LETTER else ()))
    return heat_map.page(heat, _dots(heat), words, marks)


def _map(weights: Weights, chorale: Chorale, theme: Theme) -> HeatMap:
    """The rows that choose a cell; those of the last cell and of END choose none."""
    tokens = 1 + chorale.steps * _VOICES + 1
    if weights.ndim != 2 or not 1 <= len(weights) == weights.shape[1] <= tokens:  # noqa: PLR2004
        raise DataError(
            f"attention weights have shape {weights.shape}: expected (N, N) with N from 1 to "
            f"{tokens}, the tokens of the piece"
        )
    cells = min(len(weights), chorale.steps * _VOICES)
    chosen = np.asarray(weights[:cells, :cells], dtype=np.float32)
    dot = heat_map.dot_of(cells)
    full = heat_map.full_weight(chosen)
    return HeatMap(weights=chosen, full=full, down=dot, across=dot, theme=theme)


def _dots(heat: HeatMap) -> Pixels:
    """The future stays empty."""
    dots = heat_map.dots(heat)
    if not np.triu(heat.weights, 1).any():
        dots[np.triu_indices(len(dots), 1)] = heat_scale.rgb(heat.theme.panel)
    return dots


def _bars(heat: HeatMap, chorale: Chorale) -> Iterator[Item]:
    """Bar numbers on both axes, and bar lines through the map; column m is the cell m - 1."""
    for tick in attention_record.bar_ticks(chorale):
        if tick.place >= len(heat.weights):
            return
        yield from heat_map.bar(heat, heat.x(tick.place + 1), heat.y(tick.place), tick.label)


def _letters(heat: HeatMap) -> Iterator[Item]:
    """The voice of each row and column."""
    for cell in range(len(heat.weights)):
        letter = Voice(cell % _VOICES).letter
        yield heat_map.letter_down(heat, cell, letter)
        if cell + 1 < len(heat.weights):
            yield heat_map.letter_across(heat, cell + 1, letter)
