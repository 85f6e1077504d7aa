"""A follower, such as a MIDI port, that plays what the player plays."""

from __future__ import annotations

import pytest

from musicrel.playback.midi_schedule import ClickTimes
from musicrel.playback.player import Player
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.performance import Performance
from tests.helpers.playback import ALL_MUTED, STEP, held_chord, random_piece, render_all
from tests.helpers.sound import ManualClock, ManualOutput


class Echo:
    """A follower that records its calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.trouble = ""

    def play(
        self,
        performance: Performance,
        start: float,
        loop: tuple[float, float] | None,
        mix: Mix,
        clicks: ClickTimes,
    ) -> None:
        """Record start and loop."""
        self.clicks = clicks
        self.calls.append(("play", round(start, 6), loop, performance.times.steps, mix.sound))

    def set_metronome(self, metronome: Metronome) -> None:
        """Keep it."""
        self.metronome = metronome

    def set_mix(self, mix: Mix) -> None:
        """Record the call."""
        self.calls.append(("mix", mix))

    def stop(self) -> None:
        """Record the call."""
        self.calls.append(("stop",))

    def problem(self) -> str:
        """Return the test's problem."""
        return self.trouble


def test_a_follower_plays_what_the_player_plays_and_the_device_is_silent(
    player: Player, output: ManualOutput, clock: ManualClock
) -> None:
    """Play, seek, loop, mixer and pause all reach it; the clock moves the playhead."""
    echo = Echo()
    player.load(random_piece())
    player.route(echo)
    player.play(8)
    clock.seconds += 4 * STEP
    assert player.position == pytest.approx(12, abs=0.01)
    player.seek(16)
    player.loop = (16, 24)
    player.mix = ALL_MUTED
    player.pause()

    loop = (16 * STEP, 24 * STEP)
    assert echo.calls[1:] == [
        ("play", 8 * STEP, None, 64, "choir"),
        ("play", 16 * STEP, None, 64, "choir"),
        ("play", 16 * STEP, loop, 64, "choir"),
        ("mix", ALL_MUTED),
        ("stop",),
    ]
    assert output.starts == 0


def test_a_follower_gets_metronome_and_count_in(player: Player, clock: ManualClock) -> None:
    """Clicks of the piece, and what is left of the count-in; the playhead waits for it."""
    echo, settings = Echo(), Metronome(on=True, count_in="start")
    player.load(held_chord(steps=16))
    player.route(echo)
    player.metronome = settings
    player.play(count_in=True)

    assert echo.metronome is settings
    assert [round(click.seconds / STEP, 3) for click in echo.clicks.piece] == [0, 4, 8, 12]
    assert [round(click.seconds / STEP, 3) for click in echo.clicks.count_in] == [0, 4, 8, 12]
    assert echo.clicks.lead == pytest.approx(16 * STEP)
    clock.seconds += 6 * STEP
    player.loop = (0, 8)
    assert [round(click.seconds / STEP, 2) for click in echo.clicks.count_in] == [2, 6]
    assert player.position == 0
    assert echo.clicks.lead == pytest.approx(10 * STEP, abs=1e-3)


def test_a_followers_problem_is_the_players(player: Player) -> None:
    """Until it is replaced, when it is stopped."""
    echo = Echo()
    echo.trouble = "the MIDI port is gone"
    player.load(random_piece())
    player.route(echo)
    assert player.problem == "the MIDI port is gone"

    player.route(None)

    assert player.problem == ""
    assert echo.calls[-1] == ("stop",)


def test_a_follower_may_be_taken_while_the_piece_plays(
    player: Player, output: ManualOutput, clock: ManualClock
) -> None:
    """It starts at the frame played, and so does the sound afterwards."""
    echo = Echo()
    player.load(random_piece())
    player.play()
    render_all(player)
    output.advance(8 * STEP)
    player.route(echo)
    assert echo.calls[-1][:2] == ("play", pytest.approx(8 * STEP, abs=1e-3))
    render_all(player)
    assert not output.running

    clock.seconds += 4 * STEP
    player.route(None)
    render_all(player)
    output.advance(2 * STEP)

    assert player.position == pytest.approx(14, abs=0.01)


def test_a_preview_is_played_by_the_follower(player: Player, output: ManualOutput) -> None:
    """Without clicks, and only while the piece stands; the playhead stays."""
    echo = Echo()
    player.load(random_piece())
    player.route(echo)
    player.seek(8)
    echo.calls.clear()
    player.preview(held_chord(3))
    assert echo.calls == [("play", 0.0, None, 3, "choir")]
    assert (echo.clicks, player.position, player.playing) == (ClickTimes(), 8, False)
    player.stop_preview()
    assert echo.calls[-1] == ("stop",)

    player.play()
    echo.calls.clear()
    player.preview(held_chord(3))
    player.stop_preview()
    assert (echo.calls, output.starts) == ([], 0)
