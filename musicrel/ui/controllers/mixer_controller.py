"""Controller of the mixer: levels, instruments and metronome of the player; the SoundFont.

A project keeps them as plain JSON values.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog

from musicrel.chorale import REST, Chorale
from musicrel.errors import FileError, UsageError
from musicrel.language import tr
from musicrel.playback.player import Player
from musicrel.score import instruments
from musicrel.score.audio import soundfont
from musicrel.score.audio.metronome import CountIn, Metronome
from musicrel.score.audio.mixer import Mix, Strip
from musicrel.score.instruments import Sounds
from musicrel.score.performance import Style
from musicrel.settings import Settings
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.files import dialogs
from musicrel.ui.playback.transport_bar import PlaybackPanel
from musicrel.validated import convert

_FILTER: Final = tr("SoundFonts (*.sf2 *.sf3)")
_CHOOSE: Final = tr("Choose a SoundFont")
FULL: Final = 100  # A level of 1 in percent
_PITCHES: Final = (72, 67, 64, 48)  # of the chord that a chosen instrument plays
_CHORD_STEPS: Final = 6  # its length in sixteenths


class MixerController(QObject):
    changed = Signal()  # the user changed the mix or the metronome

    def __init__(
        self,
        messages: Messages,
        preferences: Preferences,
        player: Player,
        playback: PlaybackPanel,
        fermatas: QAction,
    ) -> None:
        panel = playback.mixer
        super().__init__(panel)
        self._messages, self._preferences = messages, preferences
        self._player, self._panel = player, panel
        self._transport, self._fermatas = playback.transport, fermatas
        player.mix = self._usual_mix()
        panel.set_mix(player.mix)
        player.metronome = _restored_metronome(preferences.settings)
        panel.metronome.set_metronome(player.metronome)
        panel.metronome.changed.connect(self.set_metronome)
        panel.changed.connect(self.set_mix)
        panel.soundfont_requested.connect(self.choose_soundfont)

    def _usual_mix(self) -> Mix:
        return _restored(Mix(), self._preferences.settings)

    @Slot(object)
    def set_mix(self, mix: Mix) -> None:
        before = self._player.mix
        if (mix.sounds, mix.soundfont) != (before.sounds, before.soundfont):
            try:
                if instruments.needs_soundfont(mix.sounds) or mix.soundfont != before.soundfont:
                    soundfont.check(mix.soundfont)
            except FileError as reason:
                self._messages.report(str(reason))
                self._panel.set_mix(before)
                return
            self._preferences.remember(
                sound=instruments.to_text(mix.sounds), soundfont=str(mix.soundfont or "")
            )
        self._player.mix = mix
        self._panel.set_mix(mix)
        if mix.sounds != before.sounds:
            self._player.preview(_chord(before.sounds, mix.sounds))
        self.changed.emit()

    @Slot(object)
    def set_metronome(self, metronome: Metronome) -> None:
        self._player.metronome = metronome
        self._preferences.remember_soon(
            metronome="on" if metronome.on else "off",
            click_level=str(round(metronome.level * FULL)),
            count_in=metronome.count_in,
        )
        self.changed.emit()

    @Slot()
    def choose_soundfont(self) -> None:
        chosen, mode = self._player.mix.soundfont, QFileDialog.FileMode.ExistingFile
        dialog = dialogs.path_dialog(self._panel.window(), _CHOOSE, mode)
        dialog.setNameFilter(_FILTER)
        dialog.setDirectory(str(chosen.parent if chosen else ""))
        dialog.fileSelected.connect(
            lambda name: self.set_mix(replace(self._player.mix, soundfont=Path(name)))
        )
        dialog.open()

    # ------------------------------------------------------------------ the project

    def values(self) -> dict[str, Any]:
        metronome = asdict(self._player.metronome)
        return _plain(self._player.mix, self._player.style) | {"metronome": metronome}

    def restore(self, values: Mapping[str, Any]) -> str:
        """Apply the settings of a project to the piece that is loaded."""
        values = self.values() | dict(values or _plain(self._usual_mix(), Style()))
        self._restore_tempo(values)
        with contextlib.suppress(UsageError):
            metronome = convert(values["metronome"], Metronome, "metronome", exact=True)
            self._player.metronome = metronome
            self._panel.metronome.set_metronome(metronome)
        mix, reason = self._player.mix, ""
        with contextlib.suppress(UsageError):
            mix = convert(values, _SavedMix, "mixer").mix()
        try:
            if instruments.needs_soundfont(mix.sounds):
                soundfont.check(mix.soundfont)
        except FileError as error:
            before, reason = self._player.mix, str(error)
            mix = replace(mix, sound=before.sound, soundfont=before.soundfont)
        self._player.mix = mix
        self._panel.set_mix(mix)
        return reason

    def _restore_tempo(self, values: Mapping[str, Any]) -> None:
        try:
            style = convert(values, Style, "tempo")
        except UsageError:
            return
        self._fermatas.setChecked(style.fermata_stretch > 1)
        if self._player.chorale is not None:
            self._transport.tempo.setValue(round(self._player.chorale.tempo * style.tempo_factor))


def _chord(before: Sounds, now: Sounds) -> Chorale:
    """Return a short chord of the voices whose instruments differ."""
    voices = zip(_PITCHES, before, now, strict=True)
    chord = [REST if was == new else pitch for pitch, was, new in voices]
    return Chorale.of([chord] * _CHORD_STEPS)


def _restored(mix: Mix, settings: Settings) -> Mix:
    """Return ``mix`` with the instruments of ``settings``; an unknown one changes none."""
    try:
        sounds = instruments.parse(settings.sound)
    except UsageError:
        return mix
    font = Path(settings.soundfont) if settings.soundfont else None
    return replace(mix, sound=sounds, soundfont=font)


def _restored_metronome(settings: Settings) -> Metronome:
    try:
        return Metronome(
            on=settings.metronome == "on",
            level=int(settings.click_level) / FULL,
            count_in=cast("CountIn", settings.count_in),
        )
    except (UsageError, ValueError):
        return Metronome()


@dataclass(frozen=True, slots=True, kw_only=True)
class _SavedMix:
    """The mix of a project, as plain JSON values but for its strips."""

    sound: str
    soundfont: str  # path of the SoundFont; "" for the built-in one
    strips: tuple[Strip, ...]
    reverb: float
    volume: float

    def mix(self) -> Mix:
        return Mix(
            sound=instruments.parse(self.sound),
            strips=self.strips,
            reverb=self.reverb,
            volume=self.volume,
            soundfont=Path(self.soundfont) if self.soundfont else None,
        )


def _plain(mix: Mix, style: Style) -> dict[str, Any]:
    return {
        "sound": instruments.to_text(mix.sounds),
        "soundfont": str(mix.soundfont or ""),
        "strips": [asdict(strip) for strip in mix.strips],
        "reverb": mix.reverb,
        "volume": mix.volume,
        **asdict(style),
    }
