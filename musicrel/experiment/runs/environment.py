"""The machine of a run: versions and hardware on which its bits depend, and its memory."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import psutil
import torch
from torch.profiler import ProfilerActivity, profile

from musicrel.generation import kernel


def machine(device: torch.device, threads: int) -> dict[str, Any]:
    """Return the properties that must agree for a run to be reproduced to the bit."""
    on_gpu = device.type == "cuda"
    cpu = torch.backends.cpu.get_cpu_capability()
    processor = torch.cuda.get_device_name(device) if on_gpu else cpu
    return {
        "torch": torch.__version__,
        "device": str(device),
        "processor": processor,
        "threads": threads,
        "system": platform.system(),
        "kernel": "compiled" if kernel.available() and not on_gpu else "torch",
    }


def commit() -> str:
    """Return the commit of the source tree that runs; "" outside a git repository."""
    git = shutil.which("git")
    root = Path(__file__).resolve().parents[3]
    if git is None or not (root / ".git").exists():
        return ""
    answer = subprocess.run(  # noqa: S603  # a fixed command
        [git, "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    return answer.stdout.strip()


_CPU_ALLOCATOR: Final = "DefaultCPUAllocator"


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether ``error`` was raised for lack of memory, on a GPU or the CPU.

    A capture that fails for it ends with another error, in the course of this one.
    """
    if isinstance(error, (MemoryError, torch.OutOfMemoryError)):
        return True
    if isinstance(error, RuntimeError) and _CPU_ALLOCATOR in str(error):
        return True
    return error.__context__ is not None and is_out_of_memory(error.__context__)


def resident_bytes() -> int:
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
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # silent; read at the first profile
    with profile(
        activities=[ProfilerActivity.CPU], profile_memory=True, acc_events=True
    ) as profiled:
        work()
    profiler: Any = profiled.profiler
    events = [event for event in profiler.kineto_results.events() if event.name() == "[memory]"]
    in_order = sorted(events, key=lambda event: event.start_ns())
    changes = (int(event.nbytes()) for event in in_order)  # negative where memory is freed
    return max(accumulate(changes, initial=0))


def empty_cache(device: torch.device) -> None:
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
