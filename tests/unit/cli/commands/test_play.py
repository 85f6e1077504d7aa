"""``musicrel play``."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.chorale import Chorale
from musicrel.cli.commands import play
from musicrel.cli.main import main
from musicrel.playback import player as player_module
from musicrel.playback.audio import DeviceError
from musicrel.playback.player import Player
from tests.helpers.sound import ManualOutput

PIECE = Chorale.of([[72, 67, 64, 48]] * 16, title="A bar", tempo=120)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    PIECE.write(tmp_path / "bar.json")
    return tmp_path / "bar.json"


def test_piece_is_played_to_its_end() -> None:
    """And no longer."""
    output = ManualOutput()
    player = Player(output, threaded=False)
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        while player.work():
            pass
        output.turn(seconds)

    play.listen(player, PIECE, wait)

    assert 2.0 <= sum(waits) <= 6.0
    assert player.position == 16
    player.close()


def test_interrupt_ends_it() -> None:
    """Whoever called closes the player."""

    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    with Player(ManualOutput(), threaded=False) as player, pytest.raises(KeyboardInterrupt):
        play.listen(player, PIECE, interrupt)
    assert not player.playing


def test_missing_device_is_one_sentence_and_code_1(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No traceback."""
    output = ManualOutput(missing="no sound: there is no device")
    monkeypatch.setattr(player_module, "Miniaudio", lambda: output)

    assert main(["play", str(file)]) == 1
    assert capsys.readouterr().err == "musicrel play: no sound: there is no device\n"


def test_device_that_goes_away_ends_it_too() -> None:
    """With what the device says."""
    output = ManualOutput()

    def unplug(seconds: float) -> None:
        output.lost = "the device is gone"
        while player.work():
            pass
        output.turn(seconds)

    with Player(output, threaded=False) as player, pytest.raises(DeviceError, match="is gone"):
        play.listen(player, PIECE, unplug)


def test_tempo_that_cannot_be_played_is_wrong_usage(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence names what can."""
    assert main(["play", str(file), "--tempo", "1000"]) == 2
    assert "expected 30 to 480 quarters a minute" in capsys.readouterr().err
