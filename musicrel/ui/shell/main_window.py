"""The window: menus, the place where pieces are written, and a line of status below.

A passive window: it shows what it is told and tells what the user did.
"""

from __future__ import annotations

import base64
import binascii

from PySide6.QtCore import QByteArray, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QMessageBox

from musicrel.presentation.words.palette import LIGHT, Theme
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Commands
from musicrel.ui.attention.attention_page import AttentionPage
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.experiment.experiment_page import ExperimentPage
from musicrel.ui.playback.playback_panel import ListeningPanel
from musicrel.ui.shell import card_dialog
from musicrel.ui.shell.job_strip import JobStrip
from musicrel.ui.widgets.place_switch import PLACES, Places

_USUAL_SIZE = (1320, 840)
_LEAST_SIZE = (1000, 600)
_TALL_ENOUGH = 720


class MainWindow(QMainWindow):
    """The one window of the app.

    Signals:
        dressed: it has other colours.
        painted: it is on the screen for the first time.
        closing: it is about to close; whoever listens ends what runs before returning.
    """

    dressed = Signal()
    painted = Signal()
    closing = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.page, self.attention = ComposePage(), AttentionPage()
        self.experiment = ExperimentPage()
        parts = (self.page, self.attention, self.experiment)
        pages = {place.name: part for place, part in zip(PLACES, parts, strict=True)}
        self.places = Places(pages, self.page.desk)
        self.commands = Commands(self)
        self.listening = ListeningPanel(self.commands.play)
        self.page.strip.set_actions(self.commands.rewriting)
        self.page.add_below(self.listening)
        self.theme = LIGHT
        self._was_painted = False
        self._place = self.places.current
        self._mixers = {name: name == "compose" for name in pages}
        self._state, self._machine, self.job = QLabel(), QLabel(), JobStrip()
        self.setCentralWidget(self.places)
        self.commands.fill(self.menuBar())
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().addWidget(self._state, 1)
        for part in (self.job, self._machine):
            self.statusBar().addPermanentWidget(part)
        self.statusBar().setContentsMargins(8, 0, 8, 2)
        self.setMinimumSize(*_LEAST_SIZE)
        self._connect()
        commands.check(self.commands.places, self.places.current)
        self.set_piece("", saved=True)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self.theme = theme
        for part in (self.page, self.attention, self.experiment, self.places, self.listening):
            part.set_theme(theme)
        self.dressed.emit()

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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Say why the space bar does not play, where it does not."""
        play = self.commands.play.play
        if event.key() == Qt.Key.Key_Space and not play.isEnabled():
            self.set_state(play.toolTip())
        super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """End what runs, then close."""
        self.closing.emit()
        event.accept()

    def _connect(self) -> None:
        self.commands.about.triggered.connect(self._about)
        self.commands.about_model.triggered.connect(self._about_model)
        self.commands.quit.triggered.connect(self.close)
        self.commands.places.triggered.connect(lambda act: self.places.open(act.data()))
        self.places.opened.connect(self._opened)

    def _opened(self, name: str) -> None:
        """Another place is open; each remembers whether the mixer is seen there."""
        mixer, before = self.commands.play.mixer, self._place
        self._mixers[before], self._place = mixer.isChecked(), name
        mixer.setChecked(self._mixers[name])
        commands.check(self.commands.places, name)
        self._make_room()
        (self.experiment.list if name == "experiment" else self.page.shown).setFocus()

    def _make_room(self) -> None:
        """Leave the transport out where the sheet would have no room beside it."""
        tall = self.height() >= _TALL_ENOUGH
        self.listening.setVisible(tall or self._place != "attention")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        self._make_room()

    def _about_model(self) -> None:
        name = self.page.controls.entries.model.currentData() or ""
        card_dialog.of_model(self, name).open()

    def _about(self) -> None:
        named = f"<b>musicrel {QGuiApplication.applicationVersion()}</b>"
        says = (
            "A desktop studio for four-voice chorales, written by vanilla and relative-attention "
            "transformers on this machine."
        )
        QMessageBox.about(self, "About musicrel", f"{named}<p>{says}</p>")
