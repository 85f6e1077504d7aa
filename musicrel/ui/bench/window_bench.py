"""How the window keeps time while a model writes and sound plays: ``python -m musicrel.ui.bench.window_bench``.

Opens the real app off screen with the real model and miniaudio's null device, lets it write and
play all the while, and prints one JSON row a figure. ``musicrel bench`` runs it as a child process,
so that what it measures is the app alone.

This file knows what to measure; the app itself stands in ``house``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any, Final

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before anything opens a display

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from musicrel.chorale import Chorale
from musicrel.playback.audio import Miniaudio
from musicrel.playback.player import Player
from musicrel.presentation.roll import marks, roll
from musicrel.settings import Settings
from musicrel.ui.app_controller import House
from musicrel.ui.bench import study_bench
from musicrel.ui.jobs.generation_service import ModelShelf
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.shell.main_window import MainWindow

_TICK_MS: Final = 5
_NOTES: Final = 10_000
_WARM_UP_SECONDS: Final = 30.0


class Ticks:
    """The gaps between the ticks of a timer in the window's thread, in milliseconds."""

    def __init__(self) -> None:
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._last = 0.0
        self.gaps: list[float] = []

    def start(self) -> None:
        """Measure from now on."""
        self.gaps.clear()
        self._last = time.perf_counter()
        self._timer.start(_TICK_MS)

    def _tick(self) -> None:
        now = time.perf_counter()
        self.gaps.append((now - self._last) * 1e3)
        self._last = now


def window_rows(app: QApplication, seconds: float) -> list[dict[str, Any]]:
    """The gaps while the app writes and plays for ``seconds``, after a model was loaded."""
    window, shelf = MainWindow(), ModelShelf()
    player = Player(Miniaudio(null=True))
    house = House(
        window,
        shelf.compose,
        shelf.warm_up,
        read=shelf.read,
        propose=shelf.propose,
        settings=Settings(),
        player=player,
    )
    window.resize(1320, 840)
    window.show()
    _pass(app, _WARM_UP_SECONDS, lambda: house.studio.piece is not None, house.studio.generate)
    ticks = Ticks()
    ticks.start()
    pieces = _pieces_written(app, house, player, seconds)
    gaps = np.array(ticks.gaps)
    window.close()
    what = f"window, writing and playing for {seconds:.0f} s"
    return [
        _row(f"{what}: median gap", float(np.median(gaps)), "ms"),
        _row(f"{what}: p99 gap", float(np.percentile(gaps, 99)), "ms"),
        _row(f"{what}: longest gap", float(gaps.max()), "ms"),
        _row(f"{what}: pieces written", pieces, "pieces"),
    ]


def study_rows(app: QApplication) -> list[dict[str, Any]]:
    """The gaps of window and sound while the smoke study trains, from its start to its end."""
    ticks = Ticks()
    window, sound, state = study_bench.measured(ticks, lambda s, done: _pass(app, s, done))
    what = f"smoke study ({state}) beside"
    return [
        _row(f"{what} the window: median gap", float(np.median(window)), "ms"),
        _row(f"{what} the window: p99 gap", float(np.percentile(window, 99)), "ms"),
        _row(f"{what} the window: longest gap", max(window), "ms"),
        _row(f"{what} the sound: longest gap", max(sound), "ms"),
    ]


def roll_rows() -> list[dict[str, Any]]:
    """Repaints of a roll with 10,000 notes, all in sight."""
    view = RollView()
    view.resize(1600, 800)
    piece = _many_notes()
    view.show_roll(roll.draw(piece))
    view.show()
    view.fit()
    view.grab()

    def cold() -> None:
        view.resize(1600, 801 if view.height() == 800 else 800)  # noqa: PLR2004
        view.grab()

    rows = []
    for what in ("", ", marked and half of them locked"):
        name = f"roll, 10,000 notes{what}"
        rows += [
            _row(f"{name}: cached repaint", _milliseconds(view.grab), "ms"),
            _row(f"{name}: cold repaint", _milliseconds(cold), "ms"),
        ]
        view.set_marks(marks.marks(piece))
        view.set_locked(np.tile([True, False], (piece.steps, 2)))
        view.grab()
    return rows


def main() -> int:
    """Measure, and print one JSON row a line."""
    parser = argparse.ArgumentParser(prog="musicrel.ui.bench.window_bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--study-alone", action="store_true", help="only beside the smoke study")
    asked = parser.parse_args()
    app = QApplication([])
    rows = [] if asked.study_alone else [*roll_rows(), *window_rows(app, asked.seconds)]
    for row in (*rows, *study_rows(app)):
        sys.stdout.write(json.dumps(row) + "\n")
    return 0


def _pieces_written(app: QApplication, house: House, player: Player, seconds: float) -> int:
    """Write one piece after the other, and play the first there is, round and round."""
    written = 0
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        if not house.studio.busy:
            written += 1
            house.studio.generate()
        if not player.playing and house.studio.piece is not None:
            player.play(0)
        _pass(app, 0.05, lambda: False)
    return written


def _pass(
    app: QApplication,
    seconds: float,
    done: Callable[[], bool],
    poke: Callable[[], object] | None = None,
) -> None:
    """Let the window live for ``seconds``, or until ``done``; ``poke`` it once it is painted."""
    ends = time.perf_counter() + seconds
    app.processEvents()
    if poke is not None:
        poke()
    while time.perf_counter() < ends and not done():
        app.processEvents()
        time.sleep(0.001)


def _many_notes() -> Chorale:
    """Four voices that move at every step."""
    steps = _NOTES // 4
    base = np.array([72, 65, 58, 46])
    return Chorale.of(base + (np.arange(steps)[:, None] + np.arange(4)) % 7)


def _milliseconds(paint: Callable[[], object], times: int = 15) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        paint()
        taken.append((time.perf_counter() - began) * 1e3)
    return median(taken)


def _row(name: str, value: float, unit: str) -> dict[str, Any]:
    return {"name": name, "value": round(value, 3), "unit": unit, "ratio_to": None, "ratio": None}


if __name__ == "__main__":
    sys.exit(main())
