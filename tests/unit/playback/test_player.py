"""The player: where the playhead is, what is heard, and what happens without a device."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.playback.audio import FAULT, Miniaudio, Pull
from musicrel.playback.engine import IDLE
from musicrel.playback.player import Player
from musicrel.playback.render_cache import Stock
from musicrel.score.audio.mixer import Mix, Strip
from musicrel.score.audio.timbre import Samples
from musicrel.score.performance import Performance, Style
from tests.helpers.music import random_chorale
from tests.helpers.sound import PERIOD, HandClock, ManualOutput

STEP = 60 / 80 / 4
"""Seconds of a step."""
PLAIN = Style(fermata_stretch=1.0)
ALL_MUTED = Mix(strips=(Strip(mute=True),) * 4)


def _piece(steps: int = 64, seed: int = 1) -> Chorale:
    return random_chorale(seed, steps=steps)


def _held(steps: int = 64, pitch: int = 60) -> Chorale:
    """One chord throughout, so that any silence is a fault."""
    return Chorale.of(np.full((steps, 4), pitch))


def _ready(player: Player) -> None:
    """Let everything be made that can be."""
    while player.work():
        pass


def _turn(player: Player, output: ManualOutput, seconds: float) -> None:
    """Let time pass, the work ahead keeping pace."""
    for _ in range(round(seconds / 0.06)):
        output.turn(0.06)
        _ready(player)


def _sharpest(sound: Samples) -> float:
    return float(np.abs(np.diff(sound.astype(np.float64), 2, axis=0)).max())


@pytest.fixture
def clock() -> HandClock:
    """For where there is no device."""
    return HandClock()


@pytest.fixture
def output() -> ManualOutput:
    """A device the test turns."""
    return ManualOutput()


@pytest.fixture
def player(output: ManualOutput, clock: HandClock) -> Iterator[Player]:
    """Without a thread, fermatas as written."""
    with Player(output, clock=clock, threaded=False) as player:
        player.style = PLAIN
        yield player


def test_without_a_piece_nothing_happens(player: Player) -> None:
    """And nothing breaks."""
    player.play()
    player.seek(3)
    player.pause()
    player.stop()
    player.loop = (0, 4)

    assert (player.position, player.playing, player.chorale) == (0.0, False, None)
    assert not player.work()


def test_the_playhead_goes_by_the_device_and_not_by_a_timer(
    player: Player, output: ManualOutput, clock: HandClock
) -> None:
    """Ten steps of sound are ten steps."""
    player.load(_piece())
    player.play()
    _ready(player)
    clock.seconds += 1000
    assert player.position == 0

    output.turn(10 * STEP)

    assert player.playing
    assert player.position == pytest.approx(10, abs=1e-3)
    assert player.problem == ""


def test_the_playhead_is_what_is_heard_not_what_the_device_already_took(clock: HandClock) -> None:
    """It holds 300 milliseconds."""
    output = ManualOutput(ahead=5 * PERIOD)
    with Player(output, clock=clock, threaded=False) as player:
        player.style = PLAIN
        player.load(_piece())
        player.play()
        _ready(player)
        output.turn(4 * STEP)
        assert player.position == pytest.approx(4, abs=1e-3)

        player.seek(30)
        assert player.position == 30
        output.turn(0.1)
        assert player.position == 30
        output.turn(0.2 + 2 * STEP)
        assert player.position == pytest.approx(32, abs=0.35)


def test_play_from_a_step_pause_and_go_on(player: Player, output: ManualOutput) -> None:
    """The playhead stays where it was paused."""
    player.load(_piece())
    player.play(20)
    _ready(player)
    _turn(player, output, 0.6)
    player.pause()
    assert not player.playing
    paused = player.position
    _turn(player, output, 0.6)
    assert player.position == paused == pytest.approx(20 + 0.6 / STEP, abs=0.01)

    player.play()
    _turn(player, output, 0.6)

    assert player.position == pytest.approx(20 + 1.2 / STEP, abs=0.01)


def test_stop_goes_back_to_the_beginning_or_that_of_the_loop(
    player: Player, output: ManualOutput
) -> None:
    """And stands still there."""
    player.load(_piece())
    player.play(10)
    _ready(player)
    output.turn(0.5)
    player.stop()
    assert (player.position, player.playing) == (0.0, False)
    player.loop = (8, 16)
    player.stop()
    assert player.position == pytest.approx(8)


def test_it_stops_at_the_end_and_begins_anew_from_there(
    player: Player, output: ManualOutput
) -> None:
    """After the room has rung out the playhead is at the end of the piece."""
    player.load(_piece(steps=8))
    player.play()
    _ready(player)
    _turn(player, output, 8 * STEP + 2)
    assert (player.position, player.playing) == (8.0, False)

    player.play()
    _ready(player)
    output.turn(STEP)

    assert player.position == pytest.approx(1, abs=0.4)


def test_a_loop_repeats_without_a_click_or_a_gap(player: Player, output: ManualOutput) -> None:
    """The playhead stays within it."""
    player.load(_held())
    player.mix = Mix(sound="organ")
    player.loop = (8, 12)
    player.play(8)
    _ready(player)
    places = []
    for _ in range(60):
        _turn(player, output, 0.06)
        places.append(player.position)

    assert 8 <= min(places) < 8.5
    assert 11.5 < max(places) <= 12
    sound = output.sound()[24_000:]
    assert np.sqrt((sound.reshape(-1, 480, 2) ** 2).mean(axis=(1, 2))).min() > 0.02
    within = _sharpest(sound[: int(0.2 * 48_000)])
    assert _sharpest(sound) < 2 * within


def test_removing_the_loop_goes_on_to_the_end(player: Player, output: ManualOutput) -> None:
    """From where it is."""
    player.load(_piece())
    player.loop = (0, 4)
    player.play()
    _ready(player)
    _turn(player, output, 1.2)
    player.loop = None
    _turn(player, output, 2.4)

    assert player.loop is None
    assert player.position > 8


@pytest.mark.parametrize("steps", [(-1.0, 4.0), (4.0, 4.5), (8.0, 4.0), (0.0, float("nan"))])
def test_a_loop_that_is_none_is_refused(player: Player, steps: tuple[float, float]) -> None:
    """The old one stays."""
    player.loop = (0, 8)

    with pytest.raises(UsageError, match="cannot be repeated: expected a start from 0"):
        player.loop = steps
    assert player.loop == (0, 8)


def test_another_piece_leaves_the_playhead_unless_asked(
    player: Player, output: ManualOutput
) -> None:
    """Standing still or playing."""
    player.load(_piece())
    player.seek(24)
    player.load(_piece(seed=2))
    assert player.position == pytest.approx(24)
    player.load(_piece(seed=3), keep_position=False)
    assert player.position == 0

    player.play(24)
    _ready(player)
    _turn(player, output, 0.6)
    before = player.position
    player.load(_piece(seed=4))
    assert player.position == pytest.approx(before)
    _turn(player, output, 0.6)
    assert player.position == pytest.approx(before + 0.6 / STEP, abs=0.1)
    player.load(_piece(seed=5), keep_position=False)
    assert player.position == 0
    assert player.playing


def test_a_shorter_piece_has_the_playhead_at_its_end(player: Player) -> None:
    """And a longer one leaves it there."""
    player.load(_piece())
    player.seek(60)
    player.load(_piece(steps=20))
    assert player.position == 20
    player.load(_piece())
    assert player.position == 20


def test_another_piece_in_another_tempo_keeps_the_step(
    player: Player, output: ManualOutput
) -> None:
    """Steps count, not seconds."""
    player.load(_piece())
    player.play(16)
    _ready(player)
    _turn(player, output, 0.6)
    before = player.position

    player.load(replace(_piece(seed=9), tempo=160.0))
    _turn(player, output, 0.6)

    assert player.position == pytest.approx(before + 2 * 0.6 / STEP, abs=0.35)


def test_changing_piece_or_tempo_while_playing_makes_no_gap(
    player: Player, output: ManualOutput
) -> None:
    """The old sound goes on until the new one is there, then they fade."""
    player.mix = Mix(sound="organ")
    player.load(_held())
    player.play()
    _ready(player)
    _turn(player, output, 0.6)
    player.load(_held(pitch=62))
    assert player.chorale == _held(pitch=62)
    output.turn(0.12)
    _turn(player, output, 0.6)
    player.style = replace(PLAIN, tempo_factor=1.5)
    output.turn(0.12)
    _turn(player, output, 0.6)

    sound = output.sound()[9600:]
    assert np.sqrt((sound.reshape(-1, 480, 2) ** 2).mean(axis=(1, 2))).min() > 0.02
    assert player.style.tempo_factor == 1.5
    assert _sharpest(sound) < 3 * _sharpest(sound[:9600])


def test_the_tempo_moves_the_playhead_faster_from_the_same_step(
    player: Player, output: ManualOutput
) -> None:
    """Twice as fast, twice the steps."""
    player.load(_piece())
    player.play()
    _ready(player)
    _turn(player, output, 0.6)
    player.style = replace(PLAIN, tempo_factor=2.0)
    before = player.position
    _turn(player, output, 0.6)

    assert player.position - before == pytest.approx(2 * 0.6 / STEP, abs=0.4)


def test_fermatas_are_held_unless_switched_off(output: ManualOutput, clock: HandClock) -> None:
    """The playhead takes its time over them."""
    piece = Chorale.of(np.full((16, 4), 60), fermatas=np.ones(16, dtype=bool))
    with Player(output, clock=clock, threaded=False) as player:
        player.load(piece)
        assert player.performance is not None
        assert player.performance.times.seconds == pytest.approx(1.75 * 16 * STEP)
        player.style = PLAIN
        assert player.performance.times.seconds == pytest.approx(16 * STEP)


def test_the_mixer_is_heard_within_a_tenth_of_a_second_and_does_not_click(
    player: Player, output: ManualOutput
) -> None:
    """Counted from what the device takes next."""
    player.load(_held())
    player.mix = Mix(sound="organ")
    player.play()
    _ready(player)
    _turn(player, output, 1.2)
    before = output.sound()

    player.mix = replace(ALL_MUTED, sound="organ")
    _turn(player, output, 0.3)

    sound = output.sound()
    assert sound[len(before) + 4800 :].any() == np.False_
    assert _sharpest(sound[24_000:]) < 1.5 * _sharpest(before[24_000:])


def test_another_sound_plays_on_at_the_same_step(player: Player, output: ManualOutput) -> None:
    """From choir to organ."""
    player.load(_piece())
    player.play()
    _ready(player)
    _turn(player, output, 0.6)
    player.mix = Mix(sound="organ")
    _turn(player, output, 0.6)

    assert player.position == pytest.approx(1.2 / STEP, abs=0.1)
    assert player.mix.sound == "organ"


def test_sound_that_is_not_made_yet_is_waited_for(player: Player, output: ManualOutput) -> None:
    """The playhead waits too, so nothing is skipped."""
    player.load(_held(steps=400))
    player.play()
    _ready(player)
    _turn(player, output, 0.6)
    player.seek(390)
    output.turn(0.6)
    assert player.position == 390
    _turn(player, output, 0.6)

    assert player.position > 391


def test_without_a_device_the_playhead_moves_by_the_clock(clock: HandClock) -> None:
    """And the problem is told."""
    output = ManualOutput(missing="no sound: none here")
    with Player(output, clock=clock, threaded=False) as player:
        player.style = PLAIN
        player.load(_piece())
        player.play()
        _ready(player)
        clock.seconds += 10 * STEP
        assert player.position == pytest.approx(10, abs=0.01)
        assert player.problem == "no sound: none here"
        player.pause()
        clock.seconds += 1
        assert player.position == pytest.approx(10, abs=0.01)
        player.loop = (8, 12)
        player.play()
        _ready(player)
        clock.seconds += 3 * STEP
        assert player.position == pytest.approx(9, abs=0.02)
        player.loop = None
        clock.seconds += 100
        assert (player.position, player.playing) == (64.0, False)


def test_a_device_that_comes_later_is_used_at_the_next_play(clock: HandClock) -> None:
    """And the problem is gone."""
    output = ManualOutput(missing="no sound: none here")
    with Player(output, clock=clock, threaded=False) as player:
        player.load(_piece())
        player.play()
        _ready(player)
        player.pause()
        output.missing = ""
        player.play()
        _ready(player)
        output.turn(0.6)
        assert player.problem == ""
        assert player.position == pytest.approx(0.6 / STEP, abs=0.01)


def test_a_device_that_is_lost_leaves_the_playhead_moving(
    player: Player, output: ManualOutput, clock: HandClock
) -> None:
    """From where it was heard last; late questions of the old device move nothing."""
    player.load(_piece())
    player.play()
    _ready(player)
    output.turn(8 * STEP)
    output.lost = "the audio device is gone"
    assert player.position == pytest.approx(8, abs=0.01)
    clock.seconds += 2 * STEP
    output.turn(2)

    assert player.position == pytest.approx(10, abs=0.01)
    assert player.playing
    assert player.problem == "the audio device is gone"
    _ready(player)
    assert not output.running
    output.lost = ""
    player.pause()
    player.play()
    _ready(player)
    output.turn(STEP)
    assert player.position == pytest.approx(11, abs=0.4)
    assert player.problem == ""


def test_a_device_that_is_not_needed_is_given_back(
    player: Player, output: ManualOutput, clock: HandClock
) -> None:
    """Some seconds after a pause; play opens it anew, at the same place, silent at first."""
    player.load(_held())
    player.play()
    _ready(player)
    _turn(player, output, 0.6)
    player.pause()
    _turn(player, output, 0.3)
    place = player.position
    clock.seconds += IDLE - 0.1
    _ready(player)
    running = [output.running]
    clock.seconds += 0.2
    _ready(player)
    running.append(output.running)
    assert running == [True, False]
    assert player.position == pytest.approx(place)

    player.play()
    _ready(player)
    output.blocks.clear()
    output.turn(0.3)

    assert output.starts == 2
    assert np.abs(output.sound()[0]).max() < 0.001
    assert player.position == pytest.approx(place + 0.3 / STEP, abs=0.01)


def test_a_fault_in_the_work_ahead_is_told(
    output: ManualOutput, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The player stands still instead of waiting for ever."""
    told = threading.Event()

    def fault(*_arguments: object) -> bool:
        told.set()
        raise ZeroDivisionError

    monkeypatch.setattr(Stock, "make", fault)
    player = Player(output)
    player.load(_piece())
    player.play()
    assert told.wait(10)
    player.close()

    assert player.problem == FAULT
    assert not player.playing
    assert "ZeroDivisionError" in caplog.text


class Echo:
    """A follower that remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[object, ...]] = []
        self.trouble = ""

    def play(
        self, performance: Performance, start: float, loop: tuple[float, float] | None, mix: Mix
    ) -> None:
        """Remember start and loop."""
        self.told.append(("play", round(start, 6), loop, performance.times.steps, mix.sound))

    def set_mix(self, mix: Mix) -> None:
        """Remember that."""
        self.told.append(("mix", mix))

    def stop(self) -> None:
        """Remember that."""
        self.told.append(("stop",))

    def problem(self) -> str:
        """What the test says."""
        return self.trouble


def test_a_follower_plays_what_the_player_plays_and_the_device_is_silent(
    player: Player, output: ManualOutput, clock: HandClock
) -> None:
    """Play, seek, loop, mixer and pause all reach it; the clock moves the playhead."""
    echo = Echo()
    player.load(_piece())
    player.route(echo)
    player.play(8)
    clock.seconds += 4 * STEP
    assert player.position == pytest.approx(12, abs=0.01)
    player.seek(16)
    player.loop = (16, 24)
    player.mix = ALL_MUTED
    player.pause()

    loop = (16 * STEP, 24 * STEP)
    assert echo.told[1:] == [
        ("play", 8 * STEP, None, 64, "choir"),
        ("play", 16 * STEP, None, 64, "choir"),
        ("play", 16 * STEP, loop, 64, "choir"),
        ("mix", ALL_MUTED),
        ("stop",),
    ]
    assert output.starts == 0


def test_a_followers_problem_is_the_players(player: Player) -> None:
    """Until it is left, when it is silenced."""
    echo = Echo()
    echo.trouble = "the MIDI port is gone"
    player.load(_piece())
    player.route(echo)
    assert player.problem == "the MIDI port is gone"

    player.route(None)

    assert player.problem == ""
    assert echo.told[-1] == ("stop",)


def test_a_follower_may_be_taken_while_the_piece_plays(
    player: Player, output: ManualOutput, clock: HandClock
) -> None:
    """It begins where the sound was heard, and the sound where it was left."""
    echo = Echo()
    player.load(_piece())
    player.play()
    _ready(player)
    output.turn(8 * STEP)
    player.route(echo)
    assert echo.told[-1][:2] == ("play", pytest.approx(8 * STEP, abs=1e-3))
    _ready(player)
    assert not output.running

    clock.seconds += 4 * STEP
    player.route(None)
    _ready(player)
    output.turn(2 * STEP)

    assert player.position == pytest.approx(14, abs=0.01)


class Telling(Miniaudio):
    """The library's soundless device, which asks for the playhead at each of its questions."""

    def __init__(self, until: float) -> None:
        super().__init__(null=True)
        self.until = until
        self.beyond = threading.Event()
        self.places: list[float] = []
        self.player: Player | None = None

    def start(self, pull: Pull) -> None:
        """Ask the player after each pull."""

        def asked(frames: int) -> Samples:
            sound = pull(frames)
            assert self.player is not None
            self.places.append(self.player.position)
            if self.places[-1] > self.until:
                self.beyond.set()
            return sound

        super().start(asked)


def test_the_soundless_device_plays_in_real_time() -> None:
    """With threads and all: half a second of a piece, the playhead never going back."""
    output = Telling(until=0.4 / STEP)
    with Player(output) as player:
        output.player = player
        player.load(_piece())
        player.play()
        assert output.beyond.wait(20)
        assert player.problem == ""
        player.pause()
        assert not player.playing

    assert output.places == sorted(output.places)
