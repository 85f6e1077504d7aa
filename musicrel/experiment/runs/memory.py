"""Memory use of a process and its device, and detection of out-of-memory errors."""

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
"""Log level at which the profiler's library writes nothing to standard error."""


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether ``error`` was raised for lack of memory, on a GPU or the CPU."""
    if isinstance(error, (MemoryError, torch.OutOfMemoryError)):
        return True
    return isinstance(error, RuntimeError) and _CPU_ALLOCATOR in str(error)


def resident_bytes() -> int:
    """Return the resident memory of this process."""
    return int(psutil.Process().memory_info().rss)


def peak_bytes(device: torch.device) -> int:
    """Return the peak memory so far: allocated by torch on a GPU, else of this process."""
    if device.type == "cuda":
        return int(torch.cuda.max_memory_allocated(device))
    return _peak_of_process()


def peak_during(work: Callable[[], object], device: torch.device | str = "cpu") -> int:
    """Return the peak number of bytes held by tensors that ``work`` allocates."""
    if torch.device(device).type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
        before = torch.cuda.memory_allocated(device)
        work()
        return int(torch.cuda.max_memory_allocated(device)) - before
    os.environ.setdefault("KINETO_LOG_LEVEL", _SILENT)  # read when the first profile starts
    with profile(
        activities=[ProfilerActivity.CPU], profile_memory=True, acc_events=True
    ) as profiled:
        work()
    profiler: Any = profiled.profiler
    events = [event for event in profiler.kineto_results.events() if event.name() == "[memory]"]
    held = peak = 0
    for event in sorted(events, key=lambda event: event.start_ns()):
        held += event.nbytes()  # negative where memory is freed
        peak = max(peak, held)
    return peak


def empty_cache(device: torch.device) -> None:
    """Free the memory that torch caches on a GPU."""
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
