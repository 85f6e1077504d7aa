"""Edits by the mouse on the roll."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from musicrel.editing.selection import Selection
from musicrel.ui.document.document import PREVIEWING
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH
from tests.ui.editing.conftest import AIR, LEFT, NONE, Hand

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

ALT = Qt.KeyboardModifier.AltModifier
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def test_notes_are_dragged(editing: Hand) -> None:
    """They are moved, resized and copied."""
    editing.drag((9.5, 74), (13.5, 76))
    assert editing.melody()[1] == (12, 20, 76)
    editing.drag((19.9, 76), (23.9, 76))
    assert editing.melody()[1] == (12, 24, 76)
    editing.drag((13.5, 76), (1.5, 78), CTRL)
    assert editing.melody() == [(0, 12, 78), (12, 24, 76)]


def test_undo_ends_a_drag(editing: Hand) -> None:
    """The note under the mouse may be another one now, so nothing is moved."""
    editing.press(Qt.Key.Key_Up, held=CTRL)
    port = editing.roll.viewport()
    QTest.mousePress(port, LEFT, NONE, editing.point(9.5, 86))
    QTest.mouseMove(port, editing.point(13.5, 88))
    editing.window.commands.undo.trigger()
    assert editing.window.compose_page.mouse.outlined == ()
    QTest.mouseMove(port, editing.point(14.5, 80))
    QTest.mouseRelease(port, LEFT, NONE, editing.point(15.5, 80))
    assert editing.document.piece is AIR
    editing.drag((9.5, 74), (13.5, 76))
    assert editing.melody()[1] == (12, 20, 76)


def test_target_of_a_drag_is_described(editing: Hand) -> None:
    """The status bar shows pitch and position."""
    port = editing.roll.viewport()
    QTest.mousePress(port, LEFT, NONE, editing.point(9.5, 74))
    QTest.mouseMove(port, editing.point(13.5, 76))
    assert editing.window.state == "Soprano E5, bar 1, beat 4, half"
    QTest.mouseRelease(port, LEFT, NONE, editing.point(9.5, 74))
    assert editing.document.piece is AIR


def test_double_click_adds_a_note_of_the_selected_voice(editing: Hand) -> None:
    """On a note it removes that, and the status bar names it."""
    editing.select((3,), 0, 1)
    editing.double_click(4.6, 45)
    assert editing.melody(3)[:2] == [(0, 4, 48), (4, 8, 45)]
    editing.double_click(5.5, 45)
    assert editing.melody(3)[0] == (0, 4, 48)
    assert editing.window.state == "Deleted: Bass A2, bar 1, beat 2, quarter"
    assert editing.undo == "deleted note of the bass in bar 1"


def test_double_click_without_a_selection_chooses_the_voice_by_the_pitch(editing: Hand) -> None:
    """The status bar names what the note replaced."""
    for pitch, voice in ((79, 0), (68, 1), (62, 2), (45, 3)):
        editing.document.select(None)
        editing.double_click(20.6, pitch)
        assert (20, 24, pitch) in editing.melody(voice)
    replaced = "; 1 note of the bass replaced"
    editing.document.select(None)
    editing.double_click(20.6, 47)
    assert editing.window.state == f"Bass B2, bar 2, beat 2, quarter{replaced}"


def test_moved_notes_say_what_they_replace(editing: Hand) -> None:
    """A note that is only cut is named, too; notes that make room for nothing are not."""
    editing.press(Qt.Key.Key_Right, held=ALT)
    assert editing.window.state.endswith("; 1 note of the soprano replaced")
    editing.press(Qt.Key.Key_2, held=ALT)
    assert editing.window.state.endswith("; 1 note of the alto shortened")
    editing.press(Qt.Key.Key_Up, held=ALT)
    assert ";" not in editing.window.state


def test_mouse_says_why_a_candidate_cannot_be_edited(editing: Hand) -> None:
    """A drag and a double click do nothing."""
    editing.document.preview(AIR)
    for edit in (
        partial(editing.double_click, 20.6, 79),
        partial(editing.double_click, 9.5, 74),
        partial(editing.drag, (9.5, 74), (13.5, 76)),
    ):
        editing.document.select(None)
        edit()
        assert editing.window.state == PREVIEWING
    assert editing.document.piece is AIR


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
