"""``musicrel bench``: measure how fast this machine writes, renders sound and draws.

The window is measured by ``musicrel.ui.bench.window_bench`` in a separate process.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from musicrel.bench import decoder, overhead, rewriting, sound, training, writing
from musicrel.bench.timing import Row
from musicrel.cli import output
from musicrel.cli.options import arguments

_PARTS: Final = ("writing", "rewriting", "decoder", "training", "overhead", "sound", "window")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--only", nargs="+", choices=_PARTS, default=list(_PARTS), help="parts (default: all)"
    )
    parser.add_argument(
        "--window-seconds",
        type=float,
        default=120.0,
        help="how long to measure the window (default: 120; 0 skips it)",
    )
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Measure the parts; return the exit code."""
    parts = _parts(options.device, options.threads, options.window_seconds)
    rows = [row for name in options.only for row in parts[name]()]
    if options.json:
        machine = _machine() | {"threads": options.threads, "device": options.device}
        output.print_json({"machine": machine, "rows": rows})
        return 0
    cells = [(row["name"], row["value"], row["unit"], _ratio(row)) for row in rows]
    output.print_text(output.table(("figure", "value", "unit", ""), cells))
    return 0


def _parts(
    device: str, threads: int, window_seconds: float
) -> Mapping[str, Callable[[], list[Row]]]:
    """Return the work of each part."""
    return {
        "writing": partial(writing.rows, device, threads),
        "rewriting": partial(rewriting.rows, device, threads),
        "decoder": partial(decoder.rows, device, threads),
        "training": partial(training.rows, device, threads),
        "overhead": partial(overhead.rows, device, threads),
        "sound": sound.rows,
        "window": partial(_window_rows, window_seconds),
    }


def _machine() -> dict[str, Any]:
    import psutil

    return {
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "memory_bytes": psutil.virtual_memory().total,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
    }


def _window_rows(seconds: float) -> list[Row]:
    if seconds <= 0:
        return []
    command = [sys.executable, "-m", "musicrel.ui.bench.window_bench", "--seconds", str(seconds)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if answer.returncode:
        output.print_message("window: not measured, it cannot be opened here, not even off screen")
    return [json.loads(line) for line in answer.stdout.splitlines()]


def _ratio(row: Row) -> str:
    return "" if row["ratio"] is None else f"{row['ratio']:.2f} x {row['ratio_to']}"
