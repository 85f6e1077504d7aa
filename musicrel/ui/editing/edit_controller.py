"""Controller of the edits of notes and bars, from the menus and the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu

from musicrel.chorale import Chorale
from musicrel.editing import clipboard, note_edits, piece_edits
from musicrel.editing.edit import Edit
from musicrel.editing.notes import notes_in
from musicrel.editing.selection import Selection
from musicrel.presentation.roll.roll import Roll
from musicrel.presentation.roll.selection import everything, whole_bars
from musicrel.presentation.takes.edit_names import summary_of_notes
from musicrel.ui.actions import commands
from musicrel.ui.actions.edit_commands import EditCommands
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.document.document import NO_PIECE, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.editing import note_clipboard
from musicrel.ui.editing.editor import Editor, MakeEdit
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.score.score_view import ScoreView

NO_SELECTION: Final = "Nothing is selected: click a note, drag over some, or use the arrow keys"
CANDIDATES: Final = "Alt+Up and Alt+Down select a candidate now: accept one or go back first"
COPIED: Final = "Copied {notes}"
CUT: Final = "Cut {notes}"
NO_NOTES: Final = "No note is selected"
ALREADY_THERE: Final = (
    "These notes are here already: select another place to paste, or press R to repeat them"
)
_MENU_KEY: Final = QKeySequence("Shift+F10")
"""Opens the context menu, and so does the Menu key, from which Qt makes an event of its own."""


class EditController(QObject):
    """The controller of the Edit menu, and of the context menu of roll and score.

    Args:
        page: roll and score; their focus makes the keys work.
    """

    def __init__(
        self,
        document: Document,
        messages: Messages,
        editor: Editor,
        *,
        page: ComposePage,
        actions: EditCommands,
        rewriting: RewriteCommands,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._editor = document, messages, editor
        self._roll, self._playhead, self._views = page.roll, page.playhead, (page.roll, page.score)
        self._actions, self._candidates = actions, rewriting.next
        self.menu = QMenu(page)
        actions.fill_context(self.menu)
        self.menu.addSeparator()
        self.menu.addActions([rewriting.lock, rewriting.rewrite])
        actions.offer_on(*self._views)
        for view in self._views:
            view.installEventFilter(self)
            view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            view.customContextMenuRequested.connect(partial(self._open_menu, view))
        self._connect()
        self._update_enabled()

    # ------------------------------------------------------------------ the selection

    def _run(self, make: MakeEdit, *_: object, sounds: bool = False) -> None:
        self._editor.edit_selection(make, sounds=sounds)

    def _move(self, steps: int, semitones: int, *_: object) -> None:
        self._editor.move(steps, semitones)

    def _split(self, piece: Chorale, selection: Selection) -> Edit:
        """Split the notes at the playhead if it is inside of one, or else in the middle."""
        step = round(self._playhead.step or 0)
        inside = any(note.start < step < note.stop for note in notes_in(piece, selection))
        return note_edits.split(piece, selection, step if inside else None)

    # ------------------------------------------------------------------ the clipboard

    @Slot()
    def copy(self) -> bool:
        """Copy the selected notes to the clipboard; return False if there are none."""
        piece, selection = self._document.piece, self._document.selection
        if piece is None or selection is None:
            return False
        clip = clipboard.copy(piece, selection)
        if not clip.notes:
            self._messages.show_state(NO_NOTES)
            return False
        note_clipboard.write(clip, piece.key)
        self._messages.show_state(COPIED.format(notes=summary_of_notes(piece, selection)))
        return True

    @Slot()
    def cut(self) -> None:
        piece, selection = self._document.piece, self._document.selection
        if self.copy() and piece is not None and selection is not None:
            self._run(_cut)
            self._messages.show_state(CUT.format(notes=summary_of_notes(piece, selection)))

    @Slot()
    def paste(self) -> None:
        """Paste at the selection or the playhead; on an empty sheet into a new piece."""
        self._editor.apply(self._pasted, unchanged=ALREADY_THERE, edited=())

    def _pasted(self) -> Edit:
        clip, selection = note_clipboard.read(), self._document.selection
        if self._document.piece is None:
            return clipboard.paste(self._editor.begun_piece(), clip, 0)
        piece = self._document.piece
        one = selection is not None and len(selection.voices) == len(clip.voices) == 1
        voice = selection.voices[0] if selection is not None and one else None
        return clipboard.paste(piece, clip, self._place(piece), voice)

    def _place(self, piece: Chorale) -> int:
        """Return the first selected step, or else that of the playhead, within the piece."""
        selection = self._document.selection
        step = selection.start if selection is not None else int(self._playhead.step or 0)
        return min(step, piece.steps - 1)

    # ------------------------------------------------------------------ selecting

    @Slot()
    def select_all(self) -> None:
        self._select(lambda picture, _: everything(picture))

    @Slot()
    def select_bars(self) -> None:
        self._select(
            lambda picture, selection: whole_bars(picture, selection) if selection else None
        )

    @Slot()
    def select_voice(self) -> None:
        self._select(
            lambda picture, selection: (
                Selection(voices=selection.voices, start=0, stop=picture.steps)
                if selection
                else None
            )
        )

    def _select(self, choose: Callable[[Roll, Selection | None], Selection | None]) -> None:
        picture = self._roll.picture
        if picture is not None:
            self._document.select(choose(picture, self._document.selection))

    # ------------------------------------------------------------------ bars

    @Slot()
    def add_bar(self) -> None:
        piece = self._document.piece
        if piece is not None:
            self._editor.apply(partial(piece_edits.add_bars, piece))
            self._roll.follow(piece.steps, resume=True)

    @Slot()
    def insert_bar(self) -> None:
        piece = self._document.piece
        if piece is not None:
            self._editor.apply(partial(piece_edits.insert_bars, piece, self._place(piece)))

    # ------------------------------------------------------------------ the context menu

    def _open_menu(self, view: RollView | ScoreView, place: QPoint) -> None:
        """Open the context menu; the note under the mouse is selected unless it is already."""
        note, selection = view.note_at(place), self._document.selection
        if note is not None and (selection is None or not selection.touches(note)):
            self._document.select(Selection.of_note(note))
        self.menu.popup(view.viewport().mapToGlobal(place))

    def _open_menu_by_key(self) -> bool:
        """Open the context menu for the selection, in the middle of the sheet; return True."""
        view = self._roll if self._roll.hasFocus() else self._views[1]
        self.menu.popup(view.viewport().mapToGlobal(view.viewport().rect().center()))
        return True

    # ------------------------------------------------------------------ what is possible

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QContextMenuEvent) and watched in self._views:
            by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
            return by_key and self._open_menu_by_key()
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        pressed = QKeySequence(event.keyCombination())
        if watched in self._views and pressed == _MENU_KEY:
            return self._open_menu_by_key()
        for action in self._actions.all if watched in self._views else ():
            if not action.isEnabled() and pressed in action.shortcuts():
                self._messages.show_state(action.toolTip())
                return True
        return False

    @Slot()
    def _update_enabled(self) -> None:
        """Enable the commands that are possible now; tooltips give the reasons of the others."""
        document, act = self._document, self._actions
        unready = document.unready_reason
        no_piece = unready or ("" if document.piece is not None else NO_PIECE)
        unselected = no_piece or ("" if document.selection is not None else NO_SELECTION)
        for action in act.on_piece:
            commands.set_enabled(action, no_piece)
        for action in act.on_selection:
            commands.set_enabled(action, unselected)
        commands.set_enabled(act.paste, unready or note_clipboard.unready_reason())
        if self._candidates.isEnabled():  # the same keys
            for action in (act.semitone_up, act.semitone_down):
                commands.set_enabled(action, unselected or CANDIDATES)

    @Slot(object)
    def _on_piece_changed(self, piece: Chorale | None) -> None:
        selection = self._document.selection
        if piece is not None and selection is not None and selection.stop > piece.steps:
            self._document.select(_clipped(selection, piece.steps))

    def _connect(self) -> None:
        act, document = self._actions, self._document
        for action, make in (_edits(act) | {act.split: self._split}).items():
            sounds = action in (act.scale_up, act.scale_down, *act.to_voice)
            action.triggered.connect(partial(self._run, make, sounds=sounds))
        for action, shift in _moves(act).items():
            action.triggered.connect(partial(self._move, *shift))
        for signal, slot in (
            (act.cut.triggered, self.cut),
            (act.copy.triggered, self.copy),
            (act.paste.triggered, self.paste),
            (act.select_all.triggered, self.select_all),
            (act.select_bars.triggered, self.select_bars),
            (act.select_voice.triggered, self.select_voice),
            (act.add_bar.triggered, self.add_bar),
            (act.insert_bar.triggered, self.insert_bar),
            (document.piece_changed, self._on_piece_changed),
            (QGuiApplication.clipboard().dataChanged, act.clipboard_changed),
            (act.clipboard_changed, self._update_enabled),
            (document.selection_changed, self._update_enabled),
            (document.shown_changed, self._update_enabled),
            (document.generation_started, self._update_enabled),
            (self._candidates.enabledChanged, self._update_enabled),
        ):
            signal.connect(slot)


def _edits(act: EditCommands) -> dict[QAction, MakeEdit]:
    by_scale, resize = note_edits.move_by_scale, note_edits.resize
    return {
        act.delete: note_edits.delete,
        act.duplicate: clipboard.duplicate,
        act.scale_up: partial(by_scale, degrees=1),
        act.scale_down: partial(by_scale, degrees=-1),
        act.longer: partial(resize, steps=1),
        act.shorter: partial(resize, steps=-1),
        act.join: note_edits.join,
        act.fermata: piece_edits.toggle_fermata,
        act.remove_bars: piece_edits.remove_bars,
        **{action: partial(_to_voice, action.data()) for action in act.to_voice},
    }


def _moves(act: EditCommands) -> dict[QAction, tuple[int, int]]:
    """Return the steps and semitones of the commands that move notes."""
    return {
        act.semitone_up: (0, 1),
        act.semitone_down: (0, -1),
        act.octave_up: (0, 12),
        act.octave_down: (0, -12),
        act.earlier: (-1, 0),
        act.later: (1, 0),
    }


def _cut(piece: Chorale, selection: Selection) -> Edit:
    return clipboard.cut(piece, selection)[1]


def _to_voice(voice: int, piece: Chorale, selection: Selection) -> Edit:
    return note_edits.change_voice(piece, selection, voice)


def _clipped(selection: Selection, steps: int) -> Selection | None:
    """Return the part of a selection within ``steps``, if any."""
    if selection.start >= steps:
        return None
    return Selection(voices=selection.voices, start=selection.start, stop=steps)
