"""The commands that edit, and their keys."""

from __future__ import annotations

from collections import defaultdict

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.ui.actions.edit_commands import NOTE_KEYS
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

ON_A_WIDGET = Qt.ShortcutContext.WidgetShortcut


def test_no_key_has_two_commands(app_controller: AppController, window: MainWindow) -> None:
    """Of the commands with one key that are enabled together, each belongs to other widgets."""
    app_controller.document.show_piece(Chorale.of([(72, 67, 64, 48)] * 32))
    app_controller.document.select(Selection(voices=(0,), start=0, stop=4))
    by_key: dict[str, list[QAction]] = defaultdict(list)
    for action in window.findChildren(QAction):
        for sequence in action.shortcuts() if action.isEnabled() else ():
            by_key[sequence.toString()].append(action)
    for key, actions in by_key.items():
        everywhere = [action for action in actions if action.shortcutContext() != ON_A_WIDGET]
        assert len(actions) == 1 or not everywhere, key
        places = [
            {part for part in action.associatedObjects() if not isinstance(part, QMenu)}
            for action in actions
        ]
        assert len(actions) == 1 or not set.intersection(*places), key


def test_single_letters_need_the_focus_of_a_sheet(
    app_controller: AppController, window: MainWindow
) -> None:
    """In the rest of the window they are text."""
    del app_controller
    page = window.compose_page
    for action in window.commands.edit.all:
        if len(action.shortcut().toString()) == 1:
            assert action.shortcutContext() == ON_A_WIDGET
            assert action in page.roll.actions()
            assert action in page.score.actions()


def test_commands_have_their_effect_in_the_tooltip(
    app_controller: AppController, window: MainWindow
) -> None:
    """It is the name of the command where that is enough."""
    app_controller.document.show_piece(Chorale.of([(72, 67, 64, 48)] * 32))
    app_controller.document.select(Selection(voices=(0,), start=0, stop=4))
    act = window.commands.edit
    assert act.split.toolTip() == "Split the selected notes at the playhead, or in the middle"
    assert act.cut.toolTip() == "Cut"


def test_menu_has_all_commands(window: MainWindow) -> None:
    """They are in the Edit menu and its two submenus."""
    found: set[QAction] = set()
    for menu in window.menuBar().findChildren(QMenu):
        found |= {*menu.actions()}
    assert {*window.commands.edit.all} <= found


def test_keys_of_note_input_are_described() -> None:
    """Each has an effect."""
    assert len({keys for keys, _ in NOTE_KEYS}) == len(NOTE_KEYS)
    assert all(effect for _, effect in NOTE_KEYS)
