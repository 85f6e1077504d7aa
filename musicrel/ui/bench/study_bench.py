"""How the window and the sound keep time while a study trains beside them.

Starts the shipped smoke study in the real app, in a folder of its own that is gone afterwards, lets
a chorale of the corpus play on miniaudio's null device all the while, and watches the curves.

This file knows what to measure; the app itself stands in ``house``.
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
from musicrel.playback.audio import Miniaudio, Pull
from musicrel.playback.player import Player
from musicrel.score.audio.timbre import Samples
from musicrel.settings import Settings
from musicrel.ui.app_controller import House
from musicrel.ui.jobs.generation_service import ModelShelf
from musicrel.ui.shell.main_window import MainWindow

PATIENCE: Final = 240.0
_FIRST_BURST: Final = 10

Pass = Callable[[float, Callable[[], bool]], None]
"""Lets the window live for some seconds, or until something is so."""


class TimedOutput(Miniaudio):
    """The null device, and when it asked for sound."""

    def __init__(self) -> None:
        super().__init__(null=True)
        self.asked: list[float] = []

    def start(self, pull: Pull) -> None:
        """Note each question."""

        def timed(frames: int) -> Samples:
            self.asked.append(time.perf_counter())
            return pull(frames)

        self.asked.clear()
        super().start(timed)

    def gaps(self) -> list[float]:
        """Milliseconds between two questions, the burst that fills the device left out."""
        return [float(gap) * 1e3 for gap in np.diff(self.asked[_FIRST_BURST:])]


def measured(ticks: Any, pass_time: Pass) -> tuple[list[float], list[float], str]:
    """Train the smoke study from its start to its end.

    Args:
        ticks: notes the gaps of the window once it is started; see ``bench.Ticks``.
        pass_time: lets the window live.

    Returns:
        Gaps of the window and of the sound in milliseconds, and how the study ended.
    """
    with tempfile.TemporaryDirectory() as home:
        os.environ["MUSICREL_HOME"] = home  # the process is the bench's own
        output = TimedOutput()
        player, window, shelf = Player(output), MainWindow(), ModelShelf()
        house = House(
            window,
            shelf.compose,
            shelf.warm_up,
            read=shelf.read,
            propose=shelf.propose,
            settings=Settings(device="cpu"),
            player=player,
        )
        window.resize(1320, 840)
        window.show()
        _begin(house, pass_time)
        _play(player)
        ticks.start()
        pass_time(PATIENCE, lambda: not _goes_on(house, player))
        found = list(ticks.gaps), output.gaps(), _state(house)
        window.close()
    return found


def _begin(house: House, pass_time: Pass) -> None:
    """Start the study, and see its curves."""
    from musicrel.experiment.study import results, study, study_folder

    folder: Path = study_folder.free("smoke")
    results.begin(folder, study.load("smoke"))
    house.experimenting.show()
    house.experimenting.choose(folder)
    pass_time(PATIENCE, lambda: _state(house) == "queued")
    house.experimenting.do("start")
    pass_time(PATIENCE, lambda: _state(house) == "running")


def _play(player: Player) -> None:
    """Let a chorale sound, round and round."""
    piece = bundled.load("test")[0]
    player.load(piece)
    player.loop = (0.0, float(piece.steps))
    player.play(0)


def _goes_on(house: House, player: Player) -> bool:
    return player.playing and _state(house) == "running"


def _state(house: House) -> str:
    now = house.experimenting.now
    return now.state if now is not None else ""
