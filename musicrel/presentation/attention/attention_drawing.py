"""The attention map of a head as a drawing, with bars and voices on its axes.

Rows are queries (cells being predicted), columns are keys (cells attended to), START first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.errors import DataError
from musicrel.presentation.attention import axis_ticks, heat_map
from musicrel.presentation.attention import colour_scale as heat_scale
from musicrel.presentation.attention.attention_record import Weights
from musicrel.presentation.attention.heat_map import Captions, HeatMap
from musicrel.presentation.drawing.drawing import Drawing, Item, Pixels
from musicrel.presentation.words.palette import Theme

_VOICES: Final = len(Voice)


def draw(
    weights: Weights,
    chorale: Chorale,
    *,
    layer: int | None,
    head: int | None,
    theme: Theme,
    model: str = "",
    full: float | None = None,
) -> Drawing:
    """Draw the attention map of one head.

    Args:
        weights: float32 (N, N), row n: weights of token n over tokens 0 ... n, token 0 is START; as
            a loaded model's ``attention`` returns them for a layer and head.
        chorale: the piece of the tokens; it may be longer.
        layer: counted from 1; None: the mean of all heads of all layers.
        head: counted from 1; None: the mean of the layer's heads.
        model: its name in the heading; "": none.
        full: the weight of the last colour; None: that which suits the weights.
    """
    heat = _map(weights, chorale, theme, full)
    words = Captions(
        heading=heat_map.heading("Attention", model, layer, head),
        piece=chorale.title,
        axes="Rows: predicted cells (queries). Columns: attended cells (keys).",
        footer="Numbers are bars. Each sixteenth has four cells: S, A, T, B. First column: START.",
    )
    marks = (*_bars(heat, chorale), *heat_map.voices(heat, range(len(heat.weights))), *_keys(heat))
    return heat_map.page(heat, _dots(heat), words, marks)


def _map(weights: Weights, chorale: Chorale, theme: Theme, full: float | None) -> HeatMap:
    """Select the rows that predict a cell; those of the last cell and of END predict none."""
    tokens = 1 + chorale.steps * _VOICES + 1
    if weights.ndim != 2 or not 1 <= len(weights) == weights.shape[1] <= tokens:  # noqa: PLR2004
        raise DataError(
            f"attention weights have shape {weights.shape}: expected (N, N) with N from 1 to "
            f"{tokens}, the tokens of the piece"
        )
    cells = min(len(weights), chorale.steps * _VOICES)
    shown = np.asarray(weights[:cells, :cells], dtype=np.float32)
    return heat_map.scaled(shown, theme, full=full)


def _dots(heat: HeatMap) -> Pixels:
    """Colour the weights; future tokens have the background colour."""
    dots = heat_map.dots(heat)
    if not np.triu(heat.weights, 1).any():
        dots[np.triu_indices(len(dots), 1)] = heat_scale.rgb(heat.theme.panel)
    return dots


def _bars(heat: HeatMap, chorale: Chorale) -> Iterator[Item]:
    """Draw bar numbers on both axes and bar lines through the map; column m is cell m - 1."""
    for tick in axis_ticks.bar_ticks(chorale):
        if tick.place >= len(heat.weights):
            return
        yield from heat_map.bar(heat, heat.x(tick.place + 1), heat.y(tick.place), tick.label)


def _keys(heat: HeatMap) -> Iterator[Item]:
    """Draw the voice of each column but START, if columns are wide enough."""
    if heat.across >= heat_map.MIN_LETTER_WIDTH:
        for column in range(1, len(heat.weights)):
            letter = Voice((column - 1) % _VOICES).letter
            yield heat_map.label_across(heat, column, letter)
