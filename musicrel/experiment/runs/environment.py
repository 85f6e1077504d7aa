"""Which program and machine made a result, as far as it decides the last bit.

This file knows versions; it knows nothing of runs.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

import torch


def machine(device: torch.device, threads: int) -> dict[str, Any]:
    """What must be the same for a run to repeat exactly."""
    on_gpu = device.type == "cuda"
    cpu = torch.backends.cpu.get_cpu_capability()
    processor = torch.cuda.get_device_name(device) if on_gpu else cpu
    return {
        "torch": torch.__version__,
        "device": str(device),
        "processor": processor,
        "threads": threads,
        "system": platform.system(),
    }


def commit() -> str:
    """The commit of the source tree the program runs from; empty when installed otherwise."""
    git = shutil.which("git")
    root = Path(__file__).resolve().parents[3]
    if git is None or not (root / ".git").exists():
        return ""
    answer = subprocess.run(  # noqa: S603  # a fixed command
        [git, "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    return answer.stdout.strip()
