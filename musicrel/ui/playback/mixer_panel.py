"""The mixer: a channel strip for each voice, and the master."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFont, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QMenu,
    QSizePolicy,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from musicrel.chorale import Voice
from musicrel.presentation.compose import position_text
from musicrel.score import instruments
from musicrel.score.audio.mixer import LOUDEST, Mix, Strip
from musicrel.score.instruments import INSTRUMENTS, Sound
from musicrel.ui.widgets import layout, stylesheet

_FINE: Final = position_text.FULL
_LETTER: Final = 20
_SWITCH: Final = 24
_MIN_NAME_WIDTH: Final = 152
_MIN_SOUND: Final = 80
_TAB: Final = Qt.FocusPolicy.TabFocus


class MixerPanel(QWidget):
    """Four channel strips and the master, side by side.

    Attributes:
        mix: the mix that is shown.

    Signals:
        changed: the user changed the mix; the new ``Mix``.
        soundfont_requested: the user wants to choose a SoundFont.
    """

    changed = Signal(object)
    soundfont_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.mix = Mix()
        self.strips = tuple(ChannelStrip(voice) for voice in Voice)
        self.sound = SoundBox("all voices")
        self.sound.setPlaceholderText("Mixed")
        self.soundfont = QToolButton()
        self.volume = LevelSlider("Volume of all voices", 0, LOUDEST, 1.0, position_text.volume)
        self._make()
        self.set_mix(self.mix)

    def set_mix(self, mix: Mix) -> None:
        """Show ``mix``, without a signal."""
        self.mix = mix
        for strip, values, sound in zip(self.strips, mix.strips, mix.sounds, strict=True):
            strip.set_values(values, sound, audible=mix.is_audible(strip.voice))
        with QSignalBlocker(self.sound), QSignalBlocker(self.volume):
            self.sound.set_sound(mix.sounds[0] if len(set(mix.sounds)) == 1 else None)
            self.volume.set_level(mix.volume)
        name = mix.soundfont.name if mix.soundfont else "the built-in one"
        self.soundfont.setToolTip(f"SoundFont of {_sampled()}: {name}")
        self._reset.setEnabled(mix.soundfont is not None)

    def _change(self, **values: Any) -> None:
        """Change the mix, show which voices are audible, and emit ``changed``."""
        self.set_mix(replace(self.mix, **values))
        self.changed.emit(self.mix)

    @Slot()
    def _update_strips(self) -> None:
        self._change(
            sound=tuple(strip.sound.sound() for strip in self.strips),
            strips=tuple(strip.values() for strip in self.strips),
        )

    def _make(self) -> None:
        menu = QMenu(self.soundfont)
        menu.addAction("&Choose a SoundFont…").triggered.connect(self.soundfont_requested)
        self._reset = menu.addAction("&Built-in SoundFont", lambda: self._change(soundfont=None))
        self.soundfont.setMenu(menu)
        self.soundfont.setObjectName("soundfont")
        self.soundfont.setText("SF2")
        self.soundfont.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.soundfont.setFocusPolicy(_TAB)
        self.soundfont.setFixedHeight(_SWITCH)
        self.soundfont.setAccessibleName("SoundFont")
        parts: list[layout.Part] = []
        for strip in self.strips:
            parts += [(strip, 10), _rule()]
            strip.changed.connect(self._update_strips)
        parts.append((self._master(), 9))
        layout.row(*parts, owner=self, spacing=12, margins=(18, 8, 18, 12))
        self.sound.currentIndexChanged.connect(
            lambda: self._change(sound=instruments.for_voices(self.sound.sound()))
        )
        self.volume.valueChanged.connect(lambda: self._change(volume=self.volume.level()))

    def _master(self) -> QVBoxLayout:
        title = QLabel("All")
        title.setObjectName("label")
        head = layout.row((title, 1), self.soundfont, spacing=4)
        return layout.column(head, self.sound, self.volume, spacing=4)


class SoundBox(QComboBox):
    """A combo box of the instruments.

    Args:
        owner: the voices that play it, for the tooltip.
    """

    def __init__(self, owner: str) -> None:
        super().__init__()
        for key, instrument in INSTRUMENTS.items():
            self.addItem(instrument.title, key)
        self.setObjectName("sound")
        self.setAccessibleName(f"Instrument of {owner}")
        self.setToolTip(f"Instrument of {owner}")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(_MIN_SOUND)

    def sound(self) -> Sound:
        """Return the selected instrument."""
        sound: Sound = self.currentData()
        return sound

    def set_sound(self, sound: Sound | None) -> None:
        """Select an instrument; None: none."""
        self.setCurrentIndex(self.findData(sound))


class ChannelStrip(QWidget):
    """The controls of one voice: letter, name, instrument, mute and solo, volume and pan.

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
        self._letter.setObjectName(f"voice{voice.value}")
        self.sound = SoundBox(name)
        self.mute = _switch("M", f"Mute {name}", "mute")
        self.solo = _switch("S", f"Solo {name}", "solo")
        self.volume = LevelSlider(f"Volume of {name}", 0, LOUDEST, 1.0, position_text.volume)
        self.pan = LevelSlider(f"Pan of {name}", -1, 1, 0.0, position_text.pan)
        self.pan.setObjectName("pan")
        self._lay_out()
        for signal in (
            self.sound.currentIndexChanged, self.mute.toggled, self.solo.toggled,
            self.volume.valueChanged, self.pan.valueChanged,
        ):  # fmt: skip
            signal.connect(self.changed)

    def set_values(self, values: Strip, sound: Sound, *, audible: bool) -> None:
        """Show ``values``, without a signal; the name is disabled if the voice is not audible."""
        before = self.blockSignals(True)
        self.sound.set_sound(sound)
        self.mute.setChecked(values.mute)
        self.solo.setChecked(values.solo)
        self.volume.set_level(values.volume)
        self.pan.set_level(values.pan)
        self.blockSignals(before)
        for label in (self._letter, self._name):
            label.setEnabled(audible)
            label.setToolTip(self.voice.title if audible else f"{self.voice.title} is muted")

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
        head = layout.row(self._letter, (self._name, 1), self.mute, self.solo, spacing=6)
        head.insertStretch(2)  # takes the place of a hidden name
        foot = layout.row((self.volume, 5), (self.pan, 3), spacing=10)
        layout.column(head, self.sound, foot, owner=self, spacing=4)


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
    button.setFocusPolicy(_TAB)
    button.setFixedSize(_SWITCH, _SWITCH)
    button.setToolTip(name)
    button.setAccessibleName(name)
    return button


def _rule() -> QFrame:
    rule = QFrame()
    rule.setObjectName("rule")
    rule.setFixedWidth(1)
    return rule


def _sampled() -> str:
    *titles, last = (kind.title.lower() for kind in INSTRUMENTS.values() if kind.sampled)
    return f"{', '.join(titles)} and {last}"
