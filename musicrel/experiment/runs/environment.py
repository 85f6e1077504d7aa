"""The versions and hardware on which the bits of a result depend."""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

import torch

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
