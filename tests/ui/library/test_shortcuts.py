"""The sheet of shortcuts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from musicrel.ui.app_controller import AppController
from musicrel.ui.library import shortcut_sheet
from musicrel.ui.library.shortcut_sheet import (
    FORM,
    KEYS,
    LISTS,
    NOTE_INPUT,
    PHRASES,
    ROLL,
    ShortcutSheet,
)
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import show_chords
from tests.ui.user import User


@pytest.fixture
def sheet(app: AppController) -> Iterator[ShortcutSheet]:
    QTest.keyClicks(app.window.compose_page.roll, "?")
    shown = app.library.shortcuts
    assert shown is not None
    yield shown
    if app.library.shortcuts is not None:
        shown.close()


def keys_of(text: str) -> list[QKeySequence]:
    """Return the keys in a line of the table: "A to G" and "3 4" are several."""
    if " to " in text:
        first, last = text.split(" to ")
        return [QKeySequence(chr(code)) for code in range(ord(first), ord(last) + 1)]
    parts = text.split(", ") if ", " in text else text.split()
    return [QKeySequence(part) for part in parts]


def is_handled(target: QWidget, window: QWidget, key: QKeySequence) -> bool:
    commands = [*window.findChildren(QAction), *target.actions()]
    if any(key in command.shortcuts() and command.isEnabled() for command in commands):
        return True
    press = key[0]  # type: ignore[index]  # missing in the stubs
    text = key.toString().lower() if len(key.toString()) == 1 else ""
    event = QKeyEvent(QEvent.Type.KeyPress, press.key(), press.keyboardModifiers(), text)
    QApplication.sendEvent(target, event)
    return event.isAccepted()


def unhandled(group: str, target: QWidget, window: QWidget) -> list[str]:
    keys = [key for text, _ in KEYS[group] for key in keys_of(text)]
    return [key.toString() for key in keys if not is_handled(target, window, key)]


def test_keys_of_the_roll_and_the_score_work(app: AppController) -> None:
    """The table describes them; an odd key is refused, so that the test can fail."""
    show_chords(app)
    page = app.window.compose_page
    page.roll.setFocus()

    assert unhandled(ROLL, page.roll, app.window) == []
    assert not is_handled(page.roll, app.window, QKeySequence("Shift+F11"))


def test_keys_of_note_input_work(app: AppController) -> None:
    show_chords(app)
    roll = app.window.compose_page.roll
    roll.setFocus()

    assert unhandled(NOTE_INPUT, roll, app.window) == []
    assert not app.window.commands.rewriting.draw.isChecked()


def test_keys_of_phrases_and_lists_work(user: User) -> None:
    brackets = user.page.brackets
    QTimer.singleShot(0, brackets.menu.close)
    assert unhandled(PHRASES, brackets, user.window) == []

    for _ in range(2):
        user.generate()
    takes, candidates = user.window.takes.view, user.panel.table
    assert any(is_handled(takes, user.window, QKeySequence(key)) for key in ("Left", "Right"))
    for view in (takes, candidates):
        assert is_handled(view, user.window, QKeySequence("Return"))
    assert not is_handled(takes, user.window, QKeySequence("Shift+F11"))


def test_every_shortcut_of_a_menu_is_on_the_sheet(sheet: ShortcutSheet, window: MainWindow) -> None:
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
    QTest.keyClicks(sheet.search, "Loop up")
    assert "Loop up to the playhead" in sheet.text.toPlainText()
    assert "Generate" not in sheet.text.toPlainText()

    sheet.search.setText("no such thing")
    assert sheet.text.toPlainText() == "No shortcut has “no such thing” in its keys or its name."


def test_escape_closes_the_sheet(app: AppController, sheet: ShortcutSheet) -> None:
    QTest.keyClick(sheet.search, Qt.Key.Key_Escape)

    assert app.library.shortcuts is None


def test_the_sheet_fits_into_the_smallest_usual_window(sheet: ShortcutSheet) -> None:
    assert (sheet.width() <= 1100, sheet.height() <= 700) == (True, True)


def test_every_group_of_the_table_is_checked() -> None:
    assert set(KEYS) == {ROLL, NOTE_INPUT, FORM, PHRASES, LISTS}


def test_groups_are_listed_in_the_order_of_the_menus(window: MainWindow) -> None:
    groups = shortcut_sheet.of_menus(window.menuBar())

    assert list(groups)[:3] == ["File", "Edit", "Compose"]
    assert shortcut_sheet.Shortcut("Ctrl+N", "New") in groups["File"]
    continuing = shortcut_sheet.Shortcut("Ctrl+Shift+G", "Continue the piece by 4 bars")
    assert continuing in groups["Compose"]


def test_texts_are_those_of_any_moment(user: User) -> None:
    user.generate()
    lines = [
        line for group in shortcut_sheet.of_menus(user.window.menuBar()).values() for line in group
    ]
    effects = {line.effect: line.keys for line in lines}

    assert {"Undo", "Redo"} <= set(effects)
    assert "Continue the piece by 4 bars" in effects
    assert effects["Previous candidate, while candidates are shown"] == "Alt+Up"
    assert user.document.piece is not None


def test_results_begin_at_the_left(sheet: ShortcutSheet) -> None:
    sheet.search.setText("Loop up")
    place = sheet.text.cursorRect(sheet.text.document().find("Loop up to"))
    assert place.x() < sheet.text.width() / 2
