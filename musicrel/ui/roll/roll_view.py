"""The piano roll on the screen: draws a picture and describes the note under the mouse.

Two layers are cached as pixmaps, the paper and the notes. A new picture redraws only the columns in
which it differs from the one before, so that a piece can grow thirty times a second. The write
position is drawn on top at every paint event.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Slot
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from musicrel.chorale import Flags
from musicrel.presentation.attention.surprisal import SurprisalColours
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.roll import Roll, RollNote, changed_from, same_paper
from musicrel.presentation.score import mark_positions
from musicrel.presentation.words.palette import LIGHT, Theme
from musicrel.ui.roll.roll_decor import Decor
from musicrel.ui.roll.roll_layers import RollLayers, ViewState
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT, draw_hint
from musicrel.ui.roll.roll_scroll import RollScroll

_CURSOR_WIDTH: Final = 2
_CURSOR_ROOM: Final = 3
_LOCKED: Final = "Locked against rewriting (Ctrl+K unlocks the selection)"


class RollView(RollScroll):
    """A view of one picture at a time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._roll: Roll | None = None
        self._hint = ("", "")
        self._layers = RollLayers()
        self._locked: Flags | None = None
        self._marks: tuple[Mark, ...] = ()
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.view_changed.connect(self._forget_layers)

    # ------------------------------------------------------------------ what is shown

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._theme = theme
        self.view_changed.emit()

    def set_hint(self, title: str, text: str) -> None:
        """Set the title and text shown on a sheet without notes."""
        self._hint = (title, text)
        self.viewport().update()

    def begin(self, roll: Roll) -> None:
        """Show an empty sheet from its start and follow the generation."""
        self._follows = True
        self.show_roll(roll)
        self._look_at(self._view.fitted() if self._fits else self._view.moved(left=0))

    def show_roll(self, roll: Roll) -> None:
        """Show ``roll``; only the columns that differ from the previous picture are redrawn."""
        before, self._roll = self._roll, roll
        if before is None or not same_paper(before, roll):
            view = self._view.of_roll(roll.steps, roll.low, roll.high)
            self._layers.decor = self._decor(roll)
            self._look_at(view.fitted() if self._fits else view)
            self.view_changed.emit()
            return
        first = changed_from(before, roll)
        if first is not None:
            self._layers.decor = self._decor(roll)
            self._layers.redraw_notes(roll, first)
            self._update_columns(first, roll.steps)
        if before.written != roll.written:
            self._move_cursor(before.written, roll.written)

    def set_heat(self, heat: SurprisalColours | None) -> None:
        """Colour the notes by surprisal; None: by voice."""
        self._layers.heat = heat
        if self._roll is not None:
            self._layers.redraw_notes(self._roll, 0)
        self.viewport().update()

    def set_locked(self, cells: Flags | None) -> None:
        """Show the locked cells, bool (T, 4); None: none."""
        if cells is not self._locked:
            self._locked = cells
            self._decorate()

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        """Show the rule violations."""
        self._marks = marks
        self._decorate()

    @property
    def picture(self) -> Roll | None:
        """Return the picture that is shown."""
        return self._roll

    @property
    def hint(self) -> tuple[str, str]:
        """Return the title and text shown on a sheet without notes."""
        return self._hint

    @property
    def decor(self) -> Decor:
        """Return the locks and marks drawn on the notes."""
        return self._layers.decor

    # ------------------------------------------------------------------ the mouse

    def note_at(self, place: QPoint) -> RollNote | None:
        """Return the note at a point of the viewport; None where there is none."""
        x, y = place.x() - KEYBOARD_WIDTH, place.y() - RULER_HEIGHT
        if self._roll is None or x < 0 or y < 0:
            return None
        pitch, depth = self._view.pitch_at(y)
        return self._roll.note_at(self._view.step_at(x), pitch, depth)

    def describe(self, note: RollNote) -> str:
        """Return the tooltip of a note: name, surprisal, rule violations and lock."""
        heat, roll = self._layers.heat, self._roll
        lines = [roll.describe(note) if roll else "", heat.describe(note) if heat else ""]
        lines += mark_positions.descriptions(self._marks, note)
        if any(_same_note(note, part) for part in self._layers.decor.locked):
            lines.append(_LOCKED)
        return "\n".join(line for line in lines if line)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show a tooltip for the note under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            note = self.note_at(event.pos())
            if note is not None and self._roll is not None:
                QToolTip.showText(event.globalPos(), self.describe(note), self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    # ------------------------------------------------------------------ drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the layers, and on top the write position and the hint."""
        painter = QPainter(self.viewport())
        painter.setClipRect(event.rect())
        if self._roll is None:
            painter.fillRect(event.rect(), QColor(self._theme.panel))
            painter.end()
            return
        shown = ViewState(
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
        """Return the locks and marks of a picture; locks of another length are ignored."""
        parts = lock_cells.parts(roll, self._locked) if self._locked is not None else ()
        if not self._marks:
            return Decor(locked=parts)
        return Decor(locked=parts, marked=mark_positions.locate(roll, self._marks))

    def _decorate(self) -> None:
        """Redraw the notes if their locks or marks have changed."""
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

    @Slot()
    def _forget_layers(self) -> None:
        self._layers.forget()
        self.viewport().update()


def _same_note(note: RollNote, part: RollNote) -> bool:
    """Return whether ``part`` is a part of ``note``."""
    inside = note.start <= part.start and part.stop <= note.stop
    return note.voice == part.voice and inside
