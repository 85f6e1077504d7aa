"""Keys of commands that the user has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from musicrel import settings
from musicrel.presentation.words.keys import with_keys
from musicrel.settings import Settings
from musicrel.ui.actions.commands import COMMANDS, key_text, sequences
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import PREVIEWING
from musicrel.ui.library.shortcut_editor import MENU, TAKEN, TYPED, ShortcutEditor
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import child
from tests.ui.user import User

SHARED = "(Esc)"  # the key of several commands, and in note input, words and lists


@pytest.fixture
def editor(app: AppController) -> Iterator[ShortcutEditor]:
    app.window.commands.library.shortcuts.trigger()
    assert app.library.shortcuts is not None
    app.library.shortcuts.change.click()
    editor = child(app.window, ShortcutEditor)
    yield editor
    for still_open in app.window.findChildren(ShortcutEditor):
        still_open.reject()


def press(editor: ShortcutEditor, name: str, keys: str) -> None:
    """Select a command and press keys for it in the field."""
    editor.choose(name)
    editor.keys.setKeySequence(QKeySequence(keys))
    editor.keys.editingFinished.emit()


def test_new_keys_work_at_once_and_are_stored(user: User, editor: ShortcutEditor) -> None:
    mixer, roll = user.commands.play.mixer, user.page.roll
    press(editor, "play.mixer", "Ctrl+J")
    item = editor.list.currentItem()
    assert item is not None
    assert (item.text(0), item.text(1), item.text(2)) == ("Play", "Mixer", "Ctrl+J")
    assert settings.load().keys == "play.mixer=Ctrl+J"
    editor.reject()
    user.window.activateWindow()
    user.wait(user.window.isActiveWindow)
    before = mixer.isChecked()
    QTest.keyClick(roll, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert mixer.isChecked() == before
    QTest.keyClick(roll, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert mixer.isChecked() != before


def test_keys_in_tooltips_change_too(app: AppController, editor: ShortcutEditor) -> None:
    metronome = app.window.commands.play.metronome
    assert metronome.toolTip() == "Click on the beats (Ctrl+Alt+M)"
    press(editor, "play.metronome", "Ctrl+J")
    assert metronome.toolTip() == "Click on the beats (Ctrl+J)"
    editor.no_keys.click()
    assert metronome.toolTip() == "Click on the beats"
    editor.default.click()
    assert metronome.toolTip() == "Click on the beats (Ctrl+Alt+M)"


def shown(window: MainWindow) -> set[str]:
    """Return all tooltips, descriptions and labels of a window."""
    widgets, actions = window.findChildren(QWidget), window.findChildren(QAction)
    labels = (widget.text() for widget in widgets if isinstance(widget, QLabel))
    descriptions = (widget.accessibleDescription() for widget in widgets)
    tips = (*(one.toolTip() for one in widgets), *(one.toolTip() for one in actions))
    return {*labels, *descriptions, *tips}


def test_no_text_names_a_key_that_was_changed(app: AppController) -> None:
    commands, before = app.window.commands, shown(app.window)
    checked = []
    for name, command in COMMANDS.items():
        key = f"({key_text(sequences(command.keys)[:1])})"
        if key != SHARED and any(key in text for text in before):
            commands.use_keys({name: "F9"})
            now = shown(app.window)
            assert [text for text in now if key in text] == []
            assert any("(F9)" in text for text in now)
            checked.append(name)
    commands.use_keys({})
    assert shown(app.window) == before
    assert {"zoom_in", "takes.show", "generate", "rewriting.harmonise", "rules.list"} <= {*checked}


def test_texts_that_appear_later_name_the_changed_key(app: AppController) -> None:
    app.window.commands.use_keys({"rewriting.accept": "F9", "rewriting.back": ""})
    assert with_keys(PREVIEWING) == "A candidate is shown: accept it (F9) or go back first"


def test_braces_in_texts_without_keys_stay() -> None:
    assert with_keys("Cannot read {take} 1}.mid") == "Cannot read {take} 1}.mid"


def test_keys_of_other_commands_and_letters_are_refused(
    app: AppController, editor: ShortcutEditor
) -> None:
    press(editor, "takes.show", "Ctrl+G")
    assert editor.problem.text() == TAKEN.format(keys="Ctrl+G", command="Generate")
    press(editor, "takes.show", "Shift+J")
    assert editor.problem.text() == TYPED.format(keys="Shift+J")
    press(editor, "takes.show", "Left")
    assert editor.problem.text() == TYPED.format(keys="Left")
    press(editor, "takes.show", "Alt+F")
    assert editor.problem.text() == MENU.format(keys="Alt+F")
    assert app.preferences.keys == {}
    assert app.window.commands.takes.show.shortcut() == QKeySequence("Ctrl+T")


def test_a_letter_is_allowed_for_a_command_of_the_sheet(
    app: AppController, editor: ShortcutEditor
) -> None:
    press(editor, "edit.split", "X")
    assert app.window.commands.edit.split.shortcut() == QKeySequence("X")
    press(editor, "edit.join", "X")
    assert editor.problem.text() == TAKEN.format(keys="X", command="Split")
    press(editor, "takes.play", "X")
    assert not editor.problem.isVisible()


@pytest.mark.parametrize(
    ("keys", "command"),
    [("Ctrl+1", "Compose"), ("Ctrl+U", "Colour notes by surprisal"), ("F1", "User guide")],
)
def test_keys_of_pages_buttons_and_guides_are_refused(
    editor: ShortcutEditor, keys: str, command: str
) -> None:
    press(editor, "play.mixer", keys)
    assert editor.problem.text() == TAKEN.format(keys=keys, command=command)


def test_all_default_keys_can_be_restored_one_by_one(
    app: AppController, editor: ShortcutEditor
) -> None:
    for name, command in COMMANDS.items():
        if command.keys:
            editor.choose(name)
            editor.no_keys.click()
            editor.default.click()
            assert (name, editor.problem.text()) == (name, "")
    assert app.preferences.keys == {}


def test_default_keys_that_another_command_has_now_do_not_come_back(
    app: AppController, editor: ShortcutEditor
) -> None:
    press(editor, "generate", "F9")
    press(editor, "takes.show", "Ctrl+G")
    editor.choose("generate")
    editor.default.click()
    assert editor.problem.text().startswith("Ctrl+G is the shortcut of ")
    assert app.window.commands.generate.shortcut() == QKeySequence("F9")


def test_defaults_come_back(app: AppController, editor: ShortcutEditor) -> None:
    redo = app.window.commands.redo
    before = redo.shortcuts()
    editor.choose("redo")
    editor.no_keys.click()
    assert redo.shortcuts() == []
    press(editor, "generate", "F9")
    editor.choose("redo")
    editor.default.click()
    assert redo.shortcuts() == before
    assert app.preferences.keys == {"generate": "F9"}
    editor.all_defaults.click()
    assert app.window.commands.generate.shortcut() == QKeySequence("Ctrl+G")
    assert settings.load().keys == ""


def test_a_command_is_found_by_its_name_or_its_keys(editor: ShortcutEditor) -> None:
    for text, name in (("harmonise a m", "Harmonise a melody"), ("ctrl+shift+t", "Transpose")):
        editor.search.setText(text)
        items = [editor.list.topLevelItem(row) for row in range(editor.list.topLevelItemCount())]
        assert [item.text(1) for item in items if item and not item.isHidden()] == [name]


def test_a_new_window_uses_the_stored_keys(
    make_app: Callable[..., AppController], window: MainWindow
) -> None:
    make_app(keys="generate=F9\nno.such=F10\nredo=\nbroken")
    assert window.commands.generate.shortcut() == QKeySequence("F9")
    assert window.commands.redo.shortcuts() == []
    assert Settings().keys == ""
    window.close()
