"""The playback commands: transport, loop, metronome, mixer, MIDI output.

The buttons of the playback panel and the menu entries share these actions, so that their states
always agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from musicrel.ui.widgets import icons

_PLAY_TIP: Final = "Play from the playhead"
_PAUSE_TIP: Final = "Pause; the playhead stays"
_TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "play": ("&Play", "Space"),
        "stop": ("&Stop", "Ctrl+."),
        "start": ("To the &beginning", "Ctrl+Home"),
        "back": ("One beat b&ack", "Ctrl+Left"),
        "forward": ("One beat for&ward", "Ctrl+Right"),
        "loop": ("&Loop", "Ctrl+L"),
        "loop_selection": ("Loop the s&election", "Ctrl+Shift+L"),
        "loop_from": ("Loop fro&m the playhead", "["),
        "loop_to": ("Loop &up to the playhead", "]"),
        "follow": ("&Follow playhead", "Ctrl+Shift+F"),
        "fermatas": ("Hold fe&rmatas", ""),
        "fermatas_in_midi": ("Hol&d fermatas in MIDI files", ""),
        "metronome": ("Metr&onome", "Ctrl+Alt+M"),
        "count_in": ("&Count-in", "Ctrl+Alt+N"),
        "mixer": ("Mi&xer", "Ctrl+M"),
        "panic": ("Pa&nic (all notes off)", "Ctrl+Shift+."),
    }
)
"""Name of a command -> its text and key."""
_TIPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "play": _PLAY_TIP,
        "stop": "Stop and return to the start",
        "follow": "Scroll with the playhead",
        "fermatas": "Hold notes under a fermata longer",
        "fermatas_in_midi": "Slow the tempo down under fermatas in exported MIDI files",
        "metronome": "Click on the beats",
        "count_in": "Count a bar in before playback; the mixer chooses when",
        "mixer": "Show the mixer",
    }
)
"""Name of a command -> its tooltip, where that is not its text."""
_WITH_KEY: Final = "{tip} ({key})"
_PAUSE: Final = "&Pause"
_MENU: Final = "&Play"
_PORTS: Final = "M&IDI output"


class PlayCommands(QObject):
    """The actions of the Play menu and of the playback panel."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._playing = False
        self._disabled_reason = ""
        self.play = self._action("play")
        self.stop = self._action("stop", "stop")
        self.start = self._action("start", "to-start")
        self.back = self._action("back")
        self.forward = self._action("forward")
        self.loop = self._toggle("loop", "loop")
        self.loop_selection = self._action("loop_selection")
        self.loop_from = self._action("loop_from")
        self.loop_to = self._action("loop_to")
        self.follow = self._toggle("follow", "follow")
        self.fermatas = self._toggle("fermatas", "fermata")
        self.fermatas_in_midi = self._toggle("fermatas_in_midi")
        self.metronome = self._toggle("metronome", "metronome")
        self.count_in = self._toggle("count_in", "count-in")
        self.mixer = self._toggle("mixer", "mixer")
        self.panic = self._action("panic")
        self.ports = QMenu(_PORTS)
        self.ports.setToolTipsVisible(True)
        for action in (self.follow, self.fermatas, self.mixer):
            action.setChecked(True)

    def fill(self, bar: QMenuBar) -> None:
        """Add all of them to a menu of ``bar``."""
        menu = bar.addMenu(_MENU)
        menu.setToolTipsVisible(True)
        menu.addActions([self.play, self.stop, self.start, self.back, self.forward])
        menu.addSeparator()
        menu.addActions([self.loop, self.loop_selection, self.loop_from, self.loop_to])
        menu.addSeparator()
        menu.addActions([self.metronome, self.count_in])
        menu.addSeparator()
        menu.addActions([self.follow, self.fermatas, self.fermatas_in_midi, self.mixer])
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
        text, key = _TEXTS["play"]
        tip = _PAUSE_TIP if self._playing else _PLAY_TIP
        self.play.setText(_PAUSE if self._playing else text)
        self.play.setIcon(icons.themed("pause" if self._playing else "play", "on_accent"))
        self.play.setEnabled(not reason)
        self.play.setToolTip(reason or _WITH_KEY.format(tip=tip, key=key))

    def _action(self, name: str, icon: str = "") -> QAction:
        text, key = _TEXTS[name]
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        tip = _TIPS.get(name, text.replace("&", ""))
        action.setData(_WITH_KEY.format(tip=tip, key=key) if key else tip)
        action.setToolTip(action.data())
        action.setIconVisibleInMenu(False)
        if icon:
            action.setIcon(icons.themed(icon, checked="accent"))
        return action

    def _toggle(self, name: str, icon: str = "") -> QAction:
        action = self._action(name, icon)
        action.setCheckable(True)
        return action
