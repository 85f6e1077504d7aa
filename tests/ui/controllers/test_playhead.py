"""The playhead and the loop in roll and ruler."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from musicrel.editing.selection import Selection
from musicrel.playback.player import Player
from musicrel.ui.app_controller import AppController
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.roll.roll_view import RULER_TIP
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import show_chords

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints
LEFT = Qt.MouseButton.LeftButton


def loop(player: Player) -> tuple[float, float] | None:
    """Return the region that the player repeats."""
    return player.loop


def region(app_controller: AppController) -> tuple[float, float] | None:
    """Return the loop region shown in the ruler."""
    return app_controller.playback.playhead.region


def at(window: MainWindow, step: float, *, ruler: bool = True) -> QPoint:
    """Return a point of the roll at ``step``, in the ruler or below it beside all notes."""
    view = window.compose_page.roll.seen
    y = RULER_HEIGHT // 2 if ruler else RULER_HEIGHT + round(view.y(80)) + 3
    return QPoint(KEYBOARD_WIDTH + round(view.x(step)) + 1, y)


def test_click_in_the_ruler_seeks_a_beat(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """The playhead moves to the nearest beat."""
    show_chords(app_controller)
    QTest.mouseClick(window.compose_page.roll.viewport(), LEFT, pos=at(window, 32.8))

    assert player.position == pytest.approx(32, abs=0.01)
    assert app_controller.playback.playhead.step == player.position


def test_click_beside_notes_seeks_its_sixteenth(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """A click on a note selects it instead."""
    show_chords(app_controller)
    QTest.mouseClick(window.compose_page.roll.viewport(), LEFT, pos=at(window, 30.2, ruler=False))
    assert player.position == pytest.approx(30, abs=0.01)

    view = window.compose_page.roll.seen
    on_note = QPoint(KEYBOARD_WIDTH + round(view.x(8)), RULER_HEIGHT + round(view.y(72)) + 3)
    QTest.mouseClick(window.compose_page.roll.viewport(), LEFT, pos=on_note)
    assert player.position == pytest.approx(30, abs=0.01)


def test_drag_in_the_ruler_makes_the_loop(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """It covers whole beats and is switched on, in either direction of the drag."""
    show_chords(app_controller)
    port = window.compose_page.roll.viewport()
    QTest.mousePress(port, LEFT, pos=at(window, 63.2))
    QTest.mouseMove(port, at(window, 50))
    QTest.mouseMove(port, at(window, 32.3))
    QTest.mouseRelease(port, LEFT, pos=at(window, 32.3))

    assert loop(player) == (32, 64)
    assert region(app_controller) == (32, 64)
    assert window.commands.play.loop.isChecked()
    assert player.position == 0, "a drag is no click"
    window.commands.play.loop.trigger()
    assert loop(player) is None
    assert region(app_controller) == (32, 64), "it is remembered"


def drag(window: MainWindow, start: float, stop: float) -> None:
    """Drag in the ruler from one step to another."""
    port = window.compose_page.roll.viewport()
    QTest.mousePress(port, LEFT, pos=at(window, start))
    for share in (0.5, 1.0):
        QTest.mouseMove(port, at(window, start + share * (stop - start)))
    QTest.mouseRelease(port, LEFT, pos=at(window, stop))


def test_an_end_of_the_loop_is_dragged(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """The other end stays, also when the first passes it; the pointer shows where."""
    show_chords(app_controller)
    app_controller.playback.drag_loop(32, 64)
    port = window.compose_page.roll.viewport()
    QTest.mouseMove(port, at(window, 64))
    shapes = [port.cursor().shape()]
    QTest.mouseMove(port, at(window, 48))
    shapes.append(port.cursor().shape())
    found = []
    for start, stop in ((64, 96), (32, 16), (16, 112)):
        drag(window, start, stop)
        found.append(loop(player))

    assert shapes == [Qt.CursorShape.SplitHCursor, Qt.CursorShape.ArrowCursor]
    assert found == [(32, 96), (16, 96), (96, 112)]


def test_a_click_on_its_bar_removes_the_loop(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """The playhead stays; a click below the bar only moves it."""
    show_chords(app_controller)
    app_controller.playback.drag_loop(32, 64)
    port = window.compose_page.roll.viewport()
    QTest.mouseClick(port, LEFT, pos=QPoint(at(window, 48).x(), RULER_HEIGHT // 2))
    assert loop(player) == (32, 64)
    assert player.position == pytest.approx(48, abs=0.01)

    QTest.mouseClick(port, LEFT, pos=QPoint(at(window, 40).x(), 4))
    assert (loop(player), region(app_controller)) == (None, None)
    assert not window.commands.play.loop.isChecked()
    assert player.position == pytest.approx(48, abs=0.01)


def test_loop_by_keyboard(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """Brackets set its ends at the playhead; Ctrl+L alone repeats the selection, or everything."""
    show_chords(app_controller)
    player.seek(16)
    QTest.keyClick(window, Qt.Key.Key_BracketLeft)
    player.seek(48)
    QTest.keyClick(window, Qt.Key.Key_BracketRight)
    assert loop(player) == (16, 48)

    window.compose_page.selecting.select(Selection(voices=(0,), start=4, stop=12))
    window.commands.play.loop_selection.trigger()
    assert loop(player) == (4, 12)


def test_loop_without_a_region_repeats_all(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """It shrinks with a shorter piece."""
    show_chords(app_controller)
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert loop(player) == (0, 128)

    show_chords(app_controller, bars=4)
    assert loop(player) == (0, 64)


def test_stop_returns_to_the_start(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """Stop returns to the start of the loop, if any; Ctrl+Home to the start of the piece."""
    show_chords(app_controller)
    app_controller.playback.drag_loop(32, 64)
    player.seek(40)
    window.commands.play.stop.trigger()
    assert player.position == pytest.approx(32, abs=0.01)

    window.commands.play.start.trigger()
    assert player.position == 0
    window.commands.play.forward.trigger()
    window.commands.play.forward.trigger()
    window.commands.play.back.trigger()
    assert player.position == pytest.approx(4, abs=0.01)


def test_scrolling_ends_following(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """Play follows the playhead again."""
    show_chords(app_controller, bars=64)
    app_controller.playback.toggle()
    window.compose_page.roll.zoom_in()
    bar = window.compose_page.roll.horizontalScrollBar()
    bar.triggerAction(bar.SliderAction.SliderToMaximum)
    far = window.compose_page.roll.seen.left
    app_controller.playback.tick()
    assert window.compose_page.roll.seen.left == far > 0

    app_controller.playback.toggle()
    app_controller.playback.toggle()
    assert window.compose_page.roll.seen.left < far
    del player


def test_ruler_has_a_tooltip(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """It explains click and drag."""
    show_chords(app_controller)
    port = window.compose_page.roll.viewport()
    place = at(window, 3)
    event = QHelpEvent(QEvent.Type.ToolTip, place, port.mapToGlobal(place))
    QApplication.sendEvent(port, event)
    qtbot.waitUntil(lambda: QToolTip.text() == RULER_TIP)
    QToolTip.hideText()


def test_playhead_is_drawn_at_its_step(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """It is a line in the text colour, and nowhere else in its lane."""
    show_chords(app_controller)
    player.seek(20)
    app_controller.playback.tick()
    image = window.compose_page.roll.viewport().grab().toImage()
    x = KEYBOARD_WIDTH + round(window.compose_page.roll.seen.x(20))

    assert image.pixelColor(x, RULER_HEIGHT + 4).lightness() < 60
    assert image.pixelColor(x + 12, RULER_HEIGHT + 4).lightness() > 200


def test_the_score_shows_the_loop(app_controller: AppController, window: MainWindow) -> None:
    """Only with the option on."""
    show_chords(app_controller)
    app_controller.playback.drag_loop(32, 64)
    shown = [window.compose_page.score.loop]
    window.commands.play.loop.trigger()
    shown.append(window.compose_page.score.loop)

    assert shown == [(32, 64), None]
