"""Notes on the piano roll and on the engraved score that are moved and written with the mouse.

On the roll a drag moves the note under the mouse, or the selection if the note is in it, to the
next eighth or beat, with Alt to any step; with Ctrl it moves a copy, with Shift in one direction
only; at its right edge it moves the end. A double click adds a note on empty paper and removes one
that is there. On the score a drag of a note head up or down the staff gives its note the pitch of
the line or space in the key signature; of several selected notes all move. A ghost shows what would
be; each drag is one step of Undo.

In note input a click or drag on the roll writes a note of the voice of the cursor, and a click on a
staff one with the duration of the cursor, on another staff in the nearest voice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, NamedTuple

from PySide6.QtCore import QObject, QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Key
from musicrel.figures.score import SPACE, Head, System
from musicrel.language import tr
from musicrel.presentation.compose import form
from musicrel.presentation.words import names
from musicrel.score.editing import note_edits
from musicrel.score.editing.draft import HIGHEST_MIDI, Edit
from musicrel.score.editing.note_edits import copy_by, fitting_voice
from musicrel.score.editing.notes import Note, note_at, notes_in, span_between
from musicrel.score.editing.selection import Selection
from musicrel.ui.editing.edit_controller import Editor
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.score.score_view import ScoreView
from musicrel.ui.score.score_window import Ghost
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets.sheet_view import FREE, Press

ROLL_TIP: Final = tr(
    "Drag to move, with Ctrl to copy, with Alt off the grid, at the right end to resize; "
    "double-click deletes"
)
SCORE_TIP: Final = tr("Drag up or down to change the pitch, click to select")
DELETED: Final = tr("Deleted: {note}")
_COPIES: Final = Qt.KeyboardModifier.ControlModifier

Kind = Literal["move", "copy", "resize"]
Direction = Literal["any", "time", "pitch"]  # ways in which notes may move


class _NoteMouse(QObject):
    """The mouse on the notes of one view; ``tip`` is what a drag of a note does."""

    written = Signal(object)  # a ``Note`` that a click or drag writes

    def __init__(
        self, services: Services, editor: Editor, view: RollView | ScoreView, tip: str
    ) -> None:
        super().__init__(view)
        document = services.document
        self._document, self._messages, self._editor = document, services.messages, editor
        self._tip, self._sheet = tip, view
        self._grab: Any = None
        self._begun = False
        for signal, slot in (
            (view.note_dragged, self._on_drag),
            (view.note_dropped, self._on_drop),
            (view.drag_cancelled, self._end),
            (view.pointed_at, self._show_target),
            (view.write_requested, self._write),
            (document.piece_changed, view.cancel_drag),
            (document.screen_changed, self._update_editable),
        ):
            signal.connect(slot)
        self._update_editable()

    @Slot()
    def _update_editable(self) -> None:
        self._sheet.editable = not self._document.unready_reason
        self._sheet.note_tip = self._tip if self._sheet.editable else ""
        if not self._sheet.editable:
            self._sheet.clear_ghost()

    @Slot(object, QPoint)
    def _on_drag(self, press: Press, place: QPoint) -> None:
        if not self._begun:  # later the notes may have changed under the mouse
            self._begun = True
            self._grab = self._grabbed(press) if self._editor.check_ready() else None
        if self._grab is not None:
            self._show_drag(self._grab, press, place)

    @Slot(object, QPoint)
    def _on_drop(self, press: Press, place: QPoint) -> None:
        grab = self._grab
        self._end()
        if grab is not None:
            self._drop(grab, press, place)
        self._sheet.clear_ghost()

    @Slot()
    def _end(self) -> None:
        self._grab, self._begun = None, False

    def _grabbed(self, press: Press) -> Any:
        """Return what a drag takes; None: nothing."""
        raise NotImplementedError

    def _show_drag(self, grab: Any, press: Press, place: QPoint) -> None:
        raise NotImplementedError

    def _drop(self, grab: Any, press: Press, place: QPoint) -> None:
        raise NotImplementedError

    @Slot(object, object)
    def _show_target(self, press: Press | None, place: QPoint | None) -> None:
        raise NotImplementedError

    @Slot(QPoint, QPoint)
    def _write(self, start: QPoint, place: QPoint) -> None:
        raise NotImplementedError


class Shift(NamedTuple):
    """A distance that notes are moved by; for an end, the semitones are 0."""

    steps: int
    semitones: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDrag:
    kind: Kind  # what happens to them; an end is dragged of one note only
    notes: tuple[Note, ...]  # the whole notes before the drag, at least one
    step: float  # where the mouse was pressed, in steps with a fraction
    pitch: float  # the height where it was pressed, in semitones

    def shift(
        self, step: float, pitch: float, direction: Direction = "any", grid: int = 1, line: int = 0
    ) -> Shift:
        """Return how far the notes move to the place of the mouse.

        Args:
            grid: steps between the lines to which the first note, or the end, snaps.
            line: one of these lines.
        """
        by, semitones = step - self.step, round(pitch - self.pitch)
        steps = round(by)
        if grid > 1:
            end = self.notes[0].stop if self.kind == "resize" else self.notes[0].start
            moves = abs(by) >= grid / 2  # a note beside the grid stays there without a drag
            steps = round((end + by - line) / grid) * grid + line - end if moves else 0
        if self.kind == "resize":
            return Shift(max(steps, 1 - min(note.length for note in self.notes)), 0)
        low, high = min(n.pitch for n in self.notes), max(n.pitch for n in self.notes)
        steps = max(steps, -min(note.start for note in self.notes))
        semitones = min(max(semitones, -low), HIGHEST_MIDI - high)
        return Shift(0 if direction == "pitch" else steps, 0 if direction == "time" else semitones)

    def moved(self, shift: Shift) -> tuple[Note, ...]:
        first = 0 if self.kind == "resize" else shift.steps
        return tuple(
            Note(n.start + first, n.stop + shift.steps, n.pitch + shift.semitones, n.voice)
            for n in self.notes
        )


class RollMouse(_NoteMouse):
    def __init__(self, services: Services, editor: Editor) -> None:
        self._view = services.page.roll
        super().__init__(services, editor, self._view, ROLL_TIP)
        self._view.double_clicked.connect(self._on_double_click)

    @Slot(QPoint)
    def _on_double_click(self, place: QPoint) -> None:
        if not self._view.paper().contains(place) or not self._editor.check_ready():
            return
        note, (step, pitch) = self._view.note_at(place), self._view.cell_at(place)
        if note is not None:
            self._remove(note)
        elif step < self._view.seen.steps:
            self._add(step, pitch)

    def _add(self, step: float, pitch: int) -> None:
        piece, selection = self._document.piece, self._document.selection
        if piece is None:
            return
        start, stop = span_between((step, step), piece.steps)
        if selection is not None and len(selection.voices) == 1:
            voice = selection.voices[0]
        else:
            ranges = form.ranges_of(piece, self._document.form)
            voice = fitting_voice(piece, start, pitch, ranges)
        note = Note(start, stop, pitch, int(voice))
        self._editor.apply(partial(note_edits.put, piece, note), sounds=True, edited=())

    def _remove(self, note: Note) -> None:
        piece, picture = self._document.piece, self._view.picture
        if piece is None or picture is None:
            return
        deleted = DELETED.format(note=picture.describe(note))
        if self._editor.apply(partial(note_edits.delete, piece, Selection.of_note(note))):
            self._messages.show_state(deleted)

    def _grabbed(self, press: Press) -> NoteDrag | None:
        """Take the notes under the mouse; select them unless they are selected."""
        note, picture = press.note, self._view.picture
        if note is None or picture is None:
            return None
        at_edge = self._view.is_on_edge(note, press.place)
        selected = self._document.selection
        if at_edge or selected is None or not selected.touches(note):
            selected = Selection.of_note(note)
            self._document.select(selected)
        kind: Kind = "resize" if at_edge else "copy" if press.keys & _COPIES else "move"
        others = (each for each in picture.notes if selected.touches(each) and each != note)
        step, pitch = self._view.cell_at(press.place)[0], self._view.height_at(press.place)
        return NoteDrag(kind=kind, notes=(note, *others), step=step, pitch=pitch)

    def _show_drag(self, grab: NoteDrag, press: Press, place: QPoint) -> None:
        self._view.reach(place)
        notes = grab.moved(self._shift(grab, press, place))
        self._view.set_ghost(notes)
        if self._view.picture is not None:
            self._messages.show_state(self._view.picture.describe(notes[0]))

    def _drop(self, grab: NoteDrag, press: Press, place: QPoint) -> None:
        shift = self._shift(grab, press, place)
        if shift == (0, 0):
            return
        if grab.kind == "resize":
            self._editor.edit_selection(partial(note_edits.resize, steps=shift.steps))
        elif grab.kind == "copy":
            copy = partial(copy_by, steps=shift.steps, semitones=shift.semitones)
            self._editor.edit_selection(copy, sounds=True)
        else:
            self._editor.move(*shift)

    def _shift(self, grab: NoteDrag, press: Press, place: QPoint) -> Shift:
        """Return how far notes move; with Shift only in the direction of the longer way."""
        direction: Direction = "any"
        if press.keys & Qt.KeyboardModifier.ShiftModifier:
            way = place - press.place
            direction = "time" if abs(way.x()) >= abs(way.y()) else "pitch"
        step, grid = self._view.cell_at(place)[0], self._view.grid(free=bool(press.keys & FREE))
        line = self._view.picture.pickup % grid if self._view.picture is not None else 0
        return grab.shift(step, self._view.height_at(place), direction, grid, line)

    @Slot(object, object)
    def _show_target(self, press: Press | None, place: QPoint | None) -> None:
        note = None
        if place is not None and self._view.editable:
            start = press.place if press is not None else place
            note = None if self._under(start, place) else self._note(start, place)
        self._view.set_ghost(() if note is None else (note,))

    @Slot(QPoint, QPoint)
    def _write(self, start: QPoint, place: QPoint) -> None:
        """Write a note, or remove the one of the same voice that is clicked."""
        under, note = self._under(start, place), self._note(start, place)
        self._view.clear_ghost()
        if under is not None:
            self._remove(under)
        elif note is not None:
            self.written.emit(note)

    def _under(self, start: QPoint, place: QPoint) -> Note | None:
        """Return the note of the voice of the cursor that a click removes."""
        under, cursor = self._view.note_at(start), self._view.input_cursor
        removes = under is not None and cursor is not None and under.voice == cursor.voice
        return under if removes and _same(start, place) else None

    def _note(self, start: QPoint, place: QPoint) -> Note | None:
        cursor, steps = self._view.input_cursor, self._view.seen.steps
        (step, pitch), (last, _) = self._view.cell_at(start), self._view.cell_at(place)
        if cursor is None or not self._view.paper().contains(start) or step >= steps:
            return None
        if not _same(start, place):
            return Note(*span_between((step, last), steps), pitch, cursor.voice)
        grid = 1 if cursor.length == 1 else 2
        first = int(step) // grid * grid
        return Note(first, first + cursor.length, pitch, cursor.voice)


def _same(one: QPoint, other: QPoint) -> bool:
    """Return whether the mouse stayed where it was, except for jitter."""
    return (one - other).manhattanLength() < QApplication.startDragDistance()


class _Grab(NamedTuple):
    piece: Chorale
    note: Note
    moved: Selection
    system: System
    head: Head

    @property
    def degree(self) -> int:
        return self.system.staff_of(self.note.voice).degree_at(self.head.y)

    @property
    def alone(self) -> bool:
        return notes_in(self.piece, self.moved) == [self.note]

    def pitch(self, by: int) -> int:
        key = self.piece.key_at(self.note.start)
        if by and self.alone:
            return note_edits.pitch_of(self.degree + by, key)
        return note_edits.by_degrees(self.note.pitch, key, by)

    def edit(self, by: int) -> Edit:
        if self.alone:
            moved = self.note._replace(pitch=self.pitch(by))
            return note_edits.replace_note(self.piece, self.note, moved)
        return note_edits.move_by_scale(self.piece, self.moved, by)


class ScoreMouse(_NoteMouse):
    def __init__(self, services: Services, editor: Editor) -> None:
        self._view = services.page.score
        super().__init__(services, editor, self._view, SCORE_TIP)

    def _grabbed(self, press: Press) -> _Grab | None:
        spot, piece = self._view.spot_at(press.place), self._document.piece
        if spot is None or spot.head is None or piece is None:
            return None
        head, selection = spot.head, self._document.selection
        note = note_at(piece, head.note.voice, head.start)
        if note is None:
            return None
        if selection is None or note not in notes_in(piece, selection):
            selection = Selection.of_note(note)
        return _Grab(piece, note, selection, spot.system, head)

    def _show_drag(self, grab: _Grab, press: Press, place: QPoint) -> None:
        by = self._degrees(press.place, place)
        note = grab.note._replace(pitch=grab.pitch(by))
        self._view.set_ghost(self._ghost(grab.system, note, grab.head.x, grab.degree + by))

    def _drop(self, grab: _Grab, press: Press, place: QPoint) -> None:
        by = self._degrees(press.place, place)
        if by and grab.piece is self._document.piece:
            self._editor.apply(partial(grab.edit, by), sounds=True)

    def _degrees(self, start: QPoint, place: QPoint) -> int:
        """Return the scale steps between two points, positive upwards."""
        return round((start.y() - place.y()) / (SPACE / 2 * self._view.seen.scale))

    @Slot(object, object)
    def _show_target(self, _press: Press | None, place: QPoint | None) -> None:
        if self._view.input_cursor is not None and self._view.editable:
            target = self._target(place) if place is not None else None
            self._view.set_ghost(target[1] if target is not None else None)

    @Slot(QPoint, QPoint)
    def _write(self, _start: QPoint, place: QPoint) -> None:
        """Write a note; a hasty click is a short drag."""
        target = self._target(place)
        if target is not None:
            self.written.emit(target[0])

    def _target(self, place: QPoint) -> tuple[Note, Ghost] | None:
        """Return the note that a click at a point would write; None: it would write none."""
        spot, cursor = self._view.spot_at(place), self._view.input_cursor
        if spot is None or cursor is None:
            return None
        system, here = spot.system, cursor.voice in spot.staff.voices
        step = system.step_at(spot.x, min(cursor.duration, STEPS_PER_QUARTER))
        degree, voice = spot.staff.degree_at(spot.y), cursor.voice if here else spot.voice
        pitch = note_edits.pitch_of(degree, self._key_at(step))
        note = Note(step, step + cursor.length, pitch, voice)
        return note, self._ghost(system, note, system.x_at(step), degree)

    def _ghost(self, system: System, note: Note, x: float, degree: int) -> Ghost:
        index = self._view.seen.systems.index(system)
        name = names.pitch(note.pitch, self._key_at(note.start))
        return Ghost(index, system.staff_of(note.voice), x, degree, name)

    def _key_at(self, step: int) -> Key | None:
        """Return the key of the piece, or of the one that the first note begins."""
        sketch, piece = self._document.sketch, self._document.piece
        if piece is None and sketch is not None:
            piece = sketch.piece
        return piece.key_at(step) if piece is not None else None
