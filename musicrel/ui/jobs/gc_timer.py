"""Cyclic garbage collection in the window's thread only.

Python collects in whichever thread allocates. Widgets and timers in a cycle would then be deleted
in the thread of a job, which Qt forbids: the app crashes or hangs.

A collection of the young generations takes less than a frame. A full one visits all objects, most
of them torch's modules, and takes several frames: it waits until the user is idle and nothing is
written or played. The many objects of an import or of a model stay until the end: they are not
visited at all, whether they come at once or, on a busy computer, in the course of seconds.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Slot

_OLDEST: Final = 2
_INTERVAL_MS: Final = 200
"""Milliseconds between two checks whether a collection is due."""
_IDLE_CHECKS: Final = 10
"""Number of checks without input after which the user is idle: two seconds."""
_OVERDUE: Final = 10
"""Multiple of Python's threshold at which a full collection waits no longer."""
_BURST: Final = 100_000
"""New blocks of memory that stay, about three an object: they come from an import or a model."""
_MOST_BURSTS: Final = 10
"""Bursts that are excluded from later collections; garbage in their cycles is never freed."""
_INPUT: Final = frozenset({
    QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseMove, QEvent.Type.Wheel, QEvent.Type.TouchUpdate, QEvent.Type.DragMove,
    QEvent.Type.Resize,
})  # fmt: skip


class GcTimer(QObject):
    """A timer that runs due collections, in place of Python's automatic ones, until ``stop``.

    While it is ``busy``, as during playback or writing, the window must not drop frames.
    """

    def __init__(
        self, busy: Callable[[], bool] = lambda: False, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        gc.disable()
        self._busy = busy
        self._idle_checks = self._bursts = 0
        self._has_grown = False
        self._blocks_at_freeze = sys.getallocatedblocks()
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self.check)
        self._timer.start()

    def freeze_startup_objects(self) -> None:
        """Exclude all objects that exist now from later collections, until ``stop``.

        Call this once, after start-up and before a document is open: frozen objects in cycles are
        not freed. Those of the imports are few, and to find them takes longer than the first paint.
        """
        self._freeze()

    def watch(self, window: QObject) -> None:
        """Count input to ``window``, a ``QWindow``, as activity of the user."""
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        del watched
        if event.type() in _INPUT:
            self._idle_checks = 0
        return False

    @Slot()
    def check(self) -> None:
        self._idle_checks += 1
        had_grown, self._has_grown = self._has_grown, self._is_grown()
        if not self._has_grown:
            collect_if_due(full=self._idle_checks > _IDLE_CHECKS and not self._busy())
        elif had_grown:  # most of what is soon dropped has been freed since the last check
            self._bursts += 1
            self._freeze()

    def _is_grown(self) -> bool:
        return (
            self._bursts < _MOST_BURSTS
            and sys.getallocatedblocks() > self._blocks_at_freeze + _BURST
        )

    def _freeze(self) -> None:
        gc.freeze()
        self._blocks_at_freeze = sys.getallocatedblocks()

    def stop(self) -> None:
        """Restore Python's automatic collection of all objects, in any thread."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()


def collect_if_due(*, full: bool = True) -> None:
    """Collect the oldest generation whose count has passed Python's own threshold.

    Unless ``full``, a collection of the oldest generation waits until it is long overdue.
    """
    due = [
        generation
        for generation, (count, threshold) in enumerate(
            zip(gc.get_count(), gc.get_threshold(), strict=True)
        )
        if count > (threshold if full or generation < _OLDEST else _OVERDUE * threshold)
    ]
    if due:
        gc.collect(max(due))
