"""Child processes that run musicrel and outlive the process that started them.

Their standard error goes to a file, whose last line gives the reason of a failure.
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
"""The command that runs musicrel."""

_OWN_GROUP: Final = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # on Windows only
_NICENESS: Final = 5
_MAX_LOG_BYTES: Final = 64_000
_MAX_REASON_LENGTH: Final = 2000
_FAILED: Final = re.compile(r"musicrel \w+: (.*)")


def start(
    arguments: Sequence[str], log: Path, program: Sequence[str] = PROGRAM
) -> subprocess.Popen[bytes]:
    """Start musicrel with ``arguments``; its standard error goes to ``log``.

    Raises:
        OSError: the process cannot be started, or the log cannot be written.
    """
    with log.open("wb") as errors:
        return subprocess.Popen(  # noqa: S603  # our own program
            [*program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": _import_path()},
            start_new_session=True,  # Ctrl-C reaches the parent only, which passes it on
            creationflags=_OWN_GROUP,
        )


def detach(process: subprocess.Popen[bytes]) -> None:
    """Let ``process`` run on its own, at a lower priority than interactive programs."""
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
    threading.Thread(target=process.wait, daemon=True).start()  # or its end would leave a zombie


def failure_reason(log: Path) -> str:
    """Return the error message at the end of ``log``; "" if there is none."""
    try:
        content = log.read_bytes()[-_MAX_LOG_BYTES:].decode("utf-8", errors="replace")
    except OSError:
        return ""
    lines = content.strip().splitlines()
    found = _FAILED.fullmatch(lines[-1].strip()) if lines else None
    return found[1][:_MAX_REASON_LENGTH] if found else ""


def _import_path() -> str:
    """Return the PYTHONPATH with which the child imports this very musicrel."""
    root = str(Path(__file__).resolve().parents[3])
    before = os.environ.get("PYTHONPATH")
    return f"{root}{os.pathsep}{before}" if before else root
