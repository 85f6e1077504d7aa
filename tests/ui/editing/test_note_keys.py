"""The keys of note input."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from tests.ui.editing.conftest import NONE, Hand

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def test_held_key_switches_note_input_once(hand: Hand) -> None:
    """The repeats of the keyboard are ignored."""
    for repeated in (False, True):
        press = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_N, NONE, "n", autorep=repeated)
        QApplication.sendEvent(hand.roll, press)
    assert hand.input.cursor is not None
