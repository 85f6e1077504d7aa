"""Edits by the mouse on the roll."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from musicrel.editing.selection import Selection
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH
from tests.ui.editing.conftest import AIR, LEFT, NONE, Hand

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def test_notes_are_dragged(editing: Hand) -> None:
    """They are moved, resized and copied."""
    editing.drag((9.5, 74), (13.5, 76))
    assert editing.melody()[1] == (12, 20, 76)
    editing.drag((19.9, 76), (23.9, 76))
    assert editing.melody()[1] == (12, 24, 76)
    editing.drag((13.5, 76), (1.5, 78), CTRL)
    assert editing.melody() == [(0, 12, 78), (12, 24, 76)]


def test_target_of_a_drag_is_described(editing: Hand) -> None:
    """The status bar shows pitch and position."""
    port = editing.roll.viewport()
    QTest.mousePress(port, LEFT, NONE, editing.point(9.5, 74))
    QTest.mouseMove(port, editing.point(13.5, 76))
    assert editing.window.state == "Soprano E5, bar 1, beat 4, half"
    QTest.mouseRelease(port, LEFT, NONE, editing.point(9.5, 74))
    assert editing.document.piece is AIR


def test_double_click_adds_a_note_of_the_selected_voice(editing: Hand) -> None:
    """Without a selection it is one of the soprano; on a note it removes that."""
    editing.select((3,), 0, 1)
    editing.double_click(4.6, 45)
    assert editing.melody(3)[:2] == [(0, 4, 48), (4, 8, 45)]
    editing.document.select(None)
    editing.double_click(20.6, 79)
    assert editing.melody()[-1] == (20, 24, 79)
    editing.double_click(5.5, 45)
    assert editing.melody(3)[0] == (0, 4, 48)
    assert editing.undo == "note of the bass in bar 1"


def test_double_click_on_a_number_selects_the_bar(editing: Hand) -> None:
    """With Shift more bars are selected."""
    port = editing.roll.viewport()
    x = KEYBOARD_WIDTH + round(editing.roll.seen.x(20))
    QTest.mouseDClick(port, LEFT, NONE, QPoint(x, 12))
    assert editing.document.selection == Selection(voices=(0, 1, 2, 3), start=16, stop=32)
    x = KEYBOARD_WIDTH + round(editing.roll.seen.x(3))
    QTest.mouseDClick(port, LEFT, SHIFT, QPoint(x, 12))
    assert editing.document.selection == Selection(voices=(0, 1, 2, 3), start=0, stop=32)


def test_context_menu_selects_the_note_under_the_mouse(editing: Hand, qtbot: QtBot) -> None:
    """A note of the selection leaves it as it is."""
    both = {editing.command("cut"), editing.command("split")}
    (menu,) = (menu for menu in editing.window.findChildren(QMenu) if both <= {*menu.actions()})
    for place, selected in (
        (editing.point(3.5, 67), Selection(voices=(1,), start=0, stop=32)),
        (editing.point(9.5, 67), Selection(voices=(1,), start=0, stop=32)),
    ):
        editing.roll.customContextMenuRequested.emit(place)
        qtbot.waitUntil(menu.isVisible)
        assert editing.document.selection == selected
        menu.close()
