"""A process that Linux kills when it opens a socket of the internet.

``python -m tests.faults.no_network musicrel generate --out folder`` runs a module so. The system
watches: code in C is seen, too, and programs that are started inherit the filter. Local sockets
(AF_UNIX), as of a display or a sound server, are allowed.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import platform
import runpy
import signal
import socket
import struct
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
"""Instructions of the filter: load a word, compare it and jump, return."""
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
"""Offsets in what the kernel passes to the filter (``struct seccomp_data``)."""
_ALLOW, _TRAP = 0x7FFF0000, 0x00030000
_NO_NEW_PRIVILEGES, _SET_FILTER, _MODE_FILTER = 38, 22, 2
"""Options of ``prctl``."""


class _Machine(NamedTuple):
    """Numbers that a filter compares: those of the processor and of its call ``socket``."""

    architecture: int
    socket: int


_MACHINES: Final[Mapping[str, _Machine]] = MappingProxyType(
    {"x86_64": _Machine(0xC000003E, 41), "aarch64": _Machine(0xC00000B7, 198)}
)


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def is_possible() -> bool:
    return sys.platform == "linux" and platform.machine() in _MACHINES


def forbid() -> None:
    """Let Linux kill this process, and those it starts, for a socket of the internet.

    Raises:
        OSError: the system has no such filters.
    """
    program = b"".join(_instructions(_MACHINES[platform.machine()]))
    code = _Filter(len(program) // 8, program)
    libc = ctypes.CDLL(None, use_errno=True)
    for words in (
        (_NO_NEW_PRIVILEGES, 1, 0, 0, 0),
        (_SET_FILTER, _MODE_FILTER, ctypes.byref(code)),
    ):
        if libc.prctl(*words) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))


def _instructions(machine: _Machine) -> list[bytes]:
    """Return the filter; a comparison jumps over as many instructions if it is true, or false."""
    return [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_EQUAL, machine.architecture, 0, 5),
        _instruction(_LOAD, _NUMBER),
        _instruction(_EQUAL, machine.socket, 0, 3),
        _instruction(_LOAD, _FIRST_ARGUMENT),
        _instruction(_EQUAL, socket.AF_INET, 2, 0),
        _instruction(_EQUAL, socket.AF_INET6, 1, 0),
        _instruction(_RETURN, _ALLOW),
        _instruction(_RETURN, _TRAP),
    ]


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def main() -> None:
    """Run the module that is named, with the words after it; the end prints where it happened."""
    forbid()
    faulthandler.register(signal.SIGSYS, chain=True)
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
