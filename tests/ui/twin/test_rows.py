"""The rolls of models A and B: the same rows, zoom and scrolling."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from musicrel.ui.app_controller import AppController
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.twin.twin import Twin
from tests.ui.fakes import FakeJobs


def enlarge(window: MainWindow, _other: RollView) -> None:
    """Zoom in time."""
    window.compose_page.roll.zoom(4.0)


def stretch(window: MainWindow, _other: RollView) -> None:
    """Make rows higher by the wheel, and scroll down."""
    roll = window.compose_page.roll
    turn(roll, 3)
    roll.verticalScrollBar().setValue(roll.verticalScrollBar().maximum() // 2)


def stretch_below(_window: MainWindow, other: RollView) -> None:
    """Do the same on the roll of B."""
    turn(other, 3)
    other.verticalScrollBar().setValue(11)


def lower_the_window(window: MainWindow, _other: RollView) -> None:
    """Leave less height, after a zoom in time."""
    window.compose_page.roll.zoom(4.0)
    window.resize(window.width(), 700)


def raise_the_window(window: MainWindow, _other: RollView) -> None:
    """Leave more height, after rows were made higher."""
    turn(window.compose_page.roll, 1)
    window.resize(window.width(), 1100)


def turn(roll: RollView, notches: int) -> None:
    """Turn the wheel above the middle of a roll, with the keys that stretch rows."""
    place = QPointF(roll.viewport().rect().center())
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    event = QWheelEvent(
        place, roll.viewport().mapToGlobal(place), QPoint(), QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(roll.viewport(), event)


@pytest.mark.parametrize(
    "act_on", [None, enlarge, stretch, stretch_below, lower_the_window, raise_the_window]
)
def test_the_rolls_have_the_same_rows(
    act_on: Callable[[MainWindow, RollView], None] | None,
    written: Twin,
    window: MainWindow,
    qtbot: QtBot,
) -> None:
    """A pitch is at the same height in both, whatever was zoomed, scrolled or resized."""
    above, below = window.compose_page.roll, written.view.below.roll
    if act_on is not None:
        act_on(window, below)

    qtbot.waitUntil(lambda: heights(above) == heights(below))
    qtbot.waitUntil(lambda: abs(above.seen.height - below.seen.height) <= 1)
    assert heights(above) == heights(below)
    qtbot.waitUntil(lambda: above.viewport().width() == below.viewport().width())


def test_no_voice_is_hidden_by_a_zoom_of_before(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The roll of A gets lower by the one of B; its rows do, too."""
    above, below = window.compose_page.roll, app_controller.twin.view.below.roll
    window.resize(1320, 1000)
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: app_controller.document.piece is not None)
    above.zoom(5.0)
    jobs.raised["plain"] = 10  # beyond the usual rows

    app_controller.twin.controller.compare_with("plain")
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: not app_controller.document.generating)

    qtbot.waitUntil(lambda: heights(above) == heights(below))
    assert above.seen.rows == below.seen.rows
    assert above.seen.content_height == pytest.approx(above.seen.height, abs=2)
    app_controller.twin.controller.compare_with("")
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: not app_controller.document.generating)
    assert above.seen.rows < below.seen.rows


def heights(roll: RollView) -> list[float]:
    """Return where some pitches are."""
    return [roll.seen.y(pitch) for pitch in (36, 60, 84)]
