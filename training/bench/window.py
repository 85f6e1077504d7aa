"""Rows of the window: latency while a model generates and sound plays, and the start of the app.

    python -m training.bench.window [--seconds 120] [--only roll gaps study start]

Opens the real app off screen with the bundled model and the null device of miniaudio, and prints
one JSON row per figure. ``musicrel bench`` runs it as a child process, so that nothing else is
measured. Pieces are generated and played first on the Compose page, then on the Attention page,
whose map grows; each with one model, then with two that write at once. ``study`` trains the
bundled study ``smoke`` meanwhile. ``start`` opens the app in processes of their own with an empty
folder of the user, one after the other: torch and the models are not in memory yet, but the files
are in the cache of the system.
"""

from __future__ import annotations

import argparse
import compileall
import faulthandler
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np
import psutil
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

import musicrel
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.figures import roll
from musicrel.playback.audio import MiniaudioOutput, RenderCallback
from musicrel.playback.player import Player
from musicrel.presentation import marks
from musicrel.score.audio.timbre import Samples
from musicrel.settings import Settings
from musicrel.ui import app
from musicrel.ui.app_controller import AppController
from musicrel.ui.jobs.gc_timer import GcTimer
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.widgets import plots
from training.bench.rows import REPEATS, Row, Work, row

STACKS: Final = "MUSICREL_STACKS"
"""Variable of the environment: milliseconds of a gap after which stacks are printed."""
_PROGRAM: Final = """
import sys
from musicrel.ui import startup
startup.prepare()
from training.bench import window
sys.exit(window.main(sys.argv[1:]))
"""
"""Opens the app with the preparations of ``musicrel.__main__``."""
_SIZE: Final = (1320, 840)
_TICK_MS: Final = 5
_PAGES: Final = {"compose": "window", "attention": "attention page"}
"""Pages on which generating is measured, and their names in the rows."""
_SECOND: Final = "vanilla"
"""Model B, beside the default model."""
_NOTES: Final = 10_000
_TIMEOUT: Final = 240.0
_PLAYING_SECONDS: Final = 5.0
_PIECES: Final = 3
_FIRST_BURST: Final = 10


def main(words: Sequence[str] | None = None) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    parser = argparse.ArgumentParser(prog="training.bench.window", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0)
    parts = ("roll", "gaps", "study", "start")
    inner = ("first-note", "loading")  # parts of start, in a process of their own
    parser.add_argument("--only", nargs="+", choices=(*parts, *inner), default=parts)
    parser.add_argument("--since", type=float, default=0.0, help="clock when the process began")
    args = parser.parse_args(words)
    app = QApplication([])
    rows: dict[str, Callable[[], list[Row]]] = {
        "roll": roll_rows,
        "gaps": partial(gap_rows_of_pages, args.seconds),
        "study": study_rows,
        "start": start_rows,
        "first-note": partial(_first_note, args.since),
        "loading": _loading,
    }
    for part in args.only:
        for found in rows[part]():
            sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()
    del app
    return 0


def open_app(player: Player | None = None, settings: Settings | None = None) -> AppController:
    """Open the window of the app as ``app.main`` does; ``run_events`` paints it."""
    app.keep_together()
    window, model_cache = MainWindow(), ModelCache()
    player = player or Player(MiniaudioOutput(null=True))
    app_controller = AppController(
        window, model_cache, settings=settings or Settings(), player=player
    )
    window.resize(*_SIZE)
    GcTimer(
        lambda: player.playing or app_controller.document.busy, app_controller
    ).freeze_startup_objects()
    window.painted.connect(plots.preload)
    window.show()
    return app_controller


def _close(app_controller: AppController) -> None:
    app_controller.projects.discard()
    app_controller.window.close()


def run_events(seconds: float, done: Callable[[], bool] = lambda: False) -> None:
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
        self._gaps: list[float] = []

    def rows(self, what: str, work: Work) -> list[Row]:
        """Return the median, the 99th percentile and the longest of the gaps during some work."""
        self._gaps.clear()
        self._last = time.perf_counter()
        self._timer.start()
        self._watch()
        work()
        return [
            row(f"{what}: median gap", float(np.median(self._gaps)), "ms"),
            row(f"{what}: p99 gap", float(np.percentile(self._gaps, 99)), "ms"),
            row(f"{what}: longest gap", max(self._gaps), "ms"),
        ]

    def _tick(self) -> None:
        now = time.perf_counter()
        self._gaps.append((now - self._last) * 1e3)
        self._last = now
        self._watch()

    def _watch(self) -> None:
        if self._longest:  # a thread that needs no interpreter lock prints them
            faulthandler.dump_traceback_later(self._longest)


# ----------------------------------------------------------------------------- roll and pages


def roll_rows() -> list[Row]:
    """Measure repaints of a piano roll with 10,000 visible notes."""
    view = RollView()
    view.resize(1600, 800)
    base = np.array([72, 65, 58, 46])  # four voices that move at every step
    piece = Chorale.of(base + (np.arange(_NOTES // 4)[:, None] + np.arange(4)) % 7)
    view.show_roll(roll.draw(piece))
    view.show()
    view.fit()
    view.grab()

    def cold() -> None:
        view.resize(1600, 801 if view.height() == 800 else 800)  # noqa: PLR2004
        view.grab()

    rows = []
    for name in ("roll, 10,000 notes", "roll, 10,000 notes, marked and half of them locked"):
        rows += [
            row(f"{name}: cached repaint", _milliseconds(view.grab), "ms"),
            row(f"{name}: cold repaint", _milliseconds(cold), "ms"),
        ]
        view.set_marks(marks.marks(piece))
        view.set_locked(np.tile([True, False], (piece.steps, 2)))
        view.grab()
    return rows


def _milliseconds(paint: Work, times: int = 15) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        paint()
        taken.append((time.perf_counter() - began) * 1e3)
    return median(taken)


def gap_rows_of_pages(seconds: float) -> list[Row]:
    """Measure the gaps on all pages while the app generates and plays, with one model and two."""
    scenes = [(page, other) for other in ("", _SECOND) for page in _PAGES]
    return [found for page, other in scenes for found in _page_rows(page, other, seconds)]


def _page_rows(page: str, other: str, seconds: float) -> Iterator[Row]:
    app_controller, ticks = open_app(), Ticks()
    document, player, generated = app_controller.document, app_controller.player, 0

    second = app_controller.two_models.other.job

    def generate_and_play() -> None:
        nonlocal generated
        ends = time.perf_counter() + seconds
        while time.perf_counter() < ends:
            if not document.generating and not second.busy:
                generated += 1
                QTimer.singleShot(0, app_controller.writing.generate)  # an event, as a click is
            if not player.playing and document.piece is not None:
                player.play(0)
            run_events(0.05)

    run_events(0)
    app_controller.two_models.compare_with(other)
    app_controller.window.pages.open(page)
    app_controller.writing.generate()
    run_events(_TIMEOUT, lambda: document.piece is not None)
    name = f"{_PAGES[page]}, two models" if other else _PAGES[page]
    what = f"{name}, writing and playing for {seconds:.0f} s"
    yield from ticks.rows(what, generate_and_play)
    _close(app_controller)
    yield row(f"{what}: pieces written", generated, "pieces")


# -------------------------------------------------------------------------------------- study


class TimedOutput(MiniaudioOutput):
    """The null device; it records the time of each request for samples."""

    def __init__(self) -> None:
        super().__init__(null=True)
        self.requests: list[float] = []

    def start(self, pull: RenderCallback) -> None:
        def timed(frames: int) -> Samples:
            self.requests.append(time.perf_counter())
            return pull(frames)

        self.requests.clear()
        super().start(timed)


def study_rows() -> list[Row]:
    """Measure the gaps of the window and of the sound while the study ``smoke`` trains.

    Its curves are shown, and a chorale plays in a loop.
    """
    with tempfile.TemporaryDirectory() as home:
        os.environ["MUSICREL_HOME"] = home  # this process runs nothing but the benchmark
        output, ticks = TimedOutput(), Ticks()
        player = Player(output)
        app_controller = open_app(player, Settings(device="cpu"))
        _start_study(app_controller)
        piece = bundled.load("test")[0]
        player.load(piece)
        player.loop = (0.0, float(piece.steps))
        player.play(0)
        busy = partial(_state_is, app_controller, "running")
        gaps = ticks.rows("", lambda: run_events(_TIMEOUT, lambda: not (player.playing and busy())))
        now = app_controller.studies.now
        what = f"smoke study ({now.state if now else ''}) beside"
        _close(app_controller)
    rows = [one | {"name": f"{what} the window{one['name']}"} for one in gaps]
    longest = max(np.diff(output.requests[_FIRST_BURST:])) * 1e3
    return [*rows, row(f"{what} the sound: longest gap", float(longest), "ms")]


def _start_study(app_controller: AppController) -> None:
    from musicrel.experiment.study import definition, study_folder

    folder = study_folder.unused_folder("smoke")
    definition.create(folder, definition.load("smoke"))
    app_controller.window.pages.open("experiment")
    app_controller.studies.choose(folder)
    run_events(_TIMEOUT, partial(_state_is, app_controller, "queued"))
    app_controller.studies.do("start")
    run_events(_TIMEOUT, partial(_state_is, app_controller, "running"))


def _state_is(app_controller: AppController, state: str) -> bool:
    now = app_controller.studies.now
    return now is not None and now.state == state


# -------------------------------------------------------------------------------------- start


def start_rows() -> list[Row]:
    """Return the seconds until the window and the first note are there, and the gaps.

    All modules are compiled before, as set-up does it.
    """
    compileall.compile_dir(Path(musicrel.__file__).parent, quiet=1)
    starts = [_rows_of_child("first-note") for _ in range(REPEATS)]
    fastest = [min(same, key=lambda one: float(one["value"])) for same in zip(*starts, strict=True)]
    return [*fastest, *_rows_of_child("loading")]


def _rows_of_child(part: str) -> list[Row]:
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"MUSICREL_HOME": home}
        command = [sys.executable, "-c", _PROGRAM, "--only", part, "--since", str(time.time())]
        answer = subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment
        )
    if answer.returncode:
        raise RuntimeError(answer.stderr)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def _first_note(since: float) -> list[Row]:
    """Ask for a piece as soon as the window is usable, and wait for its first note."""
    app_controller, usable, noted = open_app(), Moment(), Moment()
    app_controller.window.painted.connect(usable.reach)
    app_controller.writer.steps_generated.connect(noted.reach)
    usable.wait()
    app_controller.writing.generate()
    noted.wait()
    _close(app_controller)
    return [
        row("start to usable window", usable.at - since, "s"),
        row("start to first note", noted.at - since, "s"),
    ]


def _loading() -> list[Row]:
    """Load a model, write, and play, one after the other."""
    app_controller, ticks = open_app(), Ticks()
    usable, loaded, document = Moment(), Moment(), app_controller.document
    app_controller.window.painted.connect(usable.reach)
    app_controller.model.status_changed.connect(loaded.reach)
    usable.wait()
    found = ticks.rows("window, only loading a model", loaded.wait)
    sizes = {"model loaded": _megabytes()}

    def write() -> None:
        for _ in range(_PIECES):
            QTimer.singleShot(1, app_controller.writing.generate)  # an event, as a click is
            run_events(_TIMEOUT, lambda: document.generating)
            run_events(_TIMEOUT, lambda: not document.generating)

    found += ticks.rows(f"window, only writing {_PIECES} pieces", write)
    app_controller.player.play(0)
    playing = f"window, only playing for {_PLAYING_SECONDS:.0f} s"
    found += ticks.rows(playing, lambda: run_events(_PLAYING_SECONDS))
    sizes["after writing and playing"] = _megabytes()
    _close(app_controller)
    memory_rows = [row(f"memory of the app, {state}", size, "MB") for state, size in sizes.items()]
    return found + memory_rows


def _megabytes() -> float:
    return psutil.Process().memory_info().rss / 1e6


class Moment:
    def __init__(self) -> None:
        self.at = 0.0

    def reach(self) -> None:
        """Note the time; later calls change nothing."""
        self.at = self.at or time.time()

    def wait(self) -> None:
        run_events(_TIMEOUT, lambda: self.at > 0)
        if not self.at:
            raise RuntimeError(f"nothing happened in {_TIMEOUT:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
