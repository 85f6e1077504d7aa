"""The attention of one cell as arcs over the piano roll.

Pixels are those of the lanes, as in ``viewport``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

from musicrel.chorale import REST, Voice
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention.piece_analysis import Arc, PieceAnalysis, percent
from musicrel.presentation.roll.viewport import Viewport

MAX_ARCS: Final = 12
_FAINTEST: Final = 0.005
"""Smaller weights are not drawn."""
_LABELLED: Final = 3
_BEND: Final = 0.3
_MIN_BEND: Final = 14.0
_MAX_BEND: Final = 130.0
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
    target: Cell
    start: tuple[float, float]  # the centre of the attending cell
    bend: tuple[float, float]  # the control point of the quadratic Bézier curve
    end: tuple[float, float]  # the centre of ``target``
    width: float  # line width in pixels
    opacity: float  # 0 to 1
    label: str  # the weight, for the largest; "" for the others


@dataclass(frozen=True, slots=True, kw_only=True)
class ArcPicture:
    """The attending cell and its arcs, the largest weight last so that it is on top."""

    source: Cell
    curves: tuple[Curve, ...]


def draw(
    analysis: PieceAnalysis, head: Head | None, cell: int, view: Viewport
) -> ArcPicture | None:
    """Return the arcs of a cell; None for a rest or an unknown cell.

    Args:
        head: None: the mean of all heads.
    """
    source = _box(analysis, *divmod(cell, len(Voice)), view) if analysis.has_cell(cell) else None
    if source is None or not analysis.has_weights:
        return None
    curves: list[Curve] = []
    for arc in analysis.arcs(cell, head, MAX_ARCS):
        target = _box(analysis, arc.step, arc.voice, view)
        if target is not None and arc.weight >= _FAINTEST:
            curves.append(_curve(source, target, arc, labelled=len(curves) < _LABELLED))
    return ArcPicture(source=source, curves=tuple(reversed(curves)))


def _curve(source: Cell, target: Cell, arc: Arc, *, labelled: bool) -> Curve:
    (x0, y0), (x1, y1) = _middle(source), _middle(target)
    rise = min(max(_BEND * abs(x0 - x1), _MIN_BEND), _MAX_BEND)
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


def _box(analysis: PieceAnalysis, step: int, voice: int, view: Viewport) -> Cell | None:
    pitch = int(analysis.chorale.pitches[step, voice])
    if pitch == REST:
        return None
    return Cell(view.x(step), view.y(pitch), view.step_width, view.row_height)


def _middle(cell: Cell) -> tuple[float, float]:
    return cell.x + cell.width / 2, cell.y + cell.height / 2
