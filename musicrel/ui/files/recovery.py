"""Crash recovery: the current piece in a file, and pieces of apps that crashed.

Each running app has one file in ``paths.data()/recovered`` and a lock beside it. A normal exit
removes the file; a file whose lock is free is from a crash.
"""

from __future__ import annotations

import contextlib
import logging
import uuid
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile, QObject

from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.jobs import Job
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker

FOLDER: Final = "recovered"
EARLIER: Final = "earlier"
"""Subfolder of pieces that were offered once; the last ``MAX_KEPT`` are kept."""
MAX_KEPT: Final = 20

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveredPiece:
    """A piece from a crash.

    Attributes:
        path: the file.
        piece: its content.
    """

    path: Path
    piece: Chorale


class Recovery(QObject):
    """The recovery file of this app.

    Args:
        parent: owner of the object.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = folder() / f"{uuid.uuid4().hex[:12]}.json"
        self._lock: QLockFile | None = None
        self._job = LatestJob(self)
        self._job.failed.connect(_warn)

    @property
    def file(self) -> Path:
        """Return the path of the recovery file."""
        return self._file

    @property
    def busy(self) -> bool:
        """Return True while the file is written."""
        return not self._job.idle

    def save(self, piece: Chorale) -> None:
        """Write ``piece`` in place of the one before, in a thread."""
        if self._locked():
            self._job.request(partial(_write, piece, self._file))

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the end of the job; return the workers to wait for before ``tidy_up``."""
        return self._job.shut_down()

    def tidy_up(self) -> None:
        """Remove the recovery file at a normal exit."""
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.unlock()

    def _locked(self) -> bool:
        """Acquire the lock with the first piece; return True if this app holds it."""
        if self._lock is None:
            with contextlib.suppress(OSError):
                self._file.parent.mkdir(parents=True, exist_ok=True)
            lock = _lock_of(self._file)
            if not lock.tryLock(0):
                _log.warning("the piece is not saved for recovery: no lock in %s", folder())
                return False
            self._lock = lock
        return True


def folder() -> Path:
    """Return the folder of the recovery files."""
    return paths.data() / FOLDER


def find() -> RecoveredPiece | None:
    """Return the newest piece from a crash; unreadable files are archived."""
    from musicrel.score import json_file

    left = [path for path in folder().glob("*.json") if _is_orphaned(path)]
    for path in sorted(left, key=_changed, reverse=True):
        try:
            return RecoveredPiece(path=path, piece=json_file.read(path))
        except MusicrelError as reason:
            _log.warning("a recovery file cannot be read: %s", reason)
            archive(path)
    return None


def archive(path: Path) -> None:
    """Move ``path`` to the subfolder of earlier pieces and delete the oldest of them."""
    kept = path.parent / EARLIER
    with contextlib.suppress(OSError):
        kept.mkdir(exist_ok=True)
        path.replace(kept / path.name)
        for old in sorted(kept.glob("*.json"), key=_changed, reverse=True)[MAX_KEPT:]:
            old.unlink()


def _is_orphaned(path: Path) -> bool:
    """Return True if no running app has the file ``path``."""
    lock = _lock_of(path)
    free = lock.tryLock(0)
    if free:
        lock.unlock()
    return free


def _lock_of(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # an app may be open for weeks; a dead one is found by its process id
    return lock


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _warn(sentence: str) -> None:
    _log.warning("the piece is not saved for recovery: %s", sentence)


def _write(piece: Chorale, path: Path) -> Job[Path, None]:
    from musicrel.score import json_file

    yield path
    json_file.write(piece, path)
