"""Where one cell looked, as arcs over the piano roll.

Pixels are those of the lanes, as in ``viewport``. This file knows cells and curves; it knows
nothing of colours or Qt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

from musicrel.chorale import REST, Voice
from musicrel.presentation.attention.attention_record import Arc
from musicrel.presentation.attention.piece_analysis import Head, Reading, percent
from musicrel.presentation.roll.viewport import Viewport

MOST: Final = 12
_FAINTEST: Final = 0.005
"""Weaker looks are not drawn: they would be noise beside the others."""
_LABELLED: Final = 3
_BEND: Final = 0.3
_LEAST_BEND: Final = 14.0
_MOST_BEND: Final = 130.0
_THINNEST, _THICKER = 1.0, 6.0
_PALEST, _DARKER = 0.25, 1.1


class Cell(NamedTuple):
    """A cell on the roll, in pixels."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One look.

    Attributes:
        target: the cell looked at.
        start: the middle of the cell that looked.
        bend: the control point of the quadratic curve.
        end: where it arrives: the middle of ``target``.
        width: of the line, in pixels.
        opacity: 0 to 1.
        label: the weight, for the strongest; "" for the others.
    """

    target: Cell
    start: tuple[float, float]
    bend: tuple[float, float]
    end: tuple[float, float]
    width: float
    opacity: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcPicture:
    """The cell that looked, and its looks, the strongest last so that it lies on top."""

    source: Cell
    curves: tuple[Curve, ...]


def draw(reading: Reading, head: Head | None, cell: int, view: Viewport) -> ArcPicture | None:
    """The arcs of a cell; None where it is a rest, or not known.

    Args:
        reading: of the piece on the roll.
        head: which one, None: the mean of all.
        cell: who looked.
        view: the part of the roll that is seen.
    """
    source = _box(reading, *divmod(cell, len(Voice)), view) if reading.knows(cell) else None
    if source is None or not reading.has_weights:
        return None
    curves: list[Curve] = []
    for arc in reading.arcs(cell, head, MOST):
        target = _box(reading, arc.step, arc.voice, view)
        if target is not None and arc.weight >= _FAINTEST:
            curves.append(_curve(source, target, arc, labelled=len(curves) < _LABELLED))
    return ArcPicture(source=source, curves=tuple(reversed(curves)))


def _curve(source: Cell, target: Cell, arc: Arc, *, labelled: bool) -> Curve:
    (x0, y0), (x1, y1) = _middle(source), _middle(target)
    rise = min(max(_BEND * abs(x0 - x1), _LEAST_BEND), _MOST_BEND)
    strength = math.sqrt(arc.weight)
    return Curve(
        target=target,
        start=(x0, y0),
        bend=((x0 + x1) / 2, max(min(y0, y1) - rise, 2 - min(y0, y1))),
        end=(x1, y1),
        width=_THINNEST + _THICKER * strength,
        opacity=min(_PALEST + _DARKER * strength, 1.0),
        label=percent(arc.weight) if labelled else "",
    )


def _box(reading: Reading, step: int, voice: int, view: Viewport) -> Cell | None:
    """A cell's rectangle; None for a rest."""
    pitch = int(reading.chorale.pitches[step, voice])
    if pitch == REST:
        return None
    return Cell(view.x(step), view.y(pitch), view.step_width, view.row_height)


def _middle(cell: Cell) -> tuple[float, float]:
    return cell.x + cell.width / 2, cell.y + cell.height / 2
