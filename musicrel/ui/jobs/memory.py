"""The memory that jobs leave behind."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

_ARENAS: Final = -8
_MMAP_THRESHOLD: Final = -3
"""Numbers of the two settings of glibc, as in its ``malloc.h``."""
_MAX_ARENAS: Final = 2
_LARGE: Final = 1 << 20


def keep_together() -> None:
    """Limit what the C library (glibc) keeps of freed memory; call this before the first job.

    Otherwise each of the threads that jobs run in gets a heap of its own, up to eight for each
    core, and what is left between blocks in use grows for hours. Blocks of 1 MB and more go back
    to the system when they are freed.
    """
    set_option = _function("mallopt")
    if set_option is not None:
        set_option(_ARENAS, _MAX_ARENAS)
        set_option(_MMAP_THRESHOLD, _LARGE)


def give_back() -> None:
    """Return freed memory to the system, where the C library keeps it (glibc).

    A search for notes holds 100 MB for a moment, which would stay with the process.
    """
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


def _function(name: str) -> ctypes._NamedFuncPointer | None:
    """Return a function of the C library; None where it has none, such as musl."""
    if sys.platform != "linux":
        return None
    found: ctypes._NamedFuncPointer | None = getattr(ctypes.CDLL(None), name, None)
    return found
