"""Controller of the mixer: levels, instruments and metronome of the player; the SoundFont."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from musicrel.errors import FileError, UsageError
from musicrel.playback.player import Player
from musicrel.score import instruments
from musicrel.score.audio import soundfont
from musicrel.score.audio.metronome import CountIn, Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.settings import Settings
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.files import dialogs
from musicrel.ui.playback.mixer_panel import MixerPanel

FULL: Final = 100
"""A level of 1 in percent."""
FILTER: Final = "SoundFonts (*.sf2 *.sf3)"
CHOOSE: Final = "Choose a SoundFont"


class MixerController(QObject):
    changed = Signal()  # the user changed the mix or the metronome

    def __init__(
        self, messages: Messages, preferences: Preferences, player: Player, panel: MixerPanel
    ) -> None:
        super().__init__(panel)
        self._messages, self._preferences = messages, preferences
        self._player, self._panel = player, panel
        player.mix = self.usual_mix()
        panel.set_mix(player.mix)
        player.metronome = _restored_metronome(preferences.settings)
        panel.metronome.set_metronome(player.metronome)
        panel.metronome.changed.connect(self.set_metronome)
        panel.changed.connect(self.set_mix)
        panel.soundfont_requested.connect(self.choose_soundfont)

    def usual_mix(self) -> Mix:
        """Return the mix of a new document, with the instruments of the preferences."""
        return _restored(Mix(), self._preferences.settings)

    @Slot(object)
    def set_mix(self, mix: Mix) -> None:
        """Play ``mix``; return to the one before if its instruments cannot be played."""
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
        dialog = dialogs.path_dialog(self._panel.window(), CHOOSE, mode)
        dialog.setNameFilter(FILTER)
        dialog.setDirectory(str(chosen.parent if chosen else ""))
        dialog.fileSelected.connect(self._take_soundfont)
        dialog.open()

    @Slot(str)
    def _take_soundfont(self, name: str) -> None:
        self.set_mix(replace(self._player.mix, soundfont=Path(name)))


def _restored(mix: Mix, settings: Settings) -> Mix:
    """Return ``mix`` with the instruments of ``settings``; an unknown one changes none."""
    try:
        sounds = instruments.parse(settings.sound)
    except UsageError:
        return mix
    font = Path(settings.soundfont) if settings.soundfont else None
    return replace(mix, sound=sounds, soundfont=font)


def _restored_metronome(settings: Settings) -> Metronome:
    """Return the metronome of ``settings``; the usual one if they are damaged."""
    try:
        return Metronome(
            on=settings.metronome == "on",
            level=int(settings.click_level) / FULL,
            count_in=cast("CountIn", settings.count_in),
        )
    except (UsageError, ValueError):
        return Metronome()
