"""Actions of a user that the tests of several controllers share, and pieces to act on."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.score.editing.draft import Edit
from musicrel.score.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import GENERATING
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import TIMEOUT, FakeJobs

PIECE = Chorale.of([(72, 67, 64, 48)] * 32, title="Air")
FINE = Chorale.of([(67, 64, 55, 48)] * 32, title="Air")
WRONG = Chorale.of(
    [(67, 64, 55, 48)] * 8 + [(69, 64, 55, 50)] * 8 + [(71, 64, 55, 52)] * 16, title="Air"
)
"""Two parallel fifths of soprano and bass, at steps 8 and 16."""
INNER = Selection(voices=(1, 2), start=4, stop=12)
Child = TypeVar("Child", bound=QObject)


def child(parent: QObject, kind: type[Child]) -> Child:
    found = parent.findChild(kind)
    assert found is not None
    return found


def generate(qtbot: QtBot, window: MainWindow) -> None:
    QTest.mouseClick(window.compose_page.controls.generate_button, Qt.MouseButton.LeftButton)
    wait_for_the_end(qtbot, window)


def wait_for_the_end(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until a generation has ended, and its piece can be played."""
    button, play = window.compose_page.controls.generate_button, window.commands.play.play
    qtbot.waitUntil(lambda: button.text() == "Generate" and play.toolTip() != GENERATING)


def hold(qtbot: QtBot, window: MainWindow, jobs: FakeJobs, cells: int) -> None:
    jobs.hold_at = cells
    QTest.mouseClick(window.compose_page.controls.generate_button, Qt.MouseButton.LeftButton)
    assert jobs.waiting.wait(TIMEOUT)
    qtbot.waitUntil(lambda: window.state.startswith(("Generating", "Searching")))


def question(window: MainWindow) -> QMessageBox | None:
    return next((box for box in window.findChildren(QMessageBox) if box.isVisible()), None)


def answer(window: MainWindow, text: str) -> None:
    box = question(window)
    assert box is not None
    next(each for each in box.buttons() if each.text().replace("&", "") == text).click()


def stop(qtbot: QtBot, window: MainWindow, jobs: FakeJobs) -> None:
    QTest.mouseClick(window.compose_page.controls.generate_button, Qt.MouseButton.LeftButton)
    jobs.gate.set()
    wait_for_the_end(qtbot, window)


def chords(bars: int, tempo: float = 80.0) -> Chorale:
    return Chorale.of(np.full((16 * bars, 4), [72, 67, 64, 48]), tempo=tempo, title="Made")


def show_chords(app: AppController, bars: int = 8, tempo: float = 80.0) -> None:
    app.document.show_piece(chords(bars, tempo))


def request_candidates(window: MainWindow, count: int) -> None:
    window.compose_page.controls.compose_form.candidates.setValue(count)


def rewrite(
    app: AppController,
    window: MainWindow,
    qtbot: QtBot,
    selection: Selection | None = INNER,
    *,
    count: int = 8,
) -> Chorale:
    """Select a passage, rewrite it, wait for the candidates; return the original."""
    request_candidates(window, count)
    piece = app.document.piece
    assert piece is not None
    app.document.select(selection)
    window.compose_page.strip.rewrite.click()
    qtbot.waitUntil(lambda: not app.writer.busy)
    return piece


def edit_by_hand(app: AppController, piece: Chorale) -> None:
    app.document.apply(Edit(piece=piece))
