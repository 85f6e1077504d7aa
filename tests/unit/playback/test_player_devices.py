"""The player with a device that is missing, lost, unused or the system's own."""

from __future__ import annotations

import gc
import threading
from weakref import WeakSet

import numpy as np
import pytest

from musicrel.playback.audio import FAULT, MiniaudioOutput, RenderCallback
from musicrel.playback.engine import IDLE
from musicrel.playback.player import Player
from musicrel.playback.render_cache import RenderCache
from musicrel.score.audio.timbre import Samples
from tests.helpers.playback import (
    PLAIN,
    STEP,
    advance,
    held_chord,
    random_piece,
    render_all,
    wait_for_problem,
)
from tests.helpers.sound import ManualClock, ManualOutput


def test_without_a_device_the_playhead_moves_by_the_clock(clock: ManualClock) -> None:
    """The problem is reported."""
    output = ManualOutput(missing="no sound: none here")
    with Player(output, clock=clock, threaded=False) as player:
        player.style = PLAIN
        player.load(random_piece())
        player.play()
        render_all(player)
        clock.seconds += 10 * STEP
        assert player.position == pytest.approx(10, abs=0.01)
        assert player.problem == "no sound: none here"
        player.pause()
        clock.seconds += 1
        assert player.position == pytest.approx(10, abs=0.01)
        player.loop = (8, 12)
        player.play()
        render_all(player)
        clock.seconds += 3 * STEP
        assert player.position == pytest.approx(9, abs=0.02)
        player.loop = None
        clock.seconds += 100
        assert (player.position, player.playing) == (64.0, False)


def test_a_device_that_comes_later_is_used_at_the_next_play(clock: ManualClock) -> None:
    """The report is cleared."""
    output = ManualOutput(missing="no sound: none here")
    with Player(output, clock=clock, threaded=False) as player:
        player.load(random_piece())
        player.play()
        render_all(player)
        player.pause()
        output.missing = ""
        player.play()
        render_all(player)
        output.advance(0.6)
        assert player.problem == ""
        assert player.position == pytest.approx(0.6 / STEP, abs=0.01)


def test_a_device_that_is_lost_leaves_the_playhead_moving(
    player: Player, output: ManualOutput, clock: ManualClock
) -> None:
    """From the last frame played; late requests of the old device have no effect."""
    player.load(random_piece())
    player.play()
    render_all(player)
    output.advance(8 * STEP)
    output.lost = "the audio device is gone"
    assert player.position == pytest.approx(8, abs=0.01)
    clock.seconds += 2 * STEP
    output.advance(2)

    assert player.position == pytest.approx(10, abs=0.01)
    assert player.playing
    assert player.problem == "the audio device is gone"
    render_all(player)
    assert not output.running
    output.lost = ""
    player.pause()
    player.play()
    render_all(player)
    output.advance(STEP)
    assert player.position == pytest.approx(11, abs=0.4)
    assert player.problem == ""


def test_a_device_that_is_not_needed_is_given_back(
    player: Player, output: ManualOutput, clock: ManualClock
) -> None:
    """Some seconds after a pause; play opens it again, at the same place, silent at first."""
    player.load(held_chord())
    player.play()
    render_all(player)
    advance(player, output, 0.6)
    player.pause()
    advance(player, output, 0.3)
    place = player.position
    clock.seconds += IDLE - 0.1
    render_all(player)
    running = [output.running]
    clock.seconds += 0.2
    render_all(player)
    running.append(output.running)
    assert running == [True, False]
    assert player.position == pytest.approx(place)

    player.play()
    render_all(player)
    output.blocks.clear()
    output.advance(0.3)

    assert output.starts == 2
    assert np.abs(output.sound()[0]).max() < 0.001
    assert player.position == pytest.approx(place + 0.3 / STEP, abs=0.01)


def test_an_error_in_rendering_is_reported(
    output: ManualOutput, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The player pauses instead of waiting without end."""

    def fault(*_arguments: object) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(RenderCache, "render_next", fault)
    player = Player(output)
    player.load(random_piece())
    player.play()
    wait_for_problem(player)
    player.close()

    assert player.problem == FAULT
    assert not player.playing
    assert "ZeroDivisionError" in caplog.text


class QueryingOutput(MiniaudioOutput):
    """The library's null device, which queries the playhead at each request."""

    def __init__(self, until: float) -> None:
        super().__init__(null=True)
        self.until = until
        self.beyond = threading.Event()
        self.places: list[float] = []
        self.player: Player | None = None

    def start(self, pull: RenderCallback) -> None:
        """Query the player after each pull."""

        def asked(frames: int) -> Samples:
            sound = pull(frames)
            assert self.player is not None
            self.places.append(self.player.position)
            if self.places[-1] > self.until:
                self.beyond.set()
            return sound

        super().start(asked)


def test_the_soundless_device_plays_in_real_time() -> None:
    """With threads: half a second of a piece, the playhead never moving back."""
    output = QueryingOutput(until=0.4 / STEP)
    with Player(output) as player:
        output.player = player
        player.load(random_piece())
        player.play()
        assert output.beyond.wait(20)
        assert player.problem == ""
        player.pause()
        assert not player.playing

    assert output.places == sorted(output.places)


@pytest.fixture
def tapes(monkeypatch: pytest.MonkeyPatch) -> WeakSet[RenderCache]:
    """Return all tapes that live."""
    living, make = WeakSet[RenderCache](), RenderCache.__init__

    def record(tape: RenderCache, *args: object, **options: object) -> None:
        make(tape, *args, **options)  # type: ignore[arg-type]
        living.add(tape)

    monkeypatch.setattr(RenderCache, "__init__", record)
    return living


def test_a_closed_device_holds_no_tape_that_was_replaced(
    player: Player, output: ManualOutput, clock: ManualClock, tapes: WeakSet[RenderCache]
) -> None:
    """Neither that of a piece nor that of a preview: each takes up to 28 MB."""
    player.load(random_piece())
    player.preview(held_chord(steps=4))
    render_all(player)
    output.advance(0.1)
    player.play()
    render_all(player)
    output.advance(0.1)
    player.pause()
    player.load(random_piece(seed=2))
    clock.seconds += IDLE
    render_all(player)
    gc.collect()

    assert not output.running
    assert [tape.chorale for tape in tapes] == [player.chorale]
