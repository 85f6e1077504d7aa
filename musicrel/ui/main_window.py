"""The window: menus, the place where pieces are written, and a line of status below.

A passive window: it shows what it is told and tells what the user did.
"""

from __future__ import annotations

import base64
import binascii

from PySide6.QtCore import QByteArray, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QMessageBox

from musicrel.presentation.palette import Theme
from musicrel.ui.commands import Commands
from musicrel.ui.compose_page import ComposePage

_USUAL_SIZE = (1320, 840)
_LEAST_SIZE = (940, 600)


class MainWindow(QMainWindow):
    """The one window of the app.

    Signals:
        painted: it is on the screen for the first time.
        closing: it is about to close; whoever listens ends what runs before returning.
    """

    painted = Signal()
    closing = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.page = ComposePage()
        self.commands = Commands(self)
        self._was_painted = False
        self._state, self._machine = QLabel(), QLabel()
        self.setCentralWidget(self.page)
        self.commands.fill(self.menuBar())
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().addWidget(self._state, 1)
        self.statusBar().addPermanentWidget(self._machine)
        self.statusBar().setContentsMargins(8, 0, 8, 2)
        self.setMinimumSize(*_LEAST_SIZE)
        self.commands.about.triggered.connect(self._about)
        self.commands.quit.triggered.connect(self.close)
        self.set_piece("", saved=True)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self.page.set_theme(theme)

    def set_piece(self, title: str, *, saved: bool) -> None:
        """Name the piece in the title bar, marked while it is not saved."""
        self.setWindowTitle(f"{title}[*] – musicrel" if title else "musicrel")
        self.setWindowModified(bool(title) and not saved)

    def set_state(self, text: str) -> None:
        """Say at the lower left what is going on."""
        self._state.setText(text)

    def set_machine(self, text: str) -> None:
        """Say at the lower right what computes, and how fast."""
        self._machine.setText(text)

    @property
    def state(self) -> str:
        """What the status line says."""
        return self._state.text()

    @property
    def machine(self) -> str:
        """What is said to compute."""
        return self._machine.text()

    def place(self) -> str:
        """Place and size as text, for ``restore_place``."""
        return base64.b64encode(self.saveGeometry().data()).decode("ascii")

    def restore_place(self, text: str) -> None:
        """Go to where ``place`` said, or to the usual place where that cannot be read."""
        try:
            known = bool(text) and self.restoreGeometry(QByteArray(base64.b64decode(text)))
        except (binascii.Error, ValueError):
            known = False
        if not known:
            room = QGuiApplication.primaryScreen().availableGeometry()
            width, height = _USUAL_SIZE
            self.resize(min(width, room.width()), min(height, room.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint; the first time, tell when that is done."""
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            QTimer.singleShot(0, self.painted.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        """End what runs, then close."""
        self.closing.emit()
        event.accept()

    def _about(self) -> None:
        named = f"<b>musicrel {QGuiApplication.applicationVersion()}</b>"
        says = (
            "A desktop studio for four-voice chorales, written by vanilla and relative-attention "
            "transformers on this machine."
        )
        QMessageBox.about(self, "About musicrel", f"{named}<p>{says}</p>")
