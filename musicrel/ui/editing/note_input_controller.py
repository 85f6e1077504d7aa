"""Controller of note input: notes are typed at a cursor as in MuseScore, played or clicked.

The note before the cursor is selected, so that the commands of the Edit menu change the note just
written. If something else selects a note, such as Undo, the cursor stands after it. On an empty
sheet the first note begins a piece with the bars, the meter and the key of the form: one step of
Undo, and none before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QToolButton, QWidget

from musicrel.chorale import MAX_STEPS, Chorale, Voice
from musicrel.errors import UsageError
from musicrel.language import tr
from musicrel.playback.audio import DeviceError
from musicrel.playback.recorder import Recorder
from musicrel.presentation.compose.form import blank_piece
from musicrel.presentation.words.keys import with_keys
from musicrel.score.editing import note_edits, note_input
from musicrel.score.editing.draft import Edit
from musicrel.score.editing.note_input import DURATION_NAMES, DURATIONS, Cursor
from musicrel.score.editing.notes import Note, notes_in, voice_end
from musicrel.score.editing.selection import Selection
from musicrel.ui.document.document import Sketch
from musicrel.ui.editing.edit_controller import Editor
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets import icons, layout
from musicrel.ui.widgets.elided_label import ElidedLabel

HINT: Final = (
    tr("Write a melody"),
    tr("Type A to G, or click on the roll. Then harmonise it ({key[rewriting.harmonise]})."),
)
STARTED: Final = tr("Note input, {voice}: A to G write notes, 3 to 7 set the duration, Esc ends")
ENDED: Final = tr("Note input is off")
OWN: Final = tr(
    "The piece has its own: change it with Edit > Piece > Properties ({key[edit.properties]})"
)

Write: TypeAlias = Callable[[Chorale, Cursor], tuple[Edit, Cursor]]
Move: TypeAlias = Callable[[Chorale, Cursor], Cursor]
_OTHER_COMMANDS: Final = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
_WRITES: Final[Mapping[str, Write]] = {"0": note_input.rest, "T": note_input.tie}
# key -> where it moves the cursor
_MOVES: Final[Mapping[int, Move]] = {
    Qt.Key.Key_Left: lambda piece, cursor: cursor.previous(piece),
    Qt.Key.Key_Right: lambda piece, cursor: cursor.next(piece),
    Qt.Key.Key_PageUp: lambda _piece, cursor: cursor.in_voice(-1),
    Qt.Key.Key_PageDown: lambda _piece, cursor: cursor.in_voice(1),
    Qt.Key.Key_Home: lambda _piece, cursor: replace(cursor, step=0),
    Qt.Key.Key_End: lambda piece, cursor: replace(cursor, step=voice_end(piece, cursor.voice)),
}


class NoteInputController(QObject):
    started = Signal()  # note input was switched on; the sheet is to be visible
    hint_changed = Signal()  # another hint is to be on the empty sheet
    played = Signal(int)  # the pitch of a key of the MIDI keyboard, emitted in its thread

    def __init__(self, services: Services, editor: Editor, recorder: Recorder) -> None:
        super().__init__(services.document)
        self._document, self._messages, self._editor = services.document, services.messages, editor
        self._page, self._bar, self._recorder = services.page, InputBar(), recorder
        self._action = services.commands.rewriting.draw
        edit = services.commands.edit
        self._form = services.page.controls.compose_form
        self._raises = {Qt.Key.Key_Up: edit.semitone_up, Qt.Key.Key_Down: edit.semitone_down}
        self.cursor: Cursor | None = None
        self._writing = False
        self._steps = self._least = 0  # of the piece, and without the bars that were added here
        recorder.on_key = self.played.emit
        self._page.add_above_sheet(self._bar)
        self._bar.hide()
        for view in (self._page.roll, self._page.score):
            view.installEventFilter(self)
        self._connect()
        self._update_enabled()

    @property
    def hint(self) -> tuple[str, str] | None:
        return HINT if self.cursor is not None else None

    @Slot(bool)
    def _toggle(self, on: bool) -> None:
        """Begin at the selection, or else where the melody ends; or end."""
        if on:
            self.started.emit()
            self._page.shown.setFocus()
            self._set_cursor(self._first_cursor())
            self._show_blank()
            voice = Voice(self.cursor.voice if self.cursor is not None else 0)
            self._messages.show_state(STARTED.format(voice=voice.noun))
            self._listen()
        else:
            self._set_cursor(None)
            self._recorder.close()
            self._messages.show_state(ENDED)
            if self._document.piece is None and not self._document.generating:
                self._document.draw(None)
        self._bar.setVisible(on)
        self._update_enabled()
        self.hint_changed.emit()

    def _listen(self) -> None:
        """Listen to the MIDI keyboard that was chosen last, or to the first, if there is one."""
        (names, _), chosen = self._recorder.ports(), self._recorder.chosen
        try:
            self._recorder.arm(chosen if chosen in names else next(iter(names), ""))
        except DeviceError as reason:
            self._messages.report(str(reason))

    @Slot(int)
    def _play(self, pitch: int) -> None:
        self._write(partial(note_input.write, pitch=pitch), sounds=True)

    @Slot()
    def _end(self) -> None:
        self._action.setChecked(False)

    @Slot()
    def _on_document_replaced(self) -> None:
        self._end()
        self._messages.show_state("")

    def _first_cursor(self) -> Cursor:
        piece, selection = self._document.piece, self._document.selection
        if piece is None:
            return Cursor(voice=0, step=0)
        if selection is not None:
            return Cursor(voice=selection.voices[0], step=selection.start)
        end = voice_end(piece, 0)
        here = int(self._page.roll.step or 0)
        return Cursor(voice=0, step=end if end < piece.steps else min(here, piece.steps))

    @Slot()
    def _show_blank(self) -> None:
        document = self._document
        if self.cursor is None or document.piece is not None or document.generating:
            return
        try:
            piece = blank_piece(document.form)
        except UsageError:  # the form shows the reason
            return
        document.draw(Sketch(piece=piece, written=0))

    def _write(self, write: Write, *, sounds: bool = False) -> None:
        cursor = self.cursor
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

    @Slot(object)
    def write_note(self, note: Note) -> None:
        self._write(
            lambda piece, cursor: (
                note_edits.put(piece, note),
                replace(cursor, voice=note.voice, step=note.stop),
            ),
            sounds=True,
        )

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.modifiers() & _OTHER_COMMANDS:
            return False
        if event.text().upper() == "N":
            if not event.isAutoRepeat():
                self._action.trigger()
                if not self._action.isEnabled():
                    self._messages.show_state(self._action.toolTip())
        elif self.cursor is not None and event.key() == Qt.Key.Key_Escape:
            self._end()
        else:
            writes = self.cursor is not None and not self._document.unready_reason
            return writes and self._key(event)
        return True

    def _key(self, event: QKeyEvent) -> bool:
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        text, key = event.text().upper(), event.key()
        if text and text in "ABCDEFG":
            self._write(partial(note_input.enter, letter=text), sounds=True)
        elif text in DURATIONS:
            self._set_duration(DURATIONS[text])
        elif text in _WRITES:
            self._write(_WRITES[text])
        elif text == ".":
            self._add_dot()
        elif key == Qt.Key.Key_Backspace and not shift:
            self._write(partial(note_input.backspace, least=self._least or MAX_STEPS))
        elif key in _MOVES and not shift:
            self._move(_MOVES[key])
        elif key in self._raises and not shift:
            self._raises[Qt.Key(key)].trigger()
        else:
            return False
        return True

    def _move(self, move: Move) -> None:
        piece, cursor = self._document.piece, self.cursor
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
    def _set_duration(self, steps: int) -> None:
        if self.cursor is not None:
            self._set_cursor(self.cursor.with_duration(steps))

    @Slot()
    def _add_dot(self) -> None:
        if self.cursor is None:
            return
        try:
            self._set_cursor(self.cursor.with_dot())
        except UsageError as reason:
            self._editor.explain(reason)
            self._set_cursor(self.cursor)

    def _set_cursor(self, cursor: Cursor | None) -> None:
        self.cursor = cursor
        for view in (self._page.roll, self._page.score):
            view.set_input_cursor(cursor)
        if cursor is not None:
            self._bar.show_cursor(cursor)
            self._page.roll.follow(cursor.step, resume=True)

    @Slot(object)
    def _on_selection_changed(self, selection: Selection | None) -> None:
        piece = self._document.piece
        if self.cursor is None or piece is None or selection is None:
            return
        found = notes_in(piece, replace(selection, voices=selection.voices[:1]))
        step = max((note.stop for note in found), default=selection.start)
        self._set_cursor(replace(self.cursor, voice=selection.voices[0], step=step))

    @Slot(object)
    def _on_piece_changed(self, piece: Chorale | None) -> None:
        steps = piece.steps if piece is not None else 0
        if steps != self._steps and not (self._writing and self._steps):
            self._least = steps
        self._steps = steps
        self._update_enabled()
        self._on_selection_changed(self._document.selection)
        if self.cursor is not None and piece is not None and self.cursor.step > piece.steps:
            self._set_cursor(replace(self.cursor, step=piece.steps))
        elif self.cursor is not None and piece is None and not self._document.generating:
            self._set_cursor(replace(self.cursor, step=0))
            self._show_blank()

    @Slot()
    def _update_enabled(self) -> None:
        self._bar.set_disabled_reason(self._document.unready_reason)
        writes = self.cursor is not None and self._document.piece is not None
        self._form.set_piece_reason(with_keys(OWN) if writes else "")

    def _connect(self) -> None:
        bar, document = self._bar, self._document
        for signal, slot in (
            (self._action.toggled, self._toggle),
            (self.played, self._play),
            (
                bar.voice_chosen,
                lambda voice: self._move(lambda _piece, cursor: replace(cursor, voice=voice)),
            ),
            (bar.duration_chosen, self._set_duration),
            (bar.dot.clicked, self._add_dot),
            (bar.rest.clicked, lambda *_: self._write(note_input.rest)),
            (bar.close_button.clicked, self._end),
            (document.form_changed, self._show_blank),
            (document.screen_changed, self._update_enabled),
            (document.piece_changed, self._on_piece_changed),
            (document.selection_changed, self._on_selection_changed),
            (document.replaced, self._on_document_replaced),
        ):
            signal.connect(slot)


NAME: Final = tr("Note input")
KEYS: Final = tr("A to G: notes, 3 to 7: lengths, 0: rest, T: tie, Esc: end")
KEYS_TIP: Final = tr(
    "A to G: a note, 0: a rest; a MIDI keyboard writes notes, too\n"
    "3 to 7: sixteenth to whole note, full stop: dotted\n"
    "Up, Down: raise or lower the last note; Ctrl+Up, Ctrl+Down: by an octave\n"
    "T: tie the last note to another one of the chosen length\n"
    "Backspace: remove the note before the cursor\n"
    "Left, Right, Home, End: move the cursor; Page Up, Page Down: another voice\n"
    "Click or drag on the roll: write a note; click it again: remove it\n"
    "Esc: leave note input"
)
VOICE_TIP: Final = tr("Write the {voice} (Page Up and Page Down change the voice)")
DURATION_TIP: Final = "{name} ({key})"
DOT_TIP: Final = tr("Dotted: half as long again (full stop)")
REST_TIP: Final = tr("Write a rest (0)")
CLOSE_TIP: Final = tr("Leave note input (Esc)")
# steps of a duration -> its drawing
_ICONS: Final = {1: "note-16", 2: "note-8", 4: "note-4", 8: "note-2", 16: "note-1"}
_VOICE_SIZE: Final = QSize(28, 28)


class InputBar(QFrame):
    voice_chosen = Signal(int)
    duration_chosen = Signal(int)  # the steps of the next note, without its dot

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("input")
        self.setAccessibleName(NAME)
        self.voices = {int(voice): self._voice_button(voice) for voice in Voice}
        self.durations = {
            steps: self._duration_button(key, steps) for key, steps in DURATIONS.items()
        }
        self.dot, self.rest = icons.button("dot", DOT_TIP), icons.button("rest", REST_TIP)
        self.dot.setCheckable(True)
        self.close_button = icons.button("close", CLOSE_TIP)
        self.keys = ElidedLabel()
        self.keys.setText(KEYS)
        self.keys.setToolTip(KEYS_TIP)
        self.keys.setObjectName("quiet")
        self.keys.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._tips = {button: button.toolTip() for button in self._buttons}
        self._lay_out()

    def show_cursor(self, cursor: Cursor) -> None:
        self.voices[cursor.voice].setChecked(True)
        self.durations[cursor.duration].setChecked(True)
        self.dot.setChecked(cursor.dotted)

    def set_disabled_reason(self, reason: str) -> None:
        for button, tip in self._tips.items():
            button.setEnabled(not reason)
            button.setToolTip(reason or tip)

    @property
    def _buttons(self) -> tuple[QToolButton, ...]:
        return *self.voices.values(), *self.durations.values(), self.dot, self.rest

    def _voice_button(self, voice: Voice) -> QToolButton:
        button = icons.button("", VOICE_TIP.format(voice=voice.noun))
        button.setText(voice.letter)
        button.setObjectName(f"input{int(voice)}")
        button.setCheckable(True)
        button.setFixedSize(_VOICE_SIZE)
        button.clicked.connect(lambda: self.voice_chosen.emit(int(voice)))
        return button

    def _duration_button(self, key: str, steps: int) -> QToolButton:
        name = DURATION_NAMES[steps]
        tip = DURATION_TIP.format(name=f"{name[:1].upper()}{name[1:]}", key=key)
        button = icons.button(_ICONS[steps], tip)
        button.setCheckable(True)
        button.clicked.connect(lambda: self.duration_chosen.emit(steps))
        return button

    @Slot()
    def _lay_out(self) -> None:
        for group in (self.voices, self.durations):
            exclusive = QButtonGroup(self)
            for button in group.values():
                exclusive.addButton(button)
        layout.row(
            layout.row(*self.voices.values(), spacing=3),
            12,
            layout.row(*self.durations.values(), self.dot, spacing=1),
            12,
            self.rest,
            12,
            (self.keys, 1),
            self.close_button,
            owner=self,
            margins=(14, 3, 10, 3),
        )
