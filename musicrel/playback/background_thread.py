"""A thread that does small pieces of work while there are any, and sleeps until it is stirred.

This file knows nothing of what the work is.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

_LOOK_AGAIN: Final = 1.0
"""Seconds after which it sees for itself whether there is work."""
_log = logging.getLogger(__name__)


class Worker:
    """One thread, begun when it is first stirred.

    Args:
        work: does one piece; says whether there was one to do.
        failed: called, in the thread, when ``work`` raised; the thread goes on.
    """

    def __init__(self, work: Callable[[], bool], failed: Callable[[], None]) -> None:
        self._work = work
        self._failed = failed
        self._changed = threading.Condition()
        self._stirred = False
        self._closed = False
        self._thread: threading.Thread | None = None

    def stir(self) -> None:
        """Let it see to its work now."""
        with self._changed:
            self._stirred = True
            self._changed.notify()
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Let it end, and wait until it has done the piece it is at."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._awaited():
            while not self._closed and self._done():
                pass

    def _awaited(self) -> bool:
        """Sleep until there may be work; whether to go on at all."""
        with self._changed:
            if not (self._stirred or self._closed):
                self._changed.wait(_LOOK_AGAIN)
            self._stirred = False
            return not self._closed

    def _done(self) -> bool:
        try:
            return self._work()
        except Exception:  # noqa: BLE001  # nobody is above this thread
            _log.exception("a piece of work failed")
            self._failed()
            return False
