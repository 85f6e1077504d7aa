"""The transport bar: playback buttons, position and tempo.

Its buttons are the actions of ``play_commands``.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
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
TIME_TIP: Final = (
    "Time of the playhead and of the piece, at this tempo and with fermatas as they are held"
)
TEMPO_TIP: Final = "Quarters per minute"
NO_SOUND: Final = "No sound"

_DEFAULT_TEMPO: Final = 80
_BUTTON: Final = 34
_PLAY: Final = 40
_ICON: Final = 20
_WIDEST_POSITION: Final = "188.4"
_WIDEST_TIME: Final = "00:00 / 00:00"
_NARROW_TIME: Final = "00:00"
_SPACING: Final = 6
_GAP: Final = 3
"""Additional space between groups of controls."""
_VOLUME_WIDTHS: Final = (40, 64)
"""Width of the volume in a narrow bar and in a wide one."""
_EDGES: Final = (14, 8, 14, 8)


class TransportBar(QWidget):
    """One row of controls."""

    tempo_changed = Signal(int)  # the user changed the tempo; quarters per minute
    volume_changed = Signal(float)  # the user changed the master volume, 0 to ``LOUDEST``

    def __init__(self, commands: PlayCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._position, self._time = QLabel("1.1"), QLabel("0:00 / 0:00")
        self._silent = icons.IconLabel("silent", _ICON, "quiet")
        self.tempo = NumberField(1, 999, _DEFAULT_TEMPO)
        self.volume = LevelSlider(MASTER, 0, LOUDEST, 1.0, position_text.volume)
        self._loudspeaker = icons.IconLabel("volume", _ICON, "quiet")
        self._label = self._tempo_label()
        self._narrow, self._has_volume = False, False
        self._follow, self._fermatas = _button(commands.follow), _button(commands.fermatas)
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
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    def minimumSizeHint(self) -> QSize:
        hidden = {part for step in self._steps() for part in step}
        width = self._needed(hidden, narrow=True)
        return QSize(width, super().minimumSizeHint().height())

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
        self._arrange()

    def set_silent(self, reason: str) -> None:
        """Show that there is no sound, with the reason; "" hides it."""
        if reason == self._silent.toolTip() and bool(reason) != self._silent.isHidden():
            return
        self._silent.setVisible(bool(reason))
        self._silent.setToolTip(reason)
        self._silent.setAccessibleDescription(reason)
        self._arrange()

    @property
    def position(self) -> str:
        return self._position.text()

    @property
    def time(self) -> str:
        return self._time.text()

    @property
    def silent(self) -> str:
        """Return the reason for no sound; "" with sound."""
        return self._silent.toolTip()

    def _make(self) -> None:
        stylesheet.scale_font(self._position, 1.5, QFont.Weight.DemiBold)
        self._time.setObjectName("quiet")
        for label, tooltip in ((self._position, POSITION_TIP), (self._time, TIME_TIP)):
            label.setToolTip(tooltip)
            label.setAccessibleName(tooltip)
        self._position.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._silent.setAccessibleName(NO_SOUND)
        self.tempo.setAccessibleName("Tempo")
        self.tempo.setToolTip(TEMPO_TIP)
        self.tempo.setFixedWidth(74)

    def _steps(self) -> tuple[tuple[QWidget, ...], ...]:
        """Return what a bar hides as it gets narrower, in order; with the label, the total time."""
        volume = (self._loudspeaker, self.volume)
        return ((self._label,), volume, (self._follow,), (self._fermatas,), (self._time,))

    def _arrange(self) -> None:
        """Hide the least important parts until the others have room."""
        hidden = set[QWidget]() if self._has_volume else {self._loudspeaker, self.volume}
        steps = iter(self._steps())
        narrow = False
        while self._needed(hidden, narrow=narrow) > self.width() and (step := next(steps, ())):
            hidden.update(step)
            narrow = True
        self._narrow = narrow
        for part in (part for step in self._steps() for part in step):
            part.setVisible(part not in hidden)
        self.volume.setFixedWidth(_VOLUME_WIDTHS[not narrow])
        self._position.setMinimumWidth(_width_of(self._position, _WIDEST_POSITION))
        self._time.setMinimumWidth(self._time_width(narrow=narrow))
        self._show_position(self._position.text())
        self._row.activate()

    def _time_width(self, *, narrow: bool) -> int:
        texts = (_NARROW_TIME, COUNT_IN) if narrow else (_WIDEST_TIME, COUNT_IN)
        return max(_width_of(self._time, text) for text in texts)

    def _needed(self, hidden: Collection[QWidget], *, narrow: bool) -> int:
        """Return the width of the bar without the parts in ``hidden``."""
        special = {
            self._position: _width_of(self._position, _WIDEST_POSITION),
            self._time: self._time_width(narrow=narrow),
            self.volume: _VOLUME_WIDTHS[not narrow],
        }
        blank = sum(part for part in self._parts if isinstance(part, int))
        optional = {part for step in self._steps() for part in step}
        shown = [
            part
            for part in self._parts
            if isinstance(part, QWidget)
            and part not in hidden
            and (part in optional or not part.isHidden())
        ]
        widths = [special.get(part) or _least(part) for part in shown]
        return _EDGES[0] + _EDGES[2] + blank + sum(widths) + _SPACING * (len(shown) - 1)

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
        self._parts: tuple[layout.Part, ...] = (
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
            _button(commands.metronome),
            _button(commands.count_in),
            self._fermatas,
            self._follow,
            _button(commands.mixer),
        )
        self._row = layout.row(*self._parts, owner=self, spacing=_SPACING, margins=_EDGES)

    def _tempo_label(self) -> QLabel:
        label = layout.field_label("Temp&o", self.tempo)
        label.setObjectName("quiet")
        label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        return label


def _width_of(label: QLabel, text: str) -> int:
    return label.fontMetrics().horizontalAdvance(text)


def _least(part: QWidget) -> int:
    return part.minimumWidth() or part.minimumSizeHint().width()


def _button(action: QAction, kind: str = "flat", size: int = _BUTTON) -> QToolButton:
    button = QToolButton()
    button.setObjectName(kind)
    button.setDefaultAction(action)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setIconSize(QSize(_ICON, _ICON))
    button.setFixedSize(size, size)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    return button
