"""Calls that wait for a turn of the event loop of their own.

Zero timers that are due together, and the events they post, are all served before any other event:
the works of several would add up to one gap, in which the window neither paints nor answers.
"""

from __future__ import annotations

import functools
from collections import deque

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot


class Turn(QObject):
    """A call that is due once after each ``start``, like a zero timer; turns come in this order."""

    due = Signal()

    @property
    def waits(self) -> bool:
        return self in _queue().waiting

    @Slot()
    def start(self) -> None:
        if not self.waits:
            _queue().add(self)

    @Slot()
    def stop(self) -> None:
        if self.waits:
            _queue().waiting.remove(self)


class _Queue(QObject):
    def __init__(self) -> None:
        super().__init__(QCoreApplication.instance())
        self.waiting: deque[Turn] = deque()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._serve)

    def add(self, turn: Turn) -> None:
        self.waiting.append(turn)
        self._timer.start()

    @Slot()
    def _serve(self) -> None:
        """Serve one; those whose owners were deleted are dropped."""
        while self.waiting:
            turn = self.waiting.popleft()
            if shiboken6.isValid(turn):
                turn.due.emit()
                break
        if not self.waiting:
            self._timer.stop()


@functools.cache
def _queue() -> _Queue:
    return _Queue()
