"""The places of the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.widgets.place_switch import PLACES


def shown(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitExposed(window):
        window.show()


def test_window_opens_in_the_compose_place(window: MainWindow, qtbot: QtBot) -> None:
    """Its button is checked, and so is its entry in the menu."""
    shown(window, qtbot)

    assert window.places.current == "compose"
    assert [b.isChecked() for b in window.places.switch.buttons.values()] == [True, False, False]
    assert [act.isChecked() for act in window.commands.places.actions()] == [True, False, False]


def test_places_are_opened_by_keyboard_and_by_click(window: MainWindow, qtbot: QtBot) -> None:
    """Control with the number of the place, or its button."""
    shown(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert window.places.current == "attention"
    assert window.places.switch.buttons["attention"].isChecked()

    QTest.mouseClick(window.places.switch.buttons["compose"], Qt.MouseButton.LeftButton)
    assert window.places.current == "compose"
    assert window.commands.places.checkedAction().data() == "compose"


def test_sheet_comes_along(window: MainWindow, qtbot: QtBot) -> None:
    """There is one roll, and it is seen in both places."""
    shown(window, qtbot)
    assert window.page.isAncestorOf(window.page.roll)
    window.places.open("attention")
    assert window.attention.isAncestorOf(window.page.roll)
    assert window.page.roll.isVisible()
    window.places.open("compose")
    assert window.page.isAncestorOf(window.page.roll)
    assert window.page.roll.isVisible()


def test_every_place_can_be_read_out(window: MainWindow) -> None:
    """By name and by what one does there."""
    names = [button.accessibleName() for button in window.places.switch.buttons.values()]

    assert names == [f"{place.title}: {place.says}" for place in PLACES]


def test_small_window_leaves_room_for_the_notes(window: MainWindow, qtbot: QtBot) -> None:
    """In the attention place the transport gives way; its keys still work."""
    window.resize(940, 600)
    shown(window, qtbot)
    assert window.listening.isVisible()
    window.places.open("attention")
    assert not window.listening.isVisible()
    window.places.open("compose")
    assert window.listening.isVisible()
