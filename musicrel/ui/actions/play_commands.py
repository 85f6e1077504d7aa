"""The playback commands: transport, loop, mixer, MIDI output.

The buttons of the playback panel and the menu entries share these actions, so that their states
always agree.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from musicrel.ui.widgets import icons

_PLAY_TIP: Final = "Play from the playhead"
_PAUSE_TIP: Final = "Pause; the playhead stays"


class PlayCommands(QObject):
    """The actions of the Play menu and of the playback panel."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._playing = False
        self._disabled_reason = ""
        self.play = self._action("&Play", "Space", _PLAY_TIP)
        self.stop = self._action("&Stop", "Ctrl+.", "Stop and return to the start", "stop")
        self.start = self._action("To the &beginning", "Ctrl+Home", "", "to-start")
        self.back = self._action("One beat b&ack", "Ctrl+Left", "")
        self.forward = self._action("One beat for&ward", "Ctrl+Right", "")
        self.loop = self._toggle("&Loop", "Ctrl+L", "", "loop")
        self.loop_selection = self._action("Loop the s&election", "Ctrl+Shift+L", "")
        self.loop_from = self._action("Loop fro&m the playhead", "[", "")
        self.loop_to = self._action("Loop &up to the playhead", "]", "")
        self.follow = self._toggle(
            "&Follow playhead", "Ctrl+Shift+F", "Scroll with the playhead", "follow"
        )
        self.fermatas = self._toggle(
            "Hold f&ermatas", "", "Hold notes under a fermata longer", "fermata"
        )
        self.mixer = self._toggle("Mi&xer", "Ctrl+M", "Show the mixer", "mixer")
        self.panic = self._action("Pa&nic (all notes off)", "Ctrl+Shift+.", "")
        self.ports = QMenu("M&IDI output")
        self.ports.setToolTipsVisible(True)
        for action in (self.follow, self.fermatas, self.mixer):
            action.setChecked(True)

    def fill(self, bar: QMenuBar) -> None:
        """Add all of them to a menu of ``bar``."""
        menu = bar.addMenu("&Play")
        menu.setToolTipsVisible(True)
        menu.addActions([self.play, self.stop, self.start, self.back, self.forward])
        menu.addSeparator()
        menu.addActions([self.loop, self.loop_selection, self.loop_from, self.loop_to])
        menu.addSeparator()
        menu.addActions([self.follow, self.fermatas, self.mixer])
        menu.addSeparator()
        menu.addMenu(self.ports)
        menu.addAction(self.panic)

    def set_playing(self, playing: bool) -> None:
        """Make the first command Pause while playing, Play otherwise."""
        if playing == self._playing:
            return
        self._playing = playing
        self._show_play()

    def set_disabled_reason(self, reason: str) -> None:
        """Disable playback for a reason, shown in the tooltips; "" enables it."""
        self._disabled_reason = reason
        for action in (self.stop, self.start, self.back, self.forward, self.loop,
                       self.loop_selection, self.loop_from, self.loop_to):  # fmt: skip
            action.setEnabled(not reason)
            action.setToolTip(reason or action.data())
        self._show_play()

    def _show_play(self) -> None:
        """Update Play; playback that is running can always be paused."""
        reason = "" if self._playing else self._disabled_reason
        self.play.setText("&Pause" if self._playing else "&Play")
        self.play.setIcon(icons.themed("pause" if self._playing else "play", "on_accent"))
        self.play.setEnabled(not reason)
        self.play.setToolTip(reason or f"{_PAUSE_TIP if self._playing else _PLAY_TIP} (Space)")

    def _action(self, text: str, key: str, tip: str, icon: str = "") -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        plain = tip or text.replace("&", "")
        action.setData(f"{plain} ({key})" if key else plain)
        action.setToolTip(action.data())
        action.setIconVisibleInMenu(False)
        if icon:
            action.setIcon(icons.themed(icon, checked="accent"))
        return action

    def _toggle(self, text: str, key: str, tip: str, icon: str) -> QAction:
        action = self._action(text, key, tip, icon)
        action.setCheckable(True)
        return action
