"""The panel below the sheet: the transport bar and, if switched on, the mixer."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from musicrel.ui.actions.play_commands import PlayCommands
from musicrel.ui.playback.mixer_panel import MixerPanel
from musicrel.ui.playback.transport_bar import TransportBar
from musicrel.ui.widgets import layout


class PlaybackPanel(QFrame):
    """Transport bar and mixer."""

    def __init__(self, commands: PlayCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.transport, self.mixer = TransportBar(commands), MixerPanel()
        layout.column(self.transport, self.mixer, owner=self)
        commands.mixer.toggled.connect(self.mixer.setVisible)
