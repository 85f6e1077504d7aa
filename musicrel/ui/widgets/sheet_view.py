"""A sheet of notes that scrolls and zooms: the base of the piano roll and of the engraved score.

It turns the mouse into what the user means: selections, a new place or loop for playback, notes
that are dragged or written. Only the views know what lies at a point.
"""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QFrame,
    QRubberBand,
    QToolTip,
    QWidget,
)

from musicrel.presentation.words.keys import with_keys
from musicrel.score.editing.note_input import Cursor
from musicrel.score.editing.notes import Note
from musicrel.score.editing.selection import Selection
from musicrel.ui.widgets.stylesheet import current_theme, scaled, scaled_font

_CARD: Final = 440  # width in pixels of the card of a hint, at the usual text size
_LEFT: Final = Qt.MouseButton.LeftButton
FREE: Final = Qt.KeyboardModifier.AltModifier  # held for a drag off the grid


class Press(NamedTuple):
    """A press of the left mouse button, and what was there."""

    place: QPoint
    keys: Qt.KeyboardModifier
    note: Note | None = None
    # the end of the loop that stays while the other one is dragged; None: a drag sets no loop
    anchor: float | None = None
    selects: bool = False  # whether a drag is a rubber band
    writes: bool = False  # whether a note is written where the button is released


class SheetView(QAbstractScrollArea):
    """A scroll area with zoom keys, tooltips, a hint, and signals for the left mouse button.

    Plus, minus and 0 zoom by keyboard. Points are those of the viewport.

    Attributes:
        note_tip: what the mouse does with a note, the last line of its tooltip.
        input_cursor: where notes are written; None: note input is off.
        editable: whether notes can be dragged and written.
        selects: whether the mouse selects.
        pointing: whether a signal of the mouse is being emitted: the view stays where it is.
    """

    chosen = Signal(object, bool)  # the ``Selection`` under the mouse, or None; True with Shift
    seek_requested = Signal(float, bool)  # a step for the playhead; True: of the nearest beat
    loop_dragged = Signal(float, float)  # first and last step of the loop that is dragged
    loop_clicked = Signal()
    note_dragged = Signal(object, QPoint)  # the ``Press`` on a note, and where the mouse is
    note_dropped = Signal(object, QPoint)  # the ``Press``, and where the button was released
    drag_cancelled = Signal()
    # a note that is to be written: where the button was pressed, and where it is released
    write_requested = Signal(QPoint, QPoint)
    # the ``Press`` that writes a note, or None, and where the mouse is, or None: it left
    pointed_at = Signal(object, object)
    double_clicked = Signal(QPoint)  # a point that belongs to no bar number

    zoom_step: ClassVar = 1.25
    # least distance in pixels of a drag of a note; None: that of the system
    note_drag_distance: ClassVar[int | None] = None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hint = ("", "")  # title and text shown on an empty sheet
        self.note_tip = ""
        self.input_cursor: Cursor | None = None
        self.editable, self.selects, self.pointing = False, True, False
        self._press: Press | None = None
        self._drags = False
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, self.viewport())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport().setMouseTracking(True)

    def set_hint(self, title: str, text: str) -> None:
        self.hint = (title, text)
        self.viewport().update()

    def set_input_cursor(self, cursor: Cursor | None) -> None:
        self.input_cursor = cursor
        self.clear_ghost()
        if self._press is not None and self._press.writes:
            self._press = None

    def zoom(self, factor: float) -> None:
        raise NotImplementedError

    @Slot()
    def fit(self) -> None:
        raise NotImplementedError

    def stretch(self, factor: float) -> None:
        """Zoom vertically only, where the view can."""
        self.zoom(factor)

    def tip_at(self, place: QPoint) -> str:
        raise NotImplementedError

    def note_at(self, place: QPoint) -> Note | None:
        raise NotImplementedError

    def step_at(self, place: QPoint) -> float | None:
        raise NotImplementedError

    def paper(self) -> QRect:
        """Return the part in which rubber bands and new notes begin."""
        raise NotImplementedError

    def in_band(self, one: QPoint, other: QPoint, *, free: bool) -> Selection | None:
        """Return what a rubber band selects, on the grid unless it is ``free``."""
        raise NotImplementedError

    def bar_at(self, place: QPoint) -> Selection | None:
        """Return the bar that a double click selects."""
        raise NotImplementedError

    def loop_anchor(self, place: QPoint) -> float | None:
        """Return the end of the loop that a drag from a point leaves."""
        raise NotImplementedError

    def click(self, press: Press, *, extends: bool) -> None:
        raise NotImplementedError

    def clear_ghost(self) -> None:
        raise NotImplementedError

    def draw_hint(self, painter: QPainter, lanes: QRect) -> None:
        if not any(self.hint):
            return
        theme, font = current_theme(), painter.font()
        centre, wrap = Qt.AlignmentFlag.AlignHCenter, Qt.TextFlag.TextWordWrap
        title_font = scaled_font(1.35, QFont.Weight.DemiBold)
        card = QRect(0, 0, min(scaled(_CARD), lanes.width() - 24), lanes.height())
        words, below = with_keys(self.hint[1]), 36 + QFontMetrics(title_font).height()
        room = card.adjusted(28, 0, -28, 0)
        high = below + painter.fontMetrics().boundingRect(room, centre | wrap, words).height() + 20
        if high > lanes.height():  # the title alone fits
            words, high = "", below + 12
        card.setHeight(high)
        card.moveCenter(lanes.center())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(theme.edge))
        painter.setBrush(QColor(theme.panel))
        painter.drawRoundedRect(card, 12, 12)
        painter.setFont(title_font)
        painter.setPen(QColor(theme.text))
        painter.drawText(card.adjusted(20, 24, -20, 0), centre, self.hint[0])
        painter.setFont(font)
        painter.setPen(QColor(theme.quiet))
        painter.drawText(card.adjusted(28, below, -28, 0), centre | wrap, words)

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

    def event(self, event: QEvent) -> bool:
        """Keep Escape from shortcuts while it cancels a drag."""
        escapes = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escapes and event.type() == QEvent.Type.ShortcutOverride and self.dragging:
            event.accept()
            return True
        return super().event(event)

    @property
    def dragging(self) -> bool:
        return self._press is not None and (self._drags or self._press.writes)

    def cancel_drag(self) -> bool:
        """End a drag without an effect; return False if there was none."""
        if not self.dragging:
            return False
        self._press = None
        self._band.hide()
        self.clear_ghost()
        self.drag_cancelled.emit()
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == _LEFT:
            self._drags, self._press = False, self._pressed_at(event)
            if self._press.writes:
                self.pointed_at.emit(self._press, self._press.place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if event.button() != _LEFT:
            return
        if self._writes(place):
            self.mousePressEvent(event)
            return
        bar = self.bar_at(place) if self.selects else None
        self.pointing = True
        if bar is not None:
            self.chosen.emit(bar, _has_shift(event))
        else:
            self.double_clicked.emit(place)
        self.pointing = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place, press = event.position().toPoint(), self._press
        if press is None:
            if not event.buttons():
                self.pointed_at.emit(None, place)
        elif press.writes:
            self.pointed_at.emit(press, place)
        elif self._is_drag_to(press, place):
            self._drag_to(press._replace(keys=event.modifiers()), place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        press, place = self._press, event.position().toPoint()
        if event.button() != _LEFT or press is None:
            return
        self.pointing = True
        if press.writes:
            self._press = None
            self.write_requested.emit(press.place, place)
        elif self._is_drag_to(press, place):
            self._drag_to(press._replace(keys=event.modifiers()), place)
            self._press = None
            self._drop(press._replace(keys=event.modifiers()), place, extends=_has_shift(event))
        else:
            self._press = None
            self.click(press, extends=_has_shift(event))
        self.pointing = False

    def _pressed_at(self, event: QMouseEvent) -> Press:
        place, keys = event.position().toPoint(), event.modifiers()
        if self._writes(place):
            return Press(place, keys, writes=True)
        note = self.note_at(place)
        selects = self.selects and note is None and self.paper().contains(place)
        return Press(place, keys, note, self.loop_anchor(place), selects)

    def _writes(self, place: QPoint) -> bool:
        return self.input_cursor is not None and self.editable and self.paper().contains(place)

    def _is_drag_to(self, press: Press, place: QPoint) -> bool:
        least = QApplication.startDragDistance()
        if press.note is not None and self.note_drag_distance is not None:
            least = self.note_drag_distance
        self._drags = self._drags or (place - press.place).manhattanLength() >= least
        return self._drags

    def _drag_to(self, press: Press, place: QPoint) -> None:
        step = self.step_at(place)
        if press.anchor is not None and step is not None:
            self.loop_dragged.emit(press.anchor, step)
        elif press.note is not None:
            self.note_dragged.emit(press, place)
        elif press.selects and press.anchor is None:
            self._band.setGeometry(QRect(press.place, place).normalized() & self.paper())
            self._band.show()

    def _drop(self, press: Press, place: QPoint, *, extends: bool) -> None:
        self._band.hide()
        if press.anchor is None and press.note is not None:
            self.note_dropped.emit(press, place)
        elif press.selects and press.anchor is None:
            free = bool(press.keys & FREE)
            self.chosen.emit(self.in_band(press.place, place, free=free), extends)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos()), self)
            return True
        if event.type() == QEvent.Type.Leave and self._press is None:
            self.pointed_at.emit(None, None)
        return super().viewportEvent(event)


def _has_shift(event: QMouseEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
