"""The sound of a project: what is kept, and projects of before the metronome."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from musicrel.playback.player import Player
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.settings import Settings
from musicrel.ui.actions.commands import Commands
from musicrel.ui.controllers.mixer_controller import MixerController
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.playback.transport_bar import PlaybackPanel
from tests.helpers.sound import ManualOutput

SET = Metronome(on=True, level=0.5, count_in="always")


class Sound:
    def __init__(self, qtbot: QtBot) -> None:
        self.owner = QObject()
        self.commands = Commands(self.owner).play
        self.panel = PlaybackPanel(self.commands)
        qtbot.addWidget(self.panel)
        self.player = Player(ManualOutput(), threaded=False)
        self.project = MixerController(
            Messages(), Preferences(Settings()), self.player, self.panel, self.commands.fermatas
        )


@pytest.fixture
def sound(qtbot: QtBot) -> Iterator[Sound]:
    sound = Sound(qtbot)
    yield sound
    sound.player.close()


def test_the_metronome_belongs_to_the_project(sound: Sound) -> None:
    sound.player.metronome, sound.player.mix = SET, Mix(volume=0.5)
    values = json.loads(json.dumps(sound.project.values()))
    sound.player.metronome, sound.player.mix = Metronome(), Mix()

    assert sound.project.restore(values) == ""

    assert sound.player.metronome == sound.panel.mixer.metronome.metronome == SET
    assert sound.commands.metronome.isChecked()
    assert sound.player.mix.volume == sound.panel.transport.volume.level() == 0.5


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
def test_a_project_without_a_usable_metronome_changes_none(sound: Sound, damage: object) -> None:
    values = sound.project.values()
    del values["metronome"]
    sound.player.metronome = SET

    sound.project.restore(values if damage is None else values | {"metronome": damage})

    assert sound.player.metronome == SET


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
    sound: Sound, name: str, damage: object
) -> None:
    sound.player.mix = before = Mix(sound=("choir",) * 4, volume=0.5)
    style = sound.player.style

    assert sound.project.restore(sound.project.values() | {name: damage}) == ""

    assert (sound.player.mix, sound.player.style) == (before, style)
