"""The mixer: a channel strip for each voice, and the master."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from musicrel.chorale import Voice
from musicrel.presentation.compose import position_text
from musicrel.presentation.words.palette import Theme
from musicrel.score.audio.mixer import LOUDEST, Mix, Strip
from musicrel.score.performance import Sound
from musicrel.ui.widgets import stylesheet

SOUNDS: Final[tuple[tuple[Sound, str], ...]] = (("choir", "Choir"), ("organ", "Organ"))

_FINE: Final = position_text.FULL
_LETTER: Final = 20
_SWITCH: Final = 24
_MIN_NAME_WIDTH: Final = 152
_MASTER: Final = 88


class MixerPanel(QWidget):
    """Four channel strips and the master, side by side.

    Signals:
        changed: the user changed the mix; the new ``Mix``.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mix = Mix()
        self.strips = tuple(ChannelStrip(voice) for voice in Voice)
        self.sound = QComboBox()
        self.volume = LevelSlider("Volume of all voices", 0, LOUDEST, 1.0, position_text.volume)
        self._make()
        self.set_mix(self._mix)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        for strip in self.strips:
            strip.set_theme(theme)

    def set_mix(self, mix: Mix) -> None:
        """Show ``mix``, without a signal."""
        self._mix = mix
        for strip, values in zip(self.strips, mix.strips, strict=True):
            strip.set_values(values, audible=mix.is_audible(strip.voice))
        for control in (self.sound, self.volume):
            control.blockSignals(True)
        self.sound.setCurrentIndex(self.sound.findData(mix.sound))
        self.volume.set_level(mix.volume)
        for control in (self.sound, self.volume):
            control.blockSignals(False)

    @property
    def mix(self) -> Mix:
        """Return the mix."""
        return self._mix

    @Slot()
    def _update_mix(self) -> None:
        """Read the controls, show which voices are audible, and emit ``changed``."""
        self.set_mix(
            replace(
                self._mix,
                sound=self.sound.currentData(),
                strips=tuple(strip.values() for strip in self.strips),
                volume=self.volume.level(),
            )
        )
        self.changed.emit(self._mix)

    def _make(self) -> None:
        for sound, title in SOUNDS:
            self.sound.addItem(title, sound)
        self.sound.setAccessibleName("Instrument")
        self.sound.setToolTip("Sound of all voices")
        self.sound.setMinimumWidth(_MASTER)
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 8, 18, 12)
        row.setSpacing(12)
        for strip in self.strips:
            row.addWidget(strip, 10)
            row.addWidget(_rule())
            strip.changed.connect(self._update_mix)
        row.addLayout(self._master(), 9)
        self.sound.currentIndexChanged.connect(self._update_mix)
        self.volume.valueChanged.connect(self._update_mix)

    def _master(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(self.sound)
        column.addWidget(self.volume)
        return column


class ChannelStrip(QWidget):
    """The controls of one voice: letter, name, mute and solo, volume and pan.

    Args:
        voice: the voice.

    Signals:
        changed: a control has changed.
    """

    changed = Signal()

    def __init__(self, voice: Voice) -> None:
        super().__init__()
        self.voice = voice
        name = voice.title
        self._letter, self._name = QLabel(voice.letter), QLabel(name)
        self.mute = _switch("M", f"Mute {name}", "mute")
        self.solo = _switch("S", f"Solo {name}", "solo")
        self.volume = LevelSlider(f"Volume of {name}", 0, LOUDEST, 1.0, position_text.volume)
        self.pan = LevelSlider(f"Pan of {name}", -1, 1, 0.0, position_text.pan)
        self.pan.setObjectName("pan")
        self._lay_out()
        for signal in (
            self.mute.toggled, self.solo.toggled, self.volume.valueChanged, self.pan.valueChanged
        ):  # fmt: skip
            signal.connect(self.changed)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._letter.setStyleSheet(
            f"background: {theme.voices[self.voice]}; color: {theme.on_voice}; border-radius: 5px;"
        )

    def set_values(self, values: Strip, *, audible: bool) -> None:
        """Show ``values``, without a signal; the name is disabled if the voice is not audible."""
        before = self.blockSignals(True)
        self.mute.setChecked(values.mute)
        self.solo.setChecked(values.solo)
        self.volume.set_level(values.volume)
        self.pan.set_level(values.pan)
        self.blockSignals(before)
        self._name.setEnabled(audible)
        self._name.setToolTip(self.voice.title if audible else f"{self.voice.title} is muted")

    def values(self) -> Strip:
        """Return the settings of the strip."""
        return Strip(
            volume=self.volume.level(),
            pan=self.pan.level(),
            mute=self.mute.isChecked(),
            solo=self.solo.isChecked(),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the name in a narrow strip; the letter stays."""
        super().resizeEvent(event)
        self._name.setVisible(self.width() >= _MIN_NAME_WIDTH)

    def _lay_out(self) -> None:
        self._letter.setFixedSize(_LETTER, _LETTER)
        self._letter.setAlignment(Qt.AlignmentFlag.AlignCenter)
        stylesheet.scale_font(self._letter, 0.9, QFont.Weight.Bold)
        self._name.setObjectName("label")
        self._name.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        head, foot = QHBoxLayout(), QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self._letter)
        head.addWidget(self._name, 1)
        head.addStretch(0)
        head.addWidget(self.mute)
        head.addWidget(self.solo)
        foot.setSpacing(10)
        foot.addWidget(self.volume, 5)
        foot.addWidget(self.pan, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addLayout(foot)


class LevelSlider(QSlider):
    """A slider for a real number; a double click resets it.

    Args:
        name: accessible name.
        minimum: least value.
        maximum: greatest value.
        default: value after a double click.
        format_value: makes the text of a value.
    """

    def __init__(
        self,
        name: str,
        minimum: float,
        maximum: float,
        default: float,
        format_value: position_text.Formatter,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._name, self._default, self._format = name, default, format_value
        self.setAccessibleName(name)
        self.setRange(round(minimum * _FINE), round(maximum * _FINE))
        self.setSingleStep(_FINE // 20)
        self.setPageStep(_FINE // 10)
        self.setMinimumWidth(28)
        self.valueChanged.connect(self._update_tooltip)
        self.set_level(default)
        self._update_tooltip()

    def level(self) -> float:
        """Return the value."""
        return self.value() / _FINE

    def set_level(self, level: float) -> None:
        """Set the value."""
        self.setValue(round(level * _FINE))
        self._update_tooltip()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Reset the value."""
        self.set_level(self._default)
        event.accept()

    @Slot()
    def _update_tooltip(self) -> None:
        self.setToolTip(f"{self._name}: {self._format(self.level())}. Double-click to reset")


def _switch(letter: str, name: str, kind: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(kind)
    button.setText(letter)
    button.setCheckable(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setFixedSize(_SWITCH, _SWITCH)
    button.setToolTip(name)
    button.setAccessibleName(name)
    return button


def _rule() -> QFrame:
    rule = QFrame()
    rule.setObjectName("rule")
    rule.setFixedWidth(1)
    return rule
