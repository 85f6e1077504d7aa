"""The space bar as the shortcut for playback in the whole window, except where a control needs it.

A control that was focused with Tab or its underlined letter keeps its space bar: it presses a
button or opens a list. Elsewhere the space bar starts playback. A click gives buttons no focus, and
a control that gets the focus because another one was hidden or disabled was not chosen by anyone.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QWidget

_REASON: Final = Qt.FocusReason
_BY_KEY: Final = (
    _REASON.TabFocusReason, _REASON.BacktabFocusReason, _REASON.ShortcutFocusReason,
)  # fmt: skip
_RETURNS: Final = (_REASON.ActiveWindowFocusReason, _REASON.PopupFocusReason)
"""Reasons of a focus that was in the same place before another window or list was open."""


class SpaceKey(QObject):
    """An event filter for the controls of a window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._by_key = False
        """Whether the user moved the focus to its control by a key."""
        for button in window.findChildren(QAbstractButton):
            self._watch(button)
        for box in window.findChildren(QComboBox):
            self._watch(box)
        for spin in window.findChildren(QAbstractSpinBox):
            spin.installEventFilter(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent):
            if event.gotFocus() and event.reason() not in _RETURNS:
                self._by_key = event.reason() in _BY_KEY
            return False
        if not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.KeyRelease:
            return False
        if event.key() != Qt.Key.Key_Space or event.modifiers():
            return False
        is_override = event.type() == QEvent.Type.ShortcutOverride
        keeps = self._keeps(watched)
        event.setAccepted(keeps and is_override)
        return is_override or not keeps

    def _keeps(self, watched: QObject) -> bool:
        """Return whether a control keeps its space bar; a number has no spaces, text has."""
        if isinstance(watched, QComboBox) and watched.isEditable():
            return True
        return self._by_key and not isinstance(watched, QAbstractSpinBox)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, old: QWidget | None, _now: QWidget | None) -> None:
        """Notice a focus that Qt moved on because its widget was hidden or disabled."""
        if old is None or old.window() is not self._window:
            return
        if not (old.isVisible() and old.isEnabled()):
            self._by_key = False

    def _watch(self, widget: QWidget) -> None:
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        widget.installEventFilter(self)
