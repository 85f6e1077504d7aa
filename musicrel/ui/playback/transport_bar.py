"""The transport bar: playback buttons, position and tempo.

Its buttons are the actions of ``play_commands``.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolButton, QWidget

from musicrel.ui.actions.play_commands import PlayCommands
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.fields import NumberField

_DEFAULT_TEMPO: Final = 80
_BUTTON: Final = 34
_PLAY: Final = 40
_ICON: Final = 20
_WIDEST_POSITION: Final = "188.4"
_WIDEST_TIME: Final = "00:00 / 00:00"
_NARROW: Final = 600


class TransportBar(QWidget):
    """One row of controls.

    Signals:
        tempo_changed: the user changed the tempo; quarters per minute.
    """

    tempo_changed = Signal(int)

    def __init__(self, commands: PlayCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._position, self._time = QLabel("1.1"), QLabel("0:00 / 0:00")
        self._silent = icons.IconLabel("silent", _ICON, "quiet")
        self.tempo = NumberField(1, 999, _DEFAULT_TEMPO)
        self._label = self._tempo_label()
        self._narrow, self._times = False, ("0:00", "0:00")
        self._make()
        self._lay_out(commands)
        self.tempo.valueChanged.connect(self.tempo_changed)
        self.set_silent("")

    def set_position(self, position: str, now: str, total: str) -> None:
        """Show the playhead as bar and beat, and as a time of the total time."""
        if self._position.text() != position:
            self._position.setText(position)
        time = now if self._narrow else f"{now} / {total}"
        self._times = (now, total)
        if self._time.text() != time:
            self._time.setText(time)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show fewer texts in a narrow bar."""
        super().resizeEvent(event)
        self._narrow = self.width() < _NARROW
        self._label.setVisible(not self._narrow)
        widest = self._times[0] if self._narrow else _WIDEST_TIME
        self._time.setMinimumWidth(self._time.fontMetrics().horizontalAdvance(widest))
        self.set_position(self._position.text(), *self._times)

    def set_tempo(self, slowest: int, fastest: int, tempo: int) -> None:
        """Set the range of tempos and the tempo, without a signal."""
        before = self.tempo.blockSignals(True)
        self.tempo.setRange(slowest, fastest)
        self.tempo.setValue(tempo)
        self.tempo.blockSignals(before)

    def set_silent(self, reason: str) -> None:
        """Show that there is no sound, with the reason; "" hides it."""
        self._silent.setVisible(bool(reason))
        self._silent.setToolTip(reason)
        self._silent.setAccessibleDescription(reason)

    @property
    def position(self) -> str:
        """Return the bar and beat as shown."""
        return self._position.text()

    @property
    def time(self) -> str:
        """Return the time as shown."""
        return self._time.text()

    @property
    def silent(self) -> str:
        """Return the reason for no sound; "" with sound."""
        return self._silent.toolTip()

    def _make(self) -> None:
        stylesheet.scale_font(self._position, 1.5, QFont.Weight.DemiBold)
        self._time.setObjectName("quiet")
        for label, widest, tooltip in (
            (self._position, _WIDEST_POSITION, "Position of the playhead: bar and beat"),
            (self._time, _WIDEST_TIME, "Time of the playhead and of the piece"),
        ):
            label.setMinimumWidth(label.fontMetrics().horizontalAdvance(widest))
            label.setToolTip(tooltip)
            label.setAccessibleName(tooltip)
        self._position.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._silent.setAccessibleName("No sound")
        self.tempo.setAccessibleName("Tempo")
        self.tempo.setToolTip("Quarters per minute")
        self.tempo.setFixedWidth(74)

    def _lay_out(self, commands: PlayCommands) -> None:
        layout.row(
            _button(commands.start),
            _button(commands.stop),
            _button(commands.play, "play", _PLAY),
            _button(commands.loop),
            8,
            self._position,
            8,
            self._time,
            None,
            self._silent,
            8,
            self._label,
            self.tempo,
            8,
            *(_button(act) for act in (commands.fermatas, commands.follow, commands.mixer)),
            owner=self,
            spacing=6,
            margins=(14, 8, 14, 8),
        )

    def _tempo_label(self) -> QLabel:
        label = layout.field_label("&Tempo", self.tempo)
        label.setObjectName("quiet")
        label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        return label


def _button(action: QAction, kind: str = "flat", size: int = _BUTTON) -> QToolButton:
    button = QToolButton()
    button.setObjectName(kind)
    button.setDefaultAction(action)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setIconSize(QSize(_ICON, _ICON))
    button.setFixedSize(size, size)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    return button
