"""Waits of the scripts that make pictures: they run the event loop until something has happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEventLoop, QTimer

MAX_WAIT_MS: Final = 300_000
"""Time limit of every wait in milliseconds."""
POLL_INTERVAL: Final = 20
"""Milliseconds between two checks of a condition."""


def wait_until_quiet(state: Callable[[], object], milliseconds: int) -> None:
    """Run the event loop until ``state`` is unchanged for a number of milliseconds."""
    seen: list[object] = [state()]

    def unchanged() -> bool:
        before, seen[0] = seen[0], state()
        return before == seen[0]

    settle(milliseconds)
    while not unchanged():
        settle(milliseconds)


def wait_for(condition: Callable[[], bool]) -> None:
    """Run the event loop until ``condition`` holds.

    Raises:
        TimeoutError: it does not hold within ``MAX_WAIT_MS``.
    """
    loop, look = QEventLoop(), QTimer(interval=POLL_INTERVAL)
    look.timeout.connect(lambda: loop.quit() if condition() else None)
    look.start()
    QTimer.singleShot(MAX_WAIT_MS, loop, lambda: loop.exit(1))
    if loop.exec():
        raise TimeoutError(f"a picture is not ready after {MAX_WAIT_MS // 1000} seconds")


def settle(milliseconds: int = 120) -> None:
    """Run the event loop for a number of milliseconds, to lay out and paint changes."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
