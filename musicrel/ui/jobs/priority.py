"""Priorities of threads: the window goes first. Only Linux has one for each thread."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from typing import Final

_NICENESS: Final = 5
"""Added to the niceness of a job's thread."""
_SLICE_NS: Final = 100_000
"""Time slice of the window's thread: the shortest one of Linux."""
_SET_ATTRIBUTES: Final = {"x86_64": 314, "aarch64": 274}
"""Numbers of the system call ``sched_setattr`` by processor."""
_ATTRIBUTES: Final = "=IIQiIQQQ"
"""Its ``struct sched_attr``: size, policy, flags, niceness, priority, slice, deadline, period."""


def give_way() -> None:
    """Let the window go before the calling thread, that of a job."""
    if sys.platform == "linux":
        os.nice(_NICENESS)


def go_first() -> bool:
    """Let the calling thread, the window's, run as soon as it has something to do.

    Linux 6.12 and later interrupts a thread with a longer slice for one with a shorter. Otherwise
    the window waits for the end of a slice, some milliseconds, each time that it lets go of the
    interpreter while it draws.
    """
    number = _SET_ATTRIBUTES.get(platform.machine())
    if sys.platform != "linux" or number is None:
        return False
    niceness, size = os.getpriority(os.PRIO_PROCESS, 0), struct.calcsize(_ATTRIBUTES)
    attributes = struct.pack(_ATTRIBUTES, size, 0, 0, niceness, 0, _SLICE_NS, 0, 0)
    return bool(ctypes.CDLL(None).syscall(number, 0, attributes, 0) == 0)
