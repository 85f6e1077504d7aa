"""Notifications of the desktop when work ends while no window of musicrel is in use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from musicrel.ui.document.messages import Messages
from musicrel.ui.widgets import icons

_TITLE: Final = "musicrel"


def is_away() -> bool:
    """Return whether the user works in another program."""
    return QGuiApplication.applicationState() != Qt.ApplicationState.ApplicationActive


class Notifier(QObject):
    """Marks the window in the task bar and, where there is a tray, shows the sentence there."""

    def __init__(
        self, window: QWidget, messages: Messages, away: Callable[[], bool] = is_away
    ) -> None:
        super().__init__(window)
        self._window, self._away = window, away
        self._tray: QSystemTrayIcon | None = None
        messages.ended.connect(self._tell)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._on_state_changed)

    @Slot(str)
    def _tell(self, sentence: str) -> None:
        if not self._away():
            return
        QApplication.alert(self._window)
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(icons.app_icon(), self)
            self._tray.messageClicked.connect(self._return)
            self._tray.activated.connect(self._return)
        self._tray.show()  # only an icon that is seen has messages
        self._tray.showMessage(_TITLE, sentence)

    @Slot()
    def _return(self) -> None:
        self._window.raise_()
        self._window.activateWindow()

    @Slot(Qt.ApplicationState)
    def _on_state_changed(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive and self._tray is not None:
            self._tray.hide()
