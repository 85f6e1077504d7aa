"""Device and number of threads of computations."""

from __future__ import annotations

from functools import cache
from importlib import metadata
from typing import Any, Final

import torch

from musicrel.errors import UsageError
from musicrel.settings import MAX_THREADS

DEVICES: Final = ("auto", "cpu", "cuda", "mps")


def resolve(name: str) -> torch.device:
    """Return the device called ``name``; ``auto`` takes CUDA, MPS or CPU, the first available.

    Raises:
        UsageError: the device is unknown or not available on this machine.
    """
    if name not in DEVICES:
        raise UsageError(f"unknown device {name!r}: expected one of {', '.join(DEVICES)}")
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name == "auto":
        name = next((device for device, is_there in present.items() if is_there), "cpu")
    if not present.get(name, True):
        raise UsageError(f"torch finds no {name} device on this machine: use --device cpu or auto")
    return torch.device(name)


def use_threads(threads: int) -> None:
    """Set the number of threads of torch.

    One is the default everywhere: more slow down decoding token by token, and the last bits of a
    result depend on their number.

    Raises:
        UsageError: the number is outside 1 to 256.
    """
    if not 1 <= threads <= MAX_THREADS:
        raise UsageError(f"threads is {threads}: expected 1 to {MAX_THREADS}")
    if torch.get_num_threads() != threads:
        torch.set_num_threads(threads)


def describe(device: torch.device) -> dict[str, Any]:
    """Return the settings that a result depends on to the bit: device, threads and versions."""
    return {
        "device": str(device),
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
        "musicrel": _version(),
    }


@cache
def _version() -> str:
    """Return the version of this program, "" if it is not installed as a package."""
    try:
        return metadata.version("musicrel")
    except metadata.PackageNotFoundError:
        return ""


def without_bfloat16(device: torch.device) -> str:
    """Return the reason why ``device`` should not compute in bfloat16, "" if it should.

    Every device can, but without hardware support that is slower than single precision.
    """
    if device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False):
        return ""
    if device.type == "cpu" and _processor_has_bfloat16():
        return ""
    return f"{device.type} of this machine has no hardware support for bfloat16"


def _processor_has_bfloat16() -> bool:
    abilities = torch.backends.cpu.get_cpu_capability()
    checks = [
        getattr(torch.cpu, name, lambda: False)
        for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    ]
    return abilities != "DEFAULT" and any(check() for check in checks)
