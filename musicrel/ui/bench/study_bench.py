"""Latency of the window and of the sound output while a study trains.

Starts the bundled study ``smoke`` in the real app, in a temporary folder, shows its curves, and
plays a chorale on the null device of miniaudio meanwhile.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from musicrel.corpus import bundled
from musicrel.playback.audio import MiniaudioOutput, RenderCallback
from musicrel.playback.player import Player
from musicrel.score.audio.timbre import Samples
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.shell.main_window import MainWindow

TIMEOUT: Final = 240.0
_FIRST_BURST: Final = 10

Pass = Callable[[float, Callable[[], bool]], None]
"""Processes events for some seconds, or until a condition holds."""


class TimedOutput(MiniaudioOutput):
    """The null device; it records the time of each request for samples."""

    def __init__(self) -> None:
        super().__init__(null=True)
        self.requests: list[float] = []

    def start(self, pull: RenderCallback) -> None:
        """Start the device and record its requests."""

        def timed(frames: int) -> Samples:
            self.requests.append(time.perf_counter())
            return pull(frames)

        self.requests.clear()
        super().start(timed)

    def gaps(self) -> list[float]:
        """Return the milliseconds between requests, without the initial burst."""
        return [float(gap) * 1e3 for gap in np.diff(self.requests[_FIRST_BURST:])]


def measure_study(ticks: Any, pass_time: Pass) -> tuple[list[float], list[float], str]:
    """Train the study ``smoke`` from start to end.

    Args:
        ticks: a ``window_bench.Ticks`` that records the gaps of the window.
        pass_time: processes events.

    Returns:
        Gaps of the window and of the sound in milliseconds, and the final state of the study.
    """
    with tempfile.TemporaryDirectory() as home:
        os.environ["MUSICREL_HOME"] = home  # this process runs nothing but the benchmark
        output = TimedOutput()
        player, window, model_cache = Player(output), MainWindow(), ModelCache()
        app_controller = AppController(
            window,
            model_cache.compose,
            model_cache.warm_up,
            analyse=model_cache.analyse,
            generate_candidates=model_cache.generate_candidates,
            settings=Settings(device="cpu"),
            player=player,
        )
        window.resize(1320, 840)
        window.show()
        _begin(app_controller, pass_time)
        _play(player)
        ticks.start()
        pass_time(TIMEOUT, lambda: not _running(app_controller, player))
        found = list(ticks.gaps), output.gaps(), _state(app_controller)
        window.close()
    return found


def _begin(app_controller: AppController, pass_time: Pass) -> None:
    """Start the study and show its curves."""
    from musicrel.experiment.study import results, study, study_folder

    folder: Path = study_folder.unused_folder("smoke")
    results.create(folder, study.load("smoke"))
    app_controller.studies.show()
    app_controller.studies.choose(folder)
    pass_time(TIMEOUT, lambda: _state(app_controller) == "queued")
    app_controller.studies.do("start")
    pass_time(TIMEOUT, lambda: _state(app_controller) == "running")


def _play(player: Player) -> None:
    """Play a chorale in a loop."""
    piece = bundled.load("test")[0]
    player.load(piece)
    player.loop = (0.0, float(piece.steps))
    player.play(0)


def _running(app_controller: AppController, player: Player) -> bool:
    return player.playing and _state(app_controller) == "running"


def _state(app_controller: AppController) -> str:
    now = app_controller.studies.now
    return now.state if now is not None else ""
