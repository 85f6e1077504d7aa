"""Preparations before the imports of the app."""

from __future__ import annotations

import subprocess
import sys

PREPARED = """
from musicrel.ui import startup
startup.prepare()
import gc, linecache, sys
from musicrel.ui.shell import main_window
print(gc.isenabled(), main_window.__file__ in linecache.cache)
"""


def test_imports_collect_no_garbage_and_read_no_sources() -> None:
    """PySide6 would keep the source of every module in memory."""
    ended = subprocess.run(
        [sys.executable, "-c", PREPARED], capture_output=True, text=True, check=True
    )

    assert ended.stdout.split() == ["False", "False"]
