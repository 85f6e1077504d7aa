"""Abilities of this machine that decide how to compute, found without importing torch if possible.

A question that the operating system does not answer here is passed on to torch.
"""

from __future__ import annotations

import os
import platform
import re
from functools import cache
from importlib import util
from pathlib import Path
from typing import Final

_X86: Final = ("x86_64", "amd64")
_BFLOAT16_FLAGS: Final = {"avx512_bf16", "amx_tile"}
_CPU_INFO: Final = Path("/proc/cpuinfo")
_DEVICE_FILES: Final = Path("/dev")
_GPU_FILES: Final = ("nvidia*", "nvhost*", "kfd", "dxg")
"""Files of the drivers of NVIDIA, Tegra and AMD, and of Windows in its Linux subsystem."""
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
    try:
        lines = _CPU_INFO.read_text("utf-8", "replace").splitlines()
    except OSError:
        return set()
    return next((set(line.split()[2:]) for line in lines if line.startswith("flags")), set())


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
