"""Notes of the engraved score that are written and moved with the mouse.

A drag of a note head up or down the staff gives its note the pitch of the line or space in the key
signature; of several selected notes all move. It is one step of Undo; Escape cancels. In note input
a click on a staff writes a note with the duration of the cursor, in the voice of the cursor or, on
another staff, in the nearest one. A ghost shows the note beforehand.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QRubberBand

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Key
from musicrel.editing import note_edits
from musicrel.editing.draft import Edit
from musicrel.editing.notes import Note, note_at, notes_in
from musicrel.editing.selection import Selection
from musicrel.presentation.score import score_window
from musicrel.presentation.score.score_picture import SPACE, Head, System
from musicrel.presentation.score.score_window import Spot
from musicrel.ui.editing.edit_controller import Editor
from musicrel.ui.score.score_view import ScoreView
from musicrel.ui.shell.main_window import Services

NOTE_TIP: Final = "Drag up or down to change the pitch, click to select"


class _Grab(NamedTuple):
    """A note that the mouse holds."""

    piece: Chorale
    note: Note
    moved: Selection
    row: int  # index of the system
    system: System
    head: Head

    @property
    def degree(self) -> int:
        """Return the line or space of the head."""
        staff = score_window.staff_of(self.system, self.note.voice)
        return score_window.degree_at(staff, self.head.y)

    @property
    def alone(self) -> bool:
        return notes_in(self.piece, self.moved) == [self.note]

    def pitch(self, by: int) -> int:
        """Return the pitch of the note after a move by scale steps."""
        if by and self.alone:
            return note_edits.pitch_of(self.degree + by, self.piece.key)
        return note_edits.by_degrees(self.note.pitch, self.piece.key, by)

    def edit(self, by: int) -> Edit:
        if self.alone:
            moved = self.note._replace(pitch=self.pitch(by))
            return note_edits.replace_note(self.piece, self.note, moved)
        return note_edits.move_by_scale(self.piece, self.moved, by)


class _Target(NamedTuple):
    """The note that a click would write."""

    system: System
    step: int
    degree: int
    pitch: int
    voice: int


class ScoreEditing(QObject):
    written = Signal(int, int, int)  # step, pitch and voice of a note that a click writes

    def __init__(self, services: Services, editor: Editor) -> None:
        view = services.page.score
        super().__init__(view)
        self._document, self._editor, self._view = services.document, editor, view
        self._grab: _Grab | None = None
        self._cancelled = False
        view.note_tip = NOTE_TIP
        view.installEventFilter(self)
        view.dragged.connect(self._on_drag)
        view.dropped.connect(self._on_drop)
        view.clicked.connect(self._on_click)
        view.pointed_at.connect(self._show_target)

    # ------------------------------------------------------------------ moving

    @Slot(QPoint, QPoint)
    def _on_drag(self, start: QPoint, place: QPoint) -> None:
        if self._cancelled or self._view.input_cursor is not None:
            return
        if self._grab is None:
            self._grab = self._grabbed(start)
        if self._grab is not None:
            grab, by = self._grab, self._degrees(start, place)
            self._view.set_ghost(
                score_window.ghost(
                    grab.row, grab.system, x=grab.head.x, voice=grab.note.voice,
                    degree=grab.degree + by, pitch=grab.pitch(by), key=grab.piece.key,
                )
            )  # fmt: skip

    @Slot(QPoint, QPoint, bool)
    def _on_drop(self, start: QPoint, place: QPoint, _extends: bool) -> None:
        """Move the note; in note input write one: a hasty click is a short drag."""
        self._on_click(place)
        grab, self._grab, self._cancelled = self._grab, None, False
        if grab is None:
            return
        by = self._degrees(start, place)
        if by and grab.piece is self._document.piece:
            self._editor.apply(partial(grab.edit, by), sounds=True)
        self._view.set_ghost(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if watched is not self._view or self._grab is None or event.key() != Qt.Key.Key_Escape:
            return False
        self._grab, self._cancelled = None, True
        self._view.set_ghost(None)
        return True

    def _grabbed(self, start: QPoint) -> _Grab | None:
        spot, piece = self._view.spot_at(start), self._document.piece
        if spot is None or spot.head is None or piece is None or not self._editor.check_ready():
            return None
        head, selection = spot.head, self._document.selection
        note = note_at(piece, head.note.voice, head.start)
        if note is None:
            return None
        if selection is None or note not in notes_in(piece, selection):
            selection = Selection.of_note(note)
        row = self._view.seen.system_of(head.start) or 0
        return _Grab(piece, note, selection, row, spot.system, head)

    def _degrees(self, start: QPoint, place: QPoint) -> int:
        """Return the scale steps between two points, positive upwards."""
        return round((start.y() - place.y()) / (SPACE / 2 * self._view.seen.scale))

    # ------------------------------------------------------------------ writing

    @Slot(QPoint)
    def _on_click(self, place: QPoint) -> None:
        target = self._target(place)
        if target is not None:
            self.written.emit(target.step, target.pitch, target.voice)

    @Slot(object)
    def _show_target(self, place: QPoint | None) -> None:
        if self._view.input_cursor is None or self._document.unready_reason:
            return
        target = self._target(place) if place is not None else None
        self._view.set_ghost(
            score_window.ghost(
                self._view.seen.system_of(target.step) or 0, target.system,
                x=target.system.x_at(target.step), voice=target.voice, degree=target.degree,
                pitch=target.pitch, key=self._key,
            )
            if target is not None
            else None
        )  # fmt: skip

    def _target(self, place: QPoint) -> _Target | None:
        """Return the note that a click at a point would write; None: it would write none."""
        spot, cursor = self._view.spot_at(place), self._view.input_cursor
        if spot is None or cursor is None or self._document.unready_reason:
            return None
        system, here = spot.system, cursor.voice in spot.staff.voices
        return _Target(
            system=system,
            step=score_window.step_at(system, spot.x, min(cursor.duration, STEPS_PER_QUARTER)),
            degree=spot.degree,
            pitch=note_edits.pitch_of(spot.degree, self._key),
            voice=cursor.voice if here else score_window.voice_at(system, spot.x, spot.y),
        )

    @property
    def _key(self) -> Key | None:
        """Return the key of the piece, or of the one that the first note begins."""
        sketch, piece = self._document.sketch, self._document.piece
        if piece is None and sketch is not None:
            piece = sketch.piece
        return piece.key if piece is not None else None


# keys that scroll and zoom the score; all others mean what they mean on the roll
_OWN_KEYS: Final = frozenset(
    {
        Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
        Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus, Qt.Key.Key_0,
    }
)  # fmt: skip


class ScoreLink(QObject):
    """The connection between score and roll.

    The score scrolls to the playhead and to the selection, except where the mouse has just put them
    on the score itself: what is clicked stays under the mouse.
    """

    def __init__(self, services: Services, seek: Callable[[float], object]) -> None:
        page = services.page
        super().__init__(page.score)
        self._document, self._view, self._roll = services.document, page.score, page.roll
        self._playhead, self._seek = page.playhead, seek
        self._follow = services.commands.play.follow
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, page.score.viewport())
        self._cancelled = False
        self._system: int | None = None
        self._wanted: int | None = None
        self._pointing = False
        self._view.installEventFilter(self)
        for signal, slot in (
            (self._view.clicked, self._on_click),
            (self._view.double_clicked, self._on_double_click),
            (self._view.dragged, self._on_drag),
            (self._view.dropped, self._on_drop),
            (self._document.selection_changed, self._show_selection),
            (page.playhead.playhead_moved, self._show_step),
        ):
            signal.connect(slot)

    def show_on_new_score(self) -> None:
        self._show_step(self._playhead.step)
        score, wanted = self._view.score, self._wanted
        if score is not None and wanted is not None and wanted < score.systems[-1].stop:
            self._view.follow(wanted)
            self._wanted = None

    @Slot(object)
    def _show_step(self, step: float | None) -> None:
        self._view.set_step(step)
        system = self._view.seen.system_of(step)
        if system != self._system:
            self._system = system
            if step is not None and self._follow.isChecked() and not self._pointing:
                self._view.follow(step)

    @Slot(object)
    def _show_selection(self, selection: Selection | None) -> None:
        self._view.set_selection(selection)
        self._wanted = None
        pointing = self._pointing or self._view.ghost is not None
        if selection is not None and not pointing:
            self._view.follow(selection.start)
            if self._view.stale:
                self._wanted = selection.start

    # ------------------------------------------------------------------ the mouse

    @Slot(QPoint, bool)
    def _on_click(self, place: QPoint, extends: bool) -> None:
        if self._view.input_cursor is not None or self._view.pale:
            return
        spot = self._view.spot_at(place)
        if spot is not None:
            self._choose(spot.selection, extends=extends)
            if not extends:
                self._pointing = True
                self._seek(float(spot.step))
                self._pointing = False
        elif not extends:
            self._choose(None, extends=False)

    @Slot(QPoint)
    def _on_double_click(self, place: QPoint) -> None:
        spot = self._view.spot_at(place)
        if spot is not None and self._view.input_cursor is None:
            self._choose(spot.bar, extends=False)

    @Slot(QPoint, QPoint)
    def _on_drag(self, start: QPoint, place: QPoint) -> None:
        if self._selects(start) and not self._cancelled:
            self._band.setGeometry(QRect(start, place).normalized())
            self._band.show()

    @Slot(QPoint, QPoint, bool)
    def _on_drop(self, start: QPoint, place: QPoint, extends: bool) -> None:
        """Select the notes in the rubber band; without any the selection is cleared."""
        self._band.hide()
        cancelled, self._cancelled = self._cancelled, False
        if self._selects(start) and not cancelled:
            heads = self._view.seen.heads_between(start.toTuple(), place.toTuple())
            self._choose(score_window.selection_of(heads), extends=extends)

    def _selects(self, start: QPoint) -> bool:
        view = self._view
        return view.input_cursor is None and not view.pale and view.note_at(start) is None

    def _choose(self, found: Selection | None, *, extends: bool) -> None:
        """Select what the mouse points at; Shift extends the selection to it."""
        before = self._document.selection
        self._pointing = True
        self._document.select(before.joined(found) if extends and before and found else found)
        self._pointing = False

    # ------------------------------------------------------------------ the keyboard

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass keys from the score to the roll, so that one piece of code serves both."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if watched is not self._view or self._view.score is None:
            return False
        if event.key() == Qt.Key.Key_Escape and self._band.isVisible():
            self._cancelled = True
            self._band.hide()
            return True
        if self._view.input_cursor is not None:
            self._view.set_ghost(None)
        return self._means_the_roll(event) and QCoreApplication.sendEvent(self._roll, event)

    def _means_the_roll(self, event: QKeyEvent) -> bool:
        """Return False for keys that scroll and zoom the score, or cancel a drag on it."""
        if event.key() == Qt.Key.Key_Escape and self._view.ghost is not None:
            return False
        return event.key() not in _OWN_KEYS or self._view.input_cursor is not None


# edges of the strip with the bar of the loop, in staff spaces above the staves
_TOP, _FOOT = 5.4, 3.0
_REACH: Final = 1.2  # distance in staff spaces from an end of the loop within which it is dragged


class ScoreLoop(QObject):
    """The mouse on the bar of the loop above the systems of one score."""

    dragged = Signal(float, float)  # first and last step of the loop while an end of it is dragged
    clicked = Signal()

    def __init__(self, view: ScoreView) -> None:
        super().__init__(view)
        self._view = view
        self._pressed: QPoint | None = None
        self._anchor: float | None = None  # the end that stays while the other one is dragged
        self._moves = False
        view.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent):
            return False
        place = event.position().toPoint()
        kind, pressed = event.type(), self._pressed
        if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            return self._press(place)
        if pressed is None:
            return False
        if kind == QEvent.Type.MouseMove:
            distance = (place - pressed).manhattanLength()
            self._moves = self._moves or distance >= QApplication.startDragDistance()
            spot = self._view.spot_at(place)
            if self._moves and self._anchor is not None and spot is not None:
                self.dragged.emit(self._anchor, _step(spot))
        elif kind == QEvent.Type.MouseButtonRelease:
            self._pressed = None
            if not self._moves:
                self.clicked.emit()
        return kind in (QEvent.Type.MouseMove, QEvent.Type.MouseButtonRelease)

    def _press(self, place: QPoint) -> bool:
        """Begin on the bar of the loop, where no note is; return False elsewhere."""
        spot, loop = self._view.spot_at(place), self._view.loop
        if spot is None or loop is None or self._view.input_cursor is not None:
            return False
        system, reach = spot.system, _REACH * SPACE
        band = system.band(system.staves[0].voices, int(loop[0]), int(loop[1]))
        above = (system.staves[0].top - spot.y) / SPACE
        if band is None or spot.head is not None or not _FOOT <= above <= _TOP:
            return False
        left, right = band[0], band[2]
        if not left - reach <= spot.x <= right + reach:
            return False
        self._pressed, self._moves, self._anchor = place, False, None
        if loop[1] <= system.stop and abs(spot.x - right) <= reach:
            self._anchor = loop[0]
        elif loop[0] >= system.start and abs(spot.x - left) <= reach:
            self._anchor = loop[1]
        return True


def _step(spot: Spot) -> float:
    """Return the step at the point, interpolated between the columns of the system."""
    columns, x = spot.system.columns, spot.x + SPACE  # the bar begins a space before its column
    after = bisect.bisect_right(columns, x, key=lambda column: column.x)
    one, other = columns[max(after - 1, 0)], columns[min(after, len(columns) - 1)]
    share = (x - one.x) / (other.x - one.x) if other.x > one.x else 0.0
    return one.step + share * (other.step - one.step)
