"""The file of a document: it receives every edit, and can go back to what was saved last.

A project is written in place. Before the first edit after a save, a snapshot of it is kept aside.
A document without a project, or with one that cannot be written, is kept beside its record.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile

from musicrel import paths
from musicrel.errors import FileError
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile, restore
from musicrel.ui.files import window_record
from musicrel.ui.files.window_record import EARLIER, OpenDocument, WindowRecord

MAX_ATTEMPTS: Final = 2
ONLY_SAVE_AS: Final = "edits are kept only with Save As"
ELSEWHERE: Final = (
    "the computer “{host}” has {name} open; if it has not, delete {lock} and open the project again"
)
REPLACED: Final = (
    "another program has replaced {path}, which stays as it is; what was saved last is in {kept}"
)
_OPEN_ELSEWHERE: Final = "{name} is open in another window: choose another name"
_NO_FOLDER: Final = "cannot write {path}: its folder is missing"
_IN_OTHER_WINDOW: Final = "another window has {name} open"
_ENDED_TWICE: Final = "musicrel has ended twice with {file}: open it to try again"


class ElsewhereError(FileError):
    """The project of a document is open on another computer."""


class ReplacedError(FileError):
    """Another program has replaced the project; the document does not come back."""


class Session:
    """The file of one document, from its opening to its end.

    Args:
        path: the project; None: the document is untitled.
        record: the record of the window; None: a new one.

    Attributes:
        read_only: True if another window has the project, or it cannot be locked or written.
        elsewhere: a sentence if another computer has the project open; "" otherwise.
        problems: sentences about damage, and about why the project cannot be written.
    """

    def __init__(
        self, path: Path | None = None, record: WindowRecord | None = None, *, name: str = ""
    ) -> None:
        self.path = path
        self.read_only = False
        self.elsewhere = ""
        self.problems: tuple[str, ...] = ()
        self._name = name
        self._record = record or WindowRecord()
        self._lock: QLockFile | None = None
        self._no_lock = ""
        self._file: ProjectFile | None = None
        if path is not None:
            self._lock_project(path)

    @property
    def name(self) -> str:
        """Return the name of the project, also of one that could not be written; "" without."""
        return self.path.stem if self.path is not None else self._name

    @property
    def titled(self) -> bool:
        """Return True if edits are written to a project of the user's."""
        return self.path is not None and not self.read_only

    @property
    def has_file(self) -> bool:
        """Return True if the document is in a file, which receives its edits."""
        return self._file is not None

    # ------------------------------------------------------------------ reading and writing

    def read(self) -> Contents:
        """Open the project, or the untitled document of the record, and return its contents."""
        path = self.path or self._record.untitled
        file = self._file = ProjectFile.open(path, read_only=self.read_only)
        if file.read_only:
            self._give_up_writing(file)
        return file.read()

    def register(self, *, saved: bool) -> None:
        """Write the record of a project that was opened, so that it comes back after a crash.

        Args:
            saved: False if the project has edits that were not saved.
        """
        if self._file is not None:
            with contextlib.suppress(FileError):  # reported with the first edit
                self._register(saved=saved)

    def write(self, contents: Contents, *, saved: bool) -> None:
        """Write the differences to what was written last.

        Args:
            saved: False if they have changed since they were saved.
        """
        if self._file is None and not (contents.takes or contents.states):
            return
        file = self._writable_file()
        if self.titled and not self._record.snapshot.exists():
            self._keep_snapshot(file)
        self._register(saved=saved)
        file.write(contents)

    def save(self, contents: Contents) -> None:
        """Write the contents; ``discard`` goes back to them from now on."""
        file = self._writable_file()
        file.write(contents)
        file.sync()
        self._record.remove_snapshot()  # first: a crash must not leave one older than the save
        self._register(saved=True)

    def save_as(self, contents: Contents, path: Path) -> Session:
        """Write the contents to a new project, and return the session that continues there.

        This session is still open; its ``discard`` leaves its project as it was saved last.
        """
        session = Session(paths.resolved(path))  # its lock and its logs are beside the file itself
        try:
            session.create(contents)
        except FileError:
            session.close()
            raise
        return session

    def create(self, contents: Contents) -> None:
        """Write the contents to a project that does not exist yet, or replace it."""
        path = self.path or self._record.untitled
        if self.read_only:
            raise FileError(self._no_lock or _OPEN_ELSEWHERE.format(name=path.name))
        self._file = ProjectFile.create(path, contents)
        self.register(saved=True)

    # ------------------------------------------------------------------ the end

    def close(self) -> None:
        """Close the project as it is; an untitled document is deleted."""
        self._close_file()
        self._record.remove()
        self._unlock()

    def discard(self) -> None:
        """Close the project as it was saved last; an untitled document is deleted."""
        replaced = self._file is not None and not self._file.in_place
        self._close_file()
        try:
            if self.path is not None and self.titled and self._record.snapshot.exists():
                self._go_back(self.path, replaced=replaced)
        finally:
            self._unlock()
        self._record.remove()

    def leave(self) -> None:
        """Close the project, but not its record: the document comes back at the next start."""
        self._close_file()
        self._record.confirm()
        self._unlock()  # first: a window that finds the record free opens its project
        self._record.release()

    # ------------------------------------------------------------------ internals

    def _writable_file(self) -> ProjectFile:
        """Return the file that edits are written to; create the one of an untitled document."""
        if self._file is None:
            self._record.require()
            self._file = ProjectFile.create(self._record.untitled)
        return self._file

    def _give_up_writing(self, file: ProjectFile) -> None:
        """Keep edits of a project that cannot be written beside a new record."""
        reason = () if self.read_only else (f"{ONLY_SAVE_AS}; {file.reason}",)
        self.problems = (*self.problems, *reason, *file.problems)
        self.read_only = self.path is not None
        self._close_file()
        self._unlock()
        self._record.archive()
        self._record = WindowRecord()

    def _register(self, *, saved: bool) -> None:
        """Write the record of the window, if it changes."""
        kept = OpenDocument(path=self.path) if self.titled else OpenDocument(name=self.name)
        self._record.write(replace(kept, saved=saved))

    def _keep_snapshot(self, file: ProjectFile) -> None:
        """Copy the project as it is, before it is changed."""
        self._record.require()
        file.copy_to(self._record.snapshot)

    def _go_back(self, path: Path, *, replaced: bool) -> None:
        """Restore the snapshot; a project that was moved or deleted is written again."""
        snapshot = self._record.snapshot
        if replaced and path.exists():
            self._record.archive()
            kept = window_record.folder() / EARLIER / snapshot.name
            raise ReplacedError(REPLACED.format(path=path, kept=kept))
        if not path.parent.is_dir():  # unmounted, or deleted on purpose
            raise FileError(_NO_FOLDER.format(path=path))
        restore(path, snapshot)

    def _lock_project(self, path: Path) -> None:
        """Acquire the lock beside the project; without a writable folder, nobody has one."""
        try:
            lock = window_record.lock_file(path.with_name(f".{path.name}.lock"))
        except FileError as reason:
            self._no_lock = str(reason)
            self._give_up_lock(self._no_lock)
            return
        if lock.tryLock(0):
            self._lock = lock
        elif lock.error() is QLockFile.LockError.LockFailedError:
            host = window_record.other_host(lock)
            if host:
                self.elsewhere = ELSEWHERE.format(name=path.name, host=host, lock=lock.fileName())
            self._give_up_lock(self.elsewhere or _IN_OTHER_WINDOW.format(name=path.name))

    def _give_up_lock(self, reason: str) -> None:
        self.read_only = True
        self.problems = (f"{ONLY_SAVE_AS}; {reason}",)

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    session: Session
    contents: Contents
    saved: bool = True  # False if they are what a crash left, and not what was saved last


def open_project(path: Path) -> Opened:
    """Open a project; after a crash, with the edits that were not saved."""
    path = path.resolve()
    recovered = None
    with contextlib.suppress(ElsewhereError):  # it can still be read
        recovered = recover(window_record.orphan_of(path))
    if recovered is not None:
        return recovered
    session = Session(path)
    try:
        contents = session.read()
    except FileError:
        session.close()
        raise
    session.register(saved=True)
    return Opened(session=session, contents=contents)


def recover(identity: str) -> Opened | None:
    """Restore the document of an orphaned record; None if there is none, or a window has it."""
    record = WindowRecord(identity)
    if not identity or record.piece.exists() or not record.acquire():
        return None
    document = record.read()
    if document is None:
        record.archive()
        return None
    session = Session(document.path, record, name=document.name)
    if session.read_only:  # its window is about to end, or another has opened the project since
        record.release()
        if session.elsewhere:
            raise ElsewhereError(session.elsewhere)
        return None
    try:
        _note_attempt(record, document)
        contents = session.read()
    except FileError:
        session.leave()
        record.archive()
        raise
    return Opened(session=session, contents=contents, saved=document.saved)


def _note_attempt(record: WindowRecord, document: OpenDocument) -> None:
    """Count how often a document is restored: one that makes the app crash does not do so again."""
    if document.attempts >= MAX_ATTEMPTS:
        file = document.path or window_record.folder() / EARLIER / record.untitled.name
        raise FileError(_ENDED_TWICE.format(file=file))
    record.write(replace(document, attempts=document.attempts + 1))
