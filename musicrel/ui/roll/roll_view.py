"""The piano roll on the screen: draws a picture and describes the note under the mouse.

Two layers are cached as pixmaps, the paper and the notes. A new picture redraws only the columns in
which it differs from the one before, so that a piece can grow thirty times a second. The write
position is drawn on top at every paint event.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from musicrel.chorale import Flags
from musicrel.presentation.attention.surprisal import NoteColours
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.roll import Roll, RollNote, changed_from, same_paper
from musicrel.presentation.score import mark_positions
from musicrel.ui.roll.roll_decor import Decor
from musicrel.ui.roll.roll_layers import RollLayers, ViewState
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.roll.roll_scroll import RollScroll
from musicrel.ui.widgets.stylesheet import current_theme

NAME: Final = "Piano roll"
RULER_TIP: Final = (
    "Click to place the playhead, drag to set the loop or move an end of it, double-click to "
    "select the bar; a click on the bar of the loop at the top removes it"
)

_CURSOR_WIDTH: Final = 2
_NO_ROWS: Final = (127, 0)
_CURSOR_ROOM: Final = 3
_LOCKED: Final = "Locked against rewriting (Ctrl+K unlocks the selection)"


class RollView(RollScroll):
    """A view of one picture at a time.

    Attributes:
        note_tip: what the mouse does with a note, the last line of its tooltip.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture: Roll | None = None
        self._least = _NO_ROWS
        self.note_tip = ""
        self.setAccessibleName(NAME)
        self._layers = RollLayers()
        self._locked: Flags | None = None
        self._marks: tuple[Mark, ...] = ()
        self.view_changed.connect(self.viewport().update)

    # ------------------------------------------------------------------ what is shown

    def begin(self, roll: Roll) -> None:
        """Show an empty sheet from its start and follow the generation."""
        self._follows = True
        self.show_roll(roll)
        self._look_at(self._view.fitted() if self._fits else self._view.moved(left=0))

    def reserve(self, low: int = _NO_ROWS[0], high: int = _NO_ROWS[1]) -> None:
        """Show at least the rows of these pitches, as beside another roll; by default none."""
        self._least = (low, high)
        if self.picture is not None and (self.picture.low > low or self.picture.high < high):
            self.show_roll(self.picture)

    def show_roll(self, roll: Roll) -> None:
        """Show ``roll``; only the columns that differ from the previous picture are redrawn."""
        low, high = self._least
        roll = replace(roll, low=min(roll.low, low), high=max(roll.high, high))
        before, self.picture = self.picture, roll
        if before is None or not same_paper(before, roll):
            view = self._view.of_roll(roll.steps, roll.low, roll.high)
            self._layers.forget()
            self._layers.decor = self._decor(roll)
            self._look_at(self._fitting(view))
            self.view_changed.emit()
            return
        first = changed_from(before, roll)
        if first is not None:
            self._layers.decor = self._decor(roll)
            self._layers.redraw_notes(roll, first)
            self._update_columns(first, roll.steps)
        if before.written != roll.written:
            self._move_cursor(before.written, roll.written)

    def set_heat(self, heat: NoteColours | None) -> None:
        """Colour the notes by a value; None: by voice."""
        self._layers.heat = heat
        if self.picture is not None:
            self._layers.redraw_notes(self.picture, 0)
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
    def decor(self) -> Decor:
        """Return the locks and marks drawn on the notes."""
        return self._layers.decor

    # ------------------------------------------------------------------ the mouse

    def note_at(self, place: QPoint) -> RollNote | None:
        """Return the note at a point of the viewport; None where there is none."""
        x, y = place.x() - KEYBOARD_WIDTH, place.y() - RULER_HEIGHT
        if self.picture is None or x < 0 or y < 0:
            return None
        pitch, depth = self._view.pitch_at(y)
        return self.picture.note_at(self._view.step_at(x), pitch, depth)

    def describe(self, note: RollNote) -> str:
        """Return the tooltip of a note: name, value of its colour, rule violations and lock."""
        heat, roll = self._layers.heat, self.picture
        lines = [roll.describe(note) if roll else "", heat.describe(note) if heat else ""]
        lines += mark_positions.descriptions(self._marks, note)
        if any(_same_note(note, part) for part in self._layers.decor.locked):
            lines.append(_LOCKED)
        return "\n".join(line for line in lines if line)

    def tip_at(self, place: QPoint) -> str:
        """Return the tooltip of a note, or that of the ruler."""
        if self.picture is not None and place.y() < RULER_HEIGHT and place.x() >= KEYBOARD_WIDTH:
            return RULER_TIP
        note = self.note_at(place)
        if note is None:
            return ""
        return "\n".join(filter(None, (self.describe(note), self.note_tip)))

    # ------------------------------------------------------------------ drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        with QPainter(self.viewport()) as painter:
            painter.setClipRect(event.rect())
            if self.picture is None:
                painter.fillRect(event.rect(), QColor(theme.panel))
                return
            shown = ViewState(
                view=self._view,
                theme=theme,
                font=self.font(),
                scale=self.viewport().devicePixelRatioF(),
            )
            paper, notes = self._layers.pixmaps(self.picture, shown)
            painter.drawPixmap(0, 0, paper)
            painter.drawPixmap(KEYBOARD_WIDTH, RULER_HEIGHT, notes)
            if 0 < self.picture.written < self.picture.steps:
                painter.fillRect(self._cursor(self.picture.written), QColor(theme.accent))
            if not self.picture.notes and not self.picture.written:
                lanes = QRect(KEYBOARD_WIDTH, RULER_HEIGHT, self._view.width, self._view.height)
                self.draw_hint(painter, lanes)

    # ------------------------------------------------------------------ inside

    def _decor(self, roll: Roll) -> Decor:
        """Return the locks and marks of a picture; locks of another length are ignored."""
        parts = lock_cells.parts(roll, self._locked) if self._locked is not None else ()
        return Decor(locked=parts, marked=mark_positions.locate(roll, self._marks))

    def _decorate(self) -> None:
        """Redraw the notes if their locks or marks have changed."""
        if self.picture is None:
            return
        decor = self._decor(self.picture)
        if decor != self._layers.decor:
            self._layers.decor = decor
            self._layers.redraw_notes(self.picture, 0)
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


def _same_note(note: RollNote, part: RollNote) -> bool:
    inside = note.start <= part.start and part.stop <= note.stop
    return note.voice == part.voice and inside
