"""Latency of the window and of the sound output while a study trains.

Starts the bundled study ``smoke`` in the real app, in a temporary folder, shows its curves, and
plays a chorale on the null device of miniaudio meanwhile.
"""

from __future__ import annotations

import os
import tempfile
import time
from typing import Final

import numpy as np

from musicrel.bench.timing import Row, row
from musicrel.corpus import bundled
from musicrel.playback.audio import MiniaudioOutput, RenderCallback
from musicrel.playback.player import Player
from musicrel.score.audio.timbre import Samples
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.bench.bench_window import Ticks, gap_rows, open_app, run_events

TIMEOUT: Final = 240.0
_FIRST_BURST: Final = 10
_WHAT: Final = "smoke study ({state}) beside"
_WINDOW: Final = "{what} the window"
_SOUND: Final = "{what} the sound: longest gap"


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


def study_rows() -> list[Row]:
    """Measure the gaps of the window and of the sound while the study ``smoke`` trains."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["MUSICREL_HOME"] = home  # this process runs nothing but the benchmark
        output, ticks = TimedOutput(), Ticks()
        player = Player(output)
        app_controller = open_app(player, Settings(device="cpu"))
        _start(app_controller)
        _play(player)
        ticks.start()
        run_events(TIMEOUT, lambda: not (player.playing and _state(app_controller) == "running"))
        what = _WHAT.format(state=_state(app_controller))
        rows = gap_rows(_WINDOW.format(what=what), ticks.gaps)
        app_controller.projects.discard()
        app_controller.window.close()
    return [*rows, row(_SOUND.format(what=what), max(output.gaps()), "ms")]


def _start(app_controller: AppController) -> None:
    """Start the study and show its curves."""
    from musicrel.experiment.study import definition, study, study_folder

    folder = study_folder.unused_folder("smoke")
    definition.create(folder, study.load("smoke"))
    app_controller.studies.show()
    app_controller.studies.choose(folder)
    run_events(TIMEOUT, lambda: _state(app_controller) == "queued")
    app_controller.studies.do("start")
    run_events(TIMEOUT, lambda: _state(app_controller) == "running")


def _play(player: Player) -> None:
    """Play a chorale in a loop."""
    piece = bundled.load("test")[0]
    player.load(piece)
    player.loop = (0.0, float(piece.steps))
    player.play(0)


def _state(app_controller: AppController) -> str:
    now = app_controller.studies.now
    return now.state if now is not None else ""
