"""How much memory a run takes, and whether there was too little.

This file knows the process and its device; it knows nothing of what fills them.
"""

from __future__ import annotations

import sys
from typing import Final

import psutil
import torch

_CPU_ALLOCATOR: Final = "DefaultCPUAllocator"


def is_exhausted(error: BaseException) -> bool:
    """Whether ``error`` says that there was too little memory, on a GPU or off it."""
    if isinstance(error, (MemoryError, torch.OutOfMemoryError)):
        return True
    return isinstance(error, RuntimeError) and _CPU_ALLOCATOR in str(error)


def resident_bytes() -> int:
    """What this process holds in memory now."""
    return int(psutil.Process().memory_info().rss)


def peak_bytes(device: torch.device) -> int:
    """The most that was held so far: on a GPU by torch there, else by this process."""
    if device.type == "cuda":
        return int(torch.cuda.max_memory_allocated(device))
    return _peak_of_process()


def release(device: torch.device) -> None:
    """Give back what torch keeps for later."""
    if device.type == "cuda":
        torch.cuda.empty_cache()


if sys.platform == "win32":

    def _peak_of_process() -> int:
        return int(psutil.Process().memory_info().peak_wset)
else:
    import resource

    def _peak_of_process() -> int:
        unit = 1 if sys.platform == "darwin" else 1024
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * unit
