"""Copied notes on the clipboard of the system."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication

from musicrel.editing.clipboard import NOT_A_CLIP
from musicrel.ui.editing import edit_controller as module
from musicrel.ui.editing import note_clipboard
from tests.ui.editing.conftest import AIR, Hand

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

KEY = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier


def test_copy_and_paste(editing: Hand) -> None:
    """One voice is pasted into the selected one, at its first step."""
    editing.press(KEY.Key_C, held=CTRL)
    assert editing.window.state == "Copied Soprano D5"
    assert QGuiApplication.clipboard().text() == "Soprano: D5"
    editing.select((1,), 20, 21)
    editing.press(KEY.Key_V, held=CTRL)
    assert editing.melody(1) == [(0, 20, 67), (20, 28, 74)]
    assert editing.undo == "new note of the alto in bars 1 to 2"


def test_paste_without_a_selection_is_at_the_playhead(editing: Hand) -> None:
    """Several voices go to where they came from, also if one is selected."""
    editing.select((0, 3), 8, 16)
    editing.press(KEY.Key_C, held=CTRL)
    editing.document.select(None)
    editing.click(16.5, 80)
    editing.press(KEY.Key_V, held=CTRL)
    assert editing.melody(0)[2] == (16, 24, 74)
    assert editing.melody(3)[2] == (16, 24, 50)
    editing.select((1,), 24, 25)
    editing.press(KEY.Key_V, held=CTRL)
    assert (24, 32, 50) in editing.melody(3)


def test_cut_leaves_rests(editing: Hand) -> None:
    """The notes are on the clipboard."""
    editing.press(KEY.Key_X, held=CTRL)
    assert editing.window.state == "Cut Soprano D5"
    assert editing.melody() == [(0, 8, 72), (16, 32, 72)]
    editing.select((0,), 0, 1)
    editing.press(KEY.Key_V, held=CTRL)
    assert editing.melody() == [(0, 8, 74), (16, 32, 72)]


def test_notes_are_pasted_into_a_new_piece(editing: Hand) -> None:
    """It has the bars of the form; one step of Undo leads back."""
    editing.press(KEY.Key_C, held=CTRL)
    editing.document.set_aside()
    editing.press(KEY.Key_V, held=CTRL)
    assert editing.melody() == [(0, 8, 74)]
    editing.window.commands.undo.trigger()
    assert editing.document.piece is AIR


def test_paste_on_the_copied_notes_changes_nothing(editing: Hand) -> None:
    """The status bar suggests what to do."""
    editing.press(KEY.Key_C, KEY.Key_V, held=CTRL)
    assert editing.window.state == module.ALREADY_THERE
    editing.press(KEY.Key_R)
    assert (16, 24, 74) in editing.melody()


@pytest.mark.parametrize("damaged", [False, True])
def test_clipboard_without_notes_is_refused(editing: Hand, *, damaged: bool) -> None:
    """The piece stays as it is."""
    data = QMimeData()
    data.setText("C D E")
    if damaged:
        data.setData(note_clipboard.MIME_TYPE, b'{"notes": 3}')
    QGuiApplication.clipboard().setMimeData(data)
    editing.press(KEY.Key_V, held=CTRL)
    assert editing.window.state == NOT_A_CLIP[0].upper() + NOT_A_CLIP[1:]
    assert editing.document.piece is AIR


def test_many_notes_are_counted(editing: Hand) -> None:
    """The status bar has room for few names only."""
    editing.select((0, 1, 2, 3), 0, 32)
    editing.press(KEY.Key_C, held=CTRL)
    assert editing.window.state == "Copied 10 notes, bars 1 to 2"


def test_paste_needs_copied_notes(editing: Hand) -> None:
    """The tooltip of the command gives the reason until there are some."""
    paste = editing.command("paste")
    assert not paste.isEnabled()
    assert paste.toolTip() == NOT_A_CLIP[0].upper() + NOT_A_CLIP[1:]
    editing.press(KEY.Key_C, held=CTRL)
    assert paste.isEnabled()


def test_rests_are_not_copied(editing: Hand) -> None:
    """The clipboard keeps what it has."""
    editing.press(KEY.Key_C, held=CTRL)
    editing.press(KEY.Key_Delete)
    editing.press(KEY.Key_X, held=CTRL)
    assert editing.window.state == module.NO_NOTES
    assert QGuiApplication.clipboard().text() == "Soprano: D5"
