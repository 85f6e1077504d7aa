"""The menu of MIDI output ports, an alternative to the app's own sound.

Ports are listed when the menu opens, so that a device connected a moment ago appears.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from musicrel.errors import MusicrelError

if TYPE_CHECKING:
    from musicrel.playback.midi_port import MidiPort

NO_PORT: Final = "None (built-in &sound)"


class MidiOutput(QObject):
    """The menu and the open port."""

    # the opened ``MidiPort``, or None for the sound; the one before is still open
    chosen = Signal(object)
    failed = Signal(str)  # a port cannot be opened; the error message

    def __init__(self, menu: QMenu, parent: QObject) -> None:
        super().__init__(parent)
        self._menu = menu
        self._port: MidiPort | None = None
        menu.aboutToShow.connect(self.fill)
        self.fill_with([], "")

    @property
    def port(self) -> MidiPort | None:
        """Return the open port; None without one."""
        return self._port

    @Slot()
    def fill(self) -> None:
        from musicrel.playback import midi_port

        self.fill_with(*midi_port.ports())

    def fill_with(self, names: list[str], reason: str) -> None:
        """List no port and then ``names``; ``reason``: for no names, or ""."""
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
        """Play through the port ``name``; "": through the built-in sound."""
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
        """Close the open port."""
        port, self._port = self._port, None
        if port is not None:
            port.close()
