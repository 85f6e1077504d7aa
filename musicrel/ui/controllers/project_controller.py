"""Controller of documents: new, open, save, close, and what a crash has left."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QMessageBox

from musicrel import paths
from musicrel.errors import FileError, MusicrelError
from musicrel.language import tr
from musicrel.project import SUFFIX
from musicrel.project.contents import Contents
from musicrel.score.importing.conversion import itemised
from musicrel.ui.controllers.file_controller import FileController
from musicrel.ui.controllers.mixer_controller import MixerController
from musicrel.ui.document.document import GENERATING, UNTITLED, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.files import dialogs, recent, session
from musicrel.ui.files.dialogs import FileDrop, first_readable
from musicrel.ui.files.file_jobs import OpenedPiece
from musicrel.ui.files.session import RECOVER, ReplacedError, Session
from musicrel.ui.shell.main_window import Services

IS_OPEN: Final = tr("{name} is open already")
NOT_RESTORED: Final = tr("a document cannot be restored: {reason}")
UNWRITTEN: Final = tr("the last edits are not in the file: {reason}")
READ_ONLY: Final = tr("{name} (read-only)")
QUESTION: Final = tr("Save the changes to “{name}”?")
DISCARD: Final = tr("&Don't Save")
STOP: Final = tr("A piece is being written. Stop it and close the window?")
_STOP_AND_CLOSE: Final = tr("&Stop and close")
NOT_CLOSED: Final = tr("“{name}” could not be closed properly: {reason}")
NOT_WRITABLE: Final = tr("{name} was opened read-only: choose another name")

NO_PROJECT: Final = tr(
    "a project is not called {name}: choose a name with .musicrel, or use Export"
)
NOT_SAVED: Final = tr("the project is not saved: {reason}")
SAVED: Final = tr("Saved {name} in {folder}")
OPENED: Final = tr("Opened {name}")
RESTORED: Final = tr("“{name}” was recovered with all edits after musicrel ended unexpectedly")
SAVE_TITLE: Final = tr("Save the project")
CHANGED: Final = tr("changed on opening {name}:{report}")

LOST: Final = tr("If you do not save, all changes since the last save are lost.")
STOPS: Final = tr("The piece being written is stopped.")

_USES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)

Then = Callable[[], None]  # replaces or closes the document
_log = logging.getLogger(__name__)


class ProjectController(QObject):
    opened = Signal()  # another document is shown

    def __init__(
        self, services: Services, *, files: FileController, mixer: MixerController
    ) -> None:
        super().__init__(services.document)
        self._document, self._messages = services.document, services.messages
        self._preferences, self._window = services.preferences, services.window
        self._actions, self._files = services.commands.file, files
        self.file = DocumentFile(services.document, services.messages, mixer)
        self._question: QMessageBox | None = None
        self._logging_out = self._close_is_confirmed = False
        recent.follow(self._actions.recent, self.open, self._messages.report)
        self._drops = FileDrop(self._window, first_readable)
        self._connect()
        self._update()

    # ------------------------------------------------------------------ start and end

    def start(self, path: Path | None = None, identity: str = "") -> None:
        """Open the file, or the newest document of a crash, or what the user prefers.

        All other documents of a crash are restored in windows of their own; with an ``identity``,
        only that one is restored.
        """
        if identity:
            self._restore_first([identity])
            return
        if path is not None:
            self.open(path)
        orphans = session.orphans()
        if path is None and self._document.saved and not self._document.generating:
            if orphans:
                self._restore_first(orphans)
            elif self._preferences.settings.at_start == "last":
                newest = next((path for path in recent.load() if paths.is_file(path)), None)
                if newest is not None and not session.is_open(newest):
                    self.open(newest)
        for orphan in orphans:
            self._open_window((RECOVER, orphan))

    @Slot()
    def keep(self) -> None:
        """Ask nothing during a logout: the document comes back at the next start."""
        self.file.write_rest()
        self._expect_logout()

    def discard(self) -> None:
        self._close_is_confirmed = True

    @Slot()
    def shut_down(self) -> None:
        """Close the file; a document that the user did not close comes back."""
        if self._close_is_confirmed:
            problem = self.file.close()
            if problem:
                _log.warning(problem)
        else:
            self.file.leave()
        self.file.stop()

    # ------------------------------------------------------------------ user actions

    @Slot()
    def new(self) -> None:
        self._leave(self._show_new)

    @Slot()
    def ask_to_open(self) -> None:
        folder = self._preferences.settings.save_folder
        dialogs.ask_open_path(self._window, folder=folder, answer=self.open)

    @Slot(object)
    def open(self, path: Path) -> None:
        if self._document.generating:
            self._messages.report(GENERATING)
        elif path.suffix.lower() != SUFFIX:
            self._files.read(path)
        elif self.file.session.titled and paths.resolved(path) == self.file.session.path:
            self._messages.show_state(IS_OPEN.format(name=path.name))
        else:
            self._leave(lambda: self._open_project(path))

    def save(self, then: Then | None = None) -> None:
        if self.file.session.titled and self.file.session.path is not None:
            self.save_as(self.file.session.path, then)
        else:
            self._ask_to_save_and(then)

    def save_as(self, path: Path, then: Then | None = None) -> None:
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
        if then is not None:
            then()
        if problem:
            self._messages.report(problem)

    def _ask_to_save_and(self, then: Then | None) -> None:
        dialogs.ask_new_path(
            self._window,
            SAVE_TITLE,
            name=self.file.name,
            suffixes=(SUFFIX,),
            folder=self._preferences.settings.save_folder or dialogs.music_folder(),
            answer=lambda path: self.save_as(paths.resolved(path), then),
        )

    # ------------------------------------------------------------------ opening

    def _open_project(self, path: Path) -> None:
        try:
            self._show(session.open_project(path))
        except MusicrelError as reason:
            self._messages.report(str(reason))
        else:
            self._remember(path)

    @Slot(object)
    def _show_piece(self, read: OpenedPiece) -> None:
        if self._document.generating:  # started while the file was read
            self._messages.report(GENERATING)
        else:
            self._leave(lambda: self._begin_with(read))

    def _show_new(self) -> None:
        self._show(Session(contents=Contents(form=self._document.form.for_new_document())))

    def _begin_with(self, read: OpenedPiece) -> None:
        self._show(session.opened_piece(read.piece, self._document.form), name=read.path.name)
        recent.add(read.path)
        if read.report:
            report = itemised(read.report)
            self._messages.report(CHANGED.format(name=read.path.name, report=report))

    def _restore_first(self, orphans: list[str]) -> None:
        problems: list[str] = []
        while orphans:
            try:
                opened = session.recover(orphans.pop(0), self._document.form)
            except MusicrelError as reason:
                problems.append(NOT_RESTORED.format(reason=reason))
                continue
            if opened is not None:
                self._show(opened, *problems)
                return
        if problems:
            self._messages.report("; ".join(problems))

    def _show(self, opened: Session, *earlier: str, name: str = "") -> None:
        self._messages.dismiss()
        problems = (*self.file.show(opened), *earlier)
        self._update()
        if not opened.saved:
            problems = (RESTORED.format(name=self.file.name), *problems)
        if problems:
            self._messages.report("; ".join(problems))
        name = opened.path.name if opened.path is not None else name
        self._messages.show_state(OPENED.format(name=name) if name else "")
        self.opened.emit()

    # ------------------------------------------------------------------ unsaved changes

    def _leave(self, then: Then) -> None:
        """Call ``then``, after the question if there are unsaved changes; Cancel does not."""
        if self._document.saved:
            then()
        else:
            self._ask(then)

    def may_close(self) -> bool:
        """Return True if the window can close now; otherwise ask, and close it afterwards."""
        if self._logging_out or self._close_is_confirmed:
            return True
        if self._document.saved and not self._document.busy:
            self._close_is_confirmed = True
        elif not self._document.saved:
            self._ask(self._confirm_close)
        elif self._question is None:
            box = dialogs.confirm(
                self._window, STOP,
                _STOP_AND_CLOSE, tr("&Continue"),
                lambda: self._confirm_close(confirmed=self._document.saved),
            )  # fmt: skip
            self._set_question(box)
        return self._close_is_confirmed

    def _expect_logout(self) -> None:
        """Ask nothing during a logout; if it is cancelled, the next click or key ends this."""
        self._logging_out = True
        app = QApplication.instance()
        if app is not None:
            app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _USES:
            self._logging_out = False
            app = QApplication.instance()
            if app is not None:
                app.removeEventFilter(self)
        return super().eventFilter(watched, event)

    def _ask(self, then: Then) -> None:
        if self._question is not None:
            self._question.raise_()
            return
        box = dialogs.ask(
            self._window,
            QUESTION.format(name=self.file.name),
            (tr("&Save"), dialogs.ACCEPT, lambda: self.save(then)),
            (DISCARD, dialogs.DESTROY, then),
            dialogs.CANCEL,
            info=f"{LOST} {STOPS}" if self._document.busy else LOST,
            icon=QMessageBox.Icon.Warning,
        )
        self._set_question(box)

    def _set_question(self, box: QMessageBox) -> None:
        self._question = box
        box.finished.connect(self._forget_question)

    @Slot()
    def _forget_question(self) -> None:
        self._question = None

    def _confirm_close(self, *, confirmed: bool = True) -> None:
        self._close_is_confirmed = confirmed
        QTimer.singleShot(0, self._window, self._window.close)  # after the dialog has closed

    # ------------------------------------------------------------------ internals

    def _remember(self, path: Path) -> None:
        recent.add(path)
        self._preferences.remember(save_folder=str(path.parent))

    def _open_window(self, arguments: tuple[str, ...]) -> None:
        try:
            session.start_window(arguments)
        except MusicrelError as reason:
            self._messages.report(str(reason))

    @Slot()
    def _update(self) -> None:
        name = self.file.name
        if self.file.session.read_only:
            name = READ_ONLY.format(name=name)
        self._window.show_title(name, modified=not self._document.saved)

    def _connect(self) -> None:
        act, document = self._actions, self._document
        for signal, slot in (
            (act.new.triggered, self.new),
            (act.new_window.triggered, lambda: self._open_window(())),
            (act.open.triggered, self.ask_to_open),
            (act.save.triggered, lambda: self.save(None)),
            (act.save_as.triggered, lambda: self._ask_to_save_and(None)),
            (act.close.triggered, self.new),
            (self._drops.dropped, self.open),
            (self._files.piece_read, self._show_piece),
            (document.edited, self._update),
            (document.screen_changed, self._update),
            (document.saved_changed, self._update),
        ):
            signal.connect(slot)


class DocumentFile(QObject):
    """The file of the document; that it cannot be written is reported once."""

    def __init__(self, document: Document, messages: Messages, mixer: MixerController) -> None:
        super().__init__(document)
        self._document, self._messages, self._mixer = document, messages, mixer
        self.session = Session()
        self._failing = self._stopped = False
        # not a turn, which may come late: a killed program loses the last edit at most
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.write)
        document.edited.connect(self.schedule)

    @property
    def name(self) -> str:
        return self.session.name or self._document.title or UNTITLED

    @Slot()
    def schedule(self) -> None:
        if not self._stopped:
            self._timer.start()

    def stop(self) -> None:
        self._stopped = True
        self._timer.stop()

    @Slot()
    def write(self) -> None:
        self._timer.stop()
        try:
            self.session.write(self._contents(), saved=self._document.saved)
        except MusicrelError as reason:
            if not self._failing:
                sentence = UNWRITTEN.format(reason=reason)
                self._messages.report(sentence, stays=True)
            self._failing = True
        else:
            self._set_working()

    def write_rest(self) -> None:
        """Write now what would be written at the end of this event."""
        if self._is_behind:
            self.write()

    def show(self, opened: Session) -> tuple[str, ...]:
        problem = self.close()
        self.session, self._failing = opened, False
        self._document.restore(opened.contents, saved=opened.saved)
        silent = self._mixer.restore(opened.contents.mixer)
        self._timer.stop()  # the project has all this already
        if opened.path is None and not opened.has_file:
            self.write()
        return tuple(filter(None, (problem, *opened.problems, silent)))

    def save_as(self, path: Path) -> str:
        """Save the document to ``path``, where it continues.

        The project before goes back to what was saved there.
        """
        if paths.resolved(path) == self.session.path:
            if self.session.read_only:
                raise FileError(NOT_WRITABLE.format(name=path.name))
            self.session.save(self._contents())
            problem = ""
        else:
            after = self.session.save_as(self._contents(), path)
            problem = self.close()
            self.session = after
        self._timer.stop()
        self._set_working()
        self._document.mark_saved()
        return problem

    def close(self) -> str:
        """Close the file: as it is if all changes are saved, otherwise as it was saved last."""
        name = self.name
        session, self.session = self.session, Session()
        try:
            if self._document.saved:
                if self._is_behind and session.titled:  # what changed now is no step of Undo
                    session.write(self._contents(), saved=True)
                session.close()
            else:
                session.discard()
        except ReplacedError as reason:
            return str(reason)
        except MusicrelError as reason:
            session.leave()
            return NOT_CLOSED.format(name=name, reason=reason)
        finally:
            self._timer.stop()
        return ""

    def leave(self) -> None:
        """Close the file; its document comes back at the next start."""
        self.write_rest()
        self.session.leave()
        self.session = Session()

    @property
    def _is_behind(self) -> bool:
        """Return True if the file lacks what was changed in this event, or could not be written."""
        return self._failing or self._timer.isActive()

    def _contents(self) -> Contents:
        return self._document.contents(self._mixer.values())

    def _set_working(self) -> None:
        if self._failing:
            self._failing = False
            self._messages.dismiss()
