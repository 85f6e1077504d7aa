"""Device and number of threads of computations.

Torch is not imported here for a computation on the CPU, which may need none of it.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from functools import cache
from importlib import util
from pathlib import Path
from typing import Any, Final, Literal

from musicrel import bounds, cores, settings
from musicrel.errors import UsageError
from musicrel.language import tr

_X86: Final = ("x86_64", "amd64")
_BFLOAT16_FLAGS: Final = {"avx512_bf16", "amx_tile"}
_CPU_INFO: Final = Path("/proc/cpuinfo")
_DEVICE_FILES: Final = Path("/dev")
_GPU_FILES: Final = ("nvidia*", "nvhost*", "kfd", "dxg")
"""Files of the drivers of NVIDIA, Tegra and AMD, and of Windows in its Linux subsystem."""
_NVIDIA: Final = ("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
_NVIDIA_SECONDS: Final = 20.0
_GPU_BUILD: Final = re.compile(r"^(?:cuda|hip)\b[^=\n]*=\s*['\"]", re.MULTILINE)
"""An entry in torch's ``version.py`` of a build for GPUs."""


@cache
def has_torch() -> bool:
    """Return whether torch is installed; the light package goes without."""
    return util.find_spec("torch") is not None


def may_have_accelerator() -> bool:
    """Return False if torch certainly finds neither CUDA nor MPS, True if it may find one."""
    if not has_torch():
        return False
    system = platform.system()
    if system == "Darwin":
        return platform.machine() == "arm64"
    if not _torch_may_use_gpu():
        return False
    if system == "Linux":
        return any(any(_DEVICE_FILES.glob(pattern)) for pattern in _GPU_FILES)
    return True


@cache
def has_bfloat16() -> bool:
    """Return whether torch multiplies bfloat16 with instructions of this processor."""
    if not has_torch() or platform.machine().lower() not in _X86:
        return False
    flags = _processor_flags()
    if not flags or "ATEN_CPU_CAPABILITY" in os.environ:
        return _torch_finds_bfloat16()
    return bool(flags & _BFLOAT16_FLAGS)


def _processor_flags() -> set[str]:
    """Return the flags of the first processor; empty where Linux does not list them."""
    return set(_of_processor("flags").split())


def _of_processor(name: str) -> str:
    """Return an entry of the first processor; "" where Linux does not list it."""
    try:
        lines = _CPU_INFO.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")


def _torch_finds_bfloat16() -> bool:
    import torch  # noqa: PLC0415  # it takes a second

    checks = [
        getattr(torch.cpu, name, lambda: False)
        for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    ]
    abilities = torch.backends.cpu.get_cpu_capability()
    return abilities != "DEFAULT" and any(check() for check in checks)


def _torch_may_use_gpu() -> bool:
    """Return False if torch is certainly built for the CPU only."""
    found = util.find_spec("torch")
    folders = found.submodule_search_locations if found else None
    if not folders:
        return False
    try:
        text = (Path(folders[0]) / "version.py").read_text("utf-8")
    except OSError:  # packed in another way: ask torch
        return True
    return bool(_GPU_BUILD.search(text))


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
        return self.partition(":")[0]


CPU: Final = Device("cpu")


class _Threads:
    number: int | None = None  # None: nobody has asked, torch decides


def resolve(name: object) -> Device:
    """Return the device called ``name``; ``auto`` takes CUDA, MPS or CPU, the first available.

    The faster one for a task is chosen by ``device_choice``.
    """
    if not isinstance(name, str) or name not in DEVICES:
        raise UsageError(f"unknown device {name!r}: expected one of {', '.join(DEVICES)}")
    if name == "cpu":
        return CPU
    if name == "auto":
        return accelerator() or CPU
    if name not in _accelerators():
        raise UsageError(
            tr("torch finds no {name} device on this machine: use --device cpu or auto", name=name)
        )
    return Device(name)


def accelerator() -> Device | None:
    """Return the first available of CUDA and MPS; torch is imported only where one may be."""
    return next(iter(_accelerators()), None) if may_have_accelerator() else None


def _accelerators() -> list[Device]:
    import torch  # noqa: PLC0415  # it takes a second

    there_is = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    return [Device(name) for name, is_there in there_is.items() if is_there]


@cache
def machine() -> dict[str, str]:
    """Return the hardware, drivers and versions that the speed of a device depends on.

    Torch is not imported. Drivers other than NVIDIA's come with the system.
    """
    return {
        "processor": _of_processor("model name") or platform.processor(),
        "cores": str(cores.physical()),
        "graphics": _nvidia() or platform.platform(),
        "torch": _version("torch"),
        "musicrel": _version("musicrel"),
    }


def _nvidia() -> str:
    """Return the names and the driver of NVIDIA's GPUs, "" without its program that lists them."""
    try:
        return subprocess.run(  # noqa: S603  # a fixed command
            _NVIDIA, capture_output=True, text=True, check=True, timeout=_NVIDIA_SECONDS
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def use_threads(threads: int | None) -> None:
    """Set the number of threads of this process; None: one for each core, and one for torch.

    On the number of threads of compiled loops (``cores``) no result depends. With torch its last
    bits do, and more than one slow down decoding token by token. Torch has a number for each thread
    of the program, and may be imported later; see ``apply_threads``.
    """
    if threads is not None:
        bounds.check("threads", threads)
    cores.use(threads)
    _Threads.number = threads or 1
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
    from importlib import metadata  # noqa: PLC0415  # it takes a moment

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def without_bfloat16(device: str) -> str:
    """Return the reason why ``device`` should not compute in bfloat16, "" if it should.

    Every device can, but without hardware support that is slower than single precision.
    """
    kind = Device(device).type
    if kind == "cpu" and has_bfloat16():
        return ""
    if kind == "cuda" and _gpu_has_bfloat16():
        return ""
    return f"{kind} of this machine has no hardware support for bfloat16"


def _gpu_has_bfloat16() -> bool:
    import torch  # noqa: PLC0415  # it takes a second

    return bool(torch.cuda.is_bf16_supported(including_emulation=False))
