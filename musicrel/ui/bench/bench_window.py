"""The app in a window off screen, and the gaps between the events of its thread."""

from __future__ import annotations

import faulthandler
import os
import time
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from musicrel.bench.timing import Row, row
from musicrel.playback.player import Player
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.jobs import memory, priority
from musicrel.ui.jobs.gc_timer import GcTimer
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.widgets import plots

STACKS: Final = "MUSICREL_STACKS"
"""Variable of the environment: milliseconds of a gap after which stacks are printed."""
_SIZE = (1320, 840)
_TICK_MS = 5
_MEDIAN: Final = "{what}: median gap"
_P99: Final = "{what}: p99 gap"
_LONGEST: Final = "{what}: longest gap"


def open_app(player: Player, settings: Settings) -> AppController:
    """Open the window of the app as ``app.main`` does; ``run_events`` paints it."""
    memory.keep_together()
    priority.go_first()
    window, model_cache = MainWindow(), ModelCache()
    app_controller = AppController(
        window,
        model_cache.compose,
        model_cache.warm_up,
        analyse=model_cache.analyse,
        generate_candidates=model_cache.generate_candidates,
        settings=settings,
        player=player,
    )
    window.resize(*_SIZE)
    GcTimer(lambda: player.playing, app_controller).freeze_startup_objects()
    window.painted.connect(plots.preload)
    window.show()
    return app_controller


def run_events(seconds: float, done: Callable[[], bool] = lambda: False) -> None:
    """Process events for ``seconds`` or until ``done``."""
    ends = time.perf_counter() + seconds
    QApplication.processEvents()
    while time.perf_counter() < ends and not done():
        QApplication.processEvents()
        time.sleep(0.001)


class Ticks:
    """The gaps between the ticks of a timer in the window's thread, in milliseconds.

    A longer gap than the variable ``MUSICREL_STACKS`` of the environment, in milliseconds, prints
    the stacks of all threads to the standard error while it lasts: to find its cause.
    """

    def __init__(self) -> None:
        self._longest = float(os.environ.get(STACKS, "0")) / 1e3
        self._timer = QTimer(interval=_TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._last = 0.0
        self.gaps: list[float] = []

    def start(self) -> None:
        self.gaps.clear()
        self._last = time.perf_counter()
        self._timer.start()
        self._watch()

    def stop(self) -> None:
        self._timer.stop()
        faulthandler.cancel_dump_traceback_later()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.gaps.append((now - self._last) * 1e3)
        self._last = now
        self._watch()

    def _watch(self) -> None:
        if self._longest:  # a thread that needs no interpreter lock prints them
            faulthandler.dump_traceback_later(self._longest)


def gap_rows(what: str, gaps: Sequence[float]) -> list[Row]:
    """Return the rows of the median, the 99th percentile and the longest of gaps."""
    return [
        row(_MEDIAN.format(what=what), float(np.median(gaps)), "ms"),
        row(_P99.format(what=what), float(np.percentile(gaps, 99)), "ms"),
        row(_LONGEST.format(what=what), max(gaps), "ms"),
    ]
