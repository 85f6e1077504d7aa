"""A background thread that does small pieces of work and sleeps until it is woken."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

from musicrel.errors import MusicrelError

_POLL_SECONDS: Final = 1.0
"""Seconds after which the thread checks for work without being woken."""
_log = logging.getLogger(__name__)


class BackgroundThread:
    """A thread, started by the first ``wake``.

    Args:
        work: does one piece; returns False if there was none.
        on_error: called in the thread with what ``work`` raised; the thread continues.
    """

    def __init__(self, work: Callable[[], bool], on_error: Callable[[Exception], object]) -> None:
        self._work = work
        self._on_error = on_error
        self._condition = threading.Condition()
        self._woken = False
        self._closed = False
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Let the thread check for work now."""
        with self._condition:
            self._woken = True
            self._condition.notify()
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the thread after its current piece of work, and wait for it."""
        with self._condition:
            self._closed = True
            self._condition.notify()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._wait_for_work():
            while not self._closed and self._do_one():
                pass

    def _wait_for_work(self) -> bool:
        """Sleep until there may be work; return False once closed."""
        with self._condition:
            if not (self._woken or self._closed):
                self._condition.wait(_POLL_SECONDS)
            self._woken = False
            return not self._closed

    def _do_one(self) -> bool:
        try:
            return self._work()
        except Exception as error:  # noqa: BLE001  # nothing above this thread would catch it
            if not isinstance(error, MusicrelError):
                _log.exception("a piece of work failed")
            self._on_error(error)
            return False
