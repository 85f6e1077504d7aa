"""A heat map on a page, with bars on both axes and a colour scale beside it.

Dots are coloured by the square root of the weight, so that small weights show.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.chorale import Voice
from musicrel.presentation.attention import attention_record
from musicrel.presentation.attention import colour_scale as heat_scale
from musicrel.presentation.attention.attention_record import Weights
from musicrel.presentation.drawing.drawing import (
    Drawing,
    Item,
    Pixels,
    Raster,
    Rectangle,
    Text,
    shortened,
)
from musicrel.presentation.words.palette import Theme

SIZE: Final = 840
"""Maximum width and height of a map in pixels."""
LEFT: Final = 62.0
HEADER: Final = 108.0
LETTER_SIZE: Final = 9.0
MIN_LETTER_WIDTH: Final = 8.0

_MARGIN: Final = 18.0
_FOOTER: Final = 40.0
_SCALE_LEFT: Final = 24.0
_SCALE_WIDTH: Final = 14.0
_SCALE_ROOM: Final = 144.0
_MIN_PAGE_WIDTH: Final = 520.0
_TITLE_SIZE: Final = 18.0
_TEXT_SIZE: Final = 12.0
_NUMBER_SIZE: Final = 10.0
_MAX_DOT_WIDTH: Final = 14.0
_FULL_AT: Final = 0.995
"""Quantile of the weights that gets the last colour; the maximum would leave the others pale."""
_MARKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Labelled positions of the colour scale."""
_LINE_OPACITY: Final = 0.5
_TICK: Final = 18.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """A map and its position on the page."""

    weights: Weights  # float32 (rows, columns)
    full: float  # the weight from which on the last colour is used
    down: float  # height of a row in pixels
    across: float  # width of a column in pixels
    theme: Theme

    @property
    def height(self) -> float:
        """Return the height in pixels."""
        return len(self.weights) * self.down

    @property
    def width(self) -> float:
        """Return the width in pixels."""
        return float(self.weights.shape[1] * self.across)

    def x(self, column: float) -> float:
        """Return the left edge of a column."""
        return LEFT + column * self.across

    def y(self, row: float) -> float:
        """Return the upper edge of a row."""
        return HEADER + row * self.down


@dataclass(frozen=True, slots=True, kw_only=True)
class Captions:
    """The texts around a map."""

    heading: str  # the title of the page
    piece: str
    axes: str  # meaning of rows and columns
    footer: str  # meaning of the marks


def heading(what: str, model: str, layer: int | None, head: int | None) -> str:
    """Return the title of a map: the kind of attention, the model if it is named, and the head.

    Args:
        model: its name; "": none.
        layer: counted from 1; None: the mean of all heads.
        head: counted from 1; None: the mean of the layer's heads.
    """
    named = f"{what} of {model}" if model else what
    return f"{named}, {head_words(layer, head)}"


def head_words(layer: int | None, head: int | None) -> str:
    """Return the heads of a map, as 'layer 1, head 3'; see ``heading``."""
    if layer is None:
        return "mean of all heads"
    return f"layer {layer}, {f'head {head}' if head else 'mean of its heads'}"


def full_weight(weights: Weights) -> float:
    """Return the weight that gets the last colour."""
    positive = weights[weights > 0]
    return float(np.quantile(positive, _FULL_AT)) if positive.size else 1.0


def scaled(weights: Weights, theme: Theme, *, cells: int = 1, full: float | None = None) -> HeatMap:
    """Return the map of ``weights`` as large as fits, with the colours stretched to them.

    Args:
        weights: float32 (rows, columns).
        full: the weight of the last colour; None: ``full_weight``.
    """
    full = full_weight(weights) if full is None else full
    dot = dot_of(weights.shape[1] * cells)
    return HeatMap(weights=weights, full=full, down=dot, across=cells * dot, theme=theme)


def dot_of(cells: int) -> float:
    """Return the width of a cell, in half pixels if possible so that all print equally wide."""
    return min(SIZE * 2 // cells / 2, _MAX_DOT_WIDTH) if cells <= SIZE else SIZE / cells


def page(heat: HeatMap, dots: Pixels, words: Captions, marks: Iterable[Item]) -> Drawing:
    """Lay out the whole page."""
    width = max(LEFT + heat.width + _SCALE_ROOM, _MIN_PAGE_WIDTH)
    return Drawing(
        width=math.ceil(width),
        height=math.ceil(HEADER + heat.height + _FOOTER),
        background=heat.theme.panel,
        title=f"{words.heading}, in {words.piece or 'a chorale'}",
        items=(
            *_header(words, heat.theme, width),
            Raster(x=LEFT, y=HEADER, width=heat.width, height=heat.height, pixels=dots),
            *marks,
            *_scale(heat),
            _footer(words, heat),
        ),
    )


def dots(heat: HeatMap) -> Pixels:
    """Return a dot per weight, or per block of weights where more do not fit."""
    levels = attention_record.shrunk(attention_record.to_levels(heat.weights / heat.full), SIZE)
    coloured: Pixels = heat_scale.colours(heat.theme)[levels]
    return coloured


def bar(heat: HeatMap, x: float, y: float, label: str) -> Iterator[Item]:
    """Draw the number of a bar on both axes, and its lines through the map."""
    line, quiet = heat.theme.line_bar, heat.theme.quiet
    yield Rectangle(
        x=x, y=HEADER - _TICK, width=1, height=heat.height + _TICK, fill=line,
        opacity=_LINE_OPACITY,
    )  # fmt: skip
    yield Rectangle(
        x=LEFT - _TICK, y=y, width=heat.width + _TICK, height=1, fill=line, opacity=_LINE_OPACITY
    )
    yield Text(x=x + 3, y=HEADER - _TICK + 5, text=label, size=_TEXT_SIZE, colour=quiet)
    yield Text(
        x=LEFT - _TICK - 2, y=y + 10, text=label, size=_TEXT_SIZE, colour=quiet, anchor="end"
    )


def voices(heat: HeatMap, cells: Iterable[int]) -> Iterator[Item]:
    """Draw the voice of the cell of each row, if rows are high enough."""
    if heat.down < MIN_LETTER_WIDTH:
        return
    for row, cell in enumerate(cells):
        yield Text(
            x=LEFT - 8, y=heat.y(row) + heat.down / 2 + 3, text=Voice(cell % len(Voice)).letter,
            size=LETTER_SIZE, colour=heat.theme.quiet, anchor="middle",
        )  # fmt: skip


def label_across(heat: HeatMap, column: float, letter: str) -> Text:
    """Return a label above the centre of a column."""
    return Text(
        x=heat.x(column) + heat.across / 2, y=HEADER - 4, text=letter, size=LETTER_SIZE,
        colour=heat.theme.quiet, anchor="middle",
    )  # fmt: skip


def _header(words: Captions, theme: Theme, width: float) -> Iterator[Item]:
    room = width - 2 * _MARGIN
    for y, text, size, colour in (
        (30, words.heading, _TITLE_SIZE, theme.text),
        (52, words.piece, _TEXT_SIZE, theme.text),
        (70, words.axes, _TEXT_SIZE, theme.quiet),
    ):
        yield Text(
            x=_MARGIN, y=y, text=shortened(text, size, room), size=size, colour=colour,
            bold=size == _TITLE_SIZE,
        )  # fmt: skip


def _scale(heat: HeatMap) -> Iterator[Item]:
    """Draw the colour scale with its weights."""
    x, height = LEFT + heat.width + _SCALE_LEFT, min(heat.height, SIZE / 3)
    colours: Pixels = heat_scale.colours(heat.theme)[::-1, None]
    yield Raster(x=x, y=HEADER, width=_SCALE_WIDTH, height=height, pixels=colours)
    for mark in _MARKS:
        percent = f"{100 * heat.full * mark**2:.3g} %"
        yield Text(
            x=x + _SCALE_WIDTH + 5, y=HEADER + (1 - mark) * height + 4,
            text=f"≥ {percent}" if mark == 1 else percent, size=_NUMBER_SIZE,
            colour=heat.theme.quiet,
        )  # fmt: skip


def _footer(words: Captions, heat: HeatMap) -> Text:
    return Text(
        x=_MARGIN, y=HEADER + heat.height + 24, text=words.footer, size=_TEXT_SIZE - 1,
        colour=heat.theme.quiet,
    )  # fmt: skip
