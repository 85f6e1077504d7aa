"""``musicrel bench``: measure how fast this machine writes, trains, renders sound and draws.

The measures are in ``training/bench`` and run as a process of their own, from a checkout.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from musicrel.cli.options import arguments
from musicrel.cli.options.arguments import argument
from musicrel.errors import UsageError

_CHECKOUT: Final = Path(__file__).parents[3]
_PARTS: Final = (
    "writing", "rewriting", "lockstep", "ablation", "decoder", "limit", "training", "overhead",
    "sound", "projects", "window", "gaps",
)  # fmt: skip
_NO_CHECKOUT: Final = (
    "musicrel bench runs only from a checkout of its sources, which has the folder training/bench: "
    "clone the repository and run it there"
)


def add(parser: argparse.ArgumentParser) -> None:
    only = argument("--only", "parts (default: all)", nargs="+", choices=_PARTS, default=[*_PARTS])
    seconds = argument(
        "--window-seconds",
        "how long to measure each page of the window (default: 120; 0 opens no window)",
        arguments.number("window-seconds"),
        120.0,
    )
    arguments.add(parser, (only, seconds, *arguments.DEVICE, arguments.JSON))


def run(options: argparse.Namespace) -> int:
    if not (_CHECKOUT / "training/bench/__main__.py").is_file():
        raise UsageError(_NO_CHECKOUT)
    values = ("window-seconds", options.window_seconds), ("device", options.device)
    command = [sys.executable, "-m", "training.bench", "--threads", str(options.threads)]
    command += [word for name, value in values for word in (f"--{name}", str(value))]
    command += ["--json"] * options.json + ["--only", *options.only]
    environment = os.environ | {"PYTHONPATH": str(_CHECKOUT)}
    return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603
