"""Which part of an attention map is seen, and the dots to draw of it.

Rows are the cells chosen, columns what they looked at, START first; both are counted from 0. This
file knows numbers; it knows nothing of colours or Qt.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Voice
from musicrel.presentation.attention.attention_record import Levels, Tick, bar_ticks

NOTHING: Final = 0
"""The level of a dot where there is nothing: a future that is not seen, or not written yet."""
_LEAST_SPAN: Final = 16
_VOICES: Final = len(Voice)


@dataclass(frozen=True, slots=True, kw_only=True)
class MapWindow:
    """A square part of a square map; every change gives a new one that lies inside the map.

    Attributes:
        tokens: rows and columns of the whole map.
        top: the first row.
        left: the first column.
        span: rows and columns seen.
    """

    tokens: int = 1
    top: int = 0
    left: int = 0
    span: int = 1

    @classmethod
    def whole(cls, tokens: int) -> MapWindow:
        """All of it."""
        return cls(tokens=max(tokens, 1), span=max(tokens, 1))

    @property
    def is_whole(self) -> bool:
        """Whether all is seen."""
        return self.span == self.tokens

    def cell_at(self, across: float, down: float) -> tuple[int, int]:
        """Row and column at a place, both given as parts of the window, 0 to 1."""
        row, column = self.top + int(down * self.span), self.left + int(across * self.span)
        return min(row, self.tokens - 1), min(column, self.tokens - 1)

    def zoomed(self, factor: float, across: float = 0.5, down: float = 0.5) -> MapWindow:
        """Dots ``factor`` times as wide, the one at a place staying there."""
        least = min(_LEAST_SPAN, self.tokens)
        span = min(max(round(self.span / factor), least), self.tokens)
        return replace(
            self,
            span=span,
            top=_held(self.top + down * (self.span - span), self.tokens - span),
            left=_held(self.left + across * (self.span - span), self.tokens - span),
        )

    def moved(self, rows: float, columns: float) -> MapWindow:
        """Scrolled by so many rows and columns."""
        room = self.tokens - self.span
        return replace(
            self, top=_held(self.top + rows, room), left=_held(self.left + columns, room)
        )


class Dots(NamedTuple):
    """What is drawn of a map.

    Attributes:
        levels: uint8 (n, n): 0 is ``NOTHING``, 1 to 255 are levels.
        cells: how many rows and columns a dot covers; the last dots may reach beyond the window.
    """

    levels: Levels
    cells: int


def picture(levels: Levels, window: MapWindow, size: int) -> Dots:
    """The dots of a window, each the strongest of what it covers.

    Args:
        levels: uint8 (cells, cells), as many as are known.
        window: what is seen of them.
        size: dots there is room for from left to right.
    """
    rows = slice(window.top, window.top + window.span)
    columns = slice(window.left, window.left + window.span)
    known = levels[rows, columns]
    cells = -(-window.span // max(size, 1))
    side = -(-window.span // cells)
    seen: Levels = np.zeros((side * cells, side * cells), dtype=np.uint8)
    seen[: known.shape[0], : known.shape[1]] = known
    down = np.maximum.reduce([seen[part::cells] for part in range(cells)])
    dots = np.maximum.reduce([down[:, part::cells] for part in range(cells)])
    written = -(-known.shape[0] // cells)
    dots[:written] = np.maximum(dots[:written], NOTHING + 1)
    return Dots(np.tril(dots, (window.top - window.left) // cells), cells)


def ticks(chorale: Chorale, window: MapWindow, most: int) -> tuple[Tick, ...]:
    """Marks at bars, or at beats where fewer bars than two are seen; a row each, in cells.

    Args:
        chorale: the piece, whose bar 3, beat 2 is labelled '3.2'.
        window: what is seen; marks outside it may be among them.
        most: so many are seen at most, of bars.
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
