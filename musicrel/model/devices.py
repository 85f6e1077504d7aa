"""Device and number of threads of computations.

Torch is not imported here for a computation on the CPU, which may need none of it.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import metadata
from typing import Any, Final, Literal

from musicrel import bounds, settings
from musicrel.errors import UsageError
from musicrel.model import processor

Precision = Literal["single", "mixed"]
"""Single: float32 throughout; mixed: products in bfloat16."""
Kernel = Literal["compiled", "torch"]
"""The code that computes: compiled loops or torch."""
DEVICES: Final = settings.DEVICES


class Device(str):
    """The name of a device, such as ``cpu`` or ``cuda:0``; torch accepts it as it is."""

    __slots__ = ()

    @property
    def type(self) -> str:
        """Return the kind of the device: ``cpu``, ``cuda`` or ``mps``."""
        return self.partition(":")[0]


CPU: Final = Device("cpu")


class _Threads:
    """The number of threads asked for.

    Attributes:
        number: None: nobody has asked, torch decides.
    """

    number: int | None = None


def resolve(name: object) -> Device:
    """Return the device called ``name``; ``auto`` takes CUDA, MPS or CPU, the first available.

    Raises:
        UsageError: the device is unknown or not available on this machine.
    """
    if not isinstance(name, str) or name not in DEVICES:
        raise UsageError(f"unknown device {name!r}: expected one of {', '.join(DEVICES)}")
    if name == "cpu" or (name == "auto" and not processor.may_have_accelerator()):
        return CPU
    import torch  # noqa: PLC0415  # it takes a second

    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name == "auto":
        name = next((device for device, is_there in present.items() if is_there), "cpu")
    if not present.get(name, True):
        raise UsageError(f"torch finds no {name} device on this machine: use --device cpu or auto")
    return Device(name)


def use_threads(threads: int) -> None:
    """Set the number of threads of torch.

    One is the default everywhere: more slow down decoding token by token, and the last bits of a
    result depend on their number. Torch has a number for each thread of the program, and may be
    imported later; see ``apply_threads``.

    Raises:
        UsageError: the number is outside 1 to 256.
    """
    bounds.check("threads", threads)
    _Threads.number = threads
    if "torch" in sys.modules:
        apply_threads()


def apply_threads() -> None:
    """Set torch's number of threads to the one asked for, in the calling thread."""
    import torch  # noqa: PLC0415  # it takes a second

    if _Threads.number not in {None, torch.get_num_threads()}:
        torch.set_num_threads(_Threads.number)


def describe(
    device: str, *, kernel: Kernel = "torch", precision: Precision = "single"
) -> dict[str, Any]:
    """Return the settings that a result depends on to the bit: device, threads and versions."""
    return {
        "device": str(device),
        "threads": _threads(),
        "kernel": kernel,
        "precision": precision,
        "torch": _version("torch"),
        "musicrel": _version("musicrel"),
    }


def _threads() -> int:
    if "torch" not in sys.modules:
        return _Threads.number or 1
    import torch  # noqa: PLC0415  # already imported

    return torch.get_num_threads()


@cache
def _version(package: str) -> str:
    """Return the version of a package, "" if it is not installed as one."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def without_bfloat16(device: str) -> str:
    """Return the reason why ``device`` should not compute in bfloat16, "" if it should.

    Every device can, but without hardware support that is slower than single precision.
    """
    kind = Device(device).type
    if kind == "cpu" and processor.has_bfloat16():
        return ""
    if kind == "cuda" and _gpu_has_bfloat16():
        return ""
    return f"{kind} of this machine has no hardware support for bfloat16"


def _gpu_has_bfloat16() -> bool:
    import torch  # noqa: PLC0415  # it takes a second

    return bool(torch.cuda.is_bf16_supported(including_emulation=False))
