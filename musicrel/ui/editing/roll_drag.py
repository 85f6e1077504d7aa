"""Notes on the piano roll that are moved, copied, lengthened and written with the mouse.

A drag moves the note under the mouse, or the selection if the note is in it; with Alt or Ctrl it
moves a copy, with Shift in one direction only; at its right edge it moves the end. A double click
adds a note on empty paper and removes one that is there. While notes are written, each click and
drag writes one. An outline shows what would be; Escape cancels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication

from musicrel.editing import note_edits
from musicrel.editing.draft import HIGHEST_MIDI
from musicrel.editing.note_edits import copy_by, fitting_voice
from musicrel.editing.notes import Note, span_between
from musicrel.editing.selection import Selection
from musicrel.figures.paint import sized_font, translucent
from musicrel.figures.roll import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.presentation.compose import bound_ranges
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.roll.viewport import Viewport
from musicrel.presentation.words import names
from musicrel.ui.editing.edit_controller import Editor
from musicrel.ui.roll.roll_overlay import LanesOverlay
from musicrel.ui.roll.roll_selection import on_paper
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets.stylesheet import current_theme

Kind = Literal["move", "copy", "resize"]
Direction = Literal["any", "time", "pitch"]  # ways in which notes may move

_EDGE: Final = 7.0  # width in pixels of the right edge of a note, by which its end is dragged
# greatest share of a note that is its edge, so that a short note can be moved, too
_EDGE_SHARE: Final = 0.35


class Shift(NamedTuple):
    """A distance that notes are moved by; for an end, the semitones are 0."""

    steps: int
    semitones: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDrag:
    kind: Kind  # what happens to them; an end is dragged of one note only
    notes: tuple[RollNote, ...]  # the whole notes before the drag, at least one
    step: float  # where the mouse was pressed, in steps with a fraction
    pitch: int  # the row where it was pressed

    def shift(self, step: float, pitch: int, direction: Direction = "any") -> Shift:
        steps, semitones = round(step - self.step), pitch - self.pitch
        if self.kind == "resize":
            shortest = min(note.stop - note.start for note in self.notes)
            return Shift(max(steps, 1 - shortest), 0)
        low, high = min(n.pitch for n in self.notes), max(n.pitch for n in self.notes)
        steps = max(steps, -min(note.start for note in self.notes))
        semitones = min(max(semitones, -low), HIGHEST_MIDI - high)
        return Shift(0 if direction == "pitch" else steps, 0 if direction == "time" else semitones)

    def moved(self, shift: Shift) -> tuple[RollNote, ...]:
        """Return the notes where they would be."""
        if self.kind == "resize":
            return tuple(n._replace(stop=n.stop + shift.steps) for n in self.notes)
        return tuple(
            n._replace(
                start=n.start + shift.steps,
                stop=n.stop + shift.steps,
                pitch=n.pitch + shift.semitones,
            )
            for n in self.notes
        )


def on_edge(view: Viewport, note: RollNote, x: float) -> bool:
    """Return whether pixel ``x`` of the lanes is on the right edge of ``note``."""
    width = (note.stop - note.start) * view.step_width
    return view.x(note.stop) - x <= min(_EDGE, width * _EDGE_SHARE)


DELETED: Final = "Deleted: {note}"
NOTE_TIP: Final = "Drag to move, with Alt to copy, at the right end to resize; double-click deletes"
_COPIES: Final = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier
_LEFT: Final = Qt.MouseButton.LeftButton
_PRESSES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_MIN_LETTER_ROW: Final = 9.5


class RollDrag(QObject):
    drawn = Signal(int, int, int)  # a note is written: first step, the step after it, pitch

    def __init__(self, services: Services, editor: Editor) -> None:
        roll, document = services.page.roll, services.document
        super().__init__(roll)
        self._document, self._messages, self._editor = document, services.messages, editor
        self._roll, self.outline = roll, _Outline(roll)
        self._writing: tuple[int, int] | None = None
        self._drag: NoteDrag | None = None
        self._shift = Shift(0, 0)
        self._pressed: QPoint | None = None
        self._ignored = self._begun = False
        self._keys = Qt.KeyboardModifier.NoModifier
        roll.viewport().setMouseTracking(True)
        roll.viewport().installEventFilter(self)
        roll.installEventFilter(self)
        for signal, slot in (
            (roll.dragged, self._on_drag),
            (roll.dropped, self._on_drop),
            (document.piece_changed, self.cancel),
            (document.shown_changed, self._update_enabled),
            (document.generation_started, self._update_enabled),
        ):
            signal.connect(slot)
        self._update_enabled()

    def write(self, voice: int | None, length: int = 0) -> None:
        """Let clicks and drags write notes of ``voice``, a click one of ``length`` steps.

        Args:
            voice: None: drags move notes again.
        """
        self._writing = (voice, length) if voice is not None else None
        self._cancel()

    @Slot()
    def _update_enabled(self) -> None:
        self._roll.note_tip = "" if self._document.unready_reason else NOTE_TIP
        if self._document.unready_reason:
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
                self.outline.show_notes(())
            return False
        self._keys = event.modifiers()
        place = event.position().toPoint()
        if self._writing is not None and not self._document.unready_reason:
            return self._write_event(event, place)
        if event.type() == QEvent.Type.MouseButtonDblClick and event.button() == _LEFT:
            return self._double_click(place)
        if event.type() == QEvent.Type.MouseMove and not event.buttons():
            self._show_pointer(place)
        return False

    def _key(self, event: QKeyEvent) -> bool:
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
        if not self._editor.check_ready():
            return True
        if note is not None:
            self._remove(note)
        elif self._step_at(place) < self._roll.seen.steps:
            self._add(self._step_at(place), self._pitch_at(place))
        return True

    def _add(self, step: float, pitch: int) -> None:
        piece, selection = self._document.piece, self._document.selection
        if piece is None:
            return
        start, stop = span_between((step, step), piece.steps)
        if selection is not None and len(selection.voices) == 1:
            voice = selection.voices[0]
        else:
            ranges = bound_ranges.of_piece(piece, self._document.form)
            voice = fitting_voice(piece, start, pitch, ranges)
        note = Note(start, stop, pitch, int(voice))
        self._editor.apply(partial(note_edits.put, piece, note), sounds=True, edited=())

    def _remove(self, note: RollNote) -> None:
        piece, picture = self._document.piece, self._roll.picture
        if piece is None or picture is None:
            return
        deleted = DELETED.format(note=picture.describe(note))
        if self._editor.apply(partial(note_edits.delete, piece, Selection.of_note(note))):
            self._messages.show_state(deleted)

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
            self.outline.show_notes(notes)
            if self._roll.picture is not None:
                self._messages.show_state(self._roll.picture.describe(notes[0]))

    def _begin(self, start: QPoint) -> NoteDrag | None:
        """Take the notes under the mouse; select them unless they are selected."""
        note, picture = self._roll.note_at(start), self._roll.picture
        if note is None or picture is None:
            return None
        if not self._editor.check_ready():
            self._ignored = True
            return None
        at_edge = on_edge(self._roll.seen, note, start.x() - KEYBOARD_WIDTH)
        selected = self._document.selection
        if at_edge or selected is None or not selected.touches(note):
            selected = Selection.of_note(note)
            self._document.select(selected)
        kind: Kind = "resize" if at_edge else "copy" if self._keys & _COPIES else "move"
        others = (each for each in picture.notes if selected.touches(each) and each != note)
        return NoteDrag(
            kind=kind,
            notes=(note, *others),
            step=self._step_at(start),
            pitch=self._pitch_at(start),
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
            self._editor.edit_selection(partial(note_edits.resize, steps=shift.steps))
        elif drag.kind == "copy":
            copy = partial(copy_by, steps=shift.steps, semitones=shift.semitones)
            self._editor.edit_selection(copy, sounds=True)
        else:
            self._editor.move(*shift)

    def _direction(self, start: QPoint, place: QPoint) -> Direction:
        """Return the direction that Shift allows: the one in which the mouse went farther."""
        if not self._keys & Qt.KeyboardModifier.ShiftModifier:
            return "any"
        way = place - start
        return "time" if abs(way.x()) >= abs(way.y()) else "pitch"

    def _cancel(self) -> None:
        self._drag, self._pressed, self._shift = None, None, Shift(0, 0)
        self.outline.show_notes(())

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
            self._remove(under)
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
        self.outline.show_notes(() if note is None or (removes and stays) else (note,))

    def _written(self, place: QPoint) -> RollNote | None:
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
        note = self._roll.note_at(place) if not self._document.unready_reason else None
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
            painter.setFont(sized_font(painter.font(), 10.0))
            for index, note in enumerate(self.notes):
                width = (note.stop - note.start) * view.step_width
                box = QRectF(view.x(note.start), view.y(note.pitch), width, view.row_height)
                painter.setBrush(translucent(theme.voices[note.voice], 0.35))
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
