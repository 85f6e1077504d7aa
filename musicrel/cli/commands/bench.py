"""``musicrel bench``: how fast this machine writes, makes sound and draws.

This file knows what is measured and how it is shown; what is measured stands in the layers below,
and the window in ``musicrel.ui.bench.window_bench``, run as a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from musicrel.bench import decoder, rewriting, training
from musicrel.bench.timing import REPEATS, Row, row
from musicrel.cli import output
from musicrel.cli.options import arguments

if TYPE_CHECKING:
    from musicrel.generation.loaded_model import LoadedModel

_BARS: Final = 16


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "--only", nargs="+", choices=_PARTS, default=list(_PARTS), help="parts (default: all)"
    )
    parser.add_argument(
        "--window-seconds",
        type=float,
        default=120.0,
        help="how long the window is watched (default: 120; 0 leaves it out)",
    )
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(asked: argparse.Namespace) -> int:
    """Measure; the exit code."""
    import psutil

    rows = [found for part in asked.only for found in _PARTS[part](asked)]
    machine = {
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "memory_bytes": psutil.virtual_memory().total,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "threads": asked.threads,
        "device": asked.device,
    }
    if asked.json:
        output.say_json({"machine": machine, "rows": rows})
        return 0
    shown = [(found["name"], found["value"], found["unit"], _ratio(found)) for found in rows]
    output.say(output.table(("what", "value", "unit", ""), shown))
    return 0


def _writing_rows(asked: argparse.Namespace) -> list[Row]:
    """Tokens a second of both shipped models, with and without attention recorded."""
    from musicrel.generation.loaded_model import load_model

    rows: list[Row] = []
    for name in ("vanilla", "relative"):
        model = load_model(name, asked.device, asked.threads)
        plain = max(_speed(model, record=False) for _ in range(REPEATS))
        recorded = max(_speed(model, record=True) for _ in range(REPEATS))
        first = f"write {_BARS} bars, {name}"
        rows.append(row(first, plain, "tokens/s", *_against(rows, plain)))
        rows.append(
            row(f"{first}, attention recorded", recorded, "tokens/s", first, recorded / plain)
        )
    return rows


def _against(rows: list[Row], value: float) -> tuple[str | None, float | None]:
    return (rows[0]["name"], value / rows[0]["value"]) if rows else (None, None)


def _speed(model: LoadedModel, *, record: bool) -> float:
    from musicrel import jobs
    from musicrel.generation.causal.causal_generator import generate
    from musicrel.generation.request import GenerationRequest

    piece = jobs.run(
        generate(model, GenerationRequest(bars=_BARS, patience="draft"), record=record)
    )
    return piece.tokens / piece.seconds


def _sound_rows(asked: argparse.Namespace) -> list[Row]:
    """Seconds to render a chorale of the corpus."""
    del asked
    from musicrel.corpus import bundled
    from musicrel.score.audio import synth

    piece = bundled.load("test")[0]
    began = time.perf_counter()
    synth.render(piece)
    seconds = time.perf_counter() - began
    return [row(f"sound of {piece.seconds:.0f} s of music", seconds, "s")]


def _window_rows(asked: argparse.Namespace) -> list[Row]:
    if asked.window_seconds <= 0:
        return []
    command = [
        sys.executable,
        "-m",
        "musicrel.ui.bench.window_bench",
        "--seconds",
        str(asked.window_seconds),
    ]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if answer.returncode:
        output.note("the window was not measured: it cannot be opened here, not even off screen")
    return [json.loads(line) for line in answer.stdout.splitlines()]


def _ratio(found: Row) -> str:
    return "" if found["ratio"] is None else f"{found['ratio']:.2f} x {found['ratio_to']}"


_PARTS: Final[Mapping[str, Callable[[argparse.Namespace], list[Row]]]] = {
    "writing": _writing_rows,
    "rewriting": rewriting.rows,
    "decoder": decoder.rows,
    "training": training.rows,
    "sound": _sound_rows,
    "window": _window_rows,
}
