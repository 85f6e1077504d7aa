"""The pencil: a melody is drawn on the roll with the mouse, or typed as letters.

A click writes a quarter, a drag a longer note; a click on a note of the voice takes it out. A to G
write a quarter at the end of the melody, Backspace takes the last one out. The voice is the one
that is selected, else the soprano. Every note is a step that can be undone.

This file knows the roll and the sheet; what a note does to a piece stands in ``penned``.
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
from musicrel.ui.controllers.compose_controller import NOT_DONE, Studio
from musicrel.ui.controllers.lock_controller import Locking
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.shell.main_window import MainWindow

TITLE: Final = "Melody"
HINT: Final = (
    "Draw a melody",
    "Click or drag on the roll, or type A to G. Then have it harmonised (Ctrl+H).",
)
TIP: Final = "Draw a melody: click or drag on the roll, or type A to G (Ctrl+D)"
DRAWS: Final = "The pencil writes the {voice}: click, drag, or type A to G; Backspace takes back"
_PRESSES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
FULL: Final = "The sheet is full: give it more bars first"


class Pencil(QObject):
    """Wires the pencil to the roll.

    Args:
        window: with a roll and a command that takes the pencil up.
        studio: has the piece that is drawn on, and takes the one that comes of it.
        locking: what is locked stays so.
    """

    def __init__(self, window: MainWindow, studio: Studio, locking: Locking) -> None:
        super().__init__(window.page.roll)
        self._window, self._studio, self._locking = window, studio, locking
        self._roll, self._act = window.page.roll, window.commands.rewriting.draw
        self._pressed: QPoint | None = None
        self._roll.viewport().installEventFilter(self)
        self._roll.installEventFilter(self)
        for signal, slot in (
            (self._act.toggled, self._take_up),
            (studio.began, self._allow),
            (studio.offered, self._allow),
        ):
            signal.connect(slot)
        self._allow()

    @property
    def voice(self) -> Voice:
        """Whose notes are drawn."""
        selection = self._window.page.selecting.selection
        one = selection is not None and len(selection.voices) == 1
        return Voice(selection.voices[0]) if selection is not None and one else Voice.SOPRANO

    # ------------------------------------------------------------------ what the user did

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take mouse and letters while the pencil is held, and nobody writes."""
        if isinstance(event, QMouseEvent) and watched is self._roll.viewport():
            return self._draws and self._mouse(event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return watched is self._roll and self._draws and self._key(event)
        return False

    @property
    def _draws(self) -> bool:
        """Whether the pencil is held, and it is the sheet that is seen."""
        return self._act.isChecked() and self._act.isEnabled() and not self._studio.guest

    def _mouse(self, event: QMouseEvent) -> bool:
        place = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton:
            if event.type() in _PRESSES and _on_paper(place):
                self._pressed = place
            elif event.type() == QEvent.Type.MouseButtonRelease and self._pressed is not None:
                pressed, self._pressed = self._pressed, None
                self._draw(pressed, place)
                return True
        return self._pressed is not None

    def _draw(self, pressed: QPoint, place: QPoint) -> None:
        """Take the note out that was clicked, else write one from where the mouse was pressed."""
        piece, view = self._sheet(), self._roll.seen
        if piece is None:
            return
        one, other = (view.step_at(point.x() - KEYBOARD_WIDTH) for point in (pressed, place))
        under = self._roll.note_at(pressed)
        if under is not None and under.voice == self.voice and pressed == place:
            self._keep(note_edits.taken(piece, self.voice, under.start))
        elif one < piece.steps:
            pitch, _ = view.pitch_at(pressed.y() - RULER_HEIGHT)
            ends = (one, one) if pressed == place else (one, other)
            self._keep(
                note_edits.put(piece, self.voice, note_edits.spanned(ends, piece.steps), pitch)
            )

    def _key(self, event: QKeyEvent) -> bool:
        letter, piece = event.text().upper(), self._sheet()
        if piece is None or event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            return False
        last = note_edits.end(piece, self.voice)
        if event.key() == Qt.Key.Key_Backspace and last:
            self._keep(note_edits.taken(piece, self.voice, last - 1))
        elif letter and letter in note_edits.LETTERS:
            self._write(piece, letter, last)
        else:
            return False
        return True

    def _write(self, piece: Chorale, letter: str, start: int) -> None:
        """Write a quarter at the end of the melody."""
        stop = min(start + STEPS_PER_QUARTER, piece.steps)
        if start >= stop:
            self._window.set_state(FULL)
            return
        pitch = note_edits.named(letter, piece, self.voice)
        self._keep(note_edits.put(piece, self.voice, (start, stop), pitch))
        self._roll.follow(stop - 1, anew=True)

    # ------------------------------------------------------------------ inside

    def _sheet(self) -> Chorale | None:
        """What is drawn on: the piece, or the empty sheet of the form; None where it has faults."""
        if self._studio.piece is not None:
            return self._studio.piece
        try:
            plan = self._window.page.controls.entries.form().request().plan()
        except UsageError as reason:
            self._studio.report(str(reason))
            return None
        return replace(plan, title=TITLE)

    def _keep(self, piece: Chorale) -> None:
        """Put what was drawn on the sheet; it is nobody's work but the user's."""
        kept = self._locking.cells
        if kept is not None:
            self._locking.carry(kept)
        state = DRAWS.format(voice=self.voice.name.lower())
        piece = replace(piece, provenance=None)
        self._studio.show_piece(piece, None, state, saved=False)

    @Slot()
    def _take_up(self) -> None:
        """Show what the pencil is for, or no longer."""
        held = self._act.isChecked()
        self._roll.viewport().setCursor(
            Qt.CursorShape.CrossCursor if held else Qt.CursorShape.ArrowCursor
        )
        if held:
            self._roll.set_hint(*HINT)
            self._roll.setFocus()
            self._window.set_state(DRAWS.format(voice=self.voice.name.lower()))
        else:
            self._studio.show_hint()

    @Slot()
    def _allow(self) -> None:
        """Nobody draws on what a model is writing."""
        commands.allow(self._act, NOT_DONE if self._studio.busy else "")
        if not self._studio.busy:
            self._act.setToolTip(TIP)


def _on_paper(place: QPoint) -> bool:
    return place.x() >= KEYBOARD_WIDTH and place.y() >= RULER_HEIGHT
