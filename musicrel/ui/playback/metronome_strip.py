"""The metronome in the mixer: on or off, count-in and level.

The strip shares its states with the commands of the Play menu and the buttons of the transport bar.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QToolButton, QWidget

from musicrel.presentation.compose import position_text
from musicrel.score.audio.metronome import CountIn, Metronome
from musicrel.score.audio.mixer import LOUDEST
from musicrel.ui.actions.play_commands import PlayCommands
from musicrel.ui.playback.level_slider import LevelSlider
from musicrel.ui.widgets import layout

TITLE: Final = "Metronome"
LEVEL: Final = "Volume of the metronome"
COUNT_IN: Final = "Count-in"
COUNT_IN_TIP: Final = "A bar of clicks before playback, and the beats missing before a pickup"
COUNT_INS: Final[tuple[tuple[CountIn, str], ...]] = (
    ("never", "No count"),
    ("start", "Count at start"),
    ("always", "Count always"),
)
"""Choices of the count-in, and their names."""

_MIN_COUNT_IN: Final = 98
"""Least width in pixels of the count-in, in which "No count" fits."""
_SWITCH: Final = 24
_ICON: Final = 18
_SPACING: Final = 4


class MetronomeStrip(QWidget):
    changed = Signal(object)  # the user changed them; the new ``Metronome``

    def __init__(self, commands: PlayCommands) -> None:
        super().__init__()
        self.metronome = Metronome()
        self._commands = commands
        self._last: CountIn = "start"
        self.switch, self.count_in, self._title = QToolButton(), QComboBox(), QLabel(TITLE)
        self.level = LevelSlider(LEVEL, 0, LOUDEST, 1.0, position_text.volume)
        self._make()
        self.set_metronome(self.metronome)
        commands.metronome.toggled.connect(lambda on: self._change(on=on))
        commands.count_in.toggled.connect(self._toggle_count_in)
        self.count_in.currentIndexChanged.connect(
            lambda: self._change(count_in=self.count_in.currentData())
        )
        self.level.valueChanged.connect(lambda: self._change(level=self.level.level()))

    def set_metronome(self, metronome: Metronome) -> None:
        """Show ``metronome``, without a signal."""
        self.metronome = metronome
        counts = metronome.count_in != "never"
        if counts:
            self._last = metronome.count_in
        with QSignalBlocker(self.level), QSignalBlocker(self.count_in):
            self.level.set_level(metronome.level)
            self.count_in.setCurrentIndex(self.count_in.findData(metronome.count_in))
        for action, on in (
            (self._commands.metronome, metronome.on),
            (self._commands.count_in, counts),
        ):
            action.setChecked(on)  # its signal finds the value unchanged

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the title in a narrow strip; the switch has its picture."""
        super().resizeEvent(event)
        needed = self._title.sizeHint().width() + _SPACING + _SWITCH
        self._title.setVisible(self.width() >= needed)

    def _change(self, **values: Any) -> None:
        wanted = replace(self.metronome, **values)
        if wanted != self.metronome:
            self.set_metronome(wanted)
            self.changed.emit(wanted)

    @Slot(bool)
    def _toggle_count_in(self, on: bool) -> None:
        if on != (self.metronome.count_in != "never"):
            self._change(count_in=self._last if on else "never")

    def _make(self) -> None:
        self.switch.setObjectName("switch")
        self.switch.setDefaultAction(self._commands.metronome)
        self.switch.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.switch.setIconSize(QSize(_ICON, _ICON))
        self.switch.setFixedSize(_SWITCH, _SWITCH)
        self.switch.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for when, name in COUNT_INS:
            self.count_in.addItem(name, when)
        self.count_in.setObjectName("sound")
        self.count_in.setAccessibleName(COUNT_IN)
        self.count_in.setToolTip(COUNT_IN_TIP)
        self.count_in.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.count_in.setMinimumWidth(_MIN_COUNT_IN)
        self._title.setObjectName("label")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        head = layout.row((self._title, 1), self.switch, spacing=_SPACING)
        head.insertStretch(1)  # takes the place of a hidden title
        layout.column(head, self.count_in, self.level, owner=self, spacing=4)
