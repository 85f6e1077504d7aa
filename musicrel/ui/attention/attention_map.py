"""The attention map of one head, with bars and voices on its axes and its colour scale.

Rows are queries, columns are keys. The wheel, plus and minus zoom, dragging and the arrow keys
scroll, 0 shows everything. The visible pixels are computed in
``musicrel.presentation.attention.map_window``.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
    qRgb,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from musicrel.presentation.attention import colour_scale
from musicrel.presentation.attention.attention_record import Levels
from musicrel.presentation.attention.map_window import MapWindow, downsample_max, ticks
from musicrel.presentation.attention.piece_analysis import Head, PieceAnalysis
from musicrel.presentation.words.palette import LIGHT, Theme
from musicrel.ui.attention.map_letters import draw_letters
from musicrel.ui.attention.weight_scale import draw_scale

_LEFT: Final = 38
_TOP: Final = 24
_RIGHT: Final = 78
_BOTTOM: Final = 4
_MIN_MAP_SIDE: Final = 150
_MAX_TICKS: Final = 8
_ZOOM: Final = 1.5
_SCROLL: Final = 0.2
_WHEEL_NOTCH: Final = 120
_ARROWS: Final = {
    Qt.Key.Key_Up: (-_SCROLL, 0.0),
    Qt.Key.Key_Down: (_SCROLL, 0.0),
    Qt.Key.Key_Left: (0.0, -_SCROLL),
    Qt.Key.Key_Right: (0.0, _SCROLL),
}


class AttentionMap(QWidget):
    """The map of one head of an analysis; a passive widget.

    Signals:
        pointed: row and column under the mouse; (-1, -1) outside the map.
        cell_chosen: the cell whose row was clicked.
    """

    pointed = Signal(int, int)
    cell_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._analysis: PieceAnalysis | None = None
        self._head: Head | None = None
        self._cell: int | None = None
        self._window = MapWindow()
        self._full = colour_scale.FULL_WEIGHTS[-1]
        self._held: QPointF | None = None
        self._dragged = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Attention map")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)

    # ------------------------------------------------------------------ what is shown

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._theme = theme
        self.update()

    def show_analysis(
        self, analysis: PieceAnalysis | None, head: Head | None, cell: int | None
    ) -> None:
        """Show a head (None: the mean of all), and mark the row of ``cell``."""
        tokens = analysis.tokens if analysis else 1
        if self._window.tokens != tokens:
            self._window = MapWindow.whole(tokens)
        self._analysis, self._head, self._cell = analysis, head, cell
        if analysis is not None:
            self._full = colour_scale.full_weight(analysis.map(head))
        self.update()

    def sizeHint(self) -> QSize:
        """Return a square of the current height, with its axes."""
        side = max(self.height() - _TOP - _BOTTOM, _MIN_MAP_SIDE)
        return QSize(side + _LEFT + _RIGHT, side + _TOP + _BOTTOM)

    def minimumSizeHint(self) -> QSize:
        """Return the smallest legible size."""
        return QSize(_MIN_MAP_SIDE + _LEFT + _RIGHT, _MIN_MAP_SIDE + _TOP + _BOTTOM)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update the size hint, whose width follows the height."""
        super().resizeEvent(event)
        self.updateGeometry()

    def area(self) -> QRectF:
        """Return the rectangle of the heat map."""
        room = min(self.width() - _LEFT - _RIGHT, self.height() - _TOP - _BOTTOM)
        return QRectF(_LEFT, _TOP, max(room, 1), max(room, 1))

    # ------------------------------------------------------------------ events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start to drag the map."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._held, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the map, or emit the dot under the mouse."""
        if self._held is None:
            self.pointed.emit(*(self._cell_at(event.position()) or (-1, -1)))
            return
        delta = self._held - event.position()
        if self._dragged or delta.manhattanLength() >= QApplication.startDragDistance():
            dot = self.area().width() / self._window.span
            rows, columns = int(delta.y() / dot), int(delta.x() / dot)
            self._dragged = True
            self._held -= QPointF(columns * dot, rows * dot)
            self._look_at(self._window.moved(rows, columns))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stop dragging; a click chooses the row."""
        place = self._cell_at(event.position())
        clicked = self._held is not None and not self._dragged
        self._held = None
        if clicked and place is not None and self._analysis and self._analysis.has_cell(place[0]):
            self.cell_chosen.emit(place[0])

    def leaveEvent(self, event: QEvent) -> None:
        """Emit that no dot is under the mouse."""
        self.pointed.emit(-1, -1)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the mouse."""
        area, place = self.area(), event.position()
        across = (place.x() - area.left()) / area.width()
        down = (place.y() - area.top()) / area.height()
        notches = (event.angleDelta().y() or event.angleDelta().x()) / _WHEEL_NOTCH
        if 0 <= across < 1 and 0 <= down < 1:
            self._look_at(self._window.zoomed(_ZOOM**notches, across, down))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom and scroll by keyboard."""
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self._look_at(self._window.zoomed(_ZOOM))
            case Qt.Key.Key_Minus:
                self._look_at(self._window.zoomed(1 / _ZOOM))
            case Qt.Key.Key_0:
                self._look_at(MapWindow.whole(self._window.tokens))
            case key if key in _ARROWS:
                rows, columns = (part * self._window.span for part in _ARROWS[Qt.Key(key)])
                self._look_at(self._window.moved(rows, columns))
            case _:
                super().keyPressEvent(event)

    # ------------------------------------------------------------------ drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw heat map, axes and scale."""
        del event
        painter = QPainter(self)
        painter.fillRect(self.area(), QColor(self._theme.panel))
        if self._analysis is not None:
            self._paint_heat_map(painter, self._analysis.map(self._head))
            self._bars(painter, self._analysis)
            draw_letters(painter, self.area(), self._window, self._theme)
            self._row_of_cell(painter)
            scale = QPointF(self.area().right() + 14, self.area().top())
            draw_scale(painter, scale, self.area().height(), self._full, self._theme)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self._theme.line_bar), 1))
        painter.drawRect(self.area().adjusted(-0.5, -0.5, 0.5, 0.5))
        painter.end()

    def _paint_heat_map(self, painter: QPainter, levels: Levels) -> None:
        size = int(self.area().width() * self.devicePixelRatioF())
        pixels, cells = downsample_max(levels, self._window, size)
        side = len(pixels)
        image = QImage(pixels.data, side, side, side, QImage.Format.Format_Indexed8)
        table = colour_scale.stretched(self._theme, self._full)
        nothing = QColor(self._theme.panel).rgb()
        image.setColorTable([nothing, *(qRgb(*colour) for colour in table[1:].tolist())])
        whole = self.area()
        whole.setSize(whole.size() * (side * cells / self._window.span))
        painter.save()
        painter.setClipRect(self.area())
        smooth = QPainter.RenderHint.SmoothPixmapTransform
        painter.setRenderHint(smooth, on=cells > 1)  # both pixel sizes differ
        painter.drawImage(whole, image)
        painter.restore()

    def _bars(self, painter: QPainter, analysis: PieceAnalysis) -> None:
        """Draw bar numbers on both axes, and bar lines through the map."""
        area = self.area()
        line = QColor(self._theme.line_bar)
        line.setAlphaF(0.55)
        painter.setFont(_small(painter.font()))
        for tick in ticks(analysis.chorale, self._window, _MAX_TICKS):
            x, y = self._x(tick.place + 1), self._y(tick.place)
            painter.setPen(QPen(line, 1))
            if area.left() <= x < area.right():
                painter.drawLine(QPointF(x, area.top() - 6), QPointF(x, area.bottom()))
                self._write(painter, QRectF(x + 2, 0, 40, _TOP - 4), tick.label)
            painter.setPen(QPen(line, 1))
            if area.top() <= y < area.bottom():
                painter.drawLine(QPointF(area.left() - 6, y), QPointF(area.right(), y))
                box = QRectF(0, y, _LEFT - 9, 14)
                self._write(painter, box, tick.label, Qt.AlignmentFlag.AlignRight)

    def _row_of_cell(self, painter: QPainter) -> None:
        """Draw an arrow beside the row of the selected cell, and lines along it."""
        analysis, area = self._analysis, self.area()
        if self._cell is None or analysis is None or not analysis.has_cell(self._cell):
            return
        dot = area.height() / self._window.span
        y = self._y(self._cell) + dot / 2
        if not area.top() <= y <= area.bottom():
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(self._theme.accent))
        painter.setPen(Qt.PenStyle.NoPen)
        tip = QPointF(area.left() - 1, y)
        painter.drawPolygon([tip, tip + QPointF(-8, -5), tip + QPointF(-8, 5)])
        line = QColor(self._theme.accent)
        line.setAlphaF(0.6)
        painter.setPen(QPen(line, 1))
        for edge in (y - dot / 2, y + dot / 2) if dot > 2 else (y,):  # noqa: PLR2004
            end = min(self._x(self._cell + 1), area.right())
            painter.drawLine(QPointF(area.left(), edge), QPointF(end, edge))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    # ------------------------------------------------------------------ inside

    def _write(
        self,
        painter: QPainter,
        box: QRectF,
        text: str,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        painter.setPen(QColor(self._theme.quiet))
        painter.drawText(box, align | Qt.AlignmentFlag.AlignVCenter, text)

    def _x(self, column: float) -> float:
        area = self.area()
        return area.left() + (column - self._window.left) * area.width() / self._window.span

    def _y(self, row: float) -> float:
        area = self.area()
        return area.top() + (row - self._window.top) * area.height() / self._window.span

    def _cell_at(self, at: QPointF) -> tuple[int, int] | None:
        """Return row and column at a point; None for an unknown row or a masked column."""
        area = self.area()
        if self._analysis is None or not area.contains(at):
            return None
        row, column = self._window.cell_at(
            (at.x() - area.left()) / area.width(), (at.y() - area.top()) / area.height()
        )
        return (row, column) if self._analysis.has_cell(row) and column <= row else None

    def _look_at(self, window: MapWindow) -> None:
        self._window = window
        self.update()


def _small(font: QFont) -> QFont:
    small = QFont(font)
    small.setPixelSize(11)
    return small
