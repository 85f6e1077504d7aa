"""Controllers of the edits of notes and bars, from the menus and the keyboard, and of Undo.

The commands of Undo and Redo name what they change, and show it on the roll.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Final, TypeAlias, cast

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu

from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.errors import MusicrelError
from musicrel.figures.roll import Roll
from musicrel.language import tr
from musicrel.presentation import changes
from musicrel.presentation.changes import summary_of_notes
from musicrel.presentation.compose.form import blank_piece
from musicrel.presentation.words import names
from musicrel.presentation.words.keys import with_keys
from musicrel.project.contents import State
from musicrel.score.editing import clipboard, note_edits, piece_edits
from musicrel.score.editing.clipboard import Clip
from musicrel.score.editing.draft import Edit
from musicrel.score.editing.notes import Note, notes_in
from musicrel.score.editing.selection import Selection
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import MIME_TYPE, Group
from musicrel.ui.document.document import GENERATING, UNTITLED
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.score.score_view import ScoreView
from musicrel.ui.shell.main_window import Services

COPIED: Final = tr("Copied {notes}")
CUT: Final = tr("Cut {notes}")
NO_NOTES: Final = tr("No note is selected")
ALREADY_THERE: Final = tr(
    "These notes are here already: select another place to paste, or repeat them "
    "({key[edit.duplicate]})"
)
# opens the context menu, and so does the Menu key, from which Qt makes an event of its own
_MENU_KEY: Final = QKeySequence("Shift+F10")
WRITTEN_OUT: Final = tr(
    "There are no verses to write out: the piece has words in one verse at a time"
)
UNCHANGED: Final = tr("Nothing to change: no note is selected")
EFFECT: Final = "{what}; {effect}"
_TEMPO: Final = 120.0  # edited notes are short: three sixteenths at this tempo
NOTHING_TO_UNDO: Final = tr("There is nothing to undo")
NOTHING_TO_REDO: Final = tr("There is nothing to redo")
RESTORED: Final = tr("Restored {title}")
UNDONE: Final = tr("Undone: {effect}")
REDONE: Final = tr("Redone: {effect}")
_RESTORE: Final = tr("restore {title}")
_LOCKS: Final = tr("locks")
_DELETE: Final = tr("delete takes")
_RESTORE_TAKES: Final = tr("restore takes")


class EditController(QObject):
    def __init__(self, services: Services, editor: Editor) -> None:
        super().__init__(services.document)
        page, rewriting = services.page, services.commands.rewriting
        actions = services.commands.edit
        self._document, self._messages = services.document, services.messages
        self._editor, self._actions, self._rewriting = editor, actions, rewriting
        self._roll, self._views = page.roll, (page.roll, page.score)
        self.menu = QMenu(page)
        actions.fill_menu(self.menu)
        self.menu.addSeparator()
        self.menu.addActions([rewriting.lock, rewriting.rewrite])
        self.menu.aboutToShow.connect(self._offer_verse)
        actions.offer_in(*page.sheet_parts)
        for view in self._views:
            view.installEventFilter(self)
            view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            view.customContextMenuRequested.connect(partial(self._open_menu, view))
        self._connect()

    def _run(self, make: MakeEdit, *_: object, sounds: bool = False) -> None:
        self._editor.edit_selection(make, sounds=sounds)

    def _split(self, piece: Chorale, selection: Selection) -> Edit:
        step = round(self._roll.step or 0)
        inside = any(note.start < step < note.stop for note in notes_in(piece, selection))
        return note_edits.split(piece, selection, step if inside else None)

    @Slot()
    def copy(self) -> bool:
        piece, selection = self._document.piece, self._document.selection
        if piece is None or selection is None:
            return False
        clip = clipboard.copy(piece, selection)
        if not clip.notes:
            self._messages.show_state(NO_NOTES)
            return False
        write(clip, piece.key)
        self._messages.show_state(COPIED.format(notes=summary_of_notes(piece, selection)))
        return True

    @Slot()
    def cut(self) -> None:
        piece, selection = self._document.piece, self._document.selection
        if self.copy() and piece is not None and selection is not None:
            self._run(lambda piece, selection: clipboard.cut(piece, selection)[1])
            self._messages.show_state(CUT.format(notes=summary_of_notes(piece, selection)))

    @Slot()
    def paste(self) -> None:
        self._editor.apply(self._pasted, unchanged=with_keys(ALREADY_THERE), edited=())

    def _pasted(self) -> Edit:
        clip = Clip.from_json(copied().decode(errors="replace"))
        selection = self._document.selection
        if self._document.piece is None:
            return clipboard.paste(self._editor.begun_piece(), clip, 0)
        piece = self._document.piece
        one = selection is not None and len(selection.voices) == len(clip.voices) == 1
        voice = selection.voices[0] if selection is not None and one else None
        return clipboard.paste(piece, clip, self._place(piece), voice)

    def _place(self, piece: Chorale) -> int:
        selection = self._document.selection
        step = selection.start if selection is not None else int(self._roll.step or 0)
        return min(step, piece.steps - 1)

    @Slot()
    def select_all(self) -> None:
        if self._roll.picture is not None:
            self._document.select(self._roll.picture.everything)

    def _extend(self, extend: Callable[[Roll, Selection], Selection], *_: object) -> None:
        picture, selection = self._roll.picture, self._document.selection
        if picture is not None and selection is not None:
            self._document.select(extend(picture, selection))

    @Slot()
    def add_bar(self) -> None:
        piece = self._document.piece
        if piece is not None:
            self._editor.apply(partial(piece_edits.add_bar, piece))
            self._roll.follow(piece.steps, resume=True)

    @Slot()
    def insert_bar(self) -> None:
        piece = self._document.piece
        if piece is not None:
            self._editor.apply(partial(piece_edits.insert_bar, piece, self._place(piece)))

    @Slot()
    def write_out(self) -> None:
        piece = self._document.piece
        if piece is not None:
            self._editor.apply(partial(piece_edits.write_out, piece), unchanged=WRITTEN_OUT)

    @Slot()
    def _offer_verse(self) -> None:
        self.menu.removeAction(self._rewriting.verse)
        if self._rewriting.verse.isEnabled():
            self.menu.insertAction(self._rewriting.rewrite, self._rewriting.verse)

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

    def _connect(self) -> None:
        act = self._actions
        for action, (make, sounds) in (_edits(act) | {act.split: (self._split, False)}).items():
            action.triggered.connect(partial(self._run, make, sounds=sounds))
        for signal, slot in (
            (act.cut.triggered, self.cut),
            (act.copy.triggered, self.copy),
            (act.paste.triggered, self.paste),
            (act.select_all.triggered, self.select_all),
            (act.select_bars.triggered, partial(self._extend, Roll.whole_bars)),
            (act.select_voice.triggered, partial(self._extend, _whole_voices)),
            (act.add_bar.triggered, self.add_bar),
            (act.insert_bar.triggered, self.insert_bar),
            (act.write_out.triggered, self.write_out),
        ):
            signal.connect(slot)


def _whole_voices(picture: Roll, selection: Selection) -> Selection:
    return Selection(voices=selection.voices, start=0, stop=picture.steps)


def _edits(act: Group) -> dict[QAction, tuple[MakeEdit, bool]]:
    """Return the edit of each command, and whether its notes are to sound."""
    move, by_scale, resize = note_edits.move, note_edits.move_by_scale, note_edits.resize
    silent: dict[QAction, MakeEdit] = {
        act.delete: note_edits.delete,
        act.duplicate: clipboard.duplicate,
        act.earlier: partial(move, steps=-1),
        act.later: partial(move, steps=1),
        act.longer: partial(resize, steps=1),
        act.shorter: partial(resize, steps=-1),
        act.join: note_edits.join,
        act.fermata: piece_edits.toggle_fermata,
        act.slur: piece_edits.toggle_slurs,
        act.remove_bars: piece_edits.remove_bars,
    }
    sounding: dict[QAction, MakeEdit] = {
        act.scale_up: partial(by_scale, degrees=1),
        act.scale_down: partial(by_scale, degrees=-1),
        act.semitone_up: partial(move, semitones=1),
        act.semitone_down: partial(move, semitones=-1),
        act.octave_up: partial(move, semitones=12),
        act.octave_down: partial(move, semitones=-12),
        **{one: partial(note_edits.change_voice, voice=one.data()) for one in act.to_voice},
    }
    return {
        action: (make, edits is sounding)
        for edits in (silent, sounding)
        for action, make in edits.items()
    }


def write(clip: Clip, key: Key | None) -> None:
    """Put notes on the clipboard; as text they are spelled in ``key``."""
    data = QMimeData()
    data.setData(MIME_TYPE, clip.to_json().encode())
    pitches = {voice: [n.pitch for n in clip.notes if n.voice == voice] for voice in clip.voices}
    data.setText(
        "\n".join(
            f"{Voice(voice).title}: {' '.join(names.pitch(pitch, key) for pitch in found)}"
            for voice, found in pitches.items()
        )
    )
    QGuiApplication.clipboard().setMimeData(data)


def copied() -> bytes:
    """Return what the clipboard has of notes; nothing if it holds none."""
    data = cast("QMimeData | None", QGuiApplication.clipboard().mimeData())  # None on some systems
    return b"" if data is None else bytes(data.data(MIME_TYPE).data())


MakeEdit: TypeAlias = Callable[[Chorale, Selection], Edit]


class Editor(QObject):
    """Applies edits to the document; edited notes sound beside the piece, if that is on."""

    def __init__(self, services: Services) -> None:
        document, window = services.document, services.window
        super().__init__(document)
        self._document, self._messages, self._player = document, services.messages, services.player
        self._roll, self._sound = window.compose_page.roll, window.commands.edit.sound
        self._blank: Chorale | None = None
        document.screen_changed.connect(services.player.stop_preview)

    def begun_piece(self) -> Chorale:
        """Return the piece; on an empty sheet a blank one, which is shown with its first edit."""
        piece = self._document.piece
        if piece is None:
            piece = self._blank = blank_piece(self._document.form)
        return piece

    def apply(
        self,
        make: Callable[[], Edit],
        *,
        sounds: bool = False,
        unchanged: str = UNCHANGED,
        edited: Collection[Note] | None = None,
    ) -> bool:
        """Apply an edit; return whether it could be made.

        One that changes nothing makes no step of Undo: its notes are selected and played.

        Args:
            sounds: True plays the edited notes.
            unchanged: message if the edit changes nothing; "": none.
            edited: the notes it is about; the status bar names others that it replaces or cuts.
                None: it names none.
        """
        if not self.check_ready():
            return False
        try:
            edit = make()
        except MusicrelError as error:
            self.explain(error)
            return False
        present = self._document.piece
        if edit.piece is not (present or self._blank):
            self._begin()
            self._document.apply(edit)
            if edited is not None and present is not None and edit.source_T is None:
                self._report_effect(changes.effects(present, edit.piece, edited))
        elif unchanged:
            self._messages.show_state(unchanged)
            return True
        elif present is not None:
            self._document.select(edit.selection)
        if edit.selection is not None:
            self._show(edit.selection, sounds=sounds)
        return True

    def check_ready(self) -> bool:
        reason = self._document.unready_reason
        if reason:
            self._messages.show_state(reason)
        return not reason

    def edit_selection(self, make: MakeEdit, *, sounds: bool = False) -> None:
        piece, selection = self._document.piece, self._document.selection
        if piece is not None and selection is not None:
            edited = notes_in(piece, selection)
            self.apply(partial(make, piece, selection), sounds=sounds, edited=edited)

    @Slot(int, int)
    def move(self, steps: int, semitones: int) -> None:
        make = partial(note_edits.move, steps=steps, semitones=semitones)
        self.edit_selection(make, sounds=semitones != 0)

    def _begin(self) -> None:
        """Show the blank piece before its first note, for Undo to lead back to."""
        document = self._document
        if self._blank is not None and document.piece is None and document.undo_state is None:
            document.show_piece(self._blank)

    def explain(self, error: MusicrelError) -> None:
        text = str(error)
        self._messages.show_state(text[:1].upper() + text[1:])

    def _report_effect(self, effect: str) -> None:
        piece, selection = self._document.piece, self._document.selection
        picture = self._roll.picture
        if piece is None or selection is None or picture is None:
            return
        found = notes_in(piece, selection)
        alone = len(found) == 1
        what = picture.describe(found[0]) if alone else picture.describe_selection(selection)
        self._messages.show_state(EFFECT.format(what=what, effect=effect) if effect else what)

    def _show(self, selection: Selection, *, sounds: bool) -> None:
        self._roll.follow(selection.start, resume=True)
        piece = self._document.piece
        if not sounds or piece is None or not self._sound.isChecked():
            return
        pitches = np.full(len(Voice), REST)
        for note in reversed(notes_in(piece, selection)):  # the first one of each voice
            pitches[note.voice] = note.pitch
        if (pitches != REST).any():
            self._player.preview(Chorale.of([pitches] * 3, tempo=_TEMPO))


# effect of a step that keeps the piece -> message after it
DONE: Final = {
    _LOCKS: tr("Locks restored"),
    _RESTORE_TAKES: tr("Takes restored"),
    _DELETE: tr("Takes deleted"),
}


class UndoController(QObject):
    """The controller of Undo and Redo; if ``closes_list`` closes a list, they do nothing else."""

    def __init__(self, services: Services) -> None:
        super().__init__(services.document)
        self._document, self._messages = services.document, services.messages
        self._actions = actions = services.commands
        self._roll = services.page.roll
        self.closes_list: Callable[[], bool] = lambda: False
        document = services.document
        for signal, slot in (
            (actions.undo.triggered, lambda: self._restore(newer=False)),
            (actions.redo.triggered, lambda: self._restore(newer=True)),
            (document.screen_changed, self._update_enabled),
            (document.locks_changed, self._update_enabled),
        ):
            signal.connect(slot)
        self._update_enabled()

    def _restore(self, *, newer: bool) -> None:
        """Undo or redo a step; after an edit, select and show its notes."""
        if self.closes_list():
            return
        document, before = self._document, self._document.piece
        state = document.redo_state if newer else document.undo_state
        is_edit, effect = bool(self._edit(state, newer=newer)), self._effect(state, newer=newer)
        if newer:
            document.redo()
        else:
            document.undo()
        if state is None:
            return
        if is_edit and before is not None:
            place = changes.place(state.piece, before)
            document.select(place)
            if place is not None:
                self._roll.follow(place.start, resume=True)
        done = DONE.get(effect, RESTORED.format(title=document.title))
        edited = (REDONE if newer else UNDONE).format(effect=effect)
        self._messages.show_state(edited if is_edit else done)

    def _effect(self, state: State | None, *, newer: bool) -> str:
        """Name what restoring ``state`` does; "" without one."""
        if state is None:
            return ""
        if state.piece is not self._document.piece:
            title = state.piece.title or UNTITLED
            return self._edit(state, newer=newer) or _RESTORE.format(title=title)
        takes = self._document.takes
        deleted = {take.number for take in takes.all} - {take.number for take in takes.visible}
        if state.deleted == deleted:
            return _LOCKS
        return _DELETE if state.deleted - deleted else _RESTORE_TAKES

    def _edit(self, state: State | None, *, newer: bool) -> str:
        """Name the edit between ``state`` and the present one; "" for a take of its own."""
        piece, take = self._document.piece, self._document.take
        number = take.number if take is not None else None
        if state is None or piece is None or state.piece is piece or state.take != number:
            return ""
        pieces = (piece, state.piece) if newer else (state.piece, piece)
        return changes.name(*pieces)

    @Slot()
    def _update_enabled(self) -> None:
        document, actions = self._document, self._actions
        for action, verb, newer, state, nothing in (
            (actions.undo, tr("&Undo"), False, document.undo_state, NOTHING_TO_UNDO),
            (actions.redo, tr("&Redo"), True, document.redo_state, NOTHING_TO_REDO),
        ):
            effect = self._effect(state, newer=newer)
            action.setText(f"{verb}: {effect.replace('&', '&&')}" if effect else verb)
            reason = GENERATING if document.generating else nothing
            commands.set_enabled(action, "" if effect else reason)
