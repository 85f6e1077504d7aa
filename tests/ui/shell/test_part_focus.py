"""The keyboard focus goes from form to sheet to takes, and back to the sheet."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.library import shortcut_keys
from musicrel.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints
F6, ESC = Qt.Key.Key_F6, Qt.Key.Key_Escape


def test_f6_visits_form_sheet_and_takes(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """And begins again."""
    app_controller.document.show_piece(Chorale.of([[72, 67, 64, 48]] * 16), action="imported")
    page = window.compose_page
    window.resize(1400, 1000)
    window.commands.takes.show.setChecked(True)
    qtbot.waitUntil(window.takes.view.isVisible)
    page.roll.setFocus()
    for part in (window.takes.view, page.controls.compose_form.bars, page.roll):
        QTest.keyClick(window, F6)
        assert part.hasFocus()


@pytest.mark.usefixtures("app_controller")
def test_escape_in_the_form_returns_to_the_sheet(window: MainWindow) -> None:
    """From a number, a text and a choice."""
    page = window.compose_page
    form = page.controls.compose_form
    for field in (form.bars, form.phrases, form.meter):
        field.setFocus()
        QTest.keyClick(field, ESC)
        assert page.roll.hasFocus()


@pytest.mark.usefixtures("app_controller")
def test_sheet_has_the_focus_after_the_candidates(window: MainWindow) -> None:
    """Also if the candidates had it."""
    page = window.compose_page
    page.show_candidates(on=True)
    page.candidates.retry.setFocus()
    page.show_candidates(on=False)
    assert page.roll.hasFocus()


@pytest.mark.parametrize("key", [Qt.Key.Key_Menu, Qt.Key.Key_F10])
def test_context_menu_opens_by_key(
    app_controller: AppController, window: MainWindow, key: Qt.Key
) -> None:
    """The selection stays: the note in the middle of the sheet is not meant."""
    app_controller.document.show_piece(Chorale.of([[72, 67, 64, 48]] * 16))
    app_controller.document.select(Selection(voices=(1,), start=0, stop=2))
    roll, menu = window.compose_page.roll, app_controller.editing.commands.menu
    roll.setFocus()
    if key == Qt.Key.Key_Menu:  # the event that Qt makes of the key
        reason = QContextMenuEvent.Reason.Keyboard
        middle = roll.viewport().rect().center()
        QApplication.sendEvent(roll, QContextMenuEvent(reason, middle, roll.mapToGlobal(middle)))
    else:
        QTest.keyClick(roll, key, Qt.KeyboardModifier.ShiftModifier)
    assert menu.isVisible()
    menu.close()
    assert app_controller.document.selection == Selection(voices=(1,), start=0, stop=2)


def test_shortcut_sheet_has_both(window: MainWindow) -> None:
    """One is of a menu."""
    menus = shortcut_keys.of_menus(window.menuBar())
    assert "F6" in [line.keys for line in menus["View"]]
    assert shortcut_keys.of_views()[shortcut_keys.FORM][0].keys == "Esc"
