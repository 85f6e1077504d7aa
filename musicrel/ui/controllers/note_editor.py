"""Note editor: a melody is drawn on the roll with the mouse, or typed as letters.

A click writes a quarter note, a drag a longer one; a click on a note of the voice removes it. A to
G write a quarter note at the end of the melody, Backspace removes the last note. The notes belong
to the selected voice, by default the soprano. Every note is a step that can be undone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Voice
from musicrel.errors import UsageError
from musicrel.presentation.roll import note_edits
from musicrel.ui.actions import commands
from musicrel.ui.controllers.sheet_controller import SheetController
from musicrel.ui.document.document import GENERATING, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.roll.roll_view import RollView

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
        document: the piece that is edited; its locks stay as they are.
        messages: show what can be done.
        sheet: shows a hint on the empty roll.
        roll: where notes are drawn.
        action: switches note input on.
    """

    def __init__(
        self,
        document: Document,
        messages: Messages,
        sheet: SheetController,
        roll: RollView,
        action: QAction,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._sheet = document, messages, sheet
        self._roll, self._action = roll, action
        self._pressed: QPoint | None = None
        roll.viewport().installEventFilter(self)
        roll.installEventFilter(self)
        for signal, slot in (
            (action.toggled, self._toggle_drawing),
            (document.generation_started, self._update_enabled),
            (document.piece_changed, self._update_enabled),
        ):
            signal.connect(slot)
        self._update_enabled()

    @property
    def voice(self) -> Voice:
        """Return the voice whose notes are drawn."""
        selection = self._document.selection
        one = selection is not None and len(selection.voices) == 1
        return Voice(selection.voices[0]) if selection is not None and one else Voice.SOPRANO

    @property
    def hint(self) -> tuple[str, str] | None:
        """Return title and text for the empty sheet while note input is on."""
        return HINT if self._action.isChecked() else None

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
        return self._action.isChecked() and not self._document.unready_reason

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
        piece, view = self._sheet_piece(), self._roll.seen
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
        letter, piece = event.text().upper(), self._sheet_piece()
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
            self._messages.show_state(FULL)
            return
        pitch = note_edits.nearest_pitch(letter, piece, self.voice)
        self._set_piece(note_edits.put_note(piece, self.voice, (start, stop), pitch))
        self._roll.follow(stop - 1, resume=True)

    # ------------------------------------------------------------------ internals

    def _sheet_piece(self) -> Chorale | None:
        """Return the piece to draw on, by default an empty one; None if the form is invalid."""
        if self._document.piece is not None:
            return self._document.piece
        try:
            return replace(self._document.form.request().plan(), title=TITLE)
        except UsageError as reason:
            self._messages.report(str(reason))
            return None

    def _set_piece(self, piece: Chorale) -> None:
        """Make the changed piece the current one; it no longer has the model's provenance."""
        self._document.show_piece(replace(piece, provenance=None), locks=self._document.locks)
        self._messages.show_state(DRAWS.format(voice=self.voice.name.lower()))

    @Slot()
    def _toggle_drawing(self) -> None:
        """Switch note input on or off."""
        on = self._action.isChecked()
        self._roll.viewport().setCursor(
            Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor
        )
        self._sheet.set_hint(self.hint)
        if on:
            self._roll.setFocus()
            self._messages.show_state(DRAWS.format(voice=self.voice.name.lower()))

    @Slot()
    def _update_enabled(self) -> None:
        """Disable note input while a piece is being generated."""
        generating = self._document.generating
        commands.set_enabled(self._action, GENERATING if generating else "")
        if not generating:
            self._action.setToolTip(TIP)


def _in_lanes(place: QPoint) -> bool:
    return place.x() >= KEYBOARD_WIDTH and place.y() >= RULER_HEIGHT
