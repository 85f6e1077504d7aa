"""Keeps the last work where a crash cannot take it, and finds what an earlier crash has left.

Each running app has one file in ``paths.data()/recovered`` and a lock beside it. The file goes with
a normal end; one whose lock nobody holds is what a crash has left. This file knows files and
locks; it knows nothing of windows.
"""

from __future__ import annotations

import contextlib
import logging
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile, QObject

from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.jobs import Job
from musicrel.ui.jobs.worker import Worker

FOLDER: Final = "recovered"
EARLIER: Final = "earlier"
"""Below it, what was offered once; the last ``MOST_KEPT`` stay."""
MOST_KEPT: Final = 20

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a crash has left.

    Attributes:
        path: the file.
        piece: what is in it.
    """

    path: Path
    piece: Chorale


class Recovery(QObject):
    """The file of this app, and those that earlier ones have left.

    Args:
        parent: who needs it.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = folder() / f"{uuid.uuid4().hex[:12]}.json"
        self._lock: QLockFile | None = None
        self._next: Chorale | None = None
        self._worker = Worker(self)
        self._worker.finished.connect(self._go_on)
        self._worker.failed.connect(self._failed)

    @property
    def file(self) -> Path:
        """Where the last work is kept."""
        return self._file

    @property
    def busy(self) -> bool:
        """Whether it is being written."""
        return self._worker.busy

    def keep(self, piece: Chorale) -> None:
        """Write ``piece`` in place of the one before, without holding anybody up."""
        self._next = piece
        if not self._worker.busy:
            self._go_on()

    def shut_down(self) -> bool:
        """The app ends as it should: nothing has to be recovered; whether all has ended."""
        self._next = None
        ended = self._worker.shut_down()
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.unlock()
        return ended

    def _go_on(self) -> None:
        piece, self._next = self._next, None
        if piece is not None and self._locked():
            self._worker.start(_write(piece, self._file))

    def _failed(self, sentence: str) -> None:
        _log.warning("the last work is not kept for a crash: %s", sentence)
        self._go_on()

    def _locked(self) -> bool:
        """Hold the lock, from the first piece on."""
        if self._lock is None:
            with contextlib.suppress(OSError):
                self._file.parent.mkdir(parents=True, exist_ok=True)
            lock = _lock_of(self._file)
            if not lock.tryLock(0):
                _log.warning("the last work is not kept for a crash: no lock in %s", folder())
                return False
            self._lock = lock
        return True


def folder() -> Path:
    """Where the last work is kept."""
    return paths.data() / FOLDER


def find() -> Found | None:
    """The newest piece a crash has left; those that cannot be read are put aside."""
    from musicrel.score import json_file

    left = [path for path in folder().glob("*.json") if _is_left(path)]
    for path in sorted(left, key=_changed, reverse=True):
        try:
            return Found(path=path, piece=json_file.read(path))
        except MusicrelError as reason:
            _log.warning("a crash has left what cannot be read: %s", reason)
            put_aside(path)
    return None


def put_aside(path: Path) -> None:
    """Offer ``path`` no more, but keep it for a while."""
    kept = path.parent / EARLIER
    with contextlib.suppress(OSError):
        kept.mkdir(exist_ok=True)
        path.replace(kept / path.name)
        for old in sorted(kept.glob("*.json"), key=_changed, reverse=True)[MOST_KEPT:]:
            old.unlink()


def _is_left(path: Path) -> bool:
    """Whether no running app has the file ``path``."""
    lock = _lock_of(path)
    free = lock.tryLock(0)
    if free:
        lock.unlock()
    return free


def _lock_of(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # an app may be open for weeks; a dead one is seen by its number
    return lock


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _write(piece: Chorale, path: Path) -> Job[Path, None]:
    from musicrel.score import json_file

    yield path
    json_file.write(piece, path)
