"""Short sounds beside the piece, of notes that are written."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.playback.player import Player
from musicrel.score.audio.timbre import Samples
from tests.helpers.playback import STEP, advance, held_chord, random_piece, render_all
from tests.helpers.sound import ManualClock, ManualOutput

NOTE = held_chord(3, pitch=72)


def sound_of(output: ManualOutput) -> Samples:
    """Return what the output takes from now on, up to the next call."""
    taken = output.sound() if output.blocks else np.zeros((0, 2), dtype=np.float32)
    output.blocks.clear()
    return taken


@pytest.fixture
def piece(player: Player) -> Chorale:
    """Load a piece, with a loop and the playhead in it."""
    piece = random_piece()
    player.load(piece)
    player.loop = (8, 24)
    player.seek(16)
    return piece


def test_a_preview_sounds_and_leaves_the_piece_alone(
    player: Player, output: ManualOutput, piece: Chorale
) -> None:
    """Player, playhead and loop are those of the piece meanwhile and afterwards."""
    player.preview(NOTE)
    render_all(player)
    advance(player, output, 0.3)
    assert (player.previewing, player.playing) == (True, False)
    assert (player.chorale, player.loop) == (piece, (8, 24))
    assert player.position == pytest.approx(16)
    assert np.abs(sound_of(output)).max() > 0.01

    advance(player, output, 3.0)
    assert [player.previewing, player.position] == [False, pytest.approx(16)]
    sound_of(output)
    advance(player, output, 0.3)
    assert not sound_of(output).any()


def test_playback_ends_a_preview(player: Player, output: ManualOutput, piece: Chorale) -> None:
    """There is none while the piece plays."""
    player.play()
    render_all(player)
    advance(player, output, 0.6)
    player.pause()
    advance(player, output, 0.3)
    expected_start = player.position
    player.preview(NOTE)
    render_all(player)
    advance(player, output, 0.3)

    player.play()
    assert not player.previewing
    player.preview(NOTE)
    assert not player.previewing
    assert player.chorale is piece
    advance(player, output, 4 * STEP)
    assert player.position > expected_start


def test_a_pause_ends_a_preview(player: Player, output: ManualOutput, piece: Chorale) -> None:
    """So does the end of the notes of an edit that is undone."""
    for end in (player.pause, player.stop_preview):
        player.preview(NOTE)
        render_all(player)
        advance(player, output, 0.3)
        end()
        advance(player, output, 0.06)
        sound_of(output)
        advance(player, output, 0.3)
        assert not sound_of(output).any()
    assert player.chorale is piece


def test_seek_load_and_loop_work_during_a_preview(
    player: Player, output: ManualOutput, piece: Chorale
) -> None:
    """They change the piece; the notes sound to their end."""
    player.preview(NOTE)
    render_all(player)
    advance(player, output, 0.1)
    player.seek(40)
    player.loop = (32, 48)
    following = random_piece(seed=2)
    player.load(following)
    advance(player, output, 0.1)
    assert player.previewing
    assert (player.chorale, player.loop) == (following, (32, 48))
    assert player.position == pytest.approx(40)
    del piece


def test_nothing_sounds_without_a_piece(player: Player, output: ManualOutput) -> None:
    """A preview needs a tape to sound beside."""
    player.preview(NOTE)
    render_all(player)
    assert (player.previewing, output.starts) == (False, 0)


def test_a_missing_device_is_tried_again_by_each_preview(clock: ManualClock) -> None:
    """The reason is the player's problem; once there is a device, notes sound."""
    output = ManualOutput(missing="no sound: there is no device")
    with Player(output, clock=clock, threaded=False) as player:
        player.load(random_piece())
        player.preview(NOTE)
        render_all(player)
        assert (player.previewing, player.problem) == (False, "no sound: there is no device")
        output.missing = ""
        player.preview(NOTE)
        render_all(player)
        advance(player, output, 0.3)
        assert (player.previewing, player.problem, player.playing) == (True, "", False)


def test_a_device_that_only_previewed_is_closed_when_idle(
    player: Player, output: ManualOutput, piece: Chorale, clock: ManualClock
) -> None:
    """The same happens after playback."""
    player.preview(NOTE)
    render_all(player)
    advance(player, output, 3.0)
    opened = [output.running]
    clock.seconds += 6
    render_all(player)
    assert [*opened, output.running] == [True, False]
    assert player.chorale is piece
