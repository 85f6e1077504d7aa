"""The compilation of the kernel, which set-up has not done: once, in a process of its own.

In this process it would make the window jerk, and take 150 MB that are not given back.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from musicrel.jobs import Job

COMMAND: Final = (sys.executable, "-m", "musicrel.generation")
"""The program that compiles everything into the user's cache folder."""
_INTERVAL: Final = 0.1
"""Seconds between two events, and so the longest time until a job is cancelled."""


@dataclass(frozen=True, slots=True)
class Compiling:
    """The kernel is being compiled; the job waits for it."""


class KernelCompilation:
    """The compilation, at most one in the life of this object; jobs in several threads share it.

    Args:
        wanted: returns True if there is something to compile; None: ``is_missing``.
    """

    def __init__(
        self, wanted: Callable[[], bool] | None = None, command: Sequence[str] = COMMAND
    ) -> None:
        self._wanted = wanted or is_missing
        self._command = tuple(command)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._checked = False

    def wait(self) -> Job[Compiling, None]:
        """Compile the kernel if that is necessary, and wait for the end.

        A cancelled job leaves the program running, for the sake of the next one. If it fails, the
        kernel is compiled in this process on its first use, or torch takes its place.
        """
        process = self._started()
        while process is not None and process.poll() is None:
            yield Compiling()
            try:
                process.wait(_INTERVAL)
            except subprocess.TimeoutExpired:
                continue

    def _started(self) -> subprocess.Popen[bytes] | None:
        """Return the process; None if there is nothing to compile, or it cannot be started."""
        with self._lock:
            if not self._checked:
                self._checked = True
                self._process = self._start() if self._wanted() else None
            return self._process

    def _start(self) -> subprocess.Popen[bytes] | None:
        quiet = subprocess.DEVNULL
        try:
            return subprocess.Popen(  # noqa: S603  # our own program
                self._command, stdin=quiet, stdout=quiet, stderr=quiet
            )
        except OSError:
            return None


def is_missing() -> bool:
    """Return True if a kernel can be used here and has not been compiled for this processor."""
    from musicrel.generation import kernel

    if not kernel.available():
        return False
    from musicrel.model.compiled import cache_folder

    return not cache_folder.is_complete()
