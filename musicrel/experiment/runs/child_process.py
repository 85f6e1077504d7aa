"""Starts musicrel in a process of its own, which lives on when whoever started it ends.

What such a process says goes to a file, and the last thing it said tells why it failed.

This file knows processes; it knows nothing of what they do.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

LOG: Final = "log.txt"
PROGRAM: Final = (sys.executable, "-m", "musicrel")
"""The words that call musicrel."""

_OWN_GROUP: Final = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # of Windows alone
_NICENESS: Final = 5
_LONGEST_LOG: Final = 64_000
_LONGEST_SENTENCE: Final = 2000
_FAILED: Final = re.compile(r"musicrel \w+: (.*)")


def start(
    words: Sequence[str], log: Path, program: Sequence[str] = PROGRAM
) -> subprocess.Popen[bytes]:
    """Start musicrel with ``words``; what it says goes to ``log``.

    Raises:
        OSError: it cannot be started, or the log cannot be written.
    """
    with log.open("wb") as said:
        return subprocess.Popen(  # noqa: S603  # our own program
            [*program, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, "PYTHONPATH": _import_path()},
            start_new_session=True,  # Ctrl-C is for whoever watches, who then passes it on
            creationflags=_OWN_GROUP,
        )


def leave(process: subprocess.Popen[bytes]) -> None:
    """Let ``process`` live its own life, behind the programs that people look at."""
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
    threading.Thread(target=process.wait, daemon=True).start()  # or its end would leave a zombie


def failure(log: Path) -> str:
    """Why the process that wrote ``log`` failed, in its own words; "" where it says nothing."""
    try:
        content = log.read_bytes()[-_LONGEST_LOG:].decode("utf-8", errors="replace")
    except OSError:
        return ""
    lines = content.strip().splitlines()
    found = _FAILED.fullmatch(lines[-1].strip()) if lines else None
    return found[1][:_LONGEST_SENTENCE] if found else ""


def _import_path() -> str:
    """Where the child finds this very musicrel."""
    root = str(Path(__file__).resolve().parents[3])
    before = os.environ.get("PYTHONPATH")
    return f"{root}{os.pathsep}{before}" if before else root
