"""Controller of note input: notes are typed at a cursor as in MuseScore, or clicked on the roll.

The note before the cursor is selected, so that the commands of the Edit menu change the note just
written. If something else selects a note, such as Undo, the cursor stands after it. On an empty
sheet the first note begins a piece with the bars, the meter and the key of the form: one step of
Undo, and none before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import MAX_STEPS, Chorale, Voice
from musicrel.editing import note_edits, note_input
from musicrel.editing.edit import Edit
from musicrel.editing.note_input import Cursor
from musicrel.editing.notes import Note, notes_in, voice_end
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from musicrel.presentation.compose.blank_piece import blank_piece
from musicrel.ui.actions import commands
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.sketch import Sketch
from musicrel.ui.editing.editor import Editor
from musicrel.ui.editing.input_bar import InputBar
from musicrel.ui.editing.note_keys import Move, NoteKeys
from musicrel.ui.roll.roll_cursor import Place

HINT: Final = (
    "Write a melody",
    "Type A to G, or click on the roll. Then harmonise it (Ctrl+H).",
)
TIP: Final = "Note input: type A to G, or click on the roll (Ctrl+D, or N)"
STARTED: Final = "Note input, {voice}: A to G write notes, 3 to 7 set the duration, Esc ends"
ENDED: Final = "Note input is off"

Write: TypeAlias = Callable[[Chorale, Cursor], tuple[Edit, Cursor]]


class NoteInputController(QObject):
    started = Signal()  # note input was switched on; the sheet is to be visible
    hint_changed = Signal()  # another hint is to be on the empty sheet

    def __init__(
        self,
        document: Document,
        messages: Messages,
        editor: Editor,
        *,
        page: ComposePage,
        bar: InputBar,
        action: QAction,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._editor = document, messages, editor
        self._page, self._bar, self._action = page, bar, action
        self._keys = NoteKeys((page.roll, page.score), self)
        self._cursor: Cursor | None = None
        self._writing = False
        self._steps = self._least = 0  # of the piece, and without the bars that were added here
        bar.hide()
        self._connect()
        self._update_enabled()

    @property
    def cursor(self) -> Cursor | None:
        """Return the cursor; None while note input is off."""
        return self._cursor

    @property
    def hint(self) -> tuple[str, str] | None:
        """Return title and text for the empty sheet while note input is on."""
        return HINT if self._cursor is not None else None

    # ------------------------------------------------------------------ on and off

    @Slot(bool)
    def _toggle(self, on: bool) -> None:
        """Begin at the selection, or else where the melody ends; or end."""
        if on:
            self.started.emit()
            self._page.shown.setFocus()
            self._set_cursor(self._first_cursor())
            self._show_blank()
            voice = Voice(self._cursor.voice if self._cursor is not None else 0)
            self._messages.show_state(STARTED.format(voice=voice.name.lower()))
        else:
            self._set_cursor(None)
            self._messages.show_state(ENDED)
            if self._document.piece is None and not self._document.generating:
                self._document.draw(None)
        self._bar.setVisible(on)
        self.hint_changed.emit()

    @Slot()
    def _toggle_by_key(self) -> None:
        self._action.trigger()
        if not self._action.isEnabled():
            self._messages.show_state(self._action.toolTip())

    @Slot()
    def _end(self) -> None:
        self._action.setChecked(False)

    @Slot()
    def _on_document_replaced(self) -> None:
        """End, and clear the status bar: both belong to another document."""
        self._end()
        self._messages.show_state("")

    def _first_cursor(self) -> Cursor:
        piece, selection = self._document.piece, self._document.selection
        if piece is None:
            return Cursor(voice=0, step=0)
        if selection is not None:
            return Cursor(voice=selection.voices[0], step=selection.start)
        end = voice_end(piece, 0)
        here = int(self._page.playhead.step or 0)
        return Cursor(voice=0, step=end if end < piece.steps else min(here, piece.steps))

    @Slot()
    def _show_blank(self) -> None:
        document = self._document
        if self._cursor is None or document.piece is not None or document.generating:
            return
        try:
            piece = blank_piece(document.form)
        except UsageError:  # the form shows the reason
            return
        document.draw(Sketch(piece=piece, written=0))

    # ------------------------------------------------------------------ writing

    def _write(self, write: Write, *, sounds: bool = False) -> None:
        """Apply an edit at the cursor and move the cursor."""
        cursor = self._cursor
        if cursor is None or self._document.unready_reason:
            return
        try:
            piece = self._editor.begun_piece()
        except UsageError as reason:
            self._messages.report(str(reason))
            return
        try:
            edit, after = write(piece, cursor)
        except UsageError as reason:
            self._editor.explain(reason)
            return
        self._writing = True
        applied = self._editor.apply(lambda: edit, sounds=sounds, unchanged="")
        self._writing = False
        if applied:
            self._set_cursor(after)

    @Slot(str)
    def _write_letter(self, letter: str) -> None:
        self._write(partial(_entered, letter), sounds=True)

    @Slot()
    def _remove(self) -> None:
        self._write(partial(note_input.backspace, least=self._least or MAX_STEPS))

    @Slot()
    def _write_rest(self) -> None:
        self._write(note_input.rest)

    @Slot(int, int, int)
    def _write_drawn(self, start: int, stop: int, pitch: int) -> None:
        self._write(partial(_drawn, start, stop, pitch), sounds=True)

    @Slot(int, int, int)
    def write_at(self, step: int, pitch: int, voice: int) -> None:
        if self._cursor is not None:
            self._set_cursor(replace(self._cursor, voice=voice, step=step))
            self._write_drawn(step, step + self._cursor.length, pitch)

    # ------------------------------------------------------------------ the cursor

    @Slot(object)
    def _move(self, move: Move) -> None:
        piece, cursor = self._document.piece, self._cursor
        if cursor is None:
            return
        sketch = self._document.sketch
        if piece is None:  # nothing is written yet: only the voice can change
            if sketch is not None:
                self._set_cursor(replace(move(sketch.piece, cursor), step=0))
            return
        after = move(piece, cursor)
        self._document.select(note_input.selection_before(piece, after))
        self._set_cursor(after)

    @Slot(int)
    def _set_voice(self, voice: int) -> None:
        self._move(lambda _piece, cursor: replace(cursor, voice=voice))

    @Slot(int)
    def _set_duration(self, steps: int) -> None:
        if self._cursor is not None:
            self._set_cursor(self._cursor.with_duration(steps))

    @Slot()
    def _add_dot(self) -> None:
        if self._cursor is None:
            return
        try:
            self._set_cursor(self._cursor.with_dot())
        except UsageError as reason:
            self._editor.explain(reason)
            self._set_cursor(self._cursor)

    def _set_cursor(self, cursor: Cursor | None) -> None:
        """Show the cursor on the roll and its duration on the bar."""
        self._cursor, self._keys.on = cursor, cursor is not None
        self._page.score.set_input_cursor(cursor)
        if cursor is None:
            self._page.note_cursor.show_place(None)
            self._page.mouse.write(None)
            return
        self._page.note_cursor.show_place(Place(cursor.voice, cursor.step, cursor.length))
        self._page.mouse.write(cursor.voice, cursor.length)
        self._bar.show_cursor(cursor)
        self._page.roll.follow(cursor.step, resume=True)

    @Slot(object)
    def _on_selection_changed(self, selection: Selection | None) -> None:
        piece = self._document.piece
        if self._cursor is None or piece is None or selection is None:
            return
        found = notes_in(piece, replace(selection, voices=selection.voices[:1]))
        step = max((note.stop for note in found), default=selection.start)
        self._set_cursor(replace(self._cursor, voice=selection.voices[0], step=step))

    @Slot(object)
    def _on_piece_changed(self, piece: Chorale | None) -> None:
        steps = piece.steps if piece is not None else 0
        if steps != self._steps and not (self._writing and self._steps):
            self._least = steps
        self._steps = steps
        self._update_enabled()
        self._on_selection_changed(self._document.selection)
        if self._cursor is not None and piece is not None and self._cursor.step > piece.steps:
            self._set_cursor(replace(self._cursor, step=piece.steps))
        elif self._cursor is not None and piece is None and not self._document.generating:
            self._set_cursor(replace(self._cursor, step=0))
            self._show_blank()

    @Slot()
    def _update_enabled(self) -> None:
        reason = self._document.unready_reason
        self._keys.writes = not reason
        commands.set_enabled(self._action, reason)
        self._bar.set_disabled_reason(reason)
        if not reason:
            self._action.setToolTip(TIP)

    def _connect(self) -> None:
        bar, document, keys = self._bar, self._document, self._keys
        for signal, slot in (
            (self._action.toggled, self._toggle),
            (bar.voice_chosen, self._set_voice),
            (bar.duration_chosen, self._set_duration),
            (bar.dot_clicked, self._add_dot),
            (bar.rest_clicked, self._write_rest),
            (bar.close_clicked, self._end),
            (keys.toggled, self._toggle_by_key),
            (keys.ended, self._end),
            (keys.letter_typed, self._write_letter),
            (keys.rest_typed, self._write_rest),
            (keys.removed, self._remove),
            (keys.duration_typed, self._set_duration),
            (keys.dot_typed, self._add_dot),
            (keys.moved, self._move),
            (self._page.mouse.drawn, self._write_drawn),
            (document.form_changed, self._show_blank),
            (document.generation_started, self._update_enabled),
            (document.shown_changed, self._update_enabled),
            (document.piece_changed, self._on_piece_changed),
            (document.selection_changed, self._on_selection_changed),
            (document.replaced, self._on_document_replaced),
        ):
            signal.connect(slot)


def _entered(letter: str, piece: Chorale, cursor: Cursor) -> tuple[Edit, Cursor]:
    return note_input.enter(piece, cursor, letter)


def _drawn(
    start: int, stop: int, pitch: int, piece: Chorale, cursor: Cursor
) -> tuple[Edit, Cursor]:
    edit = note_edits.put(piece, Note(start, stop, pitch, cursor.voice))
    return edit, replace(cursor, step=stop)
