"""Note editor: a melody is drawn on the roll with the mouse, or typed as letters.

A click writes a quarter note, a drag a longer one; a click on a note of the voice removes it. A to
G write a quarter note at the end of the melody, Backspace removes the last note. The notes belong
to the selected voice, by default the soprano. Every note is a step that can be undone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Voice
from musicrel.errors import UsageError
from musicrel.presentation.roll import note_edits
from musicrel.ui.actions import commands
from musicrel.ui.controllers.compose_controller import NOT_DONE, ComposeController
from musicrel.ui.controllers.lock_controller import LockController
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.shell.main_window import MainWindow

TITLE: Final = "Melody"
HINT: Final = (
    "Draw a melody",
    "Click or drag on the roll, or type A to G. Then harmonise it (Ctrl+H).",
)
TIP: Final = "Draw a melody: click or drag on the roll, or type A to G (Ctrl+D)"
DRAWS: Final = "Note input, {voice}: click, drag, or type A to G; Backspace removes the last note"
_PRESSES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
FULL: Final = "The piece is full: set a larger number of bars first"


class NoteEditor(QObject):
    """The controller of note input.

    Args:
        window: the main window.
        compose: the controller of the current piece.
        locks: the controller of its locks, which stay as they are.
    """

    def __init__(
        self, window: MainWindow, compose: ComposeController, locks: LockController
    ) -> None:
        super().__init__(window.compose_page.roll)
        self._window, self._compose, self._locks = window, compose, locks
        self._roll, self._act = window.compose_page.roll, window.commands.rewriting.draw
        self._pressed: QPoint | None = None
        self._roll.viewport().installEventFilter(self)
        self._roll.installEventFilter(self)
        for signal, slot in (
            (self._act.toggled, self._toggle_drawing),
            (compose.generation_started, self._update_enabled),
            (compose.piece_changed, self._update_enabled),
        ):
            signal.connect(slot)
        self._update_enabled()

    @property
    def voice(self) -> Voice:
        """Return the voice whose notes are drawn."""
        selection = self._window.compose_page.selecting.selection
        one = selection is not None and len(selection.voices) == 1
        return Voice(selection.voices[0]) if selection is not None and one else Voice.SOPRANO

    # ------------------------------------------------------------------ user actions

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle mouse and letter keys on the roll while note input is active."""
        if isinstance(event, QMouseEvent) and watched is self._roll.viewport():
            return self._draws and self._mouse(event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return watched is self._roll and self._draws and self._key(event)
        return False

    @property
    def _draws(self) -> bool:
        """Return True if note input is on and the roll shows the current piece."""
        return (
            self._act.isChecked()
            and self._act.isEnabled()
            and not self._compose.preview_disabled_reason
        )

    def _mouse(self, event: QMouseEvent) -> bool:
        place = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton:
            if event.type() in _PRESSES and _in_lanes(place):
                self._pressed = place
            elif event.type() == QEvent.Type.MouseButtonRelease and self._pressed is not None:
                pressed, self._pressed = self._pressed, None
                self._draw(pressed, place)
                return True
        return self._pressed is not None

    def _draw(self, pressed: QPoint, place: QPoint) -> None:
        """Remove the clicked note, or write one from where the mouse was pressed."""
        piece, view = self._sheet(), self._roll.seen
        if piece is None:
            return
        one, other = (view.step_at(point.x() - KEYBOARD_WIDTH) for point in (pressed, place))
        under = self._roll.note_at(pressed)
        if under is not None and under.voice == self.voice and pressed == place:
            self._set_piece(note_edits.remove_note(piece, self.voice, under.start))
        elif one < piece.steps:
            pitch, _ = view.pitch_at(pressed.y() - RULER_HEIGHT)
            ends = (one, one) if pressed == place else (one, other)
            self._set_piece(
                note_edits.put_note(
                    piece, self.voice, note_edits.span_between(ends, piece.steps), pitch
                )
            )

    def _key(self, event: QKeyEvent) -> bool:
        letter, piece = event.text().upper(), self._sheet()
        if piece is None or event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            return False
        last = note_edits.end(piece, self.voice)
        if event.key() == Qt.Key.Key_Backspace and last:
            self._set_piece(note_edits.remove_note(piece, self.voice, last - 1))
        elif letter and letter in note_edits.LETTERS:
            self._write(piece, letter, last)
        else:
            return False
        return True

    def _write(self, piece: Chorale, letter: str, start: int) -> None:
        """Write a quarter note at the end of the melody."""
        stop = min(start + STEPS_PER_QUARTER, piece.steps)
        if start >= stop:
            self._window.set_state(FULL)
            return
        pitch = note_edits.nearest_pitch(letter, piece, self.voice)
        self._set_piece(note_edits.put_note(piece, self.voice, (start, stop), pitch))
        self._roll.follow(stop - 1, resume=True)

    # ------------------------------------------------------------------ internals

    def _sheet(self) -> Chorale | None:
        """Return the piece to draw on, by default an empty one; None if the form is invalid."""
        if self._compose.piece is not None:
            return self._compose.piece
        try:
            plan = self._window.compose_page.controls.compose_form.form().request().plan()
        except UsageError as reason:
            self._compose.report(str(reason))
            return None
        return replace(plan, title=TITLE)

    def _set_piece(self, piece: Chorale) -> None:
        """Make the changed piece the current one; it no longer has the model's provenance."""
        locked = self._locks.cells
        if locked is not None:
            self._locks.carry_over(locked)
        state = DRAWS.format(voice=self.voice.name.lower())
        piece = replace(piece, provenance=None)
        self._compose.show_piece(piece, None, state, saved=False)

    @Slot()
    def _toggle_drawing(self) -> None:
        """Switch note input on or off."""
        on = self._act.isChecked()
        self._roll.viewport().setCursor(
            Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor
        )
        if on:
            self._roll.set_hint(*HINT)
            self._roll.setFocus()
            self._window.set_state(DRAWS.format(voice=self.voice.name.lower()))
        else:
            self._compose.show_hint()

    @Slot()
    def _update_enabled(self) -> None:
        """Disable note input while a piece is being generated."""
        commands.set_enabled(self._act, NOT_DONE if self._compose.busy else "")
        if not self._compose.busy:
            self._act.setToolTip(TIP)


def _in_lanes(place: QPoint) -> bool:
    return place.x() >= KEYBOARD_WIDTH and place.y() >= RULER_HEIGHT
