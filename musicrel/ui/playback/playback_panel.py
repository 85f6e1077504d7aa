"""The panel below the sheet: the transport bar and, if switched on, the mixer."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from musicrel.presentation.words.palette import Theme
from musicrel.ui.actions.play_commands import PlayCommands
from musicrel.ui.playback.mixer_panel import MixerPanel
from musicrel.ui.playback.transport_bar import TransportBar


class PlaybackPanel(QFrame):
    """Transport bar and mixer."""

    def __init__(self, commands: PlayCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._commands = commands
        self.transport, self.mixer = TransportBar(commands), MixerPanel()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.transport)
        column.addWidget(self.mixer)
        commands.mixer.toggled.connect(self.mixer.setVisible)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        for part in (self.transport, self.mixer, self._commands):
            part.set_theme(theme)
