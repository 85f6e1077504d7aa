"""Child processes that run musicrel and outlive the process that started them.

Their standard error goes to a file, whose last line gives the reason of a failure.

A run on a cluster ends with its parent, however that ends: it reads its standard input, whose other
end the parent holds open.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from musicrel import untrusted
from musicrel.errors import FileError
from musicrel.experiment.runs import run_control

LOG: Final = "log.txt"
PROGRAM: Final = (sys.executable, "-m", "musicrel")

_OWN_GROUP: Final = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # on Windows only
_NICENESS: Final = 5
"""Of a process that outlives its parent, so that interactive programs go first."""
_MAX_LOG_BYTES: Final = 64_000
_MAX_LINE_LENGTH: Final = 2000
_KILLED: Final = 137  # exit code of a process that was killed
_FAILED: Final = re.compile(r"musicrel \w+: (.*)")


def start(
    folder: Path,
    options: Sequence[str],
    program: Sequence[str] = PROGRAM,
    *,
    ends_with_parent: bool = False,
) -> subprocess.Popen[bytes]:
    """Start musicrel to start or resume the study or run in ``folder``."""
    recipe = folder / "recipe.toml"
    command = ["train", "--recipe", str(recipe)] if recipe.exists() else ["compare"]
    command += ["--lifeline"] if ends_with_parent else []
    since = str(run_control.end_offset(folder))
    with open(folder / LOG, "wb", opener=untrusted.descriptor) as errors:
        return subprocess.Popen(  # noqa: S603  # our own program
            [*program, *command, "--resume", "--out", str(folder), "--since", since, *options],
            stdin=subprocess.PIPE if ends_with_parent else subprocess.DEVNULL,
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


def last_line(folder: Path) -> str:
    """Return the last line that the process of ``folder`` wrote; "" if there is none."""
    try:
        with untrusted.opened(folder / LOG) as file:
            file.seek(max(file.seek(0, os.SEEK_END) - _MAX_LOG_BYTES, 0))
            content = file.read(_MAX_LOG_BYTES)
    except FileError:
        return ""
    last = content.decode("utf-8", errors="replace").strip().rpartition("\n")[2]
    return last.strip()[:_MAX_LINE_LENGTH]


def failure_reason(folder: Path) -> str:
    """Return the error message with which the process of ``folder`` ended; "" if there is none."""
    found = _FAILED.fullmatch(last_line(folder))
    return found[1] if found else ""


def _import_path() -> str:
    """Return the PYTHONPATH with which the child imports this very musicrel."""
    root = str(Path(__file__).resolve().parents[3])
    before = os.environ.get("PYTHONPATH")
    return f"{root}{os.pathsep}{before}" if before else root


def end_with_parent(stop: Callable[[], object], grace_seconds: float = 20.0) -> None:
    """Call ``stop`` when the parent has ended, and end this process if that does not."""

    def watch() -> None:
        while os.read(sys.stdin.fileno(), 1):  # unbuffered: no lock is held when the process ends
            pass
        stop()
        timer = threading.Timer(grace_seconds, os._exit, (_KILLED,))
        timer.daemon = True
        timer.start()

    threading.Thread(target=watch, daemon=True).start()
