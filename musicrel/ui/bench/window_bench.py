"""Latency of the window while a model generates and sound plays.

Run as ``python -m musicrel.ui.bench.window_bench``: opens the real app off screen with the bundled
model and the null device of miniaudio, generates and plays pieces, and prints one JSON row per
figure. ``musicrel bench`` runs it as a child process, so that nothing else is measured.
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
from musicrel.playback.audio import MiniaudioOutput
from musicrel.playback.player import Player
from musicrel.presentation.roll import marks, roll
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.bench import study_bench
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.shell.main_window import MainWindow

_TICK_MS: Final = 5
_NOTES: Final = 10_000
_WARM_UP_SECONDS: Final = 30.0


class Ticks:
    """The gaps between the ticks of a timer in the main thread, in milliseconds."""

    def __init__(self) -> None:
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._last = 0.0
        self.gaps: list[float] = []

    def start(self) -> None:
        """Start to measure."""
        self.gaps.clear()
        self._last = time.perf_counter()
        self._timer.start(_TICK_MS)

    def _tick(self) -> None:
        now = time.perf_counter()
        self.gaps.append((now - self._last) * 1e3)
        self._last = now


def window_rows(app: QApplication, seconds: float) -> list[dict[str, Any]]:
    """Measure the gaps while the app generates and plays for ``seconds``."""
    window, model_cache = MainWindow(), ModelCache()
    player = Player(MiniaudioOutput(null=True))
    app_controller = AppController(
        window,
        model_cache.compose,
        model_cache.warm_up,
        analyse=model_cache.analyse,
        generate_candidates=model_cache.generate_candidates,
        settings=Settings(),
        player=player,
    )
    window.resize(1320, 840)
    window.show()
    _pass(
        app,
        _WARM_UP_SECONDS,
        lambda: app_controller.compose.piece is not None,
        app_controller.compose.generate,
    )
    ticks = Ticks()
    ticks.start()
    pieces = _pieces_written(app, app_controller, player, seconds)
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
    """Measure the gaps of window and sound while the study ``smoke`` trains."""
    ticks = Ticks()
    window, sound, state = study_bench.measure_study(ticks, lambda s, done: _pass(app, s, done))
    what = f"smoke study ({state}) beside"
    return [
        _row(f"{what} the window: median gap", float(np.median(window)), "ms"),
        _row(f"{what} the window: p99 gap", float(np.percentile(window, 99)), "ms"),
        _row(f"{what} the window: longest gap", max(window), "ms"),
        _row(f"{what} the sound: longest gap", max(sound), "ms"),
    ]


def roll_rows() -> list[dict[str, Any]]:
    """Measure repaints of a piano roll with 10,000 visible notes."""
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
    """Run the measurements and print one JSON row per line."""
    parser = argparse.ArgumentParser(prog="musicrel.ui.bench.window_bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument(
        "--study-alone", action="store_true", help="measure only beside the study smoke"
    )
    args = parser.parse_args()
    app = QApplication([])
    rows = [] if args.study_alone else [*roll_rows(), *window_rows(app, args.seconds)]
    for row in (*rows, *study_rows(app)):
        sys.stdout.write(json.dumps(row) + "\n")
    return 0


def _pieces_written(
    app: QApplication, app_controller: AppController, player: Player, seconds: float
) -> int:
    """Generate one piece after the other and play the current one; return their number."""
    written = 0
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        if not app_controller.compose.busy:
            written += 1
            app_controller.compose.generate()
        if not player.playing and app_controller.compose.piece is not None:
            player.play(0)
        _pass(app, 0.05, lambda: False)
    return written


def _pass(
    app: QApplication,
    seconds: float,
    done: Callable[[], bool],
    action: Callable[[], object] | None = None,
) -> None:
    """Process events for ``seconds`` or until ``done``; call ``action`` after the first paint."""
    ends = time.perf_counter() + seconds
    app.processEvents()
    if action is not None:
        action()
    while time.perf_counter() < ends and not done():
        app.processEvents()
        time.sleep(0.001)


def _many_notes() -> Chorale:
    """Return a piece whose four voices move at every step."""
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
