"""The sheet of shortcuts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from musicrel.ui.app_controller import AppController
from musicrel.ui.library import shortcut_keys
from musicrel.ui.library.shortcut_keys import FORM, KEYS, LISTS, NOTE_INPUT, PHRASES, ROLL
from musicrel.ui.library.shortcut_sheet import ShortcutSheet
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import generate, show_chords

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: hints


@pytest.fixture
def sheet(app_controller: AppController, window: MainWindow) -> Iterator[ShortcutSheet]:
    """Yield the sheet, opened with its own key."""
    QTest.keyClicks(window.compose_page.roll, "?")
    shown = app_controller.library.shortcuts
    assert shown is not None
    yield shown
    if app_controller.library.shortcuts is not None:
        shown.close()


def keys_of(text: str) -> list[QKeySequence]:
    """Return the keys in a line of the table: "A to G" and "3 4" are several."""
    if " to " in text:
        first, last = text.split(" to ")
        return [QKeySequence(chr(code)) for code in range(ord(first), ord(last) + 1)]
    parts = text.split(", ") if ", " in text else text.split()
    return [QKeySequence(part) for part in parts]


def is_handled(target: QWidget, window: QWidget, key: QKeySequence) -> bool:
    """Return True if a key is that of an enabled command, or a widget accepts it."""
    commands = [*window.findChildren(QAction), *target.actions()]
    if any(key in command.shortcuts() and command.isEnabled() for command in commands):
        return True
    press = key[0]  # type: ignore[index]  # missing in the stubs
    text = key.toString().lower() if len(key.toString()) == 1 else ""
    event = QKeyEvent(QEvent.Type.KeyPress, press.key(), press.keyboardModifiers(), text)
    QApplication.sendEvent(target, event)
    return event.isAccepted()


def unhandled(group: str, target: QWidget, window: QWidget) -> list[str]:
    """Return the keys of a group that a widget does not handle."""
    keys = [key for text, _ in KEYS[group] for key in keys_of(text)]
    return [key.toString() for key in keys if not is_handled(target, window, key)]


def test_keys_of_the_roll_and_the_score_work(
    app_controller: AppController, window: MainWindow
) -> None:
    """The table describes them; an odd key is refused, so that the test can fail."""
    show_chords(app_controller)
    page = window.compose_page
    page.roll.setFocus()

    assert unhandled(ROLL, page.roll, window) == []
    assert not is_handled(page.roll, window, QKeySequence("Shift+F11"))


def test_keys_of_note_input_work(app_controller: AppController, window: MainWindow) -> None:
    """The first one begins it, the last one ends it."""
    show_chords(app_controller)
    roll = window.compose_page.roll
    roll.setFocus()

    assert unhandled(NOTE_INPUT, roll, window) == []
    assert not window.commands.rewriting.draw.isChecked()


@pytest.mark.usefixtures("app_controller")
def test_keys_of_phrases_and_lists_work(window: MainWindow, qtbot: QtBot) -> None:
    """Return opens a menu or acts; the arrows select."""
    brackets = window.compose_page.brackets
    QTimer.singleShot(0, brackets.menu.close)
    assert unhandled(PHRASES, brackets, window) == []

    for _ in range(2):
        generate(qtbot, window)
    takes, candidates = window.takes.view, window.compose_page.candidates.table
    assert any(is_handled(takes, window, QKeySequence(key)) for key in ("Left", "Right"))
    for view in (takes, candidates):
        assert is_handled(view, window, QKeySequence("Return"))
    assert not is_handled(takes, window, QKeySequence("Shift+F11"))


def test_every_shortcut_of_a_menu_is_on_the_sheet(sheet: ShortcutSheet, window: MainWindow) -> None:
    """So are those of commands that no menu has, if there are any."""
    text = sheet.text.toPlainText()
    actions = [action for action in window.findChildren(QAction) if action.shortcut().toString()]

    assert len(actions) > 60
    missing = [
        action.text()
        for action in actions
        if action.text() and action.shortcut().toString() not in text
    ]
    assert missing == []


def test_the_sheet_can_be_searched(sheet: ShortcutSheet) -> None:
    """By key, name or group."""
    QTest.keyClicks(sheet.search, "Loop up")
    assert "Loop up to the playhead" in sheet.text.toPlainText()
    assert "Generate" not in sheet.text.toPlainText()

    sheet.search.setText("no such thing")
    assert sheet.text.toPlainText() == "No shortcut has “no such thing” in its keys or its name."


def test_escape_closes_the_sheet(app_controller: AppController, sheet: ShortcutSheet) -> None:
    """Also from the search field."""
    QTest.keyClick(sheet.search, Qt.Key.Key_Escape)

    assert app_controller.library.shortcuts is None


def test_the_sheet_fits_into_the_smallest_usual_window(sheet: ShortcutSheet) -> None:
    """1100 x 700."""
    assert (sheet.width() <= 1100, sheet.height() <= 700) == (True, True)


def test_every_group_of_the_table_is_checked() -> None:
    """A new group needs a case in the test below."""
    assert set(KEYS) == {ROLL, NOTE_INPUT, FORM, PHRASES, LISTS}


def test_groups_are_listed_in_the_order_of_the_menus(window: MainWindow) -> None:
    """File first; names without mnemonics."""
    groups = shortcut_keys.of_menus(window.menuBar())

    assert list(groups)[:3] == ["File", "Edit", "Compose"]
    assert shortcut_keys.Shortcut("Ctrl+N", "New") in groups["File"]
    continuing = shortcut_keys.Shortcut("Ctrl+Shift+G", "Continue the piece by 4 bars")
    assert continuing in groups["Compose"]


def test_texts_are_those_of_any_moment(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Undo without the step it undoes, and the keys of candidates with their condition."""
    generate(qtbot, window)
    lines = [line for group in shortcut_keys.of_menus(window.menuBar()).values() for line in group]
    effects = {line.effect: line.keys for line in lines}

    assert {"Undo", "Redo"} <= set(effects)
    assert "Continue the piece by 4 bars" in effects
    assert effects["Previous candidate, while candidates are shown"] == "Alt+Up"
    assert app_controller.document.piece is not None


def test_results_begin_at_the_left(sheet: ShortcutSheet) -> None:
    """Also where one group alone has them."""
    sheet.search.setText("Loop up")
    place = sheet.text.cursorRect(sheet.text.document().find("Loop up to"))
    assert place.x() < sheet.text.width() / 2
