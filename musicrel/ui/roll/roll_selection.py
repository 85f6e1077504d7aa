"""Selection on the piano roll by mouse and keyboard.

A click on a note selects it, a rubber band selects voices over time, a double click on a bar number
the bar; Shift extends the selection. Arrow keys move a selection of one cell, with Shift its end;
1 to 4 toggle a voice; Escape cancels a rubber band, or clears. Clicks between notes are handled by
``roll_playhead``, drags of notes by ``roll_drag``.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QRubberBand

from musicrel.chorale import Voice
from musicrel.editing.selection import Selection
from musicrel.presentation.roll.selection import bar_at, in_band, parts_in
from musicrel.presentation.words.palette import Theme
from musicrel.ui.roll.roll_overlay import LanesOverlay
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.widgets.paint import fill_rounded, sized_font, translucent
from musicrel.ui.widgets.stylesheet import current_theme

_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_OTHER_COMMANDS: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
_VOICE_KEYS: Final = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4)
_TINT: Final = 0.087
CHIP: Final = 15


class RollSelection(QObject):
    selection_changed = Signal(object)  # the Selection; None if it was cleared

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll)
        self._roll = roll
        self._outline = _Outline(roll)
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, roll.viewport())
        self._bands: bool | None = None
        self._cancelled = False
        roll.installEventFilter(self)
        roll.viewport().installEventFilter(self)
        roll.clicked.connect(self._on_click)
        roll.dragged.connect(self._on_drag)
        roll.dropped.connect(self._on_drop)

    @property
    def selection(self) -> Selection | None:
        """Return the selection; None if nothing is selected."""
        return self._outline.selection

    def select(self, selection: Selection | None) -> None:
        """Replace the selection; None clears it."""
        if selection == self.selection:
            return
        self._outline.selection = selection
        self._outline.rearrange()
        self.selection_changed.emit(selection)

    # ------------------------------------------------------------------ the mouse

    @Slot(QPoint, bool)
    def _on_click(self, place: QPoint, extends: bool) -> None:
        note = self._roll.note_at(place)
        if note is not None:
            self._select_or_extend(Selection.of_note(note), extends=extends)

    @Slot(QPoint, QPoint)
    def _on_drag(self, start: QPoint, place: QPoint) -> None:
        if self._begins_band(start) and not self._cancelled:
            lanes = QRect(QPoint(KEYBOARD_WIDTH, RULER_HEIGHT), self._roll.viewport().size())
            self._band.setGeometry(QRect(start, place).normalized() & lanes)
            self._band.show()

    @Slot(QPoint, QPoint, bool)
    def _on_drop(self, start: QPoint, place: QPoint, extends: bool) -> None:
        """Select the voices under the rubber band; an empty one clears the selection."""
        self._band.hide()
        view, picture = self._roll.seen, self._roll.picture
        bands = self._begins_band(start) and not self._cancelled
        self._bands, self._cancelled = None, False
        if picture is None or not bands:
            return
        first, last = (view.step_at(point.x() - KEYBOARD_WIDTH) for point in (start, place))
        one, other = (view.pitch_at(point.y() - RULER_HEIGHT)[0] for point in (start, place))
        self._select_or_extend(in_band(picture, (first, last), (one, other)), extends=extends)

    def _begins_band(self, start: QPoint) -> bool:
        """Return whether a drag began on empty paper; the roll may have changed since."""
        if self._bands is None:
            self._bands = on_paper(start) and self._roll.note_at(start) is None
        return self._bands

    def _select_or_extend(self, found: Selection | None, *, extends: bool) -> None:
        before = self.selection
        self.select(before.joined(found) if extends and before and found else found)

    # ------------------------------------------------------------------ the keyboard

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return watched is self._roll and self._key(event)
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonDblClick:
            return watched is self._roll.viewport() and self._double_click(event)
        return False

    def _double_click(self, event: QMouseEvent) -> bool:
        """Select the bar whose number is there."""
        place, picture = event.position().toPoint(), self._roll.picture
        in_ruler = place.y() < RULER_HEIGHT and place.x() >= KEYBOARD_WIDTH
        if picture is None or not in_ruler or event.button() != Qt.MouseButton.LeftButton:
            return False
        bar = bar_at(picture, self._roll.seen.step_at(place.x() - KEYBOARD_WIDTH))
        extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._select_or_extend(bar, extends=extends)
        return True

    def _key(self, event: QKeyEvent) -> bool:
        picture = self._roll.picture
        if picture is None or not picture.notes or event.modifiers() & _OTHER_COMMANDS:
            return False
        key, selected = event.key(), self.selection
        if key in _ARROWS:
            extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._arrow(*_ARROWS[Qt.Key(key)], picture.steps, extends=extends)
        elif key in _VOICE_KEYS:
            voice = _VOICE_KEYS.index(Qt.Key(key))
            self.select(selected.toggled(voice) if selected else self._first(voice))
        elif key == Qt.Key.Key_Escape and self._band.isVisible():
            self._cancelled = True
            self._band.hide()
        elif key == Qt.Key.Key_Escape and selected is not None:
            self.select(None)
        else:
            return False
        return True

    def _arrow(self, steps: int, voices: int, length: int, *, extends: bool) -> None:
        before = self.selection
        if before is None:
            after = self._first(0)
        elif not extends:
            after = before.moved(steps, voices, length)
        elif steps:
            after = before.stretched(steps, length)
        else:
            after = before.joined(before.moved(0, voices, length))
        self.select(after)
        self._roll.follow(after.stop - 1 if extends else after.start, resume=True)

    def _first(self, voice: int) -> Selection:
        step = self._roll.seen.seen_steps.start
        return Selection(voices=(voice,), start=step, stop=step + 1)


class _Outline(LanesOverlay):
    selection: Selection | None = None

    def has_content(self) -> bool:
        """Return whether anything is selected."""
        return self.selection is not None

    def paintEvent(self, _event: QPaintEvent) -> None:
        selected, picture, view = self.selection, self.roll.picture, self.roll.seen
        if selected is None or picture is None:
            return
        theme = current_theme()
        accent = QColor(theme.accent)
        left, right = round(view.x(selected.start)), round(view.x(selected.stop))
        with QPainter(self) as painter:
            columns = QRectF(left, 0, right - left, view.height)
            painter.fillRect(columns, translucent(theme.accent, _TINT))
            for x in (left, right - 1):
                painter.fillRect(QRectF(x, 0, 1, view.height), accent)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(accent, 2))
            for note in parts_in(picture, selected):
                width = (note.stop - note.start) * view.step_width
                box = QRectF(view.x(note.start), view.y(note.pitch), width, view.row_height)
                painter.drawRoundedRect(box.adjusted(-0.5, -1, 1, 1), 4, 4)
            self._letters(painter, selected, left, theme)

    def _letters(self, painter: QPainter, selected: Selection, left: int, theme: Theme) -> None:
        painter.setFont(sized_font(painter.font(), 10, QFont.Weight.Bold))
        room = self.width() - CHIP * len(selected.voices) - 2
        for place, voice in enumerate(selected.voices):
            box = QRectF(min(left + 1, room) + place * CHIP, 1, CHIP - 1, CHIP - 1)
            fill_rounded(painter, box, 3, theme.voices[voice])
            painter.setPen(QColor(theme.on_voice))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, Voice(voice).letter)


def on_paper(place: QPoint) -> bool:
    """Return whether a point of the viewport is among the lanes."""
    return place.x() >= KEYBOARD_WIDTH and place.y() >= RULER_HEIGHT
