"""Playing a take, or only what it changed, in place of the piece."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import takes_controller
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.takes.takes_view import TakesView
from tests.helpers.sound import ManualOutput
from tests.ui.takes.pieces import FIRST, REWRITTEN

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def test_the_change_is_looped_and_the_loop_of_the_user_comes_back(
    app_controller: AppController, view: TakesView, window: MainWindow, qtbot: QtBot
) -> None:
    """So do the piece and the position of the playhead."""
    document, player = app_controller.document, app_controller.player
    document.use_take(1)
    app_controller.playback.drag_loop(4.0, 8.0)
    player.seek(6.0)
    before = player.loop
    view.select([2])
    window.commands.takes.play_change.trigger()

    assert (document.shown, document.piece, player.playing) == (REWRITTEN, FIRST, True)
    assert [player.loop, window.compose_page.playhead.region] == [(20, 36)] * 2
    QTest.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: document.shown is FIRST)
    assert [player.loop, window.compose_page.playhead.region] == [before] * 2
    assert (player.position, player.playing) == (6.0, False)


def test_a_take_is_played_from_its_beginning(
    app_controller: AppController, view: TakesView, window: MainWindow
) -> None:
    """The same command ends it."""
    document, player = app_controller.document, app_controller.player
    player.seek(10.0)
    view.select([1])
    window.commands.takes.play.trigger()
    assert (document.shown, player.position, player.loop) == (FIRST, 0.0, None)
    assert window.state == "Playing “Air”: Esc ends it"
    window.commands.takes.play.trigger()
    assert (document.shown, player.position) == (REWRITTEN, 10.0)
    assert window.state == takes_controller.ENDED


def test_letters_of_the_strip_play(
    app_controller: AppController, view: TakesView, qtbot: QtBot
) -> None:
    """P plays the take, C its change."""
    player = app_controller.player
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    view.select([2])
    QTest.keyClick(view, Qt.Key.Key_P)
    assert (player.playing, player.loop) == (True, None)
    QTest.keyClick(view, Qt.Key.Key_P)
    QTest.keyClick(view, Qt.Key.Key_C)
    assert (player.playing, player.loop) == (True, (20, 36))
    QTest.keyClick(view, Qt.Key.Key_C)
    assert not player.playing


def test_another_take_can_be_used_while_one_is_played(
    app_controller: AppController, view: TakesView, window: MainWindow
) -> None:
    """This ends the playback."""
    document = app_controller.document
    view.select([1])
    window.commands.takes.play.trigger()
    assert window.commands.takes.use.isEnabled()
    window.commands.takes.use.trigger()

    assert document.piece is FIRST is document.shown
    assert not app_controller.player.playing


def test_the_end_of_the_take_ends_the_playback(
    app_controller: AppController,
    view: TakesView,
    window: MainWindow,
    output: ManualOutput,
    qtbot: QtBot,
) -> None:
    """The piece is shown again."""
    player = app_controller.player
    view.select([1])
    window.commands.takes.play.trigger()

    def play_on() -> bool:
        player.work()
        output.advance(1.0)
        return not player.playing

    qtbot.waitUntil(play_on)
    qtbot.waitUntil(lambda: app_controller.document.shown is REWRITTEN)


def test_escape_ends_the_playback(
    app_controller: AppController, view: TakesView, window: MainWindow
) -> None:
    """It closes candidates first if there are some."""
    view.select([1])
    window.commands.takes.play.trigger()
    assert window.commands.takes.end.isEnabled()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert app_controller.document.shown is REWRITTEN
    assert window.commands.takes.end.toolTip() == takes_controller.NOT_PLAYING

    app_controller.window.compose_page.controls.compose_form.candidates.setValue(2)
    window.compose_page.strip.rewrite.click()
    window.commands.takes.play.trigger()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert app_controller.document.shown is REWRITTEN


@pytest.mark.parametrize("change", ["undo", "generate", "hide", "close"])
def test_a_change_of_the_piece_ends_the_playback(
    change: str, app_controller: AppController, view: TakesView, window: MainWindow
) -> None:
    """Nothing is left playing."""
    view.select([1])
    window.commands.takes.play.trigger()
    match change:
        case "undo":
            app_controller.document.undo()
        case "generate":
            app_controller.compose.generate()
        case "hide":
            window.takes.close_button.click()
        case _:
            window.close()

    assert not app_controller.player.playing


def test_an_unchanged_take_has_no_change_to_play(
    app_controller: AppController, view: TakesView, window: MainWindow, qtbot: QtBot
) -> None:
    """The tooltip has the reason."""
    app_controller.document.takes.add(
        REWRITTEN, app_controller.document.form, "rewritten", parent=2
    )
    qtbot.waitUntil(lambda: view.takes.rowCount() == 3)
    view.select([3])

    assert window.commands.takes.play_change.toolTip() == takes_controller.UNCHANGED
