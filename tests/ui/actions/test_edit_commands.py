"""The commands that edit, and their keys."""

from __future__ import annotations

from collections import defaultdict

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu

from musicrel.chorale import Chorale
from musicrel.score.editing.selection import Selection
from musicrel.ui.actions.commands import CompareMenu
from musicrel.ui.app_controller import AppController
from musicrel.ui.library.shortcut_sheet import NOTE_KEYS
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.widgets.sheet_view import SheetView
from tests.ui.conftest import CHOICES

ON_A_WIDGET = (
    Qt.ShortcutContext.WidgetShortcut,
    Qt.ShortcutContext.WidgetWithChildrenShortcut,
)


def test_no_key_has_two_commands(app: AppController) -> None:
    app.document.show_piece(Chorale.of([(72, 67, 64, 48)] * 32))
    app.document.select(Selection(voices=(0,), start=0, stop=4))
    by_key: dict[str, list[QAction]] = defaultdict(list)
    for action in app.window.findChildren(QAction):
        for sequence in action.shortcuts() if action.isEnabled() else ():
            by_key[sequence.toString()].append(action)
    for key, actions in by_key.items():
        everywhere = [action for action in actions if action.shortcutContext() not in ON_A_WIDGET]
        assert len(actions) == 1 or not everywhere, key
        places = [
            {part for part in action.associatedObjects() if not isinstance(part, QMenu)}
            for action in actions
        ]
        assert len(actions) == 1 or not set.intersection(*places), key


def test_single_letters_need_the_focus_of_a_sheet(app: AppController) -> None:
    page = app.window.compose_page
    for action in app.window.commands.edit.all:
        if len(action.shortcut().toString()) == 1:
            assert action.shortcutContext() in ON_A_WIDGET
            assert all(action in part.actions() for part in page.sheet_parts)
    sheets = [part.findChildren(SheetView) for part in page.sheet_parts]
    assert sheets == [[page.roll], [page.score]]


def test_no_sheet_hears_of_every_change_of_a_command(app: AppController) -> None:
    page = app.window.compose_page  # its sheets handle events in Python
    assert {*page.roll.actions(), *page.score.actions()} == set()


def test_commands_have_their_effect_in_the_tooltip(app: AppController) -> None:
    app.document.show_piece(Chorale.of([(72, 67, 64, 48)] * 32))
    app.document.select(Selection(voices=(0,), start=0, stop=4))
    act = app.window.commands.edit
    assert act.split.toolTip() == "Split the selected notes at the playhead, or in the middle"
    assert act.cut.toolTip() == "Cut"


def test_menu_has_all_commands(window: MainWindow) -> None:
    found: set[QAction] = set()
    for menu in window.menuBar().findChildren(QMenu):
        found |= {*menu.actions()}
    assert {*window.commands.edit.all} <= found


def test_keys_of_note_input_are_described() -> None:
    assert len({keys for keys, _ in NOTE_KEYS}) == len(NOTE_KEYS)
    assert all(effect for _, effect in NOTE_KEYS)


def test_the_menu_keeps_no_entries_of_earlier_offers(qapp: QApplication) -> None:
    menu = CompareMenu()
    for first in ("full", "plain", "full"):
        menu.offer(CHOICES, first)
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    names = [action.data() for action in menu.findChildren(QAction) if action.data()]

    assert names == ["full", "plain"]
