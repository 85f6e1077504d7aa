"""``musicrel bench``: how fast this machine writes, makes sound and draws.

This file knows what is measured and how it is shown; what is measured stands in the layers below,
and the window in ``musicrel.ui.bench``, run as a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from musicrel.cli import arguments, output

if TYPE_CHECKING:
    from musicrel.generation.loaded_model import LoadedModel

_BARS: Final = 16
_REPEATS: Final = 3

Row = dict[str, Any]


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
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

    rows = [*_writing_rows(asked), _sound_row(), *_window_rows(asked.window_seconds)]
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
    shown = [(row["name"], row["value"], row["unit"], _ratio(row)) for row in rows]
    output.say(output.table(("what", "value", "unit", ""), shown))
    return 0


def _writing_rows(asked: argparse.Namespace) -> list[Row]:
    """Tokens a second of both shipped models, with and without attention recorded."""
    from musicrel.generation.loaded_model import load_model

    rows: list[Row] = []
    for name in ("vanilla", "relative"):
        model = load_model(name, asked.device, asked.threads)
        plain = max(_speed(model, record=False) for _ in range(_REPEATS))
        recorded = max(_speed(model, record=True) for _ in range(_REPEATS))
        first = f"write {_BARS} bars, {name}"
        rows.append(_row(first, plain, "tokens/s", *_against(rows, plain)))
        rows.append(
            _row(f"{first}, attention recorded", recorded, "tokens/s", first, recorded / plain)
        )
    return rows


def _against(rows: list[Row], value: float) -> tuple[str | None, float | None]:
    return (rows[0]["name"], value / rows[0]["value"]) if rows else (None, None)


def _speed(model: LoadedModel, *, record: bool) -> float:
    from musicrel import jobs
    from musicrel.generation.causal import generate
    from musicrel.generation.request import GenerationRequest

    piece = jobs.run(generate(model, GenerationRequest(bars=_BARS), record=record))
    return piece.tokens / piece.seconds


def _sound_row() -> Row:
    """Seconds to render a chorale of the corpus."""
    from musicrel.corpus import bundled
    from musicrel.score import synth

    piece = bundled.load("test")[0]
    began = time.perf_counter()
    synth.render(piece)
    seconds = time.perf_counter() - began
    return _row(f"sound of {piece.seconds:.0f} s of music", seconds, "s")


def _window_rows(seconds: float) -> list[Row]:
    if seconds <= 0:
        return []
    command = [sys.executable, "-m", "musicrel.ui.bench", "--seconds", str(seconds)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if answer.returncode:
        output.note("the window was not measured: it cannot be opened here, not even off screen")
    return [json.loads(line) for line in answer.stdout.splitlines()]


def _row(
    name: str, value: float, unit: str, ratio_to: str | None = None, ratio: float | None = None
) -> Row:
    return {
        "name": name,
        "value": round(value, 3),
        "unit": unit,
        "ratio_to": ratio_to,
        "ratio": None if ratio is None else round(ratio, 3),
    }


def _ratio(row: Row) -> str:
    return "" if row["ratio"] is None else f"{row['ratio']:.2f} x {row['ratio_to']}"
