"""The end of a process with the one that started it, however that one ends.

The child reads its standard input, whose other end the parent holds open. The operating system
closes it when the parent ends, so no clock and no list of processes takes part.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import Final

_GRACE_SECONDS: Final = 20.0
_KILLED: Final = 137


def end_with_parent(stop: Callable[[], object], grace_seconds: float = _GRACE_SECONDS) -> None:
    """Call ``stop`` when the parent has ended, and end this process if that does not.

    Args:
        stop: requests the end of the work; called in another thread.
    """
    threading.Thread(target=_watch, args=(stop, grace_seconds), daemon=True).start()


def _watch(stop: Callable[[], object], grace_seconds: float) -> None:
    while os.read(sys.stdin.fileno(), 1):  # unbuffered: no lock is held when the process ends
        pass
    stop()
    timer = threading.Timer(grace_seconds, os._exit, (_KILLED,))
    timer.daemon = True
    timer.start()
