"""``musicrel bench``: measure how fast this machine writes, renders sound, saves and draws.

The window is measured by ``musicrel.ui.bench.window_bench`` in a separate process.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import psutil

from musicrel.cli import output
from musicrel.cli.options import arguments

if TYPE_CHECKING:
    from musicrel.bench.timing import Row

_WINDOW_PARTS: Final = {"window": ("roll", "study", "start"), "gaps": ("gaps",)}
"""Parts that open the app, and those of ``musicrel.ui.bench.window_bench`` that they run."""
_PARTS: Final = (
    "writing", "rewriting", "lockstep", "ablation", "decoder", "limit", "training", "overhead",
    "sound", "projects", "window", "gaps",
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--only", nargs="+", choices=_PARTS, default=list(_PARTS), help="parts (default: all)"
    )
    parser.add_argument(
        "--window-seconds",
        type=arguments.number("window-seconds"),
        default=120.0,
        help="how long to measure each page of the window (default: 120; 0 opens no window)",
    )
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Measure the parts; return the exit code."""
    from musicrel.bench import bare_loop, peers
    from musicrel.bench.parts import PARTS

    rows: list[Row] = []
    for name in options.only:
        if name in _WINDOW_PARTS:
            rows += _window_rows(_WINDOW_PARTS[name], options.window_seconds)
        else:
            rows += PARTS[name](options.device, options.threads)
    for part, missing in {"decoder": peers.missing, "limit": bare_loop.missing}.items():
        if part in options.only and missing():
            output.print_message(missing())
    if options.json:
        machine = _machine() | {"threads": options.threads, "device": options.device}
        output.print_json({"machine": machine, "rows": rows})
        return 0
    cells = [(row["name"], row["value"], row["unit"], _ratio(row)) for row in rows]
    output.print_text(output.table(("figure", "value", "unit", ""), cells))
    return 0


def _machine() -> dict[str, Any]:
    return {
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "memory_bytes": psutil.virtual_memory().total,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
    }


def _window_rows(parts: Sequence[str], seconds: float) -> list[Row]:
    if seconds <= 0:
        return []
    command = [sys.executable, "-m", "musicrel.ui.bench.window_bench", "--only", *parts]
    answer = subprocess.run(  # noqa: S603
        [*command, "--seconds", str(seconds)], capture_output=True, text=True, check=False
    )
    if answer.returncode:
        output.print_message("window: not measured, it cannot be opened here, not even off screen")
    return [json.loads(line) for line in answer.stdout.splitlines()]


def _ratio(row: Row) -> str:
    return "" if row["ratio"] is None else f"{row['ratio']:.2f} x {row['ratio_to']}"
