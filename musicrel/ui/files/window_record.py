"""Records of open windows, so that their documents come back after a crash, a kill or a logout.

A window with a document on disk has a record in ``paths.data()/recovered`` and a lock beside it.
Closing the document removes the record; a record whose lock is free is orphaned. Version 1 kept a
piece there, ``ID.json``, in place of a record.
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

from PySide6.QtCore import QLockFile, QSysInfo

from musicrel import gate, paths, replacement
from musicrel.errors import DataError, FileError
from musicrel.project import SUFFIX

FOLDER: Final = "recovered"
EARLIER: Final = "earlier"
"""Subfolder of what could not be restored, or was restored from version 1."""
MAX_KEPT: Final = 20
"""Number of files in it."""

_RECORD: Final = ".window"
_PIECE: Final = ".json"
_SNAPSHOT: Final = ".saved" + SUFFIX
_REST: Final = "[0-9a-f]" * 12 + f".*{SUFFIX[1:]}*"  # nobody else calls a project so
_SQLITE: Final = ("", "-wal", "-shm", "-journal")
_log = logging.getLogger(__name__)
_NOT_WRITABLE: Final = "cannot write into {folder}: save the document elsewhere"
NO_LOCK: Final = "{path} is in the place of a lock, but is none: delete it"
_NOT_DELETED: Final = "cannot delete {path}: {reason}; save the document under another name"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDocument:
    path: Path | None = None  # its project; None: it is untitled, and kept beside the record
    name: str = ""  # of the project that it was opened from, if that cannot be written
    saved: bool = True  # False if it has changed since it was saved
    attempts: int = 0  # number of times that it was restored and then neither edited nor closed


class WindowRecord:
    """The record of one window, with its lock, snapshot and untitled project.

    Args:
        identity: name of the files; "": a new one.
    """

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
        """Return True if there is a document to restore."""
        return self._file(_RECORD).exists() or self.piece.exists()

    def acquire(self) -> bool:
        """Acquire the lock; return True if this process has it."""
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
        """Acquire the lock."""
        if not self.acquire():
            raise FileError(_NOT_WRITABLE.format(folder=folder()))

    def write(self, document: OpenDocument) -> None:
        """Write the record, if it changes."""
        if document == self._written:
            return
        self.require()
        values = asdict(document) | {"path": str(document.path or "")}
        paths.write_text(self._file(_RECORD), json.dumps(values))
        self._written = document

    def read(self) -> OpenDocument | None:
        """Read the record; None if there is none, or a damaged one."""
        try:
            content = gate.read(self._file(_RECORD), "window_record")
            values = gate.parse_json(content)
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
        """Delete the snapshot, if there is one."""
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
    """Return the identity of the orphaned record of ``project``; "" if there is none."""
    for identity in orphans():
        record = WindowRecord(identity)
        document = None if record.piece.exists() else record.read()
        if document is not None and document.path == project:
            return identity
    return ""


def is_open(project: Path) -> bool:
    """Return True if a running window has ``project``."""
    records = [WindowRecord(path.stem) for path in folder().glob(f"*{_RECORD}")]
    having = [one for one in records if (found := one.read()) and found.path == project]
    return any(not _is_orphaned(one) for one in having)


def lock_file(path: Path) -> QLockFile:
    """Return a lock that only a process that has ended loses."""
    with contextlib.suppress(OSError):
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > gate.LIMITS["window_record"]:
            raise FileError(NO_LOCK.format(path=path))
    lock = QLockFile(str(path))
    lock.setStaleLockTime(0)  # a window may be open for weeks; a dead one is found by its process
    return lock


def other_host(lock: QLockFile) -> str:
    """Return the computer that has the lock; "" if it is this one, or nobody has it."""
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
