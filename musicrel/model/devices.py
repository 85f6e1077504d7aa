"""Which processor computes, and with how many threads.

This file knows torch's devices; it knows nothing of models.
"""

from __future__ import annotations

from functools import cache
from importlib import metadata
from typing import Any, Final

import torch

from musicrel.errors import UsageError
from musicrel.settings import MOST_THREADS

DEVICES: Final = ("auto", "cpu", "cuda", "mps")


def resolve(name: str) -> torch.device:
    """The device called ``name``; ``auto`` is CUDA, then MPS, then CPU, whatever is there.

    Raises:
        UsageError: there is no such device, or not on this machine.
    """
    if name not in DEVICES:
        raise UsageError(f"unknown device {name!r}: expected one of {', '.join(DEVICES)}")
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name == "auto":
        name = next((device for device, is_there in present.items() if is_there), "cpu")
    if not present.get(name, True):
        raise UsageError(f"this machine offers torch no {name} device: use --device cpu or auto")
    return torch.device(name)


def use_threads(threads: int) -> None:
    """Let torch compute with ``threads`` threads.

    One is the default everywhere: for writing token by token more only get in each other's way,
    and the last bits of a result depend on their number.

    Raises:
        UsageError: the number is not 1 to 256.
    """
    if not 1 <= threads <= MOST_THREADS:
        raise UsageError(f"threads is {threads}: expected 1 to {MOST_THREADS}")
    if torch.get_num_threads() != threads:
        torch.set_num_threads(threads)


def used(device: torch.device) -> dict[str, Any]:
    """What the last bit of a result depends on, for a piece to tell: device, threads, versions."""
    return {
        "device": str(device),
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
        "musicrel": _version(),
    }


@cache
def _version() -> str:
    """Of this program; "" where it runs without having been installed."""
    try:
        return metadata.version("musicrel")
    except metadata.PackageNotFoundError:
        return ""


def without_bfloat16(device: torch.device) -> str:
    """Why ``device`` should not compute in bfloat16, as the end of a sentence; "" where it should.

    Every device can, but without arithmetic of its own for it that is slower than single precision.
    """
    if device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False):
        return ""
    if device.type == "cpu" and _processor_has_bfloat16():
        return ""
    return f"{device.type} of this machine has no arithmetic of its own for bfloat16"


def _processor_has_bfloat16() -> bool:
    abilities = torch.backends.cpu.get_cpu_capability()
    checks = [
        getattr(torch.cpu, name, lambda: False)
        for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    ]
    return abilities != "DEFAULT" and any(check() for check in checks)
