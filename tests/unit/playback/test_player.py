"""The player: play, pause, stop, playhead and loop."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.errors import UsageError
from musicrel.playback.player import Player
from musicrel.score.audio.mixer import Mix
from tests.helpers.playback import (
    PLAIN,
    STEP,
    advance,
    held_chord,
    random_piece,
    render_all,
    sharpest,
)
from tests.helpers.sound import PERIOD, ManualClock, ManualOutput


def test_without_a_piece_nothing_happens(player: Player) -> None:
    """No call raises."""
    player.play()
    player.seek(3)
    player.pause()
    player.stop()
    player.loop = (0, 4)

    assert (player.position, player.playing, player.chorale) == (0.0, False, None)
    assert not player.work()


def test_the_playhead_goes_by_the_device_and_not_by_a_timer(
    player: Player, output: ManualOutput, clock: ManualClock
) -> None:
    """Ten steps of sound are ten steps."""
    player.load(random_piece())
    player.play()
    render_all(player)
    clock.seconds += 1000
    assert player.position == 0

    output.advance(10 * STEP)

    assert player.playing
    assert player.position == pytest.approx(10, abs=1e-3)
    assert player.problem == ""


def test_the_playhead_is_the_frame_played_not_the_frame_taken(clock: ManualClock) -> None:
    """The device buffers 300 milliseconds."""
    output = ManualOutput(ahead=5 * PERIOD)
    with Player(output, clock=clock, threaded=False) as player:
        player.style = PLAIN
        player.load(random_piece())
        player.play()
        render_all(player)
        output.advance(4 * STEP)
        assert player.position == pytest.approx(4, abs=1e-3)

        player.seek(30)
        assert player.position == 30
        output.advance(0.1)
        assert player.position == 30
        output.advance(0.2 + 2 * STEP)
        assert player.position == pytest.approx(32, abs=0.35)


def test_play_from_a_step_pause_and_go_on(player: Player, output: ManualOutput) -> None:
    """The playhead stays where it was paused."""
    player.load(random_piece())
    player.play(20)
    render_all(player)
    advance(player, output, 0.6)
    player.pause()
    assert not player.playing
    paused = player.position
    advance(player, output, 0.6)
    assert player.position == paused == pytest.approx(20 + 0.6 / STEP, abs=0.01)

    player.play()
    advance(player, output, 0.6)

    assert player.position == pytest.approx(20 + 1.2 / STEP, abs=0.01)


def test_stop_goes_back_to_the_beginning_or_that_of_the_loop(
    player: Player, output: ManualOutput
) -> None:
    """The playhead stays there."""
    player.load(random_piece())
    player.play(10)
    render_all(player)
    output.advance(0.5)
    player.stop()
    assert (player.position, player.playing) == (0.0, False)
    player.loop = (8, 16)
    player.stop()
    assert player.position == pytest.approx(8)


def test_it_stops_at_the_end_and_restarts_from_the_beginning(
    player: Player, output: ManualOutput
) -> None:
    """After the reverb the playhead is at the end of the piece."""
    player.load(random_piece(steps=8))
    player.play()
    render_all(player)
    advance(player, output, 8 * STEP + 2)
    assert (player.position, player.playing) == (8.0, False)

    player.play()
    render_all(player)
    output.advance(STEP)

    assert player.position == pytest.approx(1, abs=0.4)


def test_a_loop_repeats_without_a_click_or_a_gap(player: Player, output: ManualOutput) -> None:
    """The playhead stays within it."""
    player.load(held_chord())
    player.mix = Mix(sound="organ")
    player.loop = (8, 12)
    player.play(8)
    render_all(player)
    places = []
    for _ in range(60):
        advance(player, output, 0.06)
        places.append(player.position)

    assert 8 <= min(places) < 8.5
    assert 11.5 < max(places) <= 12
    sound = output.sound()[24_000:]
    assert np.sqrt((sound.reshape(-1, 480, 2) ** 2).mean(axis=(1, 2))).min() > 0.02
    within = sharpest(sound[: int(0.2 * 48_000)])
    assert sharpest(sound) < 2 * within


def test_removing_the_loop_goes_on_to_the_end(player: Player, output: ManualOutput) -> None:
    """From where it is."""
    player.load(random_piece())
    player.loop = (0, 4)
    player.play()
    render_all(player)
    advance(player, output, 1.2)
    player.loop = None
    advance(player, output, 2.4)

    assert player.loop is None
    assert player.position > 8


@pytest.mark.parametrize("steps", [(-1.0, 4.0), (4.0, 4.5), (8.0, 4.0), (0.0, float("nan"))])
def test_a_loop_that_is_none_is_refused(player: Player, steps: tuple[float, float]) -> None:
    """The old one stays."""
    player.loop = (0, 8)

    with pytest.raises(UsageError, match="cannot be repeated: expected a start from 0"):
        player.loop = steps
    assert player.loop == (0, 8)


def test_sound_that_is_not_made_yet_is_waited_for(player: Player, output: ManualOutput) -> None:
    """The playhead waits too, so nothing is skipped."""
    player.load(held_chord(steps=400))
    player.play()
    render_all(player)
    advance(player, output, 0.6)
    player.seek(390)
    output.advance(0.6)
    assert player.position == 390
    advance(player, output, 0.6)

    assert player.position > 391
