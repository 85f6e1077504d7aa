"""Controller of documents: new, open, save, close, and what a crash has left."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from musicrel import paths
from musicrel.errors import MusicrelError
from musicrel.project import SUFFIX
from musicrel.project.contents import Contents
from musicrel.ui.actions import commands
from musicrel.ui.actions.file_commands import FileCommands
from musicrel.ui.controllers.file_controller import FileController
from musicrel.ui.document.document import GENERATING, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.files import (
    file_dialogs,
    new_window,
    piece_document,
    recent,
    session,
    window_record,
)
from musicrel.ui.files.document_file import DocumentFile, Sound
from musicrel.ui.files.file_drop import FileDrop
from musicrel.ui.files.file_jobs import OpenedPiece
from musicrel.ui.files.new_window import RECOVER
from musicrel.ui.files.recent import RecentMenu
from musicrel.ui.files.session import Opened, Session
from musicrel.ui.files.unsaved_work import UnsavedWork

NOTHING_TO_SAVE: Final = "There is nothing to save yet: generate or open a piece"
NO_PROJECT: Final = "a project is not called {name}: choose a name with .musicrel, or use Export"
IS_OPEN: Final = "{name} is open already"
NOT_SAVED: Final = "the project is not saved: {reason}"
SAVED: Final = "Saved {name} in {folder}"
OPENED: Final = "Opened {name}"
RESTORED: Final = "“{name}” was restored with all edits after musicrel had ended unexpectedly"
NOT_RESTORED: Final = "a document cannot be restored: {reason}"
UNWRITTEN: Final = "the last edits are not in the file: {reason}"
READ_ONLY: Final = "{name} (read-only)"

_log = logging.getLogger(__name__)


def _do_nothing() -> None:
    """Do nothing after saving."""


class ProjectController(QObject):
    """The controller of the document's file.

    Args:
        window: parent of dialogs; files may be dropped on it.
        writing: returns True while notes are being written, which closing the window stops.
    """

    title_changed = Signal(str, bool)  # name of the document; True while it has unsaved changes
    opened = Signal()  # another document is shown

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        window: QWidget,
        actions: FileCommands,
        files: FileController,
        sound: Sound,
        writing: Callable[[], bool],
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._window, self._actions, self._files = window, actions, files
        self.file = DocumentFile(document, sound)
        self.unsaved = UnsavedWork(
            document, window, name=lambda: self.file.name, save=self._save_and, writing=writing
        )
        self._recent = RecentMenu(actions.recent)
        self._drops = FileDrop(window)
        self._connect()
        self._update()

    # ------------------------------------------------------------------ start and end

    def start(self, path: Path | None = None, identity: str = "") -> None:
        """Open the first document, and restore others in windows of their own.

        Args:
            path: a file to open; None: the newest document of a crash, if there is one, or what the
                user prefers.
            identity: the one document to restore; "": all of them.
        """
        if identity:
            self._restore_first([identity])
            return
        if path is not None:
            self.open(path)
        orphans = window_record.orphans()
        free = path is None and self._document.saved and not self._document.generating
        crashed = bool(orphans)
        if free:
            self._restore_first(orphans)
        for orphan in orphans:
            self._open_window((RECOVER, orphan))
        if free and not crashed:
            self._open_last()

    def _open_last(self) -> None:
        """Open the document of last time, if the user wants that and no other window has it."""
        wanted = self._preferences.settings.at_start == "last"
        newest = (
            next((path for path in recent.load() if paths.is_file(path)), None) if wanted else None
        )
        if newest is not None and not window_record.is_open(newest):
            self.open(newest)

    @Slot()
    def keep(self) -> None:
        """Ask nothing during a logout: the document comes back at the next start."""
        self.file.write_rest()
        self.unsaved.expect_logout()

    @Slot()
    def discard(self) -> None:
        self.unsaved.confirmed = True

    @Slot()
    def shut_down(self) -> None:
        """Close the file; a document that the user did not close comes back."""
        if self.unsaved.confirmed:
            problem = self.file.close()
            if problem:
                _log.warning(problem)
        else:
            self.file.leave()
        self.file.stop()

    # ------------------------------------------------------------------ user actions

    @Slot()
    def new(self) -> None:
        self.unsaved.leave(self._show_new)

    @Slot()
    def ask_to_open(self) -> None:
        folder = self._preferences.settings.save_folder
        file_dialogs.ask_open_path(self._window, folder=folder, answer=self.open)

    @Slot(object)
    def open(self, path: Path) -> None:
        if self._document.generating:
            self._messages.report(GENERATING)
        elif path.suffix.lower() != SUFFIX:
            self._files.read(path)
        elif self.file.titled and paths.resolved(path) == self.file.path:
            self._messages.show_state(IS_OPEN.format(name=path.name))
        else:
            self.unsaved.leave(lambda: self._open_project(path))

    @Slot()
    def save(self) -> None:
        self._save_and(_do_nothing)

    @Slot()
    def ask_to_save(self) -> None:
        self._ask_to_save_and(_do_nothing)

    def save_as(self, path: Path, then: Callable[[], None] = _do_nothing) -> None:
        """Save the document to ``path``, where it continues; ``then`` is called after that."""
        self._messages.dismiss()
        if path.suffix.lower() != SUFFIX:
            self._messages.report(NO_PROJECT.format(name=path.name))
            return
        try:
            problem = self.file.save_as(path)
        except MusicrelError as reason:
            self._messages.report(NOT_SAVED.format(reason=reason))
            return
        self._remember(path)
        self._messages.show_state(SAVED.format(name=path.name, folder=path.parent))
        then()
        if problem:
            self._messages.report(problem)

    def _save_and(self, then: Callable[[], None]) -> None:
        if self.file.titled and self.file.path is not None:
            self.save_as(self.file.path, then)
        else:
            self._ask_to_save_and(then)

    def _ask_to_save_and(self, then: Callable[[], None]) -> None:
        file_dialogs.ask_project_path(
            self._window,
            name=self.file.name,
            folder=self._preferences.settings.save_folder,
            answer=lambda path: self.save_as(paths.resolved(path), then),
        )

    # ------------------------------------------------------------------ opening

    def _open_project(self, path: Path) -> None:
        try:
            opened = session.open_project(path)
        except MusicrelError as reason:
            self._messages.report(str(reason))
            return
        self._show(opened)
        self._remember(path)

    @Slot(object)
    def _show_piece(self, read: OpenedPiece) -> None:
        if self._document.generating:  # started while the file was read
            self._messages.report(GENERATING)
        else:
            self.unsaved.leave(lambda: self._begin_with(read))

    def _show_new(self) -> None:
        contents = Contents(form=self._document.form.for_new_document())
        self._show(Opened(session=Session(), contents=contents))

    def _begin_with(self, read: OpenedPiece) -> None:
        self._show(piece_document.document_of(read.piece, self._document.form))
        self._messages.show_state(OPENED.format(name=read.path.name))
        recent.add(read.path)
        if changes := piece_document.describe_changes(read):
            self._messages.report(changes)

    def _restore_first(self, orphans: list[str]) -> None:
        """Restore the first of these documents that can be restored; remove what was tried."""
        problems: list[str] = []
        while orphans:
            try:
                opened = self._recover(orphans.pop(0))
            except MusicrelError as reason:
                problems.append(NOT_RESTORED.format(reason=reason))
                continue
            if opened is not None:
                self._show(opened, *problems)
                return
        if problems:
            self._messages.report("; ".join(problems))

    def _recover(self, identity: str) -> Opened | None:
        """Restore the document of a window that crashed; None if there is none any more."""
        opened = session.recover(identity)
        return opened or piece_document.recover(identity, self._document.form)

    def _show(self, opened: Opened, *earlier: str) -> None:
        """Show another document in place of this one, which is closed."""
        self._messages.dismiss()
        problems = (*self.file.show(opened), *earlier)
        self._update()
        if not opened.saved:
            problems = (RESTORED.format(name=self.file.name), *problems)
        if problems:
            self._messages.report("; ".join(problems))
        path = self.file.path
        self._messages.show_state(OPENED.format(name=path.name) if path is not None else "")
        self.opened.emit()

    # ------------------------------------------------------------------ internals

    def _remember(self, path: Path) -> None:
        recent.add(path)
        self._preferences.remember(save_folder=str(path.parent))

    @Slot(str)
    def _report_unwritten(self, reason: str) -> None:
        self._messages.report(UNWRITTEN.format(reason=reason), stays=True)

    @Slot()
    def _open_empty_window(self) -> None:
        self._open_window(())

    def _open_window(self, arguments: tuple[str, ...]) -> None:
        try:
            new_window.start(arguments)
        except MusicrelError as reason:
            self._messages.report(str(reason))

    @Slot()
    def _update(self) -> None:
        document, act = self._document, self._actions
        name = self.file.name
        if self.file.read_only:
            name = READ_ONLY.format(name=name)
        self.title_changed.emit(name, not document.saved)
        generating = GENERATING if document.generating else ""
        for action in (act.new, act.open, act.close, act.recent.menuAction()):
            commands.set_enabled(action, generating)
        nothing = document.piece is None and not document.takes.all
        for action in (act.save, act.save_as):
            commands.set_enabled(action, NOTHING_TO_SAVE if nothing else "")

    def _connect(self) -> None:
        act, document = self._actions, self._document
        for signal, slot in (
            (act.new.triggered, self.new),
            (act.new_window.triggered, self._open_empty_window),
            (act.open.triggered, self.ask_to_open),
            (act.save.triggered, self.save),
            (act.save_as.triggered, self.ask_to_save),
            (act.close.triggered, self.new),
            (self._recent.chosen, self.open),
            (self._recent.missed, self._messages.report),
            (self._drops.dropped, self.open),
            (self._files.piece_read, self._show_piece),
            (self.file.failed, self._report_unwritten),
            (self.file.recovered, self._messages.dismiss),
            (document.edited, self._update),
            (document.piece_changed, self._update),
            (document.generation_started, self._update),
            (document.saved_changed, self._update),
        ):
            signal.connect(slot)
