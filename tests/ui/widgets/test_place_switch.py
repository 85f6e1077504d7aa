"""The places of the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.presentation.words.places import PLACES
from musicrel.ui.shell.main_window import MainWindow


def shown(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitExposed(window):
        window.show()


def test_window_opens_in_the_compose_place(window: MainWindow, qtbot: QtBot) -> None:
    """Its button and its menu entry are checked."""
    shown(window, qtbot)

    assert window.places.current == "compose"
    assert [b.isChecked() for b in window.places.switch.buttons.values()] == [True, False, False]
    assert [act.isChecked() for act in window.commands.places.actions()] == [True, False, False]


def test_places_are_opened_by_keyboard_and_by_click(window: MainWindow, qtbot: QtBot) -> None:
    """The shortcut is Ctrl with the number of the place."""
    shown(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert window.places.current == "attention"
    assert window.places.switch.buttons["attention"].isChecked()

    QTest.mouseClick(window.places.switch.buttons["compose"], Qt.MouseButton.LeftButton)
    assert window.places.current == "compose"
    assert window.commands.places.checkedAction().data() == "compose"


def test_workspace_moves_to_the_open_place(window: MainWindow, qtbot: QtBot) -> None:
    """There is one roll, visible in both places."""
    shown(window, qtbot)
    assert window.compose_page.isAncestorOf(window.compose_page.roll)
    window.places.open("attention")
    assert window.attention.isAncestorOf(window.compose_page.roll)
    assert window.compose_page.roll.isVisible()
    window.places.open("compose")
    assert window.compose_page.isAncestorOf(window.compose_page.roll)
    assert window.compose_page.roll.isVisible()


def test_every_place_has_an_accessible_name(window: MainWindow) -> None:
    """It consists of title and description."""
    names = [button.accessibleName() for button in window.places.switch.buttons.values()]

    assert names == [f"{place.title}: {place.description}" for place in PLACES]


def test_small_window_leaves_room_for_the_notes(window: MainWindow, qtbot: QtBot) -> None:
    """In the Attention place the transport bar is hidden."""
    window.resize(940, 600)
    shown(window, qtbot)
    assert window.playback.isVisible()
    window.places.open("attention")
    assert not window.playback.isVisible()
    window.places.open("compose")
    assert window.playback.isVisible()
