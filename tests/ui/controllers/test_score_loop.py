"""The loop on the engraved score: its bar, and the mouse on it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.playback.player import Player
from musicrel.presentation.score import engraver
from musicrel.presentation.score.score_picture import SPACE
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import show_chords

pytestmark = [
    pytest.mark.qt_log_ignore("This plugin does not support"),  # offscreen: raise, hints
    pytest.mark.skipif(bool(engraver.disabled_reason()), reason=engraver.disabled_reason()),
]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def looped(app_controller: AppController, window: MainWindow, qtbot: QtBot) -> AppController:
    """Show a score of two bars, the first of which is looped."""
    show_chords(app_controller, bars=2)
    window.commands.score.trigger()
    qtbot.waitUntil(lambda: window.compose_page.score.score is not None)
    app_controller.playback.drag_loop(0, 16)
    return app_controller


def at(window: MainWindow, step: float) -> QPoint:
    """Return the point of the strip above the first system at ``step``."""
    seen = window.compose_page.score.seen
    system = seen.system(0)
    x, y = seen.point(0, system.x_at(step) - SPACE, system.staves[0].top - 4.2 * SPACE)
    return QPoint(round(x), round(y))


def test_the_score_shows_the_loop_while_it_is_on(looped: AppController, window: MainWindow) -> None:
    """In the accent colour, above the staves."""
    score = window.compose_page.score
    place = at(window, 8)
    with_bar = score.viewport().grab().toImage().pixelColor(place)
    window.commands.play.loop.trigger()
    without = score.viewport().grab().toImage().pixelColor(place)

    assert with_bar != without
    assert score.loop is None
    del looped


def test_an_end_of_its_bar_is_dragged(
    looped: AppController, window: MainWindow, player: Player
) -> None:
    """The other end stays; nothing is selected."""
    port = window.compose_page.score.viewport()
    QTest.mousePress(port, LEFT, pos=at(window, 16))
    for step in (20, 24):
        QTest.mouseMove(port, at(window, step))
    QTest.mouseRelease(port, LEFT, pos=at(window, 24))
    found = [player.loop]
    QTest.mousePress(port, LEFT, pos=at(window, 24))
    QTest.mouseMove(port, at(window, 8))
    QTest.mouseRelease(port, LEFT, pos=at(window, 8))
    found.append(player.loop)

    assert found == [(0, 24), (0, 8)]
    assert looped.document.selection is None


def test_a_click_on_its_bar_removes_it(
    looped: AppController, window: MainWindow, player: Player
) -> None:
    """The playhead stays, and nothing is selected."""
    QTest.mouseClick(window.compose_page.score.viewport(), LEFT, pos=at(window, 8))

    assert player.loop is None
    assert player.position == 0
    assert looped.document.selection is None
