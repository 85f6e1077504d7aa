"""The mixer: levels and instruments of the voices, and the SoundFont."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.chorale import REST, Chorale
from musicrel.playback.player import Player
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.settings import Settings
from musicrel.ui.actions.commands import Commands
from musicrel.ui.controllers.mixer_controller import MixerController
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.playback.transport_bar import PlaybackPanel
from tests.helpers.sound import ManualOutput, install_fake_fluidsynth, write_soundfont_header


class Mixer:
    def __init__(self, qtbot: QtBot, saved: Settings) -> None:
        self.owner = QObject()
        self.commands = Commands(self.owner).play
        self.playback = PlaybackPanel(self.commands)
        self.panel = self.playback.mixer
        self.player = Player(ManualOutput(), threaded=False)
        qtbot.addWidget(self.playback)
        self.messages, self.reported = Messages(), list[str]()
        self.messages.reported.connect(self.reported.append)
        preferences = Preferences(saved, self.panel)
        self.controller = MixerController(
            self.messages, preferences, self.player, self.playback, self.commands.fermatas
        )

    def shown(self) -> list[str]:
        boxes = (*(strip.sound for strip in self.panel.strips), self.panel.sound)
        return [box.currentText() for box in boxes]

    def action(self, text: str) -> QAction:
        return next(each for each in self.panel.soundfont.menu().actions() if text in each.text())


@pytest.fixture
def mixer(qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mixer]:
    del home
    install_fake_fluidsynth(monkeypatch)
    mixer = Mixer(qtbot, Settings())
    yield mixer
    mixer.player.close()


def test_each_voice_has_its_own_instrument(mixer: Mixer) -> None:
    mixer.panel.strips[1].sound.set_sound("strings")

    assert mixer.player.mix.sounds == ("choir", "strings", "choir", "choir")
    assert mixer.shown() == ["Choir", "Strings", "Choir", "Choir", ""]
    assert settings.load().sound == "choir,strings,choir,choir"


def test_one_instrument_is_chosen_for_all_voices(mixer: Mixer) -> None:
    mixer.panel.strips[1].sound.set_sound("strings")
    mixer.panel.sound.set_sound("organ")

    assert mixer.player.mix.sounds == ("organ",) * 4
    assert mixer.shown() == ["Organ"] * 5
    assert settings.load().sound == "organ"


def test_an_instrument_that_is_chosen_sounds_at_once(
    mixer: Mixer, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = list[Chorale]()
    monkeypatch.setattr(mixer.player, "preview", played.append)

    mixer.panel.strips[1].sound.set_sound("harp")
    mixer.panel.volume.setValue(150)
    mixer.panel.sound.set_sound("harp")

    sounding = [[int(pitch) for pitch in chord.pitches[0] if pitch != REST] for chord in played]
    assert sounding == [[67], [72, 64, 48]]


def test_the_reverb_is_set_and_shown(mixer: Mixer) -> None:
    mixer.panel.reverb.set_level(0.8)
    assert mixer.player.mix.reverb == 0.8

    mixer.panel.set_mix(Mix(reverb=0.1))
    assert mixer.panel.reverb.level() == 0.1


def test_an_instrument_that_cannot_be_played_is_not_chosen(
    mixer: Mixer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fluidsynth", None)

    mixer.panel.strips[0].sound.set_sound("piano")
    mixer.panel.volume.setValue(150)

    assert mixer.player.mix.sounds == ("choir",) * 4
    assert mixer.player.mix.volume == 1.5
    assert mixer.shown() == ["Choir"] * 5
    assert [text.partition(":")[0] for text in mixer.reported] == [
        "All instruments but choir and organ need FluidSynth, which is not installed"
    ]


def test_a_soundfont_is_chosen_and_given_up_again(
    mixer: Mixer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_soundfont_header(tmp_path / "mine.sf2")
    monkeypatch.setattr(QFileDialog, "open", lambda box: box.fileSelected.emit(str(path)))
    assert not mixer.action("Built-in").isEnabled()

    mixer.action("Choose").trigger()
    chosen = mixer.player.mix.soundfont
    assert settings.load().soundfont == str(path)
    assert mixer.panel.soundfont.toolTip() == (
        "SoundFont of all instruments but choir and organ: mine.sf2"
    )

    mixer.action("Built-in").trigger()
    assert (chosen, mixer.player.mix.soundfont) == (path, None)
    assert settings.load().soundfont == ""


def test_a_file_that_is_no_soundfont_is_not_chosen(
    mixer: Mixer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = str(tmp_path / "gone.sf2")
    monkeypatch.setattr(QFileDialog, "open", lambda box: box.fileSelected.emit(gone))
    mixer.action("Choose").trigger()
    monkeypatch.setattr(QFileDialog, "open", lambda box: box.reject())
    mixer.action("Choose").trigger()

    assert mixer.player.mix.soundfont is None
    assert len(mixer.reported) == 1
    assert mixer.reported[0].startswith(f"Cannot read {tmp_path / 'gone.sf2'}: No such file")


@pytest.mark.parametrize(
    ("sound", "expected"),
    [
        ("organ", ("organ",) * 4),
        ("organ,piano,oboe,brass", ("organ", "piano", "oboe", "brass")),
        ("kazoo", ("choir",) * 4),
    ],
)
def test_the_instruments_of_the_last_session_are_restored(
    sound: str, expected: tuple[str, ...], qtbot: QtBot
) -> None:
    mixer = Mixer(qtbot, Settings(sound=sound, soundfont="/fonts/mine.sf2"))

    assert mixer.player.mix.sounds == expected
    assert mixer.panel.mix == mixer.player.mix
    mixer.player.close()


def test_the_metronome_has_the_same_state_everywhere(mixer: Mixer, qtbot: QtBot) -> None:
    strip, commands = mixer.panel.metronome, mixer.commands
    commands.metronome.trigger()
    strip.count_in.setCurrentIndex(2)
    strip.level.set_level(0.5)

    assert mixer.player.metronome == Metronome(on=True, level=0.5, count_in="always")
    assert (strip.switch.isChecked(), commands.count_in.isChecked()) == (True, True)
    qtbot.waitUntil(lambda: settings.load().count_in == "always")
    saved = settings.load()
    assert (saved.metronome, saved.click_level, saved.count_in) == ("on", "50", "always")


def test_the_command_count_in_remembers_when(mixer: Mixer) -> None:
    toggle, found = mixer.commands.count_in, []
    for _ in range(2):
        toggle.trigger()
        found.append(mixer.player.metronome.count_in)
    mixer.panel.metronome.count_in.setCurrentIndex(2)
    for _ in range(2):
        toggle.trigger()
        found.append(mixer.player.metronome.count_in)

    assert found == ["start", "never", "never", "always"]


def test_a_change_that_changes_nothing_is_not_reported(mixer: Mixer) -> None:
    changes: list[bool] = []
    mixer.controller.changed.connect(lambda: changes.append(True))
    mixer.panel.metronome.set_metronome(Metronome(on=True))
    assert changes == []

    mixer.commands.metronome.setChecked(False)
    assert changes == [True]


@pytest.mark.parametrize(
    ("saved", "expected"),
    [
        (Settings(metronome="on", click_level="80", count_in="start"),
         Metronome(on=True, level=0.8, count_in="start")),
        (Settings(click_level="loud"), Metronome()),
        (Settings(click_level="900"), Metronome()),
    ],
)  # fmt: skip
def test_the_metronome_of_the_last_session_is_restored(
    saved: Settings, expected: Metronome, qtbot: QtBot
) -> None:
    mixer = Mixer(qtbot, saved)

    assert mixer.player.metronome == mixer.panel.metronome.metronome == expected
    mixer.player.close()


SET = Metronome(on=True, level=0.5, count_in="always")


def test_the_metronome_belongs_to_the_project(mixer: Mixer) -> None:
    mixer.player.metronome, mixer.player.mix = SET, Mix(volume=0.5)
    values = json.loads(json.dumps(mixer.controller.values()))
    mixer.player.metronome, mixer.player.mix = Metronome(), Mix()

    assert mixer.controller.restore(values) == ""

    assert mixer.player.metronome == mixer.panel.metronome.metronome == SET
    assert mixer.commands.metronome.isChecked()
    assert mixer.player.mix.volume == mixer.playback.transport.volume.level() == 0.5


@pytest.mark.parametrize(
    "damage",
    [
        None,
        {"on": True, "level": 9},
        {"speed": 1},
        "loud",
        [1],
        {"on": [1]},
        {"on": 1},
        {"on": None},
        {"level": "loud"},
        {"level": True},
        {"level": 10**400},
        {"count_in": ["start"]},
        {"count_in": "never", "on": "yes"},
    ],
)
def test_a_project_without_a_usable_metronome_changes_none(mixer: Mixer, damage: object) -> None:
    values = mixer.controller.values()
    del values["metronome"]
    mixer.player.metronome = SET

    mixer.controller.restore(values if damage is None else values | {"metronome": damage})

    assert mixer.player.metronome == SET


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("strips", [{"mute": [1]}] * 4),
        ("strips", [{"volume": "loud"}] * 4),
        ("strips", [{"solo": 1}] * 4),
        ("strips", [[]] * 4),
        ("strips", 5),
        ("volume", [1]),
        ("reverb", 10**400),
        ("sound", ["organ"]),
        ("soundfont", 5),
        ("tempo_factor", {}),
        ("fermata_stretch", 10**400),
    ],
)
def test_a_damaged_project_opens_with_the_sound_of_before(
    mixer: Mixer, name: str, damage: object
) -> None:
    mixer.player.mix = before = Mix(sound=("choir",) * 4, volume=0.5)
    style = mixer.player.style

    assert mixer.controller.restore(mixer.controller.values() | {name: damage}) == ""

    assert (mixer.player.mix, mixer.player.style) == (before, style)
