"""Notes on the piano roll that are moved, copied, lengthened and written with the mouse.

A drag moves the note under the mouse, or the selection if the note is in it; with Alt or Ctrl it
moves a copy, with Shift in one direction only; at its right edge it moves the end. A double click
adds a note on empty paper and removes one that is there. While notes are written, each click and
drag writes one. An outline shows what would be; Escape cancels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication

from musicrel.editing.notes import span_between
from musicrel.editing.selection import Selection
from musicrel.presentation.roll.drag import (
    Direction,
    NoteDrag,
    Shift,
    drag_of,
    on_edge,
)
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.words import names
from musicrel.ui.roll.roll_overlay import LanesOverlay
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.roll.roll_selection import RollSelection, on_paper
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.widgets.paint import sized_font, translucent
from musicrel.ui.widgets.stylesheet import current_theme

NOTE_TIP: Final = "Drag to move, with Alt to copy, at the right end to resize; double-click deletes"
_COPIES: Final = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier
_LEFT: Final = Qt.MouseButton.LeftButton
_PRESSES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_FILL: Final = 0.35
_LETTERS: Final = 10.0
_MIN_LETTER_ROW: Final = 9.5


class RollDrag(QObject):
    """The mouse gestures that edit notes on one roll.

    Attributes:
        disabled_reason: why notes cannot be edited now, or "".
    """

    moved = Signal(int, int)  # the selected notes were dragged
    copied = Signal(int, int)
    resized = Signal(int)  # the end of the selected note was dragged
    added = Signal(float, int)  # a note is to be added at a fractional step
    removed = Signal(object)
    drawn = Signal(int, int, int)  # a note was written, from step to step
    pointed_at = Signal(object)  # a dragged note would be here
    refused = Signal(str)  # the reason why a gesture did nothing

    def __init__(self, roll: RollView, selecting: RollSelection) -> None:
        super().__init__(roll)
        self._roll, self._selecting = roll, selecting
        self._outline = _Outline(roll)
        self.disabled_reason = ""
        self._writing: tuple[int, int] | None = None
        self._drag: NoteDrag | None = None
        self._shift = Shift(0, 0)
        self._pressed: QPoint | None = None
        self._ignored = self._begun = False
        self._keys = Qt.KeyboardModifier.NoModifier
        roll.viewport().setMouseTracking(True)
        roll.viewport().installEventFilter(self)
        roll.installEventFilter(self)
        roll.dragged.connect(self._on_drag)
        roll.dropped.connect(self._on_drop)

    @property
    def outlined(self) -> tuple[RollNote, ...]:
        """Return the notes that are outlined: where dragged or written ones would be."""
        return self._outline.notes

    def write(self, voice: int | None, length: int = 0) -> None:
        """Let clicks and drags write notes of ``voice``, a click one of ``length`` steps.

        Args:
            voice: None: drags move notes again.
        """
        self._writing = (voice, length) if voice is not None else None
        self._cancel()

    def set_disabled_reason(self, reason: str) -> None:
        """Disable editing and keep the reason; "" enables it."""
        self.disabled_reason = reason
        self._roll.note_tip = "" if reason else NOTE_TIP
        if reason:
            self._cancel()

    @Slot()
    def cancel(self) -> None:
        """End a drag without an effect until the button is released: its notes may be gone."""
        if self._drag is not None or self._pressed is not None:
            self._cancel()
            self._ignored = True

    # ------------------------------------------------------------------ events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            return watched is self._roll and self._key(event)
        if not isinstance(event, QMouseEvent) or watched is not self._roll.viewport():
            if event.type() == QEvent.Type.Leave and self._drag is None and self._pressed is None:
                self._outline.show_notes(())
            return False
        self._keys = event.modifiers()
        place = event.position().toPoint()
        if self._writing is not None and not self.disabled_reason:
            return self._write_event(event, place)
        if event.type() == QEvent.Type.MouseButtonDblClick and event.button() == _LEFT:
            return self._double_click(place)
        if event.type() == QEvent.Type.MouseMove and not event.buttons():
            self._show_pointer(place)
        return False

    def _key(self, event: QKeyEvent) -> bool:
        """Cancel a drag; Escape is then no shortcut."""
        busy = self._drag is not None or self._pressed is not None
        if event.key() != Qt.Key.Key_Escape or not busy:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() == QEvent.Type.KeyPress:
            self.cancel()
        return True

    def _double_click(self, place: QPoint) -> bool:
        """Add a note on empty paper, remove the note under the mouse; return whether it is used."""
        if self._roll.picture is None or not on_paper(place):
            return False
        note = self._roll.note_at(place)
        if self.disabled_reason:
            self.refused.emit(self.disabled_reason)
        elif note is not None:
            self.removed.emit(note)
        elif self._step_at(place) < self._roll.seen.steps:
            self.added.emit(self._step_at(place), self._pitch_at(place))
        return True

    # ------------------------------------------------------------------ moving

    @Slot(QPoint, QPoint)
    def _on_drag(self, start: QPoint, place: QPoint) -> None:
        if self._ignored:
            return
        if not self._begun:  # later the roll may have changed under the mouse
            self._begun, self._drag = True, self._begin(start)
        if self._drag is not None:
            self._roll.reach(place)
            self._shift = self._drag.shift(
                self._step_at(place), self._pitch_at(place), self._direction(start, place)
            )
            notes = self._drag.moved(self._shift)
            self._outline.show_notes(notes)
            self.pointed_at.emit(notes[0])

    def _begin(self, start: QPoint) -> NoteDrag | None:
        """Take the notes under the mouse; select them unless they are selected."""
        note, picture = self._roll.note_at(start), self._roll.picture
        if note is None or picture is None:
            return None
        if self.disabled_reason:
            self._ignored = True
            self.refused.emit(self.disabled_reason)
            return None
        at_edge = on_edge(self._roll.seen, note, start.x() - KEYBOARD_WIDTH)
        selected = self._selecting.selection
        if at_edge or selected is None or not selected.touches(note):
            selected = Selection.of_note(note)
            self._selecting.select(selected)
        copies = bool(self._keys & _COPIES)
        others = (each for each in picture.notes if selected.touches(each) and each != note)
        ordered = (note, *others)
        return drag_of(
            ordered, self._step_at(start), self._pitch_at(start), at_edge=at_edge, copies=copies
        )

    @Slot(QPoint, QPoint, bool)
    def _on_drop(self, start: QPoint, place: QPoint, _shift: bool) -> None:
        self._on_drag(start, place)
        drag, shift = self._drag, self._shift
        self._cancel()
        self._ignored = self._begun = False
        if drag is None or shift == (0, 0):
            return
        if drag.kind == "resize":
            self.resized.emit(shift.steps)
        else:
            (self.copied if drag.kind == "copy" else self.moved).emit(*shift)

    def _direction(self, start: QPoint, place: QPoint) -> Direction:
        """Return the direction that Shift allows: the one in which the mouse went farther."""
        if not self._keys & Qt.KeyboardModifier.ShiftModifier:
            return "any"
        way = place - start
        return "time" if abs(way.x()) >= abs(way.y()) else "pitch"

    def _cancel(self) -> None:
        self._drag, self._pressed, self._shift = None, None, Shift(0, 0)
        self._outline.show_notes(())

    # ------------------------------------------------------------------ writing

    def _write_event(self, event: QMouseEvent, place: QPoint) -> bool:
        """Write a note by a click or a drag; return whether the event is used up."""
        kind = event.type()
        if kind == QEvent.Type.MouseMove and (self._pressed is not None or not event.buttons()):
            self._show_written(place)
            return self._pressed is not None
        if event.button() != _LEFT:
            return False
        if kind in _PRESSES and on_paper(place) and self._roll.picture is not None:
            self._pressed = place
            self._show_written(place)
        elif kind == QEvent.Type.MouseButtonRelease:
            released, self._ignored = self._ignored, False
            pressed, note = self._pressed, self._written(place)
            self._cancel()
            if pressed is None:
                return released
            self._finish(pressed, place, note)
            return True
        return self._pressed is not None

    def _finish(self, pressed: QPoint, place: QPoint, note: RollNote | None) -> None:
        under = self._roll.note_at(pressed)
        if (
            under is not None
            and note is not None
            and under.voice == note.voice
            and _same(pressed, place)
        ):
            self.removed.emit(under)
        elif note is not None:
            self.drawn.emit(note.start, note.stop, note.pitch)

    def _show_written(self, place: QPoint) -> None:
        """Outline the note that a release of the button would write."""
        self._roll.viewport().setCursor(
            Qt.CursorShape.CrossCursor if on_paper(place) else Qt.CursorShape.ArrowCursor
        )
        note = self._written(place) if not self._ignored else None
        under = self._roll.note_at(self._pressed or place)
        removes = under is not None and note is not None and under.voice == note.voice
        stays = self._pressed is None or _same(self._pressed, place)
        self._outline.show_notes(() if note is None or (removes and stays) else (note,))

    def _written(self, place: QPoint) -> RollNote | None:
        """Return the note from where the mouse was pressed to where it is."""
        start, steps = self._pressed or place, self._roll.seen.steps
        if self._writing is None or not on_paper(start) or self._step_at(start) >= steps:
            return None
        voice, length = self._writing
        pitch = self._pitch_at(start)
        if _same(start, place):
            grid = 1 if length == 1 else 2
            first = int(self._step_at(start)) // grid * grid
            return RollNote(first, first + length, pitch, voice)
        ends = (self._step_at(start), self._step_at(place))
        return RollNote(*span_between(ends, steps), pitch, voice)

    # ------------------------------------------------------------------ inside

    def _show_pointer(self, place: QPoint) -> None:
        """Show by the pointer what a press would do."""
        note = self._roll.note_at(place) if not self.disabled_reason else None
        port = self._roll.viewport()
        if note is None:
            port.unsetCursor()
        elif on_edge(self._roll.seen, note, place.x() - KEYBOARD_WIDTH):
            port.setCursor(Qt.CursorShape.SizeHorCursor)
        else:
            port.setCursor(Qt.CursorShape.SizeAllCursor)

    def _step_at(self, place: QPoint) -> float:
        return self._roll.seen.step_at(place.x() - KEYBOARD_WIDTH)

    def _pitch_at(self, place: QPoint) -> int:
        return self._roll.seen.pitch_at(place.y() - RULER_HEIGHT)[0]


class _Outline(LanesOverlay):
    """The notes as they would be."""

    notes: tuple[RollNote, ...] = ()

    def show_notes(self, notes: Sequence[RollNote]) -> None:
        if tuple(notes) != self.notes:
            self.notes = tuple(notes)
            self.rearrange()

    def has_content(self) -> bool:
        return bool(self.notes)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, view, picture = current_theme(), self.roll.seen, self.roll.picture
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(sized_font(painter.font(), _LETTERS))
            for index, note in enumerate(self.notes):
                width = (note.stop - note.start) * view.step_width
                box = QRectF(view.x(note.start), view.y(note.pitch), width, view.row_height)
                painter.setBrush(translucent(theme.voices[note.voice], _FILL))
                painter.setPen(QPen(QColor(theme.text), 1.4))
                painter.drawRoundedRect(box.adjusted(0.5, 0, -0.5, 0), 3, 3)
                if not index and picture is not None and view.row_height >= _MIN_LETTER_ROW:
                    painter.setPen(QColor(theme.text))
                    name = names.pitch(note.pitch, picture.key)
                    over = box.adjusted(4, -2, 40, 2)
                    painter.drawText(over, Qt.AlignmentFlag.AlignVCenter, name)


def _same(one: QPoint, other: QPoint) -> bool:
    """Return whether the mouse stayed where it was, but for a tremble of the hand."""
    return (one - other).manhattanLength() < QApplication.startDragDistance()
