"""The piano roll on the screen: draws a picture, scrolls, zooms and tells what is under the mouse.

Two layers are kept as pixmaps, the paper and the notes. A new picture redraws only the columns in
which it differs from the one before, so that a piece can grow thirty times a second. What moves on
top (the place being written) is drawn at every paint.

This file knows Qt; what lies where stands in ``musicrel.presentation``.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollBar, QToolTip, QWidget

from musicrel.chorale import Flags
from musicrel.presentation import locked, marked
from musicrel.presentation.marks import Mark
from musicrel.presentation.palette import LIGHT, Theme
from musicrel.presentation.roll import Roll, RollNote, changed_from, same_paper
from musicrel.presentation.surprisal import NoteHeat
from musicrel.presentation.viewport import Extent, Viewport
from musicrel.ui.roll_decor import Decor
from musicrel.ui.roll_layers import RollLayers, Shown
from musicrel.ui.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT, draw_hint

ZOOM_STEP: Final = 1.25
_WHEEL_NOTCH: Final = 120
_CURSOR_WIDTH: Final = 2
_CURSOR_ROOM: Final = 3
_ARROW_STEP: Final = 24
_LOCKED: Final = "Locked: rewriting leaves it as it is (Ctrl+K unlocks what is selected)"


class RollView(QAbstractScrollArea):
    """Shows one picture at a time.

    Wheel scrolls, with Ctrl it zooms time, with Ctrl and Shift pitch; the middle button drags;
    plus, minus and 0 zoom by keyboard, arrows, Home and End scroll.

    Signals:
        view_changed: another part is seen, or it looks different.
    """

    view_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._roll: Roll | None = None
        self._view = Viewport()
        self._fits = True
        self._follows = True
        self._sets_bars = False
        self._hint = ("", "")
        self._layers = RollLayers()
        self._locked: Flags | None = None
        self._marks: tuple[Mark, ...] = ()
        self._dragged_from: QPoint | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.horizontalScrollBar().actionTriggered.connect(self._scrolled_by_hand)

    # ------------------------------------------------------------------ what is shown

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._theme = theme
        self._forget_layers()

    def set_hint(self, title: str, text: str) -> None:
        """Words in the middle of a sheet that has no notes."""
        self._hint = (title, text)
        self.viewport().update()

    def begin(self, roll: Roll) -> None:
        """Show an empty sheet that is about to be written on, from its start."""
        self._follows = True
        self.show_roll(roll)
        self._look_at(self._view.fitted() if self._fits else self._view.moved(left=0))

    def show_roll(self, roll: Roll) -> None:
        """Show ``roll``; only what differs from the picture before is drawn again."""
        before, self._roll = self._roll, roll
        if before is None or not same_paper(before, roll):
            view = self._view.of_roll(roll.steps, roll.low, roll.high)
            self._layers.decor = self._decor(roll)
            self._look_at(view.fitted() if self._fits else view)
            self._forget_layers()
            return
        first = changed_from(before, roll)
        if first is not None:
            self._layers.decor = self._decor(roll)
            self._layers.redraw_notes(roll, first)
            self._update_columns(first, roll.steps)
        if before.written != roll.written:
            self._move_cursor(before.written, roll.written)

    def set_heat(self, heat: NoteHeat | None) -> None:
        """Colour notes by their surprise, None: by their voice."""
        self._layers.heat = heat
        if self._roll is not None:
            self._layers.redraw_notes(self._roll, 0)
        self.viewport().update()

    def set_locked(self, cells: Flags | None) -> None:
        """Show which cells are locked, bool (T, 4); None: none is."""
        if cells is not self._locked:
            self._locked = cells
            self._decorate()

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        """Show where the piece breaks a rule."""
        self._marks = marks
        self._decorate()

    @property
    def picture(self) -> Roll | None:
        """What is shown."""
        return self._roll

    @property
    def seen(self) -> Viewport:
        """The part that is seen."""
        return self._view

    def follow(self, step: float, *, anew: bool = False) -> None:
        """Turn the page where ``step`` is not seen, unless the user has scrolled elsewhere.

        Args:
            step: what is to be seen.
            anew: forget that the user scrolled.
        """
        self._follows = self._follows or anew
        if self._follows:
            self._look_at(self._view.showing(step))

    # ------------------------------------------------------------------ zooming and scrolling

    @Slot()
    def zoom_in(self) -> None:
        """Make time wider, around the middle."""
        self._zoom_at(ZOOM_STEP, self._view.width / 2)

    @Slot()
    def zoom_out(self) -> None:
        """Make time narrower, around the middle."""
        self._zoom_at(1 / ZOOM_STEP, self._view.width / 2)

    @Slot()
    def fit(self) -> None:
        """Show the whole piece, or as much of it as can be read."""
        self._fits = True
        self._look_at(self._view.fitted())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the place, or the whole piece where it was seen whole."""
        size = self.viewport().size()
        view = self._view.of_size(size.width() - KEYBOARD_WIDTH, size.height() - RULER_HEIGHT)
        self._look_at(view.fitted().moved(left=view.left) if self._fits else view)
        super().resizeEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Follow the scroll bars."""
        del dx, dy
        if self._sets_bars:
            return
        left, top = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        view = self._view
        self._view = view.moved(
            left=None if left == round(view.left) else left,
            top=None if top == round(view.top) else top,
        )
        if self._view != view:
            self._forget_layers()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or zoom with Ctrl."""
        notches = (event.angleDelta().y() or event.angleDelta().x()) / _WHEEL_NOTCH
        place = event.position() - QPointF(KEYBOARD_WIDTH, RULER_HEIGHT)
        modifiers = event.modifiers()
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            factor = ZOOM_STEP**notches
            if modifiers & Qt.KeyboardModifier.ShiftModifier:
                self._look_at(self._view.stretched(factor, place.y()))
            else:
                self._zoom_at(factor, place.x())
        else:
            self._wheel(event)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom and jump by keyboard."""
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom_in()
            case Qt.Key.Key_Minus:
                self.zoom_out()
            case Qt.Key.Key_0:
                self.fit()
            case Qt.Key.Key_Home:
                self._look_at(self._view.moved(left=0))
            case Qt.Key.Key_End:
                self._look_at(self._view.moved(left=self._view.content_width))
            case _:
                super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the sheet with the middle button."""
        if event.button() == Qt.MouseButton.MiddleButton:
            self._dragged_from = event.position().toPoint()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the sheet along."""
        if self._dragged_from is None:
            return
        here = event.position().toPoint()
        way = self._dragged_from - here
        self._dragged_from = here
        self._follows = False
        self._look_at(
            self._view.moved(left=self._view.left + way.x(), top=self._view.top + way.y())
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the sheet."""
        if event.button() == Qt.MouseButton.MiddleButton:
            self._dragged_from = None
            self.viewport().unsetCursor()

    # ------------------------------------------------------------------ what is under the mouse

    def note_at(self, place: QPoint) -> RollNote | None:
        """The note at a point of the viewport."""
        x, y = place.x() - KEYBOARD_WIDTH, place.y() - RULER_HEIGHT
        if self._roll is None or x < 0 or y < 0:
            return None
        pitch, depth = self._view.pitch_at(y)
        return self._roll.note_at(self._view.step_at(x), pitch, depth)

    def _words(self, note: RollNote) -> str:
        """A note with all that is known of it."""
        heat, roll = self._layers.heat, self._roll
        said = [roll.describe(note) if roll else "", heat.describe(note) if heat else ""]
        said += [f"{mark.sentence} {mark.bach}." for mark in marked.about(self._marks, note)]
        if any(_same_note(note, part) for part in self._layers.decor.locked):
            said.append(_LOCKED)
        return "\n".join(part for part in said if part)

    def viewportEvent(self, event: QEvent) -> bool:
        """Say what the note under the mouse is."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            note = self.note_at(event.pos())
            if note is not None and self._roll is not None:
                QToolTip.showText(event.globalPos(), self._words(note), self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    # ------------------------------------------------------------------ drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Put the layers on the screen, and on top what moves."""
        painter = QPainter(self.viewport())
        painter.setClipRect(event.rect())
        if self._roll is None:
            painter.fillRect(event.rect(), QColor(self._theme.panel))
            painter.end()
            return
        shown = Shown(
            view=self._view,
            theme=self._theme,
            font=self.font(),
            scale=self.viewport().devicePixelRatioF(),
        )
        paper, notes = self._layers.pixmaps(self._roll, shown)
        painter.drawPixmap(0, 0, paper)
        painter.drawPixmap(KEYBOARD_WIDTH, RULER_HEIGHT, notes)
        if 0 < self._roll.written < self._roll.steps:
            painter.fillRect(self._cursor(self._roll.written), QColor(self._theme.accent))
        if not self._roll.notes and not self._roll.written and any(self._hint):
            lanes = QRect(KEYBOARD_WIDTH, RULER_HEIGHT, self._view.width, self._view.height)
            draw_hint(painter, lanes, self._hint, self._theme)
        painter.end()

    # ------------------------------------------------------------------ inside

    def _decor(self, roll: Roll) -> Decor:
        """What lies on the notes of a picture; locks of a piece of another length are none."""
        parts = locked.parts(roll, self._locked) if self._locked is not None else ()
        if not self._marks:
            return Decor(locked=parts)
        return Decor(locked=parts, marked=marked.of(roll, self._marks))

    def _decorate(self) -> None:
        """Draw the notes again where there is something else on them."""
        if self._roll is None:
            return
        decor = self._decor(self._roll)
        if decor != self._layers.decor:
            self._layers.decor = decor
            self._layers.redraw_notes(self._roll, 0)
            self.viewport().update()

    def _cursor(self, step: int) -> QRect:
        x = KEYBOARD_WIDTH + round(self._view.x(step))
        return QRect(x, RULER_HEIGHT, _CURSOR_WIDTH, self._view.height)

    def _move_cursor(self, before: int, after: int) -> None:
        self._update_columns(before, before)
        self._update_columns(after, after)
        if self._follows:
            self._look_at(self._view.showing(after))

    def _update_columns(self, first: int, last: int) -> None:
        left = KEYBOARD_WIDTH + int(self._view.x(first)) - _CURSOR_ROOM
        right = KEYBOARD_WIDTH + int(self._view.x(last)) + _CURSOR_ROOM
        self.viewport().update(QRect(left, 0, right - left, self.viewport().height()))

    def _forget_layers(self) -> None:
        self._layers.forget()
        self.viewport().update()
        self.view_changed.emit()

    def _look_at(self, view: Viewport) -> None:
        """See another part; the scroll bars follow."""
        if view != self._view:
            self._view = view
            self._forget_layers()
        self._set_bars()

    def _set_bars(self) -> None:
        """Let the scroll bars show the part that is seen."""
        self._sets_bars = True
        _show(self.horizontalScrollBar(), self._view.across)
        _show(self.verticalScrollBar(), self._view.down)
        self._sets_bars = False

    def _zoom_at(self, factor: float, x: float) -> None:
        self._fits = False
        self._look_at(self._view.zoomed(factor, max(x, 0)))

    def _wheel(self, event: QWheelEvent) -> None:
        """Scroll up and down, or in time with Shift or where all pitches are seen."""
        delta = event.angleDelta()
        tall = self._view.content_height > self._view.height + 1
        aside = event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not tall
        way_x = delta.x() or (delta.y() if aside else 0)
        way_y = 0 if aside else delta.y()
        self._follows = self._follows and not way_x
        self._look_at(self._view.moved(left=self._view.left - way_x, top=self._view.top - way_y))

    def _scrolled_by_hand(self) -> None:
        self._follows = False


def _same_note(note: RollNote, part: RollNote) -> bool:
    """Whether ``part`` is a part of ``note``."""
    inside = note.start <= part.start and part.stop <= note.stop
    return note.voice == part.voice and inside


def _show(bar: QScrollBar, extent: Extent) -> None:
    bar.setPageStep(extent.seen)
    bar.setSingleStep(_ARROW_STEP)
    bar.setRange(0, max(round(extent.whole - extent.seen), 0))
    bar.setValue(round(extent.hidden))
