"""The start of the app in a process of its own, and its gaps while one thing at a time happens.

Run as ``python -m musicrel.ui.bench.start_bench``, it opens the app off screen and prints rows.
``start_rows`` starts several such processes with an empty folder of the user, one after the other:
torch and the models are not in memory yet, but the files are in the cache of the system.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before anything opens a display

import psutil
from PySide6.QtWidgets import QApplication

from musicrel.bench.timing import REPEATS, Row, row
from musicrel.playback.audio import MiniaudioOutput
from musicrel.playback.player import Player
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.bench.bench_window import Ticks, gap_rows, open_app, run_events

_PROGRAM: Final = """
import sys
from musicrel.ui import startup
startup.prepare()
from musicrel.ui.bench import start_bench
sys.exit(start_bench.main())
"""
"""Opens the app with the preparations of ``musicrel.__main__``."""
_SINCE: Final = "seconds of the clock when the process was started"
_TIMEOUT: Final = 120.0
_PLAYING_SECONDS: Final = 5.0
_PIECES: Final = 3
_USABLE: Final = "start to usable window"
_FIRST_NOTE: Final = "start to first note"
_LOADING: Final = "window, only loading a model"
_WRITING: Final = "window, only writing {pieces} pieces"
_PLAYING: Final = "window, only playing for {seconds:.0f} s"
_MEMORY: Final = "memory of the app, {state}"
_STATES: Final = ("model loaded", "after writing and playing")


def start_rows() -> list[Row]:
    """Return the seconds until the window and the first note are there, and the gaps."""
    starts = [_rows_of_child("start") for _ in range(REPEATS)]
    fastest = [min(same, key=lambda one: float(one["value"])) for same in zip(*starts, strict=True)]
    return [*fastest, *_rows_of_child("gaps")]


def main() -> int:
    """Open the app, measure, and print one JSON row per line."""
    parser = argparse.ArgumentParser(prog="musicrel.ui.bench.start_bench", description=__doc__)
    parser.add_argument("part", choices=("start", "gaps"))
    parser.add_argument("--since", type=float, required=True, help=_SINCE)
    args = parser.parse_args()
    app = QApplication([])
    for found in _first_note(args.since) if args.part == "start" else _gaps():
        sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()
    del app
    return 0


def _rows_of_child(part: str) -> list[Row]:
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"MUSICREL_HOME": home}
        command = [sys.executable, "-c", _PROGRAM, part, "--since"]
        answer = subprocess.run(  # noqa: S603
            [*command, str(time.time())],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
    if answer.returncode:
        raise RuntimeError(answer.stderr)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def _first_note(since: float) -> list[Row]:
    """Ask for a piece as soon as the window is usable, and wait for its first note."""
    app_controller, usable, noted = _open(), Moment(), Moment()
    app_controller.window.painted.connect(usable.reach)
    app_controller.run.steps_generated.connect(noted.reach)
    _wait(usable)
    app_controller.compose.generate()
    _wait(noted)
    _close(app_controller)
    return [row(_USABLE, usable.at - since, "s"), row(_FIRST_NOTE, noted.at - since, "s")]


def _gaps() -> list[Row]:
    """Load a model, write, and play, one after the other."""
    app_controller, ticks = _open(), Ticks()
    usable, loaded = Moment(), Moment()
    app_controller.window.painted.connect(usable.reach)
    app_controller.model.status_changed.connect(loaded.reach)
    _wait(usable)
    found = _rows_while(_LOADING, ticks, lambda: _wait(loaded))
    memory = [_megabytes()]
    document = app_controller.document

    def write() -> None:
        for _ in range(_PIECES):
            app_controller.compose.generate()
            run_events(_TIMEOUT, lambda: not document.generating)

    found += _rows_while(_WRITING.format(pieces=_PIECES), ticks, write)
    app_controller.player.play(0)
    playing = _PLAYING.format(seconds=_PLAYING_SECONDS)
    found += _rows_while(playing, ticks, lambda: run_events(_PLAYING_SECONDS))
    memory.append(_megabytes())
    _close(app_controller)
    sizes = zip(_STATES, memory, strict=True)
    return [*found, *(row(_MEMORY.format(state=state), size, "MB") for state, size in sizes)]


def _megabytes() -> float:
    """Return the memory of this process: its resident set."""
    return psutil.Process().memory_info().rss / 1e6


class Moment:
    """The time of a signal."""

    def __init__(self) -> None:
        self.at = 0.0

    def reach(self) -> None:
        """Note the time; later calls change nothing."""
        self.at = self.at or time.time()


def _rows_while(what: str, ticks: Ticks, work: Callable[[], None]) -> list[Row]:
    ticks.start()
    work()
    return gap_rows(what, ticks.gaps)


def _open() -> AppController:
    return open_app(Player(MiniaudioOutput(null=True)), Settings())


def _close(app_controller: AppController) -> None:
    app_controller.projects.discard()
    app_controller.window.close()


def _wait(moment: Moment) -> None:
    """Process events until the moment."""
    run_events(_TIMEOUT, lambda: moment.at > 0)
    if not moment.at:
        raise RuntimeError(f"nothing happened in {_TIMEOUT:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
