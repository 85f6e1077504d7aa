"""The arithmetic of decoding alone, in C: a bound for the speed of decoding on one thread.

``bare_loop.c`` beside this file is compiled by the system's C compiler when it is first used. A
loop of the same products in numba reached 87 % of its speed, so it is no bound.
"""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
import tempfile
from functools import cache, partial
from pathlib import Path
from typing import Final
from weakref import finalize

import torch

from musicrel.model.config import ModelConfig

_SOURCE: Final = Path(__file__).with_name("bare_loop.c")
_COMPILERS: Final = ("cc", "gcc", "clang")
_FLAGS: Final = ("-O3", "-ffast-math", "-shared", "-fPIC")
_X86: Final = ("x86_64", "amd64")
_X86_FLAGS: Final = ("-mavx2", "-mfma")
_ARGUMENTS: Final = 7
"""Number of arguments of ``bare_loop_new``."""
_LEFT_OUT: Final = "the bare loop in C is not measured, nor any share of it: {why}"
_NO_COMPILER: Final = "there is no C compiler here (looked for cc, gcc and clang)"
_REFUSED: Final = "{compiler} does not compile it ({reason})"


class CompilerError(Exception):
    """The loop cannot be compiled here; the text is the reason, one sentence."""


class BareLoop:
    def __init__(self, config: ModelConfig, tokens: int) -> None:
        self._library = library()
        self._loop = self._library.bare_loop_new(
            config.width,
            config.layers,
            config.feedforward,
            config.heads,
            tokens,
            config.scheme == "relative",
            config.tokens,
        )
        if not self._loop:
            raise MemoryError
        finalize(self, partial(self._library.bare_loop_free, self._loop))

    def decode(self) -> int:
        last: int = self._library.bare_loop_decode(self._loop)
        return last


def missing() -> str:
    """Return why the loop cannot be measured here, in a sentence; "" if it can."""
    try:
        library()
    except CompilerError as reason:
        return str(reason)
    return ""


@cache
def library() -> ctypes.CDLL:
    """Compile the loop, once, and load it."""
    compiler = next(filter(None, map(shutil.which, _COMPILERS)), None)
    if compiler is None:
        raise CompilerError(_LEFT_OUT.format(why=_NO_COMPILER))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        made = Path(folder) / "bare_loop.so"
        command = [compiler, *_FLAGS, *_processor_flags(), str(_SOURCE), "-o", str(made), "-lm"]
        try:
            subprocess.run(command, capture_output=True, text=True, check=True)
            library = ctypes.CDLL(str(made))
        except (OSError, subprocess.CalledProcessError) as reason:
            why = _REFUSED.format(compiler=compiler, reason=_first_line(reason))
            raise CompilerError(_LEFT_OUT.format(why=why)) from reason
    library.bare_loop_new.argtypes = [ctypes.c_int] * _ARGUMENTS
    library.bare_loop_new.restype = ctypes.c_void_p
    library.bare_loop_decode.argtypes = [ctypes.c_void_p]
    library.bare_loop_free.argtypes = [ctypes.c_void_p]
    library.bare_loop_free.restype = None
    return library


def _processor_flags() -> tuple[str, ...]:
    has_vectors = torch.backends.cpu.get_cpu_capability() in {"AVX2", "AVX512"}
    return _X86_FLAGS if platform.machine().lower() in _X86 and has_vectors else ()


def _first_line(reason: OSError | subprocess.CalledProcessError) -> str:
    printed = reason.stderr if isinstance(reason, subprocess.CalledProcessError) else ""
    return next(iter(printed.splitlines()), "") or str(reason)
