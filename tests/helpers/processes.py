"""Python in a process of its own, for what a process does first."""

from __future__ import annotations

import os
import subprocess
import sys


def printed(code: str, **environment: str) -> list[str]:
    """Return the lines that a program prints.

    Args:
        code: the program.
        environment: variables of its environment, besides those of this process.
    """
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
