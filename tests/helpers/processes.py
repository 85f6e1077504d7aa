"""Processes that tests start: Python for what a process does first, and studies to be ended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import psutil

_WAIT: Final = 10.0
"""Seconds in which a killed process must have ended."""


def printed(code: str, **environment: str) -> list[str]:
    """Return the lines that a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@contextmanager
def ending_studies() -> Iterator[None]:
    this = psutil.Process()
    before = set(this.children(recursive=True))
    try:
        yield
    finally:
        started = [one for one in this.children(recursive=True) if one not in before]
        studies = [one for one in started if _is_study(one)]
        for process in studies:
            with suppress(psutil.NoSuchProcess):  # it has ended by itself meanwhile
                process.kill()
        psutil.wait_procs(studies, timeout=_WAIT)


def _is_study(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return bool({"compare", "train"}.intersection(process.cmdline()))
    return False
