"""The space bar as the shortcut for playback in the whole window, except where a control needs it.

A control that was focused with Tab keeps its space bar: it presses a button or opens a list. A
click gives buttons no focus, so that after a click on Generate the space bar starts playback.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QWidget


class SpaceKey(QObject):
    """An event filter for the controls of a window.

    Args:
        window: a window with all its controls.
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
        """Let the control or the shortcut have the space bar."""
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
