"""The transport bar: playback buttons, position and tempo.

Its buttons are the actions of ``play_commands``.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolButton, QWidget

from musicrel.presentation.compose import position_text
from musicrel.score.audio.mixer import LOUDEST
from musicrel.ui.actions.play_commands import PlayCommands
from musicrel.ui.playback.level_slider import LevelSlider
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.fields import NumberField

COUNT_IN: Final = "Count-in"
MASTER: Final = "Master volume"
POSITION_TIP: Final = "Position of the playhead: bar and beat"
TIME_TIP: Final = "Time of the playhead and of the piece"
TEMPO_TIP: Final = "Quarters per minute"
NO_SOUND: Final = "No sound"

_DEFAULT_TEMPO: Final = 80
_BUTTON: Final = 34
_PLAY: Final = 40
_ICON: Final = 20
_WIDEST_POSITION: Final = "188.4"
_WIDEST_TIME: Final = "00:00 / 00:00"
_NARROW: Final = 780
_SPACING: Final = 6
_GAP: Final = 3
"""Additional space between groups of controls."""
_VOLUME_WIDTHS: Final = (40, 64)
"""Width of the volume in a narrow bar and in a wide one."""
_VOLUME_FROM: Final = 668
"""Width of the bar in pixels from which it has room for the volume."""


class TransportBar(QWidget):
    """One row of controls.

    Signals:
        tempo_changed: the user changed the tempo; quarters per minute.
        volume_changed: the user changed the master volume, 0 to ``LOUDEST``.
    """

    tempo_changed = Signal(int)
    volume_changed = Signal(float)

    def __init__(self, commands: PlayCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._position, self._time = QLabel("1.1"), QLabel("0:00 / 0:00")
        self._silent = icons.IconLabel("silent", _ICON, "quiet")
        self.tempo = NumberField(1, 999, _DEFAULT_TEMPO)
        self.volume = LevelSlider(MASTER, 0, LOUDEST, 1.0, position_text.volume)
        self._loudspeaker = icons.IconLabel("volume", _ICON, "quiet")
        self._label = self._tempo_label()
        self._narrow, self._has_volume = False, False
        self._times, self._beat = ("0:00", "0:00"), ""
        self._make()
        self._lay_out(commands)
        self.tempo.valueChanged.connect(self.tempo_changed)
        self.volume.valueChanged.connect(lambda: self.volume_changed.emit(self.volume.level()))
        self.set_silent("")
        self.show_volume(on=False)

    def set_position(self, position: str, now: str, total: str) -> None:
        """Show the playhead as bar and beat, and as a time of the total time."""
        self._times, self._beat = (now, total), ""
        self._show_position(position)

    def set_count_in(self, beat: str) -> None:
        """Show the beat of a count-in in place of the position."""
        self._beat = beat
        self._show_position(beat)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show fewer texts in a narrow bar."""
        super().resizeEvent(event)
        self._narrow = self.width() < _NARROW
        self._label.setVisible(not self._narrow)
        self._arrange_volume()
        texts = (self._times[0], COUNT_IN) if self._narrow else (_WIDEST_TIME,)
        measured = self._time.fontMetrics()
        self._time.setMinimumWidth(max(measured.horizontalAdvance(text) for text in texts))
        self._show_position(self._position.text())

    def minimumSizeHint(self) -> QSize:
        """Return the size without the texts and the slider that a narrow bar hides."""
        size = super().minimumSizeHint()
        optional = (self._label, self._loudspeaker, self.volume)
        spare = sum(
            max(part.minimumWidth(), part.minimumSizeHint().width()) + _SPACING
            for part in optional
            if part.isVisibleTo(self)
        )
        return QSize(size.width() - spare, size.height())

    def set_tempo(self, slowest: int, fastest: int, tempo: int) -> None:
        """Set the range of tempos and the tempo, without a signal."""
        before = self.tempo.blockSignals(True)
        self.tempo.setRange(slowest, fastest)
        self.tempo.setValue(tempo)
        self.tempo.blockSignals(before)

    def set_volume(self, level: float) -> None:
        """Show the master volume, without a signal."""
        with QSignalBlocker(self.volume):
            self.volume.set_level(level)

    def show_volume(self, *, on: bool) -> None:
        """Show the master volume, where the bar is wide enough."""
        self._has_volume = on
        self._arrange_volume()

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
            (self._position, _WIDEST_POSITION, POSITION_TIP),
            (self._time, _WIDEST_TIME, TIME_TIP),
        ):
            label.setMinimumWidth(label.fontMetrics().horizontalAdvance(widest))
            label.setToolTip(tooltip)
            label.setAccessibleName(tooltip)
        self._position.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._silent.setAccessibleName(NO_SOUND)
        self.tempo.setAccessibleName("Tempo")
        self.tempo.setToolTip(TEMPO_TIP)
        self.tempo.setFixedWidth(74)

    def _arrange_volume(self) -> None:
        shown = self._has_volume and self.width() >= _VOLUME_FROM
        self.volume.setFixedWidth(_VOLUME_WIDTHS[not self._narrow])
        self._loudspeaker.setVisible(shown)
        self.volume.setVisible(shown)

    def _show_position(self, position: str) -> None:
        """Show position and time, or the beat of a count-in in the accent colour."""
        now, total = self._times
        time = now if self._narrow else f"{now} / {total}"
        for label, text in (
            (self._position, position),
            (self._time, COUNT_IN if self._beat else time),
        ):
            if label.text() != text:
                label.setText(text)
        role = QPalette.ColorRole.Link if self._beat else QPalette.ColorRole.WindowText
        if self._position.foregroundRole() != role:
            self._position.setForegroundRole(role)

    def _lay_out(self, commands: PlayCommands) -> None:
        layout.row(
            _button(commands.start),
            _button(commands.stop),
            _button(commands.play, "play", _PLAY),
            _button(commands.loop),
            _GAP,
            self._position,
            _GAP,
            self._time,
            None,
            self._silent,
            self._loudspeaker,
            self.volume,
            _GAP,
            self._label,
            self.tempo,
            _GAP,
            *(
                _button(act)
                for act in (
                    commands.metronome,
                    commands.count_in,
                    commands.fermatas,
                    commands.follow,
                    commands.mixer,
                )
            ),
            owner=self,
            spacing=_SPACING,
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
