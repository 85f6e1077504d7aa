"""``musicrel play``."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.chorale import Chorale
from musicrel.cli.commands import pieces
from musicrel.cli.main import main
from musicrel.playback import player as player_module
from musicrel.playback.audio import DeviceError
from musicrel.playback.player import Player
from musicrel.score.audio.metronome import Metronome
from tests.helpers.sound import ManualOutput

PIECE = Chorale.of([[72, 67, 64, 48]] * 16, title="A bar", tempo=120)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    PIECE.write(tmp_path / "bar.json")
    return tmp_path / "bar.json"


def test_a_piece_is_played_to_its_end_and_no_longer() -> None:
    output = ManualOutput()
    player = Player(output, threaded=False)
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        while player.work():
            pass
        output.advance(seconds)

    pieces.play_to_end(player, PIECE, wait)

    assert 2.0 <= sum(waits) <= 6.0
    assert player.position == 16
    player.close()


def test_a_bar_is_counted_in() -> None:
    output = ManualOutput()
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        while player.work():
            pass
        output.advance(seconds)

    with Player(output, threaded=False) as player:
        player.metronome = Metronome(on=True, count_in="start")
        pieces.play_to_end(player, PIECE, wait)

    assert 4.0 <= sum(waits) <= 8.0


def test_metronome_and_count_in_are_options(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Metronome] = []
    monkeypatch.setattr(player_module, "MiniaudioOutput", ManualOutput)
    monkeypatch.setattr(
        pieces, "play_to_end", lambda player, _piece: found.append(player.metronome)
    )

    for options in ([], ["--metronome"], ["--metronome", "--count-in"]):
        assert main(["play", str(file), *options]) == 0

    assert found == [
        Metronome(), Metronome(on=True), Metronome(on=True, count_in="start"),
    ]  # fmt: skip


def test_an_interrupt_reaches_the_caller() -> None:
    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    with Player(ManualOutput(), threaded=False) as player, pytest.raises(KeyboardInterrupt):
        pieces.play_to_end(player, PIECE, interrupt)
    assert not player.playing


def test_a_missing_device_is_one_sentence_and_code_1(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = ManualOutput(missing="no sound: there is no device")
    monkeypatch.setattr(player_module, "MiniaudioOutput", lambda: output)
    assert main(["play", str(file)]) == 1
    assert capsys.readouterr().err == "musicrel play: no sound: there is no device\n"


def test_the_loss_of_the_device_ends_playback() -> None:
    output = ManualOutput()

    def unplug(seconds: float) -> None:
        output.lost = "the device is gone"
        while player.work():
            pass
        output.advance(seconds)

    with Player(output, threaded=False) as player, pytest.raises(DeviceError, match="is gone"):
        pieces.play_to_end(player, PIECE, unplug)


def test_a_soundfont_that_cannot_be_used_is_one_sentence(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    font = str(tmp_path / "gone.sf2")
    assert main(["play", str(file), "--sound", "organ,piano,oboe,brass", "--soundfont", font]) == 1
    assert capsys.readouterr().err.count("\n") == 1
