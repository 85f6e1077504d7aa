"""Below the roll: play, stop, loop, where the playhead is, and how fast it goes.

A passive widget: its buttons are the actions of ``play_commands``, and it shows what it is told.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from musicrel.presentation.words.palette import Theme
from musicrel.ui.actions.play_commands import PlayCommands
from musicrel.ui.widgets import icons, stylesheet
from musicrel.ui.widgets.fields import NumberField

_USUAL_TEMPO: Final = 80
_BUTTON: Final = 34
_PLAY: Final = 40
_ICON: Final = 20
_WIDEST_PLACE: Final = "188.4"
_WIDEST_TIME: Final = "00:00 / 00:00"
_NARROW: Final = 600


class TransportBar(QWidget):
    """One row of controls.

    Signals:
        tempo_changed: the user wants so many quarters a minute.
    """

    tempo_changed = Signal(int)

    def __init__(self, commands: PlayCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._place, self._time = QLabel("1.1"), QLabel("0:00 / 0:00")
        self._silent = QLabel()
        self.tempo = NumberField(1, 999, _USUAL_TEMPO)
        self._label = self._tempo_label()
        self._narrow, self._times = False, ("0:00", "0:00")
        self._make()
        self._lay_out(commands)
        self.tempo.valueChanged.connect(self.tempo_changed)
        self.set_silent("")

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._silent.setPixmap(icons.tinted("silent", theme, theme.quiet).pixmap(_ICON, _ICON))

    def set_position(self, place: str, now: str, whole: str) -> None:
        """Say where the playhead is: bar and beat, and the time of all the time there is."""
        if self._place.text() != place:
            self._place.setText(place)
        time = now if self._narrow else f"{now} / {whole}"
        self._times = (now, whole)
        if self._time.text() != time:
            self._time.setText(time)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say less where it is narrow."""
        super().resizeEvent(event)
        self._narrow = self.width() < _NARROW
        self._label.setVisible(not self._narrow)
        widest = self._times[0] if self._narrow else _WIDEST_TIME
        self._time.setMinimumWidth(self._time.fontMetrics().horizontalAdvance(widest))
        self.set_position(self._place.text(), *self._times)

    def set_tempo(self, slowest: int, fastest: int, tempo: int) -> None:
        """Offer a range and show a tempo, without telling."""
        before = self.tempo.blockSignals(True)
        self.tempo.setRange(slowest, fastest)
        self.tempo.setValue(tempo)
        self.tempo.blockSignals(before)

    def set_silent(self, reason: str) -> None:
        """Show that nothing is heard, and why; "" where something is."""
        self._silent.setVisible(bool(reason))
        self._silent.setToolTip(reason)
        self._silent.setAccessibleDescription(reason)

    @property
    def place(self) -> str:
        """The bar and beat it says."""
        return self._place.text()

    @property
    def time(self) -> str:
        """The time it says."""
        return self._time.text()

    @property
    def silent(self) -> str:
        """Why nothing is heard."""
        return self._silent.toolTip()

    def _make(self) -> None:
        stylesheet.scaled(self._place, 1.5, QFont.Weight.DemiBold)
        self._time.setObjectName("quiet")
        for label, widest, says in (
            (self._place, _WIDEST_PLACE, "Bar and beat of the playhead"),
            (self._time, _WIDEST_TIME, "Time at the playhead, and of the whole piece"),
        ):
            label.setMinimumWidth(label.fontMetrics().horizontalAdvance(widest))
            label.setToolTip(says)
            label.setAccessibleName(says)
        self._place.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._silent.setAccessibleName("No sound")
        self.tempo.setAccessibleName("Tempo")
        self.tempo.setToolTip("Quarters a minute; notes stay as they are written")
        self.tempo.setFixedWidth(74)

    def _lay_out(self, commands: PlayCommands) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 14, 8)
        row.setSpacing(6)
        row.addWidget(_button(commands.start))
        row.addWidget(_button(commands.stop))
        row.addWidget(_button(commands.play, "play", _PLAY))
        row.addWidget(_button(commands.loop))
        row.addSpacing(8)
        row.addWidget(self._place)
        row.addSpacing(8)
        row.addWidget(self._time)
        row.addStretch(1)
        row.addWidget(self._silent)
        row.addSpacing(8)
        row.addWidget(self._label)
        row.addWidget(self.tempo)
        row.addSpacing(8)
        for action in (commands.fermatas, commands.follow, commands.mixer):
            row.addWidget(_button(action))

    def _tempo_label(self) -> QLabel:
        label = QLabel("&Tempo")
        label.setBuddy(self.tempo)
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
