"""The transport bar: playback buttons, position and tempo.

Its buttons are the commands of the Play menu.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QFont, QPalette
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
from musicrel.language import tr
from musicrel.presentation.compose import position_text
from musicrel.score import instruments
from musicrel.score.audio.metronome import CountIn, Metronome
from musicrel.score.audio.mixer import LOUDEST, Mix, Strip
from musicrel.score.instruments import INSTRUMENTS, Sound
from musicrel.ui.actions.commands import Group
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.fields import LevelSlider, NumberField, add_entries

_POSITION_TIP: Final = tr("Position of the playhead: bar and beat")
_TIME_TIP: Final = tr(
    "Time at the playhead and length of the piece, at this tempo and with fermatas as held"
)
_TEMPO_TIP: Final = tr("Quarters per minute")
_NO_SOUND: Final = tr("No sound")
_ICON: Final = 20
_WIDEST_POSITION: Final = "188.4"
_SPACING: Final = 6
_GAP: Final = 3  # additional space between groups of controls
_VOLUME_WIDTHS: Final = (40, 64)  # width of the volume in a narrow bar and in a wide one
_EDGES: Final = (14, 8, 14, 8)


class TransportBar(QWidget):
    tempo_changed = Signal(int)  # the user changed the tempo; quarters per minute
    volume_changed = Signal(float)  # the user changed the master volume, 0 to ``LOUDEST``

    def __init__(self, commands: Group, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._position, self._time = QLabel("1.1"), QLabel("0:00 / 0:00")
        self._silent = icons.IconLabel("silent", _ICON, "quiet")
        self.tempo = NumberField(1, 999, 80)
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
        self._times, self._beat = (now, total), ""
        self._show_position(position)

    def set_count_in(self, beat: str) -> None:
        self._beat = beat
        self._show_position(beat)

    def minimumSizeHint(self) -> QSize:
        hidden = {part for step in self._steps() for part in step}
        width = self._needed(hidden, narrow=True)
        return QSize(width, super().minimumSizeHint().height())

    def set_tempo(self, slowest: int, fastest: int, tempo: int) -> None:
        with QSignalBlocker(self.tempo):
            self.tempo.setRange(slowest, fastest)
            self.tempo.setValue(tempo)

    def set_volume(self, level: float) -> None:
        with QSignalBlocker(self.volume):
            self.volume.set_level(level)

    def show_volume(self, *, on: bool) -> None:
        self._has_volume = on
        self._arranger.again()

    def set_silent(self, reason: str) -> None:
        """Show that there is no sound, with the reason; "" hides it."""
        if reason == self._silent.toolTip() and bool(reason) != self._silent.isHidden():
            return
        self._silent.setVisible(bool(reason))
        self._silent.setToolTip(reason)
        self._silent.setAccessibleDescription(reason)
        self._arranger.again()

    @property
    def position(self) -> str:
        return self._position.text()

    @property
    def time(self) -> str:
        return self._time.text()

    @property
    def silent(self) -> str:
        return self._silent.toolTip()

    def _make(self) -> None:
        stylesheet.scale_font(self._position, 1.5, QFont.Weight.DemiBold)
        self._time.setObjectName("quiet")
        for label, tooltip in ((self._position, _POSITION_TIP), (self._time, _TIME_TIP)):
            label.setToolTip(tooltip)
            label.setAccessibleName(tooltip)
        self._position.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._silent.setAccessibleName(_NO_SOUND)
        self.tempo.setAccessibleName(tr("Tempo"))
        self.tempo.setToolTip(_TEMPO_TIP)
        stylesheet.fix_width(self.tempo, 74)

    def _steps(self) -> tuple[tuple[QWidget, ...], ...]:
        """Return what a bar hides as it gets narrower, in order; with the label, the total time."""
        volume = (self._loudspeaker, self.volume)
        return ((self._label,), volume, (self._follow,), (self._fermatas,), (self._time,))

    def _arrange(self) -> None:
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
        texts = ("00:00", COUNT_IN) if narrow else ("00:00 / 00:00", COUNT_IN)
        return max(_width_of(self._time, text) for text in texts)

    def _needed(self, hidden: Collection[QWidget], *, narrow: bool) -> int:
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
        widths = [
            special.get(part) or part.minimumWidth() or part.minimumSizeHint().width()
            for part in shown
        ]
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

    def _lay_out(self, commands: Group) -> None:
        self._parts: tuple[layout.Part, ...] = (
            *_playing(commands),
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
        self._arranger = layout.Arranger(self._arrange, self)

    def _tempo_label(self) -> QLabel:
        label = layout.field_label(tr("Temp&o"), self.tempo)
        label.setObjectName("quiet")
        label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        return label


def short_transport(commands: Group) -> QWidget:
    """Return the buttons alone, for the head of the sheet where the bar has no room."""
    buttons = QWidget()
    layout.row(*_playing(commands), owner=buttons, spacing=_SPACING, margins=(_GAP, 0, 0, 0))
    return buttons


def _playing(commands: Group) -> tuple[QToolButton, ...]:
    return (
        _button(commands.start),
        _button(commands.stop),
        _button(commands.play, "play", 40),
        _button(commands.loop),
    )


def _width_of(label: QLabel, text: str) -> int:
    return label.fontMetrics().horizontalAdvance(text)


def _button(action: QAction, kind: str = "flat", size: int = 34) -> QToolButton:
    button = QToolButton()
    button.setObjectName(kind)
    button.setDefaultAction(action)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setIconSize(QSize(_ICON, _ICON))
    button.setFixedSize(size, size)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    return button


class PlaybackPanel(QFrame):
    def __init__(self, commands: Group, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.transport, self.mixer = TransportBar(commands), MixerPanel(commands)
        layout.column(self.transport, self.mixer, owner=self)
        commands.mixer.toggled.connect(self._show_mixer)
        self._show_mixer(commands.mixer.isChecked())
        self.mixer.volume_shown.connect(self.transport.set_volume)
        self.transport.volume_changed.connect(self.mixer.volume.set_level)

    @Slot(bool)
    def _show_mixer(self, on: bool) -> None:
        self.mixer.setVisible(on)
        self.transport.show_volume(on=not on)


MASTER: Final = tr("Master volume")
_REVERB: Final = tr("Reverb")
_ALL_VOICES: Final = tr("all voices")
_BUILT_IN: Final = tr("the built-in one")
_SOUNDFONT: Final = tr("SoundFont of all instruments but choir and organ: {name}")
_CHOOSE, _USE_BUILT_IN = tr("&Choose a SoundFont…"), tr("&Built-in SoundFont")
_INSTRUMENT: Final = tr("Instrument of {owner}")
_MUTE, _SOLO, _VOLUME, _PAN = tr("Mute {}"), tr("Solo {}"), tr("Volume of {}"), tr("Pan of {}")
_MUTED: Final = tr("{voice} is muted")
_METRONOME: Final = tr("Volume of the metronome")
_COUNT_IN_TIP: Final = tr("A bar of clicks before playback, and the beats missing before a pickup")
_COUNT_INS: Final = (
    (tr("No count"), "never"), (tr("Count at start"), "start"), (tr("Count always"), "always"),
)  # fmt: skip
_LETTER: Final = 20
_MIN_WIDTH: Final = 152  # least width of a strip with a name
_SWITCH: Final = 24
_TAB: Final = Qt.FocusPolicy.TabFocus
COUNT_IN: Final = tr("Count-in")
_SWITCH_ICON: Final = 18


class MetronomeStrip(QWidget):
    changed = Signal(object)  # the user changed them; the new ``Metronome``

    def __init__(self, commands: Group) -> None:
        super().__init__()
        self.metronome = Metronome()
        self._commands = commands
        self._last: CountIn = "start"
        self.switch, self.count_in = QToolButton(), QComboBox()
        self._title = QLabel(tr("Metronome"))
        self.level = LevelSlider(_METRONOME, 0, LOUDEST, 1.0, position_text.volume)
        self._make()
        self.set_metronome(self.metronome)
        commands.metronome.toggled.connect(lambda on: self._change(on=on))
        commands.count_in.toggled.connect(
            lambda on: self._change(count_in=self._last if on else "never")
        )
        self.count_in.currentIndexChanged.connect(
            lambda: self._change(count_in=self.count_in.currentData())
        )
        self.level.valueChanged.connect(lambda: self._change(level=self.level.level()))

    def set_metronome(self, metronome: Metronome) -> None:
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

    def _arrange(self) -> None:
        needed = self._title.sizeHint().width() + 4 + _SWITCH
        self._title.setVisible(self.width() >= needed)

    def _change(self, **values: Any) -> None:
        wanted = replace(self.metronome, **values)
        if wanted != self.metronome:
            self.set_metronome(wanted)
            self.changed.emit(wanted)

    def _make(self) -> None:
        self.switch.setObjectName("switch")
        self.switch.setDefaultAction(self._commands.metronome)
        self.switch.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.switch.setIconSize(QSize(_SWITCH_ICON, _SWITCH_ICON))
        self.switch.setFixedSize(_SWITCH, _SWITCH)
        self.switch.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        add_entries(self.count_in, _COUNT_INS)
        self.count_in.setObjectName("sound")
        self.count_in.setAccessibleName(COUNT_IN)
        self.count_in.setToolTip(_COUNT_IN_TIP)
        self.count_in.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        stylesheet.set_least_width(self.count_in, 98)  # "No count" fits
        self._title.setObjectName("label")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        head = layout.row((self._title, 1), self.switch, spacing=4)
        head.insertStretch(1)  # takes the place of a hidden title
        layout.column(head, self.count_in, self.level, owner=self, spacing=4)
        layout.Arranger(self._arrange, self)


class MixerPanel(QWidget):
    changed = Signal(object)  # the user changed the mix; the new ``Mix``
    volume_shown = Signal(float)  # the master volume that is shown, 0 to ``LOUDEST``
    soundfont_requested = Signal()  # the user wants to choose a SoundFont

    def __init__(self, commands: Group, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.mix = Mix()
        self.strips = tuple(ChannelStrip(voice) for voice in Voice)
        self.sound = SoundBox(_ALL_VOICES)
        self.sound.setPlaceholderText(tr("Mixed"))
        self.soundfont = QToolButton()
        self.volume = LevelSlider(MASTER, 0, LOUDEST, 1.0, position_text.volume)
        self.reverb = LevelSlider(_REVERB, 0, 1, Mix().reverb, position_text.volume)
        self.metronome = MetronomeStrip(commands)
        self._make()
        self.set_mix(self.mix)

    def set_mix(self, mix: Mix) -> None:
        self.mix = mix
        for strip, values, sound in zip(self.strips, mix.strips, mix.sounds, strict=True):
            strip.set_values(values, sound, audible=mix.is_audible(strip.voice))
        with QSignalBlocker(self.sound), QSignalBlocker(self.volume), QSignalBlocker(self.reverb):
            self.sound.set_sound(mix.sounds[0] if len(set(mix.sounds)) == 1 else None)
            self.volume.set_level(mix.volume)
            self.reverb.set_level(mix.reverb)
        self.volume_shown.emit(mix.volume)
        name = mix.soundfont.name if mix.soundfont else _BUILT_IN
        self.soundfont.setToolTip(_SOUNDFONT.format(name=name))
        self._reset.setEnabled(mix.soundfont is not None)

    def _change(self, **values: Any) -> None:
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
        others = layout.row((self.metronome, 12), _rule(), (self._master(), 9), spacing=9)
        whole = layout.Wrapped(layout.row(*parts, spacing=9), others, spacing=9, shares=(40, 21))
        layout.row(whole, owner=self, margins=(16, 8, 16, 12))
        self.sound.currentIndexChanged.connect(
            lambda: self._change(sound=instruments.for_voices(self.sound.sound()))
        )
        self.volume.valueChanged.connect(lambda: self._change(volume=self.volume.level()))
        self.reverb.valueChanged.connect(lambda: self._change(reverb=self.reverb.level()))

    def _master(self) -> QVBoxLayout:
        title = QLabel(tr("All"))
        title.setObjectName("label")
        head = layout.row((title, 1), self.soundfont, spacing=4)
        foot = layout.row((self.volume, 5), (self.reverb, 3), spacing=10)
        return layout.column(head, self.sound, foot, spacing=4)


class SoundBox(QComboBox):
    def __init__(self, owner: str) -> None:
        super().__init__()
        add_entries(self, ((one.title, key) for key, one in INSTRUMENTS.items()))
        self.setObjectName("sound")
        self.setToolTip(_INSTRUMENT.format(owner=owner))
        self.setAccessibleName(self.toolTip())
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        stylesheet.set_least_width(self, 73)

    def sound(self) -> Any:
        return self.currentData()

    def set_sound(self, sound: Sound | None) -> None:
        self.setCurrentIndex(self.findData(sound))


class ChannelStrip(QWidget):
    changed = Signal()

    def __init__(self, voice: Voice) -> None:
        super().__init__()
        self.voice = voice
        name = voice.title
        self._letter, self._name = QLabel(voice.letter), QLabel(name)
        self._letter.setObjectName(f"voice{voice.value}")
        self.sound = SoundBox(name)
        self.mute = _switch("M", _MUTE.format(name), "mute")
        self.solo = _switch("S", _SOLO.format(name), "solo")
        self.volume = LevelSlider(_VOLUME.format(name), 0, LOUDEST, 1.0, position_text.volume)
        self.pan = LevelSlider(_PAN.format(name), -1, 1, 0.0, position_text.pan)
        self.pan.setObjectName("pan")
        self._lay_out()
        for signal in (
            self.sound.currentIndexChanged, self.mute.toggled, self.solo.toggled,
            self.volume.valueChanged, self.pan.valueChanged,
        ):  # fmt: skip
            signal.connect(self.changed)

    def set_values(self, values: Strip, sound: Sound, *, audible: bool) -> None:
        """Show ``values``, without a signal; the name is disabled if the voice is not audible."""
        with QSignalBlocker(self):
            self.sound.set_sound(sound)
            self.mute.setChecked(values.mute)
            self.solo.setChecked(values.solo)
            self.volume.set_level(values.volume)
            self.pan.set_level(values.pan)
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

    def _arrange(self) -> None:
        self._name.setVisible(self.width() >= _MIN_WIDTH)

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
        layout.Arranger(self._arrange, self)


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
