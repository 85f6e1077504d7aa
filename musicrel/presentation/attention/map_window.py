"""The visible part of an attention map, and the pixels to draw of it.

Rows are predicted cells, columns the cells attended to, START first; both are counted from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Voice
from musicrel.presentation.attention.attention_record import Levels, Tick, bar_ticks

NOTHING: Final = 0
"""Level of a pixel without a weight: a future cell, or one not written yet."""
_MIN_SPAN: Final = 16
_VOICES: Final = len(Voice)


@dataclass(frozen=True, slots=True, kw_only=True)
class MapWindow:
    """A square part of a square map; each method returns a new one that lies inside the map.

    Attributes:
        tokens: rows and columns of the whole map.
        top: the first row.
        left: the first column.
        span: number of visible rows and columns.
    """

    tokens: int = 1
    top: int = 0
    left: int = 0
    span: int = 1

    @classmethod
    def whole(cls, tokens: int) -> MapWindow:
        """Return a window onto the whole map."""
        return cls(tokens=max(tokens, 1), span=max(tokens, 1))

    def cell_at(self, across: float, down: float) -> tuple[int, int]:
        """Return row and column at a position given in fractions of the window, 0 to 1."""
        row, column = self.top + int(down * self.span), self.left + int(across * self.span)
        return min(row, self.tokens - 1), min(column, self.tokens - 1)

    def zoomed(self, factor: float, across: float = 0.5, down: float = 0.5) -> MapWindow:
        """Zoom by ``factor`` around a position given in fractions of the window."""
        least = min(_MIN_SPAN, self.tokens)
        span = min(max(round(self.span / factor), least), self.tokens)
        return replace(
            self,
            span=span,
            top=_held(self.top + down * (self.span - span), self.tokens - span),
            left=_held(self.left + across * (self.span - span), self.tokens - span),
        )

    def moved(self, rows: float, columns: float) -> MapWindow:
        """Scroll by a number of rows and columns."""
        room = self.tokens - self.span
        return replace(
            self, top=_held(self.top + rows, room), left=_held(self.left + columns, room)
        )


class DownsampledMap(NamedTuple):
    """A part of a map at screen resolution.

    Attributes:
        levels: uint8 (n, n): 0 is ``NOTHING``, 1 to 255 are levels.
        cells: rows and columns per pixel; the last pixels may extend beyond the window.
    """

    levels: Levels
    cells: int


def downsample_max(levels: Levels, window: MapWindow, size: int) -> DownsampledMap:
    """Downsample a window of a map; each pixel is the maximum of the cells it covers.

    Args:
        levels: uint8 (cells, cells), as far as known.
        window: the visible part.
        size: available width in pixels.
    """
    rows = slice(window.top, window.top + window.span)
    columns = slice(window.left, window.left + window.span)
    known = levels[rows, columns]
    cells = -(-window.span // max(size, 1))
    side = -(-window.span // cells)
    seen: Levels = np.zeros((side * cells, side * cells), dtype=np.uint8)
    seen[: known.shape[0], : known.shape[1]] = known
    down = np.maximum.reduce([seen[part::cells] for part in range(cells)])
    pixels = np.maximum.reduce([down[:, part::cells] for part in range(cells)])
    written = -(-known.shape[0] // cells)
    pixels[:written] = np.maximum(pixels[:written], NOTHING + 1)
    return DownsampledMap(np.tril(pixels, (window.top - window.left) // cells), cells)


def ticks(chorale: Chorale, window: MapWindow, most: int) -> tuple[Tick, ...]:
    """Return ticks at bars, or at beats where fewer than two bars are visible; places in cells.

    Args:
        chorale: the piece; bar 3, beat 2 is labelled '3.2'.
        window: the visible part; ticks outside it may be included.
        most: maximum number of visible bar ticks.
    """
    share = max(round(window.tokens / window.span), 1)
    if window.span >= 2 * chorale.meter.steps * _VOICES:
        return bar_ticks(chorale, most * share)
    beat = max(4 * STEPS_PER_QUARTER // chorale.meter.denominator, 1)
    found = []
    for step in range(chorale.pickup % beat, chorale.steps, beat):
        bar, within = divmod(step - chorale.pickup, chorale.meter.steps)
        found.append(Tick(step * _VOICES, f"{bar + 1}.{within // beat + 1}"))
    return tuple(found)


def _held(place: float, room: int) -> int:
    return min(max(round(place), 0), room)
