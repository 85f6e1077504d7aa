"""Use the window at random for a long time, with the shipped models, and measure its memory.

``python -m tests.soak.soak --minutes 60`` prints a line for every minute: actions, resident memory,
Python's objects and Qt's. The exit code is 1 if the memory grew by more than 100 MB after the tenth
minute, or ever, in a shorter soak.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before anything opens a display

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from musicrel.playback.player import Player
from musicrel.playback.recorder import Recorder
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.study_jobs import StudyService
from musicrel.ui.files import session
from musicrel.ui.jobs.gc_timer import GcTimer
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import FakeKeyboards, ManualOutput
from tests.soak.tourist import Tourist, resident_bytes
from training.bench.window import run_events

LIMIT: Final = 100_000_000  # bytes by which the memory may grow
SETTLED: Final = 10  # minutes after which it may not: by then everything was used once


class Minute(NamedTuple):
    """The state of the process after a minute; counts are from the beginning on."""

    minute: int
    actions: int
    memory: int  # resident bytes
    python: int  # Python's tracked objects
    qt: int  # Qt's objects below window and controllers

    def __str__(self) -> str:
        memory = f"{self.memory / 1e6:.0f} MB, {self.python:,} + {self.qt:,} objects"
        return f"minute {self.minute}: {self.actions} actions, {memory}"


class Soak:
    """A window in which a user acts at random; ``place`` is an empty folder for their files."""

    def __init__(self, place: Path, seed: int) -> None:
        os.environ["MUSICREL_HOME"] = str(place / "home")
        self.output, models = ManualOutput(), ModelCache()
        self.window = MainWindow()
        self.app = AppController(
            self.window, models, settings=Settings(theme="light"),
            player=Player(self.output, threaded=False),
            study_service=StudyService(program=(sys.executable, "-c", "pass")),
            recorder=Recorder(ManualOutput(), open_keyboard=FakeKeyboards("Piano").open),
        )  # fmt: skip
        self.window.may_close = lambda: True
        self.collector = GcTimer()
        self.window.show()
        self.tourist = Tourist(self.app, self.window, self.output, place)
        self.tourist.rng.seed(seed)

    def run(self, minutes: int) -> Iterator[Minute]:
        """Act for ``minutes``; yield the state after each."""
        begin = time.monotonic()
        for minute in range(1, minutes + 1):
            while time.monotonic() < begin + minute * 60:
                self.tourist.step()
                self.output.blocks.clear()
                run_events(0.05)
            yield self._minute(minute)

    def _minute(self, minute: int) -> Minute:
        roots: tuple[QObject, ...] = (self.window, self.app)
        return Minute(
            minute=minute,
            actions=sum(self.tourist.done.values()),
            memory=resident_bytes(),
            python=len(gc.get_objects()),
            qt=sum(len(root.findChildren(QObject)) for root in roots),
        )

    def close(self) -> None:
        self.collector.stop()
        self.window.close()


def main() -> int:
    """Use a window as long as is asked for; return the exit code."""
    parser = argparse.ArgumentParser(prog="tests.soak.soak", description=__doc__)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    app = QApplication(sys.argv[:1])
    session.start_window = lambda arguments=(): None  # noqa: ARG005  # the name is called
    found: list[Minute] = []
    with tempfile.TemporaryDirectory() as place:
        soak = Soak(Path(place), args.seed)
        for minute in soak.run(args.minutes):
            print(minute, flush=True)  # noqa: T201
            found.append(minute)
        soak.close()
    del app
    first, last = found[SETTLED - 1 if len(found) > SETTLED else 0], found[-1]
    grown = last.memory - first.memory
    print(f"from minute {first.minute} to {last.minute}: {grown / 1e6:+.0f} MB")  # noqa: T201
    return int(grown > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
