"""Lets the space bar play wherever one is, except where the keyboard needs it.

A control that was reached by Tab keeps its space bar: it presses a button, opens a list. A click
gives no button the keyboard, so that after a click on Generate the space bar plays. This file knows
widgets and keys; it knows nothing of what plays.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QWidget


class SpaceKey(QObject):
    """Watches the controls of one window.

    Args:
        window: with all its controls in place.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        for button in window.findChildren(QAbstractButton):
            self._watch(button)
        for box in window.findChildren(QComboBox):
            self._watch(box)
        for spin in window.findChildren(QAbstractSpinBox):
            spin.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Say whose the space bar is before the shortcut takes it."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if event.key() != Qt.Key.Key_Space or event.modifiers():
            return False
        event.setAccepted(not isinstance(watched, QAbstractSpinBox))  # a number has no spaces
        return True

    def _watch(self, widget: QWidget) -> None:
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        widget.installEventFilter(self)
