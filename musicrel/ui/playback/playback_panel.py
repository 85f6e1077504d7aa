"""The panel below the sheet: the transport bar and, if switched on, the mixer.

While the mixer is hidden, the transport bar has the master volume.
"""

from __future__ import annotations

from PySide6.QtCore import Slot
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
        self.transport, self.mixer = TransportBar(commands), MixerPanel(commands)
        layout.column(self.transport, self.mixer, owner=self)
        commands.mixer.toggled.connect(self._show_mixer)
        self.mixer.volume_shown.connect(self.transport.set_volume)
        self.transport.volume_changed.connect(self.mixer.volume.set_level)

    @Slot(bool)
    def _show_mixer(self, on: bool) -> None:
        self.mixer.setVisible(on)
        self.transport.show_volume(on=not on)
