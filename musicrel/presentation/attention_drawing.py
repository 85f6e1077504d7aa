"""What a model looked at, as a drawing: a heat map with bars and voices on its axes.

Down runs the cell that was chosen, across the cells it looked at, START first. Dots are coloured
by the square root of the weight, so that small weights show; the scale beside the map says which
colour is which weight. This file knows where on a page the map stands; it knows nothing of models
or of how a page is painted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.errors import DataError
from musicrel.presentation import attention
from musicrel.presentation import heat as heat_scale
from musicrel.presentation.attention import Weights
from musicrel.presentation.drawing import (
    Drawing,
    Item,
    Pixels,
    Raster,
    Rectangle,
    Text,
    shortened,
)
from musicrel.presentation.palette import Theme

SIZE: Final = 840
"""Width and height of the map in pixels; short pieces have a smaller one."""

_MARGIN: Final = 18.0
_LEFT: Final = 62.0
_HEADER: Final = 108.0
_FOOTER: Final = 40.0
_SCALE_LEFT: Final = 24.0
_SCALE_WIDTH: Final = 14.0
_SCALE_ROOM: Final = 134.0
_NARROWEST_PAGE: Final = 520.0
_TITLE_SIZE: Final = 18.0
_TEXT_SIZE: Final = 12.0
_LETTER_SIZE: Final = 9.0
_NUMBER_SIZE: Final = 10.0
_NARROWEST_LETTER: Final = 8.0
_WIDEST_DOT: Final = 14.0
_FULL_AT: Final = 0.995
"""This quantile of the weights has the last colour; the few above would leave the others pale."""
_MARKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Places on the colour scale that have a number."""
_LINE_OPACITY: Final = 0.5
_TICK: Final = 18.0
_VOICES: Final = len(Voice)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Map:
    """The map and its place on the page.

    Attributes:
        weights: float32 (cells, cells); column 0 is START, column m the cell m - 1.
        full: the weight that has the last colour, and those above it.
        dot: width and height of a cell in pixels.
        theme: the colours.
    """

    weights: Weights
    full: float
    dot: float
    theme: Theme

    @property
    def size(self) -> float:
        """Width and height in pixels."""
        return len(self.weights) * self.dot

    def x(self, cell: int) -> float:
        """Left edge of the column of a cell."""
        return _LEFT + (cell + 1) * self.dot

    def y(self, cell: int) -> float:
        """Upper edge of the row of a cell."""
        return _HEADER + cell * self.dot


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
    width = max(_LEFT + heat.size + _SCALE_ROOM, _NARROWEST_PAGE)
    what = f"Attention, layer {layer}, {f'head {head}' if head else 'mean of all heads'}"
    return Drawing(
        width=math.ceil(width),
        height=math.ceil(_HEADER + heat.size + _FOOTER),
        background=theme.panel,
        title=f"{what}, in {chorale.title or 'a chorale'}",
        items=(
            *_header(what, chorale, theme, width),
            Raster(x=_LEFT, y=_HEADER, width=heat.size, height=heat.size, pixels=_pixels(heat)),
            *_bars(heat, chorale),
            *(_letters(heat) if heat.dot >= _NARROWEST_LETTER else ()),
            *_scale(heat),
            *_footer(heat),
        ),
    )


def _map(weights: Weights, chorale: Chorale, theme: Theme) -> _Map:
    """The rows that choose a cell; those of the last cell and of END choose none."""
    tokens = 1 + chorale.steps * _VOICES + 1
    if weights.ndim != 2 or not 1 <= len(weights) == weights.shape[1] <= tokens:  # noqa: PLR2004
        raise DataError(
            f"attention weights have shape {weights.shape}: expected (N, N) with N from 1 to "
            f"{tokens}, the tokens of the piece"
        )
    cells = min(len(weights), chorale.steps * _VOICES)
    chosen = np.asarray(weights[:cells, :cells], dtype=np.float32)
    looked = chosen[chosen > 0]
    full = float(np.quantile(looked, _FULL_AT)) if looked.size else 1.0
    return _Map(weights=chosen, full=full, dot=_dot(cells), theme=theme)


def _dot(cells: int) -> float:
    """Width of a cell: half pixels where that can be, so that all are equally wide in print."""
    return min(SIZE * 2 // cells / 2, _WIDEST_DOT) if cells <= SIZE else SIZE / cells


def _header(what: str, chorale: Chorale, theme: Theme, width: float) -> Iterator[Item]:
    room = width - 2 * _MARGIN
    for y, text, size, colour in (
        (30, what, _TITLE_SIZE, theme.text),
        (52, chorale.title, _TEXT_SIZE, theme.text),
        (70, "Down: the cell chosen. Across: the cells it looked at.", _TEXT_SIZE, theme.quiet),
    ):
        yield Text(
            x=_MARGIN, y=y, text=shortened(text, size, room), size=size, colour=colour,
            bold=size == _TITLE_SIZE,
        )  # fmt: skip


def _pixels(heat: _Map) -> Pixels:
    """A dot for each cell, or for several where there are more than fit; the future stays empty."""
    levels = attention.shrunk(attention.to_levels(heat.weights / heat.full), SIZE)
    dots: Pixels = heat_scale.colours(heat.theme)[levels]
    if not np.triu(heat.weights, 1).any():
        dots[np.triu_indices(len(dots), 1)] = heat_scale.rgb(heat.theme.panel)
    return dots


def _bars(heat: _Map, chorale: Chorale) -> Iterator[Item]:
    """Bar numbers on both axes, and bar lines through the map."""
    theme = heat.theme
    for tick in attention.bar_ticks(chorale):
        if tick.place >= len(heat.weights):
            return
        across, down = heat.x(tick.place), heat.y(tick.place)
        yield Rectangle(
            x=across, y=_HEADER - _TICK, width=1, height=heat.size + _TICK,
            fill=theme.line_bar, opacity=_LINE_OPACITY,
        )  # fmt: skip
        yield Rectangle(
            x=_LEFT - _TICK, y=down, width=heat.size + _TICK, height=1,
            fill=theme.line_bar, opacity=_LINE_OPACITY,
        )  # fmt: skip
        yield Text(
            x=across + 3,
            y=_HEADER - _TICK + 5,
            text=tick.label,
            size=_TEXT_SIZE,
            colour=theme.quiet,
        )
        yield Text(
            x=_LEFT - _TICK - 2, y=down + 10, text=tick.label, size=_TEXT_SIZE, colour=theme.quiet,
            anchor="end",
        )  # fmt: skip


def _letters(heat: _Map) -> Iterator[Item]:
    """The voice of each row and column, where they are wide enough."""
    for cell in range(len(heat.weights)):
        letter = Voice(cell % _VOICES).letter
        half = heat.dot / 2
        yield Text(
            x=_LEFT - 8, y=heat.y(cell) + half + 3, text=letter, size=_LETTER_SIZE,
            colour=heat.theme.quiet, anchor="middle",
        )  # fmt: skip
        if cell + 1 < len(heat.weights):
            yield Text(
                x=heat.x(cell) + half, y=_HEADER - 4, text=letter, size=_LETTER_SIZE,
                colour=heat.theme.quiet, anchor="middle",
            )  # fmt: skip


def _scale(heat: _Map) -> Iterator[Item]:
    """Which colour is which weight."""
    x, height = _LEFT + heat.size + _SCALE_LEFT, min(heat.size, SIZE / 3)
    colours: Pixels = heat_scale.colours(heat.theme)[::-1, None]
    yield Raster(x=x, y=_HEADER, width=_SCALE_WIDTH, height=height, pixels=colours)
    for mark in _MARKS:
        percent = f"{100 * heat.full * mark**2:.3g} %"
        yield Text(
            x=x + _SCALE_WIDTH + 5, y=_HEADER + (1 - mark) * height + 4,
            text=f"{percent} and more" if mark == 1 else percent, size=_NUMBER_SIZE,
            colour=heat.theme.quiet,
        )  # fmt: skip


def _footer(heat: _Map) -> Iterator[Item]:
    order = (
        "The numbers are bars; each sixteenth is four cells: S, A, T, B. The first column is START."
    )
    yield Text(
        x=_MARGIN, y=_HEADER + heat.size + 24, text=order, size=_TEXT_SIZE - 1,
        colour=heat.theme.quiet,
    )  # fmt: skip
