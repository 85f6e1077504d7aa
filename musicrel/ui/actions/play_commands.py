"""The commands of listening: transport, loop, mixer, where the sound goes.

The buttons below the roll and the entries of the menu are the same actions, so that both always
say the same. This file knows names, keys and icons; what a command does is wired in ``listening``.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import icons

_PLAY_TIP: Final = "Play from the playhead"
_PAUSE_TIP: Final = "Pause; the playhead stays"


class PlayCommands(QObject):
    """The actions; each is named for what it does."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._theme: Theme | None = None
        self._playing = False
        self._obstacle = ""
        self._icons: dict[QAction, str] = {}
        self.play = self._action("&Play", "Space", _PLAY_TIP, "play")
        self.stop = self._action("&Stop", "Ctrl+.", "Stop, back to where it began", "stop")
        self.start = self._action("To the &beginning", "Ctrl+Home", "", "to-start")
        self.back = self._action("One beat b&ack", "Ctrl+Left", "")
        self.forward = self._action("One beat &forward", "Ctrl+Right", "")
        self.loop = self._toggle("&Loop", "Ctrl+L", "", "loop")
        self.loop_selection = self._action("Loop the s&election", "Ctrl+Shift+L", "")
        self.loop_from = self._action("Loop fro&m the playhead", "[", "")
        self.loop_to = self._action("Loop &up to the playhead", "]", "")
        self.follow = self._toggle(
            "&Turn the page", "Ctrl+T", "Scroll along with the playhead", "follow"
        )
        self.fermatas = self._toggle(
            "Hold f&ermatas", "", "Hold notes under a fermata longer", "fermata"
        )
        self.mixer = self._toggle("Mi&xer", "Ctrl+M", "Show the mixer", "mixer")
        self.panic = self._action("S&ilence at once", "Ctrl+Shift+.", "End all notes, everywhere")
        self.ports = QMenu("M&IDI output")
        self.ports.setToolTipsVisible(True)
        for action in (self.follow, self.fermatas, self.mixer):
            action.setChecked(True)

    def fill(self, bar: QMenuBar) -> None:
        """Put all of them into a menu of ``bar``."""
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

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._theme = theme
        for action in self._icons:
            self._draw(action)

    def set_playing(self, playing: bool) -> None:
        """Make the first command Pause while something plays, Play otherwise."""
        if playing == self._playing:
            return
        self._playing = playing
        self._icons[self.play] = "pause" if playing else "play"
        self._draw(self.play)
        self._show_play()

    def set_obstacle(self, reason: str) -> None:
        """Why nothing can be played now; "" where it can."""
        self._obstacle = reason
        for action in (self.stop, self.start, self.back, self.forward, self.loop,
                       self.loop_selection, self.loop_from, self.loop_to):  # fmt: skip
            action.setEnabled(not reason)
            action.setToolTip(reason or action.data())
        self._show_play()

    def _show_play(self) -> None:
        """What plays can be paused, whatever keeps it from being played again."""
        reason = "" if self._playing else self._obstacle
        self.play.setText("&Pause" if self._playing else "&Play")
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
            self._icons[action] = icon
        return action

    def _toggle(self, text: str, key: str, tip: str, icon: str) -> QAction:
        action = self._action(text, key, tip, icon)
        action.setCheckable(True)
        action.toggled.connect(lambda: self._draw(action))
        return action

    def _draw(self, action: QAction) -> None:
        """The icon as it is now: on the main button's colour, or in the accent while it is on."""
        if self._theme is None:
            return
        colour = self._theme.accent if action.isChecked() else ""
        colour = self._theme.on_accent if action is self.play else colour
        action.setIcon(icons.tinted(self._icons[action], self._theme, colour))
