"""The memory that jobs leave behind."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Return freed memory to the system, where the C library keeps it (glibc).

    A search for notes holds 100 MB for a moment, which would stay with the process.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if trim is not None:
            trim(0)
