"""The loop on the engraved score: its bar, and the mouse on it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from musicrel.playback.player import Player
from musicrel.presentation.score import engraver
from musicrel.presentation.score.score_picture import SPACE
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import show_chords
from tests.ui.user import User

pytestmark = [
    pytest.mark.skipif(bool(engraver.disabled_reason()), reason=engraver.disabled_reason()),
]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def looped(user: User) -> AppController:
    show_chords(user.app, bars=2)
    user.commands.score.trigger()
    user.wait(lambda: user.page.score.score is not None)
    user.app.playback.drag_loop(0, 16)
    return user.app


def at(window: MainWindow, step: float) -> QPoint:
    seen = window.compose_page.score.seen
    system = seen.system(0)
    x, y = seen.point(0, system.x_at(step) - SPACE, system.staves[0].top - 4.2 * SPACE)
    return QPoint(round(x), round(y))


def test_the_score_shows_the_loop_while_it_is_on(looped: AppController, window: MainWindow) -> None:
    score = window.compose_page.score
    place = at(window, 8)
    with_bar = score.viewport().grab().toImage().pixelColor(place)
    window.commands.play.loop.trigger()
    without = score.viewport().grab().toImage().pixelColor(place)

    assert with_bar != without
    assert score.loop is None
    del looped


def test_an_end_of_its_bar_is_dragged(looped: AppController, user: User, player: Player) -> None:
    port = user.page.score.viewport()
    QTest.mousePress(port, LEFT, pos=at(user.window, 16))
    for step in (20, 24):
        QTest.mouseMove(port, at(user.window, step))
    QTest.mouseRelease(port, LEFT, pos=at(user.window, 24))
    found = [player.loop]
    QTest.mousePress(port, LEFT, pos=at(user.window, 24))
    QTest.mouseMove(port, at(user.window, 8))
    QTest.mouseRelease(port, LEFT, pos=at(user.window, 8))
    found.append(player.loop)

    assert found == [(0, 24), (0, 8)]
    assert looped.document.selection is None


def test_a_click_on_its_bar_removes_it(looped: AppController, user: User, player: Player) -> None:
    QTest.mouseClick(user.page.score.viewport(), LEFT, pos=at(user.window, 8))

    assert player.loop is None
    assert player.position == 0
    assert looped.document.selection is None
