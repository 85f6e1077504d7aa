"""How much memory a run or a piece of work takes, and whether there was too little.

This file knows the process and its device; it knows nothing of what fills them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, Final

import psutil
import torch
from torch.profiler import ProfilerActivity, profile

_CPU_ALLOCATOR: Final = "DefaultCPUAllocator"
_SILENT: Final = "99"
"""The profiler's library tells standard error when it begins and ends, unless told not to."""


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


def peak_during(work: Callable[[], object], device: torch.device | str = "cpu") -> int:
    """The most bytes that tensors made by ``work`` hold at one time."""
    if torch.device(device).type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
        before = torch.cuda.memory_allocated(device)
        work()
        return int(torch.cuda.max_memory_allocated(device)) - before
    os.environ.setdefault("KINETO_LOG_LEVEL", _SILENT)  # read when the first profile begins
    with profile(
        activities=[ProfilerActivity.CPU], profile_memory=True, acc_events=True
    ) as watched:
        work()
    found: Any = watched.profiler
    told = [event for event in found.kineto_results.events() if event.name() == "[memory]"]
    held = most = 0
    for event in sorted(told, key=lambda event: event.start_ns()):
        held += event.nbytes()  # negative where memory is given back
        most = max(most, held)
    return most


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
