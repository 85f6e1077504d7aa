"""The pages of the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.presentation.words.pages import PAGES
from musicrel.ui.shell.main_window import MainWindow


def shown(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitExposed(window):
        window.show()


def test_window_opens_on_the_compose_page(window: MainWindow, qtbot: QtBot) -> None:
    """Its button and its menu entry are checked."""
    shown(window, qtbot)

    assert window.pages.current == "compose"
    assert [b.isChecked() for b in window.pages.switch.buttons.values()] == [True, False, False]
    assert [act.isChecked() for act in window.commands.pages.actions()] == [True, False, False]


def test_pages_are_opened_by_keyboard_and_by_click(window: MainWindow, qtbot: QtBot) -> None:
    """The shortcut is Ctrl with the number of the page."""
    shown(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert window.pages.current == "attention"
    assert window.pages.switch.buttons["attention"].isChecked()

    QTest.mouseClick(window.pages.switch.buttons["compose"], Qt.MouseButton.LeftButton)
    assert window.pages.current == "compose"
    assert window.commands.pages.checkedAction().data() == "compose"


def test_workspace_moves_to_the_open_page(window: MainWindow, qtbot: QtBot) -> None:
    """There is one roll, visible on both pages."""
    shown(window, qtbot)
    assert window.compose_page.isAncestorOf(window.compose_page.roll)
    window.pages.open("attention")
    assert window.attention.isAncestorOf(window.compose_page.roll)
    assert window.compose_page.roll.isVisible()
    window.pages.open("compose")
    assert window.compose_page.isAncestorOf(window.compose_page.roll)
    assert window.compose_page.roll.isVisible()


def test_every_page_has_an_accessible_name(window: MainWindow) -> None:
    """It consists of title and description."""
    names = [button.accessibleName() for button in window.pages.switch.buttons.values()]

    assert names == [f"{page.title}: {page.description}" for page in PAGES]


def test_small_window_leaves_room_for_the_notes(window: MainWindow, qtbot: QtBot) -> None:
    """On the Attention page the transport bar is hidden."""
    window.resize(940, 600)
    shown(window, qtbot)
    assert window.playback.isVisible()
    window.pages.open("attention")
    assert not window.playback.isVisible()
    window.pages.open("compose")
    assert window.playback.isVisible()
