"""Selection on the piano roll by mouse and keyboard.

A click on a note selects it, a rubber band selects voices over time; Shift extends the selection.
Arrow keys move a selection of one cell, with Shift its end; 1 to 4 toggle a voice; Escape clears.
Clicks between notes are handled by ``roll_playhead``.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QRubberBand, QWidget

from musicrel.chorale import Voice
from musicrel.presentation.roll.selection import Selection, in_band, notes_in
from musicrel.presentation.words.palette import LIGHT, Theme
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.roll.roll_view import RollView

_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_VOICE_KEYS: Final = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4)
_TINT: Final = 22
_CHIP: Final = 15


class RollSelection(QObject):
    """The selection on one roll.

    Args:
        roll: the view the selection lies on.

    Signals:
        selection_changed: the Selection; None if it was cleared.
    """

    selection_changed = Signal(object)

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll)
        self._roll = roll
        self._selection: Selection | None = None
        self._pressed: QPoint | None = None
        self._outline = _Outline(roll)
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, roll.viewport())
        roll.viewport().installEventFilter(self)
        roll.installEventFilter(self)
        roll.view_changed.connect(self._update_geometry)

    @property
    def selection(self) -> Selection | None:
        """Return the selection; None if nothing is selected."""
        return self._selection

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._outline.theme = theme
        self._outline.update()

    def select(self, selection: Selection | None) -> None:
        """Replace the selection; None clears it."""
        if selection == self._selection:
            return
        self._selection = self._outline.selection = selection
        self._update_geometry()
        self.selection_changed.emit(selection)

    # ------------------------------------------------------------------ events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle clicks on notes, rubber bands and the keys that select."""
        if isinstance(event, QMouseEvent) and watched is self._roll.viewport():
            return self._mouse(event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return watched is self._roll and self._key(event)
        return False

    def _mouse(self, event: QMouseEvent) -> bool:
        left, place = Qt.MouseButton.LeftButton, event.position().toPoint()
        match event.type():
            case QEvent.Type.MouseButtonPress if event.button() == left and _on_paper(place):
                self._pressed = place
            case QEvent.Type.MouseMove if self._pressed is not None and event.buttons() & left:
                self._drag(self._pressed, place)
            case QEvent.Type.MouseButtonRelease if event.button() == left:
                self._release(place, extends=_shift(event.modifiers()))
        return False

    def _drag(self, pressed: QPoint, place: QPoint) -> None:
        """Draw the rubber band from the point where the mouse was pressed."""
        if self._band.isVisible() or _far(pressed, place):
            lanes = QRect(QPoint(KEYBOARD_WIDTH, RULER_HEIGHT), self._roll.viewport().size())
            self._band.setGeometry(QRect(pressed, place).normalized() & lanes)
            self._band.show()

    def _release(self, place: QPoint, *, extends: bool) -> None:
        pressed, self._pressed = self._pressed, None
        drawn = self._band.isVisible()
        self._band.hide()
        if pressed is None:
            return
        found = self._under_band(pressed, place) if drawn else self._under(place)
        if found is not None and extends and self._selection is not None:
            found = self._selection.joined(found)
        if found is not None or drawn:
            self.select(found)

    def _under(self, place: QPoint) -> Selection | None:
        note = self._roll.note_at(place)
        return Selection.of_note(note) if note is not None else None

    def _under_band(self, one: QPoint, other: QPoint) -> Selection | None:
        view, picture = self._roll.seen, self._roll.picture
        if picture is None:
            return None
        across, down = zip(*((p.x() - KEYBOARD_WIDTH, p.y() - RULER_HEIGHT) for p in (one, other)),
                           strict=True)  # fmt: skip
        steps = (view.step_at(across[0]), view.step_at(across[1]))
        return in_band(picture, steps, (view.pitch_at(down[0])[0], view.pitch_at(down[1])[0]))

    def _key(self, event: QKeyEvent) -> bool:
        picture = self._roll.picture
        if picture is None or not picture.notes:
            return False
        key = event.key()
        if key in _ARROWS:
            self._arrow(*_ARROWS[Qt.Key(key)], picture.steps, extends=_shift(event.modifiers()))
        elif key in _VOICE_KEYS:
            selected = self._selection
            voice = _VOICE_KEYS.index(Qt.Key(key))
            self.select(selected.toggled(voice) if selected else self._first(voice))
        elif key == Qt.Key.Key_Escape and self._selection is not None:
            self.select(None)
        else:
            return False
        return True

    def _arrow(self, steps: int, voices: int, length: int, *, extends: bool) -> None:
        before = self._selection
        if before is None:
            self.select(self._first(0))
        elif not extends:
            self.select(before.moved(steps, voices, length))
        elif steps:
            self.select(before.stretched(steps, length))
        else:
            self.select(before.joined(before.moved(0, voices, length)))
        if self._selection is not None:
            end = self._selection.stop - 1 if extends else self._selection.start
            self._roll.follow(end, resume=True)

    def _first(self, voice: int) -> Selection:
        """Return the first visible cell of ``voice``."""
        step = self._roll.seen.seen_steps.start
        return Selection(voices=(voice,), start=step, stop=step + 1)

    @Slot()
    def _update_geometry(self) -> None:
        self._outline.cover_lanes()


class LanesOverlay(QWidget):
    """A widget on top of the lanes that ignores the mouse."""

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll.viewport())
        self.roll = roll
        self.theme = LIGHT
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def cover_lanes(self) -> None:
        """Cover the visible lanes; hide without content."""
        view = self.roll.seen
        self.setGeometry(KEYBOARD_WIDTH, RULER_HEIGHT, view.width, view.height)
        self.setVisible(self.has_content())
        self.update()

    def has_content(self) -> bool:
        """Return whether there is anything to draw."""
        return False


class _Outline(LanesOverlay):
    """The outline of the selection."""

    selection: Selection | None = None

    def has_content(self) -> bool:
        """Return whether anything is selected."""
        return self.selection is not None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a tint over its steps, an outline around its notes, and its voices above."""
        del event
        selected, picture, view = self.selection, self.roll.picture, self.roll.seen
        if selected is None or picture is None:
            return
        painter = QPainter(self)
        left, right = round(view.x(selected.start)), round(view.x(selected.stop))
        accent = QColor(self.theme.accent)
        tint = QColor(accent)
        tint.setAlpha(_TINT)
        painter.fillRect(QRectF(left, 0, right - left, view.height), tint)
        for x in (left, right - 1):
            painter.fillRect(QRectF(x, 0, 1, view.height), accent)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(accent, 2))
        for note in notes_in(picture, selected):
            width = (note.stop - note.start) * view.step_width
            box = QRectF(view.x(note.start), view.y(note.pitch), width, view.row_height)
            painter.drawRoundedRect(box.adjusted(-0.5, -1, 1, 1), 4, 4)
        self._letters(painter, selected, left)
        painter.end()

    def _letters(self, painter: QPainter, selected: Selection, left: int) -> None:
        font = QFont(painter.font())
        font.setPixelSize(10)
        font.setWeight(QFont.Weight.Bold)
        painter.setFont(font)
        room = self.width() - _CHIP * len(selected.voices) - 2
        for place, voice in enumerate(selected.voices):
            box = QRectF(min(left + 1, room) + place * _CHIP, 1, _CHIP - 1, _CHIP - 1)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.theme.voices[voice]))
            painter.drawRoundedRect(box, 3, 3)
            painter.setPen(QColor(self.theme.on_voice))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, Voice(voice).letter)


def _on_paper(place: QPoint) -> bool:
    return place.x() >= KEYBOARD_WIDTH and place.y() >= RULER_HEIGHT


def _far(one: QPoint, other: QPoint) -> bool:
    return (one - other).manhattanLength() >= QApplication.startDragDistance()


def _shift(modifiers: Qt.KeyboardModifier) -> bool:
    return bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
