"""The mixer: a channel strip for each voice, the metronome and the master."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from musicrel.chorale import Voice
from musicrel.presentation.compose import position_text
from musicrel.score import instruments
from musicrel.score.audio.mixer import LOUDEST, Mix, Strip
from musicrel.score.instruments import INSTRUMENTS, Sound
from musicrel.ui.actions.play_commands import PlayCommands
from musicrel.ui.playback.level_slider import LevelSlider
from musicrel.ui.playback.metronome_strip import MetronomeStrip
from musicrel.ui.widgets import layout, stylesheet

MASTER: Final = "Master volume"
_ALL_VOICES: Final = "all voices"
_BUILT_IN: Final = "the built-in one"
_SOUNDFONT: Final = "SoundFont of {instruments}: {name}"
_CHOOSE: Final = "&Choose a SoundFont…"
_USE_BUILT_IN: Final = "&Built-in SoundFont"
_INSTRUMENT: Final = "Instrument of {owner}"
_MUTE: Final = "Mute {voice}"
_SOLO: Final = "Solo {voice}"
_VOLUME: Final = "Volume of {voice}"
_PAN: Final = "Pan of {voice}"
_MUTED: Final = "{voice} is muted"
_AND: Final = "{titles} and {last}"

_LETTER: Final = 20
_SWITCH: Final = 24
_MIN_NAME_WIDTH: Final = 152
_MIN_SOUND: Final = 80
_TAB: Final = Qt.FocusPolicy.TabFocus


class MixerPanel(QWidget):
    """Four channel strips, the metronome and the master, side by side."""

    changed = Signal(object)  # the user changed the mix; the new ``Mix``
    volume_shown = Signal(float)  # the master volume that is shown, 0 to ``LOUDEST``
    soundfont_requested = Signal()  # the user wants to choose a SoundFont

    def __init__(self, commands: PlayCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.mix = Mix()
        self.strips = tuple(ChannelStrip(voice) for voice in Voice)
        self.sound = SoundBox(_ALL_VOICES)
        self.sound.setPlaceholderText("Mixed")
        self.soundfont = QToolButton()
        self.volume = LevelSlider(MASTER, 0, LOUDEST, 1.0, position_text.volume)
        self.metronome = MetronomeStrip(commands)
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
        self.volume_shown.emit(mix.volume)
        name = mix.soundfont.name if mix.soundfont else _BUILT_IN
        self.soundfont.setToolTip(_SOUNDFONT.format(instruments=_sampled(), name=name))
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
        menu.addAction(_CHOOSE).triggered.connect(self.soundfont_requested)
        self._reset = menu.addAction(_USE_BUILT_IN, lambda: self._change(soundfont=None))
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
        parts += [(self.metronome, 12), _rule(), (self._master(), 9)]
        layout.row(*parts, owner=self, spacing=9, margins=(16, 8, 16, 12))
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
    """A combo box of the instruments."""

    def __init__(self, owner: str) -> None:
        super().__init__()
        for key, instrument in INSTRUMENTS.items():
            self.addItem(instrument.title, key)
        self.setObjectName("sound")
        self.setAccessibleName(_INSTRUMENT.format(owner=owner))
        self.setToolTip(_INSTRUMENT.format(owner=owner))
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
    """The controls of one voice: letter, name, instrument, mute and solo, volume and pan."""

    changed = Signal()

    def __init__(self, voice: Voice) -> None:
        super().__init__()
        self.voice = voice
        name = voice.title
        self._letter, self._name = QLabel(voice.letter), QLabel(name)
        self._letter.setObjectName(f"voice{voice.value}")
        self.sound = SoundBox(name)
        self.mute = _switch("M", _MUTE.format(voice=name), "mute")
        self.solo = _switch("S", _SOLO.format(voice=name), "solo")
        volume, pan = _VOLUME.format(voice=name), _PAN.format(voice=name)
        self.volume = LevelSlider(volume, 0, LOUDEST, 1.0, position_text.volume)
        self.pan = LevelSlider(pan, -1, 1, 0.0, position_text.pan)
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
        title = self.voice.title
        for label in (self._letter, self._name):
            label.setEnabled(audible)
            label.setToolTip(title if audible else _MUTED.format(voice=title))

    def values(self) -> Strip:
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
    return _AND.format(titles=", ".join(titles), last=last)
