"""The file of a document: it receives every edit, and can go back to what was saved last.

A project is written in place. Before the first edit after a save, a snapshot of it is kept aside.
A document without a project, or with one that cannot be written, is kept beside its record. Each
window is a process of its own, so that one that crashes takes no other along.
"""

from __future__ import annotations

import contextlib
import json
import logging
import stat
import uuid
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile, QProcess, QSysInfo

from musicrel import paths, replacement, untrusted
from musicrel.chorale import Chorale
from musicrel.errors import DataError, FileError
from musicrel.experiment.runs.child_process import PROGRAM
from musicrel.generation.request import max_bars
from musicrel.language import tr
from musicrel.presentation.compose.form import DRAWN, KEYS, METERS, Form, pickups
from musicrel.project import SUFFIX
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile, restore
from musicrel.project.project_piece import contents_of

_OPEN_ELSEWHERE: Final = tr("{name} is open in another window: choose another name")
_NO_FOLDER: Final = tr("cannot write {path}: its folder is missing")
_IN_OTHER_WINDOW: Final = tr("another window has {name} open")
_ENDED_TWICE: Final = tr("musicrel has ended twice with {file}: open it to try again")
_NOT_WRITABLE: Final = tr("cannot write into {folder}: save the document elsewhere")
NO_LOCK: Final = tr("{path} is in the place of a lock, but is none: delete it")
_NOT_DELETED: Final = tr("cannot delete {path}: {reason}; save the document under another name")
_NOT_STARTED: Final = tr("cannot open a window: {program} cannot be started")

MAX_ATTEMPTS: Final = 2
ONLY_SAVE_AS: Final = tr("edits are kept only with Save As")
ELSEWHERE: Final = tr(
    "the computer “{host}” has {name} open; if it has not, delete {lock} and open the project again"
)
REPLACED: Final = tr(
    "another program has replaced {path}, which is left as it is; what was saved last is in {kept}"
)
FOLDER: Final = "recovered"
# subfolder of what could not be restored, or was restored from version 1
EARLIER: Final = "earlier"
MAX_KEPT: Final = 20  # number of files in it
_RECORD: Final = ".window"
_PIECE: Final = ".json"
# option of the app, followed by the identity of the document to restore
RECOVER: Final = "--recover"


class ElsewhereError(FileError):
    """The project of a document is open on another computer."""


class ReplacedError(FileError):
    """Another program has replaced the project; the document does not come back."""


class Session:
    """The file of one document, from its opening to its end."""

    def __init__(
        self,
        path: Path | None = None,
        record: WindowRecord | None = None,
        *,
        contents: Contents | None = None,
        name: str = "",
        saved: bool = True,
    ) -> None:
        self.path = path  # the project; None: the document is untitled
        self.contents = contents or Contents()  # what was in the file when it was opened
        self.saved = saved  # False if they are what a crash left, and not what was saved last
        self.read_only = False  # another window has the project, or it cannot be locked or written
        self.elsewhere = ""  # a sentence if another computer has the project open
        self.problems: tuple[str, ...] = ()  # about damage, and why it cannot be written
        self._name = name
        self._record = record or WindowRecord()
        self._lock: QLockFile | None = None
        self._no_lock = ""
        self._file: ProjectFile | None = None
        if path is not None:
            self._lock_project(path)

    @property
    def name(self) -> str:
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

    def read(self) -> None:
        """Open the project, or the untitled document of the record."""
        path = self.path or self._record.untitled
        file = self._file = ProjectFile.open(path, read_only=self.read_only)
        if file.read_only:
            self._give_up_writing(file)
        self.contents = file.read()

    def register(self) -> None:
        """Write the record of a project that was opened, so that it comes back after a crash."""
        if self._file is not None:
            with contextlib.suppress(FileError):  # reported with the first edit
                self._register(saved=True)

    def write(self, contents: Contents, *, saved: bool) -> None:
        """Write the differences to what was written last."""
        if self._file is None and not (contents.takes or contents.states):
            return
        file = self._writable_file()
        if self.titled and not self._record.snapshot.exists():
            self._record.require()
            file.copy_to(self._record.snapshot)
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
        self.register()

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
        kept = OpenDocument(path=self.path) if self.titled else OpenDocument(name=self.name)
        self._record.write(replace(kept, saved=saved))

    def _go_back(self, path: Path, *, replaced: bool) -> None:
        """Restore the snapshot; a project that was moved or deleted is written again."""
        snapshot = self._record.snapshot
        if replaced and path.exists():
            self._record.archive()
            kept = folder() / EARLIER / snapshot.name
            raise ReplacedError(REPLACED.format(path=path, kept=kept))
        if not path.parent.is_dir():  # unmounted, or deleted on purpose
            raise FileError(_NO_FOLDER.format(path=path))
        restore(path, snapshot)

    def _lock_project(self, path: Path) -> None:
        """Acquire the lock beside the project; without a writable folder, nobody has one."""
        try:
            lock = lock_file(path.with_name(f".{path.name}.lock"))
        except FileError as reason:
            self._no_lock = str(reason)
            self._give_up_lock(self._no_lock)
            return
        if lock.tryLock(0):
            self._lock = lock
        elif lock.error() is QLockFile.LockError.LockFailedError:
            host = other_host(lock)
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


def open_project(path: Path) -> Session:
    """Open a project; after a crash, with the edits that were not saved."""
    path = path.resolve()
    recovered = None
    with contextlib.suppress(ElsewhereError):  # it can still be read
        recovered = recover(orphan_of(path))
    if recovered is not None:
        return recovered
    session = Session(path)
    try:
        session.read()
    except FileError:
        session.close()
        raise
    session.register()
    return session


def recover(identity: str, form: Form | None = None) -> Session | None:
    """Restore the document of an orphaned record; None if there is none, or a window has it."""
    record = WindowRecord(identity)
    if not identity or not record.acquire():
        return None
    if record.piece.exists():
        return _recover_piece(record, form or Form())
    document = record.read()
    if document is None:
        record.archive()
        return None
    session = Session(document.path, record, name=document.name, saved=document.saved)
    if session.read_only:  # its window is about to end, or another has opened the project since
        record.release()
        if session.elsewhere:
            raise ElsewhereError(session.elsewhere)
        return None
    try:
        _note_attempt(record, document)
        session.read()
    except FileError:
        session.leave()
        record.archive()
        raise
    return session


def opened_piece(piece: Chorale, form: Form, *, saved: bool = True) -> Session:
    """Return a piece without a project as an untitled document with one take."""
    meter = piece.meter if piece.meter in METERS else METERS[0]
    beside = replace(
        form.for_new_document(),
        bars=min(-(-piece.steps // piece.meter.steps), max_bars(meter)),
        meter=meter,
        pickup=piece.pickup if piece.pickup in dict(pickups(meter)) else DRAWN,
        key=next((key for key in KEYS if key == piece.key), None),
    )
    return Session(contents=contents_of(piece, beside), saved=saved)


def _recover_piece(record: WindowRecord, form: Form) -> Session:
    from musicrel.score import json_file

    try:
        return opened_piece(json_file.read(record.piece), form, saved=False)
    finally:
        record.archive()


def _note_attempt(record: WindowRecord, document: OpenDocument) -> None:
    """Count how often a document is restored: one that makes the app crash does not do so again."""
    if document.attempts >= MAX_ATTEMPTS:
        file = document.path or folder() / EARLIER / record.untitled.name
        raise FileError(_ENDED_TWICE.format(file=file))
    record.write(replace(document, attempts=document.attempts + 1))


_SNAPSHOT: Final = ".saved" + SUFFIX
_REST: Final = "[0-9a-f]" * 12 + f".*{SUFFIX[1:]}*"  # nobody else calls a project so
_SQLITE: Final = ("", "-wal", "-shm", "-journal")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDocument:
    path: Path | None = None  # its project; None: it is untitled, and kept beside the record
    name: str = ""  # of the project that it was opened from, if that cannot be written
    saved: bool = True  # False if it has changed since it was saved
    attempts: int = 0  # number of times that it was restored and then neither edited nor closed


class WindowRecord:
    """The record of one window, with its lock, snapshot and untitled project."""

    def __init__(self, identity: str = "") -> None:
        self.identity = identity or uuid.uuid4().hex[:12]
        self._lock: QLockFile | None = None
        self._written: OpenDocument | None = None

    @property
    def untitled(self) -> Path:
        """Return the path of the project as long as it has no other."""
        return self._file(SUFFIX)

    @property
    def snapshot(self) -> Path:
        """Return the path of the copy of the project as it was saved last."""
        return self._file(_SNAPSHOT)

    @property
    def piece(self) -> Path:
        return self._file(_PIECE)

    @property
    def exists(self) -> bool:
        return self._file(_RECORD).exists() or self.piece.exists()

    def acquire(self) -> bool:
        if self._lock is None:
            with contextlib.suppress(OSError):
                folder().mkdir(parents=True, exist_ok=True)
            try:
                lock = lock_file(self._file(".lock"))
            except FileError as reason:
                _log.warning("%s", reason)
                return False
            if not lock.tryLock(0) and other_host(lock):  # this computer had another name
                lock.removeStaleLockFile()
                lock.tryLock(0)
            self._lock = lock if lock.isLocked() else None
        return self._lock is not None

    def require(self) -> None:
        if not self.acquire():
            raise FileError(_NOT_WRITABLE.format(folder=folder()))

    def write(self, document: OpenDocument) -> None:
        if document == self._written:
            return
        self.require()
        values = asdict(document) | {"path": str(document.path or "")}
        paths.write_text(self._file(_RECORD), json.dumps(values))
        self._written = document

    def read(self) -> OpenDocument | None:
        try:
            content = untrusted.read(self._file(_RECORD), "window_record")
            values = untrusted.parse_json(content)
            path = paths.resolved(Path(values["path"])) if values["path"] else None
            self._written = OpenDocument(
                path=path,
                name=str(values.get("name", "")),
                saved=bool(values["saved"]),
                attempts=int(values["attempts"]),
            )
        except (FileError, DataError, ValueError, LookupError, TypeError) as reason:
            _log.warning("the record of a window cannot be read: %s", reason)
            return None
        return self._written

    def confirm(self) -> None:
        """Note that the document did not make the window crash."""
        if self._written is not None:
            with contextlib.suppress(FileError):
                self.write(replace(self._written, attempts=0))

    def remove_snapshot(self) -> None:
        try:
            self.snapshot.unlink(missing_ok=True)
        except OSError as reason:
            raise FileError(
                _NOT_DELETED.format(path=self.snapshot, reason=paths.describe_os_error(reason))
            ) from reason

    def remove(self) -> None:
        """Delete the record with its untitled project and its snapshot, and release the lock.

        The record goes first; ``orphans`` deletes what is left if musicrel is killed here.
        """
        for path in (self._file(_RECORD), *self._projects()):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
        self._written = None
        self.release()

    def archive(self) -> None:
        """Move all files to the subfolder of earlier ones; delete the oldest there.

        The record goes last: until then, nothing else is taken for the rest of a closed document.
        """
        kept = folder() / EARLIER
        with contextlib.suppress(OSError):
            kept.mkdir(parents=True, exist_ok=True)
            for path in (*self._projects(), self.piece, self._file(_RECORD)):
                if path.exists():
                    path.replace(kept / path.name)
            for old in sorted(kept.iterdir(), key=_changed, reverse=True)[MAX_KEPT:]:
                old.unlink()
        self._written = None
        self.release()

    def release(self) -> None:
        """Release the lock; the record stays, and its document comes back at the next start."""
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def _file(self, suffix: str) -> Path:
        return folder() / f"{self.identity}{suffix}"

    def _projects(self) -> list[Path]:
        projects = (self.untitled, self.snapshot)
        return [path.with_name(path.name + part) for path in projects for part in _SQLITE]


def folder() -> Path:
    return paths.data() / FOLDER


def orphans() -> list[str]:
    """Return the identities of the documents that no running window has, the newest first."""
    found = [path for suffix in (_RECORD, _PIECE) for path in folder().glob(f"*{suffix}")]
    newest_first = sorted(found, key=_changed, reverse=True)
    left = [path.stem for path in newest_first if _is_orphaned(WindowRecord(path.stem))]
    _remove_rests()
    return left


def orphan_of(project: Path) -> str:
    for identity in orphans():
        record = WindowRecord(identity)
        document = None if record.piece.exists() else record.read()
        if document is not None and document.path == project:
            return identity
    return ""


def is_open(project: Path) -> bool:
    records = [WindowRecord(path.stem) for path in folder().glob(f"*{_RECORD}")]
    having = [one for one in records if (found := one.read()) and found.path == project]
    return any(not _is_orphaned(one) for one in having)


def lock_file(path: Path) -> QLockFile:
    """Return a lock that only a process that has ended loses."""
    with contextlib.suppress(OSError):
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > untrusted.LIMITS["window_record"]:
            raise FileError(NO_LOCK.format(path=path))
    lock = QLockFile(str(path))
    lock.setStaleLockTime(0)  # a window may be open for weeks; a dead one is found by its process
    return lock


def other_host(lock: QLockFile) -> str:
    _process, host, _program = lock.getLockInfo()
    return "" if host == QSysInfo.machineHostName() else host


def _remove_rests() -> None:
    """Delete locks, projects and snapshots of windows that ended before or after their record.

    Temporary files go, too, that a program left when it was killed while it saved.
    """
    for place in (paths.data(), folder()):
        replacement.sweep(place)
    found = [path for pattern in ("*.lock", _REST) for path in folder().glob(pattern)]
    for identity in {path.name.partition(".")[0] for path in found} - {""}:
        record = WindowRecord(identity)
        if not record.exists and record.acquire() and not record.exists:
            record.remove()
        record.release()


def _is_orphaned(record: WindowRecord) -> bool:
    acquired = record.acquire()
    record.release()
    return acquired


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def start_window(arguments: tuple[str, ...] = ()) -> None:
    program, *first = PROGRAM
    started, _ = QProcess.startDetached(program, [*first, *arguments])
    if not started:
        raise FileError(_NOT_STARTED.format(program=program))
