"""Frees Python's circular garbage in the thread of the window, and in no other.

Python collects in whichever thread happens to allocate. Widgets and timers in a circle would then
be deleted in the thread of a job, and Qt forbids that: it crashes, or waits for ever. This file
knows Python's collector and when it is due; it knows nothing of what is freed.
"""

from __future__ import annotations

import gc
import time
from typing import Final

from PySide6.QtCore import QObject, QTimer

_OLDEST: Final = 2
_LOOK: Final = 200
"""Milliseconds between two looks at whether a collection is due."""
_FRAME_SECONDS: Final = 0.02
"""What takes longer than one picture of the screen is left out of later collections."""


class GarbageTimer(QObject):
    """Collects when it is due, as long as it lives; Python does not by itself any more."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=_LOOK)
        self._timer.timeout.connect(collect_if_due)
        self._timer.start()

    def stop(self) -> None:
        """Let Python collect by itself again, in any thread."""
        self._timer.stop()
        gc.enable()


def collect_if_due() -> None:
    """Collect the oldest generation whose count has passed Python's own threshold.

    What a full collection finds alive is nearly all modules, torch's above all. Where looking
    through it takes longer than a frame it is frozen, and the next one is quick.
    """
    due = [
        generation
        for generation, (count, threshold) in enumerate(
            zip(gc.get_count(), gc.get_threshold(), strict=True)
        )
        if count > threshold
    ]
    if not due:
        return
    began = time.perf_counter()
    gc.collect(max(due))
    if max(due) == _OLDEST and time.perf_counter() - began > _FRAME_SECONDS:
        gc.freeze()
