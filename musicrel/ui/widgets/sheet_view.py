"""A sheet of notes that scrolls and zooms: the base of the piano roll and of the engraved score."""

from __future__ import annotations

from typing import ClassVar, Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QHelpEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QToolTip, QWidget

from musicrel.ui.widgets.stylesheet import current_theme, scaled_font

_CARD: Final = QSize(440, 112)
_LEFT: Final = Qt.MouseButton.LeftButton


class SheetView(QAbstractScrollArea):
    """A scroll area with zoom keys, tooltips, a hint, and signals for the left mouse button.

    Plus, minus and 0 zoom by keyboard. Points are those of the viewport.
    """

    clicked = Signal(QPoint, bool)  # a point was clicked; True with Shift
    # the mouse was pressed at the first point and is at the second
    dragged = Signal(QPoint, QPoint)
    dropped = Signal(QPoint, QPoint, bool)  # it was released there; True with Shift

    zoom_step: ClassVar = 1.25

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hint = ("", "")  # title and text shown on an empty sheet
        self._pressed: QPoint | None = None
        self._drags = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def set_hint(self, title: str, text: str) -> None:
        self.hint = (title, text)
        self.viewport().update()

    # ------------------------------------------------------------------ for subclasses

    def zoom(self, factor: float) -> None:
        raise NotImplementedError

    @Slot()
    def fit(self) -> None:
        raise NotImplementedError

    def tip_at(self, place: QPoint) -> str:
        raise NotImplementedError

    def drag_distance(self, _pressed: QPoint) -> int:
        """Return the least distance in pixels of a drag that starts at a point."""
        return QApplication.startDragDistance()

    def draw_hint(self, painter: QPainter, lanes: QRect) -> None:
        if not any(self.hint):
            return
        theme, font = current_theme(), painter.font()
        card = QRect(0, 0, min(_CARD.width(), lanes.width() - 24), _CARD.height())
        card.moveCenter(lanes.center())
        centre, wrap = Qt.AlignmentFlag.AlignHCenter, Qt.TextFlag.TextWordWrap
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(theme.edge))
        painter.setBrush(QColor(theme.panel))
        painter.drawRoundedRect(card, 12, 12)
        painter.setFont(scaled_font(1.35, QFont.Weight.DemiBold))
        painter.setPen(QColor(theme.text))
        painter.drawText(card.adjusted(20, 24, -20, 0), centre, self.hint[0])
        painter.setFont(font)
        painter.setPen(QColor(theme.quiet))
        painter.drawText(card.adjusted(28, 60, -28, 0), centre | wrap, self.hint[1])

    # ------------------------------------------------------------------ keyboard and mouse

    @Slot()
    def zoom_in(self) -> None:
        self.zoom(self.zoom_step)

    @Slot()
    def zoom_out(self) -> None:
        self.zoom(1 / self.zoom_step)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom_in()
            case Qt.Key.Key_Minus:
                self.zoom_out()
            case Qt.Key.Key_0:
                self.fit()
            case _:
                super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == _LEFT:
            self._pressed, self._drags = event.position().toPoint(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and self._is_drag_to(event.position().toPoint()):
            self.dragged.emit(self._pressed, event.position().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, place = self._pressed, event.position().toPoint()
        if event.button() != _LEFT or pressed is None:
            return
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if self._is_drag_to(place):
            self.dropped.emit(pressed, place, shift)
        else:
            self.clicked.emit(pressed, shift)
        self._pressed = None

    def _is_drag_to(self, place: QPoint) -> bool:
        """Return True from the moment when the mouse has moved far enough from where it was."""
        pressed = self._pressed or place
        distance = (place - pressed).manhattanLength()
        self._drags = self._drags or distance >= self.drag_distance(pressed)
        return self._drags

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos()), self)
            return True
        return super().viewportEvent(event)
