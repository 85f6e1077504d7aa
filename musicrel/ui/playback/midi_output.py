"""The menu of MIDI ports: which there are, and which one plays instead of the sound.

Ports are looked for when the menu opens, so that one plugged in a moment ago is there. This file
knows ports and menus; it knows nothing of music.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from musicrel.errors import MusicrelError

if TYPE_CHECKING:
    from musicrel.playback.midi_port import MidiPort

NO_PORT: Final = "None: musicrel’s own &sound"


class MidiOutput(QObject):
    """Fills the menu and keeps the port that was chosen open.

    Args:
        menu: empty.
        parent: who needs it.

    Signals:
        chosen: the open ``MidiPort``, or None for the sound; the one before is still open.
        failed: why a port cannot be used, one sentence.
    """

    chosen = Signal(object)
    failed = Signal(str)

    def __init__(self, menu: QMenu, parent: QObject) -> None:
        super().__init__(parent)
        self._menu = menu
        self._port: MidiPort | None = None
        menu.aboutToShow.connect(self.fill)
        self.fill_with([], "")

    @property
    def port(self) -> MidiPort | None:
        """The port that is open."""
        return self._port

    @Slot()
    def fill(self) -> None:
        """Offer the ports there are now; where there is none, say why."""
        from musicrel.playback import midi_port

        self.fill_with(*midi_port.ports())

    def fill_with(self, names: list[str], reason: str) -> None:
        """Offer ``names`` and, first, none of them; ``reason`` tells why there are none."""
        self._menu.clear()
        group = QActionGroup(self._menu)
        for title, name in ((NO_PORT, ""), *((name.replace("&", "&&"), name) for name in names)):
            action = group.addAction(title)
            action.setCheckable(True)
            action.setData(name)
            action.setChecked(name == (self._port.name if self._port else ""))
        self._menu.addActions(group.actions())
        if reason:
            self._menu.addSeparator()
            self._menu.addAction(reason[:1].upper() + reason[1:]).setEnabled(False)
        group.triggered.connect(lambda action: self.choose(action.data()))

    def choose(self, name: str) -> None:
        """Play through the port ``name``; "": through the sound."""
        from musicrel.playback import midi_port

        if name == (self._port.name if self._port else ""):
            return
        try:
            port = midi_port.open_port(name) if name else None
        except MusicrelError as reason:
            self.failed.emit(str(reason))
            return
        before, self._port = self._port, port
        self.chosen.emit(port)
        if before is not None:
            before.close()

    def close(self) -> None:
        """Give the port back."""
        port, self._port = self._port, None
        if port is not None:
            port.close()
