"""Attention of one note as arcs over the piano roll.

The geometry is computed in ``musicrel.presentation.attention.arcs``.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen

from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention import arcs
from musicrel.presentation.attention.arcs import ArcPicture, Curve
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.presentation.words.palette import Theme
from musicrel.ui.roll.roll_overlay import LanesOverlay
from musicrel.ui.roll.roll_selection import CHIP
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.widgets.paint import fill_rounded, sized_font, translucent
from musicrel.ui.widgets.stylesheet import current_theme

_TARGET_TINT: Final = 0.45
_LABEL_HEIGHT: Final = 16.0


class RollArcs(LanesOverlay):
    """The attention arcs of one cell over the visible part of the roll."""

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll)
        self._analysis: PieceAnalysis | None = None
        self._head: Head | None = None
        self._cell: int | None = None
        self._picture: ArcPicture | None = None

    def show_cell(
        self, analysis: PieceAnalysis | None, head: Head | None, cell: int | None
    ) -> None:
        """Show the arcs of ``cell`` for ``head`` (None: mean of all heads); None hides them."""
        self._analysis, self._head, self._cell = analysis, head, cell
        self.rearrange()

    def has_content(self) -> bool:
        """Return whether a cell is shown."""
        return self._analysis is not None and self._cell is not None

    @Slot()
    def rearrange(self) -> None:
        self._picture = None
        if self._analysis is not None and self._cell is not None:
            self._picture = arcs.draw(self._analysis, self._head, self._cell, self.roll.seen)
        super().rearrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        picture, theme = self._picture, current_theme()
        if picture is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for curve in picture.curves:
                if _spans(curve, event.rect()):  # a moving playhead repaints a strip
                    _curve(painter, curve, theme)
            painter.setOpacity(1.0)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for colour, width in ((theme.lane, 4.0), (theme.text, 2.0)):
                painter.setPen(QPen(QColor(colour), width))
                painter.drawRoundedRect(QRectF(*picture.source).adjusted(-2, -2, 2, 2), 3, 3)
            _labels(painter, picture, self.width(), theme)


def _spans(curve: Curve, region: QRect) -> bool:
    """Return whether an arc may be seen in a region, by its left and right ends."""
    ends = (curve.start[0], curve.target.x, curve.target.x + curve.target.width)
    margin = curve.width + 2
    return min(ends) - margin <= region.right() + 1 and max(ends) + margin >= region.left()


def _curve(painter: QPainter, curve: Curve, theme: Theme) -> None:
    path = QPainterPath(QPointF(*curve.start))
    path.quadTo(QPointF(*curve.bend), QPointF(*curve.end))
    painter.setOpacity(curve.opacity)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.accent), curve.width, c=Qt.PenCapStyle.RoundCap))
    painter.drawPath(path)
    painter.setPen(QPen(QColor(theme.text), 1.2))
    painter.setBrush(translucent(theme.accent, _TARGET_TINT))
    painter.drawRoundedRect(QRectF(*curve.target).adjusted(-1, -1, 1, 1), 2, 2)


def _labels(painter: QPainter, picture: ArcPicture, width: int, theme: Theme) -> None:
    """Draw the percentages of the strongest arcs above their cells."""
    font = sized_font(painter.font(), 11)
    painter.setFont(font)
    letter = QRectF(picture.source.x, 0, CHIP, CHIP)
    for box, label in label_boxes(picture.curves, QFontMetricsF(font), width, letter):
        fill_rounded(painter, box, 5, theme.accent)
        painter.setPen(QColor(theme.on_accent))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)


def label_boxes(
    curves: tuple[Curve, ...], metrics: QFontMetricsF, width: int, letter: QRectF
) -> list[tuple[QRectF, str]]:
    """Return the places of the labels of arcs and their texts.

    They do not overlap, nor the ``letter`` of the selected voice, and those of visible cells are
    whole within ``width``.
    """
    placed: list[tuple[QRectF, str]] = []
    for curve in reversed(curves):
        cell = QRectF(*curve.target)
        if not curve.label or cell.right() <= 0 or cell.left() >= width:
            continue
        wide = metrics.horizontalAdvance(curve.label) + 10
        above = max(cell.top() - _LABEL_HEIGHT - 4, 2)
        box = QRectF(curve.end[0] - wide / 2, above, wide, _LABEL_HEIGHT)
        box.moveLeft(max(min(box.left(), width - wide - 2), 2))
        side = -1
        while any(box.intersects(other) for other in (letter, *(other for other, _ in placed))):
            if box.top() > _LABEL_HEIGHT:
                box.translate(0, -_LABEL_HEIGHT - 1)
                continue
            side = 1 if box.left() < wide + 2 else side
            box.translate(side * (wide + 1), 0)
        placed.append((box, curve.label))
    return placed
