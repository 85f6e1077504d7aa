"""Latency of the window while a model generates and sound plays.

Run as ``python -m musicrel.ui.bench.window_bench``: opens the real app off screen with the bundled
model and the null device of miniaudio, generates and plays pieces, first on the Compose page, then
on the Attention page, whose map grows; each with one model, then with two that write in lockstep.
It prints one JSON row per figure. ``musicrel bench`` runs it as a child process, so that nothing
else is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Final

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before anything opens a display

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from musicrel.bench.timing import Row, row
from musicrel.chorale import Chorale
from musicrel.playback.audio import MiniaudioOutput
from musicrel.playback.player import Player
from musicrel.presentation.roll import marks, roll
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.bench.bench_window import Ticks, gap_rows, open_app, run_events
from musicrel.ui.bench.large_study_bench import large_study_rows
from musicrel.ui.bench.start_bench import start_rows
from musicrel.ui.bench.study_bench import study_rows
from musicrel.ui.roll.roll_view import RollView

_PAGES: Final = {"compose": "window", "attention": "attention page"}
"""Pages on which generating is measured, and their names in the rows."""
_SECOND: Final = "vanilla"
"""Model B, beside the default model."""
_TWO: Final = "{page}, two models"
_NOTES: Final = 10_000
_WARM_UP_SECONDS: Final = 30.0
_WHAT: Final = "{page}, writing and playing for {seconds:.0f} s"
_PIECES: Final = "{what}: pieces written"
_ROLLS: Final = ("roll, 10,000 notes", "roll, 10,000 notes, marked and half of them locked")
_CACHED: Final = "{name}: cached repaint"
_COLD: Final = "{name}: cold repaint"


def gap_rows_of_pages(seconds: float) -> list[Row]:
    """Measure the gaps on all pages, with one model and with two."""
    scenes = [(page, other) for other in ("", _SECOND) for page in _PAGES]
    return [found for page, other in scenes for found in page_rows(page, other, seconds)]


def page_rows(page: str, other: str, seconds: float) -> list[Row]:
    """Measure the gaps while the app generates and plays with a page open.

    Args:
        other: name of the model that writes the same piece in lockstep; "": none.
    """
    app_controller, ticks = open_app(Player(MiniaudioOutput(null=True)), Settings()), Ticks()
    run_events(0)
    app_controller.twin.controller.compare_with(other)
    app_controller.window.pages.open(page)
    app_controller.compose.generate()
    run_events(_WARM_UP_SECONDS, lambda: app_controller.document.piece is not None)
    ticks.start()
    pieces = _generate_and_play(app_controller, seconds)
    name = _TWO.format(page=_PAGES[page]) if other else _PAGES[page]
    what = _WHAT.format(page=name, seconds=seconds)
    rows = gap_rows(what, ticks.gaps)
    app_controller.projects.discard()
    app_controller.window.close()
    return [*rows, row(_PIECES.format(what=what), pieces, "pieces")]


def roll_rows() -> list[Row]:
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
    for name in _ROLLS:
        rows += [
            row(_CACHED.format(name=name), _milliseconds(view.grab), "ms"),
            row(_COLD.format(name=name), _milliseconds(cold), "ms"),
        ]
        view.set_marks(marks.marks(piece))
        view.set_locked(np.tile([True, False], (piece.steps, 2)))
        view.grab()
    return rows


def main() -> int:
    """Run the measurements and print one JSON row per line."""
    parser = argparse.ArgumentParser(prog="musicrel.ui.bench.window_bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0)
    parts = ("roll", "gaps", "study", "studies", "start")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    args = parser.parse_args()
    app = QApplication([])
    rows: dict[str, Callable[[], list[Row]]] = {
        "roll": roll_rows,
        "gaps": partial(gap_rows_of_pages, args.seconds),
        "study": study_rows,
        "studies": large_study_rows,
        "start": start_rows,
    }
    for part in args.only:
        for found in rows[part]():
            sys.stdout.write(json.dumps(found) + "\n")
    del app
    return 0


def _generate_and_play(app_controller: AppController, seconds: float) -> int:
    """Generate one piece after the other and play the current one; return their number."""
    document, player = app_controller.document, app_controller.player
    generated, ends = 0, time.perf_counter() + seconds
    while time.perf_counter() < ends:
        if not document.generating:
            generated += 1
            QTimer.singleShot(0, app_controller.compose.generate)  # an event, as a click is
        if not player.playing and document.piece is not None:
            player.play(0)
        run_events(0.05)
    return generated


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


if __name__ == "__main__":
    sys.exit(main())
