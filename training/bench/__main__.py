"""Measure how fast this machine writes, trains, renders sound, saves and draws: ``musicrel bench``.

The window is measured by ``window`` in a process of its own, so that nothing else is.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import psutil

from musicrel import cores
from musicrel.cli import arguments, output
from musicrel.cli.commands import checks
from musicrel.model import devices
from training.bench import bare_loop, decoder, peers, projects, sound, training, writing
from training.bench.rows import Row

PARTS: Final[Mapping[str, Callable[[str, int], list[Row]]]] = {
    "writing": writing.writing,
    "rewriting": writing.rewriting,
    "two_models": writing.two_models,
    "ablation": writing.ablation,
    "decoder": decoder.decoder,
    "limit": decoder.limit,
    "training": training.training,
    "overhead": training.overhead,
    "sound": lambda _device, _threads: sound.rows(),
    "projects": lambda _device, _threads: projects.rows(),
}
"""By name, functions of the device and the number of threads."""
_WINDOW_PARTS: Final = {"window": ("roll", "study", "start"), "gaps": ("gaps",)}
"""Parts that open the app, and those of ``window`` that they run."""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="training.bench")
    arguments.add(parser, checks.COMMANDS["bench"])
    options = parser.parse_args(words)
    device, rows = devices.resolve(options.device), list[Row]()
    for name in options.only:
        if name in _WINDOW_PARTS:
            rows += _window_rows(_WINDOW_PARTS[name], options.window_seconds)
        else:
            rows += PARTS[name](device, options.threads)
    for part, missing in {"decoder": peers.missing, "limit": bare_loop.missing}.items():
        if part in options.only and missing():
            output.print_message(missing())
    if options.json:
        machine = _machine() | {"threads": cores.count(), "device": device}
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
    command = [sys.executable, "-m", "training.bench.window", "--only", *parts]
    answer = subprocess.run(
        [*command, "--seconds", str(seconds)], capture_output=True, text=True, check=False
    )
    if answer.returncode:
        output.print_message("window: not measured, it cannot be opened here, not even off screen")
    return [json.loads(line) for line in answer.stdout.splitlines()]


def _ratio(row: Row) -> str:
    return "" if row["ratio"] is None else f"{row['ratio']:.2f} x {row['ratio_to']}"


if __name__ == "__main__":
    sys.exit(main())
