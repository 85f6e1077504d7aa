"""A heat map on a page: dots, bars on both axes, and beside it which colour is which weight.

Dots are coloured by the square root of the weight, so that small weights show. This file knows
where on a page a map stands; it knows nothing of what its rows and columns are, of models, or of
how a page is painted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

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
"""Width and height of a map in pixels, at most."""
LEFT: Final = 62.0
HEADER: Final = 108.0
LETTER_SIZE: Final = 9.0

_MARGIN: Final = 18.0
_FOOTER: Final = 40.0
_SCALE_LEFT: Final = 24.0
_SCALE_WIDTH: Final = 14.0
_SCALE_ROOM: Final = 144.0
_NARROWEST_PAGE: Final = 520.0
_TITLE_SIZE: Final = 18.0
_TEXT_SIZE: Final = 12.0
_NUMBER_SIZE: Final = 10.0
_WIDEST_DOT: Final = 14.0
_FULL_AT: Final = 0.995
"""This quantile of the weights has the last colour; the few above would leave the others pale."""
_MARKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Places on the colour scale that have a number."""
_LINE_OPACITY: Final = 0.5
_TICK: Final = 18.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """A map and its place on the page.

    Attributes:
        weights: float32 (rows, columns).
        full: the weight that has the last colour, and those above it.
        down: height of a row in pixels.
        across: width of a column in pixels.
        theme: the colours.
    """

    weights: Weights
    full: float
    down: float
    across: float
    theme: Theme

    @property
    def height(self) -> float:
        """In pixels."""
        return len(self.weights) * self.down

    @property
    def width(self) -> float:
        """In pixels."""
        return float(self.weights.shape[1] * self.across)

    def x(self, column: float) -> float:
        """Left edge of a column."""
        return LEFT + column * self.across

    def y(self, row: float) -> float:
        """Upper edge of a row."""
        return HEADER + row * self.down


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What is said around a map.

    Attributes:
        what: the heading.
        piece: its title.
        axes: what runs down, and what across.
        footer: how to read the marks.
    """

    what: str
    piece: str
    axes: str
    footer: str


def full_weight(weights: Weights) -> float:
    """The weight that gets the last colour."""
    looked = weights[weights > 0]
    return float(np.quantile(looked, _FULL_AT)) if looked.size else 1.0


def dot_of(cells: int) -> float:
    """Width of a cell: half pixels where that can be, so that all are equally wide in print."""
    return min(SIZE * 2 // cells / 2, _WIDEST_DOT) if cells <= SIZE else SIZE / cells


def page(heat: HeatMap, dots: Pixels, words: Words, marks: Iterable[Item]) -> Drawing:
    """The whole page.

    Args:
        heat: the map.
        dots: its colours, as ``dots`` makes them.
        words: what is said around it.
        marks: bars and letters.
    """
    width = max(LEFT + heat.width + _SCALE_ROOM, _NARROWEST_PAGE)
    return Drawing(
        width=math.ceil(width),
        height=math.ceil(HEADER + heat.height + _FOOTER),
        background=heat.theme.panel,
        title=f"{words.what}, in {words.piece or 'a chorale'}",
        items=(
            *_header(words, heat.theme, width),
            Raster(x=LEFT, y=HEADER, width=heat.width, height=heat.height, pixels=dots),
            *marks,
            *_scale(heat),
            _footer(words, heat),
        ),
    )


def dots(heat: HeatMap) -> Pixels:
    """A dot for each weight, or for several where there are more than fit."""
    levels = attention_record.shrunk(attention_record.to_levels(heat.weights / heat.full), SIZE)
    coloured: Pixels = heat_scale.colours(heat.theme)[levels]
    return coloured


def bar(heat: HeatMap, x: float, y: float, label: str) -> Iterator[Item]:
    """The number of a bar on both axes, and its lines through the map."""
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


def letter_down(heat: HeatMap, row: int, letter: str) -> Text:
    """Beside a row."""
    return Text(
        x=LEFT - 8, y=heat.y(row) + heat.down / 2 + 3, text=letter, size=LETTER_SIZE,
        colour=heat.theme.quiet, anchor="middle",
    )  # fmt: skip


def letter_across(heat: HeatMap, column: float, letter: str) -> Text:
    """Above the middle of a column."""
    return Text(
        x=heat.x(column) + heat.across / 2, y=HEADER - 4, text=letter, size=LETTER_SIZE,
        colour=heat.theme.quiet, anchor="middle",
    )  # fmt: skip


def _header(words: Words, theme: Theme, width: float) -> Iterator[Item]:
    room = width - 2 * _MARGIN
    for y, text, size, colour in (
        (30, words.what, _TITLE_SIZE, theme.text),
        (52, words.piece, _TEXT_SIZE, theme.text),
        (70, words.axes, _TEXT_SIZE, theme.quiet),
    ):
        yield Text(
            x=_MARGIN, y=y, text=shortened(text, size, room), size=size, colour=colour,
            bold=size == _TITLE_SIZE,
        )  # fmt: skip


def _scale(heat: HeatMap) -> Iterator[Item]:
    """Which colour is which weight."""
    x, height = LEFT + heat.width + _SCALE_LEFT, min(heat.height, SIZE / 3)
    colours: Pixels = heat_scale.colours(heat.theme)[::-1, None]
    yield Raster(x=x, y=HEADER, width=_SCALE_WIDTH, height=height, pixels=colours)
    for mark in _MARKS:
        percent = f"{100 * heat.full * mark**2:.3g} %"
        yield Text(
            x=x + _SCALE_WIDTH + 5, y=HEADER + (1 - mark) * height + 4,
            text=f"{percent} and more" if mark == 1 else percent, size=_NUMBER_SIZE,
            colour=heat.theme.quiet,
        )  # fmt: skip


def _footer(words: Words, heat: HeatMap) -> Text:
    return Text(
        x=_MARGIN, y=HEADER + heat.height + 24, text=words.footer, size=_TEXT_SIZE - 1,
        colour=heat.theme.quiet,
    )  # fmt: skip
