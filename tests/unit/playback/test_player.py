"""The player: play, pause, stop, playhead and loop."""

from __future__ import annotations

import gc
import itertools
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Meter
from musicrel.errors import UsageError
from musicrel.playback.audio import FAULT, MiniaudioOutput, RenderCallback
from musicrel.playback.audio_callback import RenderCache
from musicrel.playback.midi_port import Click, MidiPort, events
from musicrel.playback.player import IDLE, Player
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.audio.timbre import Samples
from musicrel.score.performance import Performance, Style
from tests.helpers.playback import (
    ALL_MUTED,
    PLAIN,
    STEP,
    advance,
    held_chord,
    play,
    preview,
    random_piece,
    render_all,
    sharpest,
    start,
    wait_for_problem,
)
from tests.helpers.sound import (
    PERIOD,
    ManualClock,
    ManualOutput,
    install_fake_fluidsynth,
    needs_fluidsynth,
    write_soundfont_header,
)


def test_without_a_piece_nothing_happens(player: Player) -> None:
    player.play()
    player.seek(3)
    player.pause()
    player.stop()
    player.loop = (0, 4)
    player.preview(random_piece())

    assert (player.position, player.playing, player.previewing) == (0.0, False, False)
    assert (player.chorale, player.work()) == (None, False)


def test_the_playhead_goes_by_the_device_and_not_by_a_timer(
    player: Player, output: ManualOutput, clock: ManualClock
) -> None:
    start(player, random_piece())
    clock.seconds += 1000
    assert player.position == 0

    output.advance(10 * STEP)

    assert player.playing
    assert player.position == pytest.approx(10, abs=1e-3)
    assert player.problem == ""


def test_the_playhead_is_the_frame_played_not_the_frame_taken(clock: ManualClock) -> None:
    output = ManualOutput(ahead=5 * PERIOD)
    with Player(output, clock=clock, threaded=False) as player:
        player.style = PLAIN
        start(player, random_piece())
        output.advance(4 * STEP)
        assert player.position == pytest.approx(4, abs=1e-3)
        player.seek(30)
        assert player.position == 30
        output.advance(0.1)
        assert player.position == 30
        output.advance(0.2 + 2 * STEP)
        assert player.position == pytest.approx(32, abs=0.35)


def test_play_from_a_step_pause_and_go_on(player: Player, output: ManualOutput) -> None:
    start(player, random_piece(), 20)
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
    start(player, random_piece(), 10)
    output.advance(0.5)
    player.stop()
    assert (player.position, player.playing) == (0.0, False)
    player.loop = (8, 16)
    player.stop()
    assert player.position == pytest.approx(8)


def test_it_stops_at_the_end_and_restarts_from_the_beginning(
    player: Player, output: ManualOutput
) -> None:
    start(player, random_piece(steps=8))
    advance(player, output, 8 * STEP + 2)
    assert (player.position, player.playing) == (8.0, False)

    play(player)
    output.advance(STEP)

    assert player.position == pytest.approx(1, abs=0.4)


def test_a_loop_repeats_without_a_click_or_a_gap(player: Player, output: ManualOutput) -> None:
    player.load(held_chord())
    player.mix = Mix(sound="organ")
    player.loop = (8, 12)
    play(player, 8)
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


@pytest.mark.parametrize("steps", [(-1.0, 4.0), (4.0, 4.5), (8.0, 4.0), (0.0, float("nan"))])
def test_a_loop_that_is_none_is_refused(player: Player, steps: tuple[float, float]) -> None:
    player.loop = (0, 8)
    with pytest.raises(UsageError, match="cannot be repeated: expected a start from 0"):
        player.loop = steps
    assert player.loop == (0, 8)


def test_sound_that_is_not_made_yet_is_waited_for(player: Player, output: ManualOutput) -> None:
    start(player, held_chord(steps=400))
    advance(player, output, 0.6)
    player.seek(390)
    output.advance(0.6)
    assert player.position == 390
    advance(player, output, 0.6)

    assert player.position > 391


def play_organ(player: Player, output: ManualOutput) -> None:
    player.mix = Mix(sound="organ")
    start(player, held_chord())
    advance(player, output, 0.6)


def test_another_piece_leaves_the_playhead_unless_asked(
    player: Player, output: ManualOutput
) -> None:
    player.load(random_piece())
    player.seek(24)
    player.load(random_piece(seed=2))
    assert player.position == pytest.approx(24)
    player.load(random_piece(seed=3), keep_position=False)
    assert player.position == 0

    play(player, 24)
    advance(player, output, 0.6)
    before = player.position
    player.load(random_piece(seed=4))
    assert player.position == pytest.approx(before)
    advance(player, output, 0.6)
    assert player.position == pytest.approx(before + 0.6 / STEP, abs=0.1)
    player.load(random_piece(seed=5), keep_position=False)
    assert player.position == 0
    assert player.playing


def test_a_shorter_piece_has_the_playhead_at_its_end(player: Player) -> None:
    player.load(random_piece())
    player.seek(60)
    player.load(random_piece(steps=20))
    assert player.position == 20
    player.load(random_piece())
    assert player.position == 20


def test_changing_piece_or_tempo_while_playing_makes_no_gap(
    player: Player, output: ManualOutput
) -> None:
    play_organ(player, output)
    player.load(held_chord(pitch=62))
    assert player.chorale == held_chord(pitch=62)
    output.advance(0.12)
    advance(player, output, 0.6)
    player.style = replace(PLAIN, tempo_factor=1.5)
    output.advance(0.12)
    advance(player, output, 0.6)

    sound = output.sound()[9600:]
    assert np.sqrt((sound.reshape(-1, 480, 2) ** 2).mean(axis=(1, 2))).min() > 0.02
    assert player.style.tempo_factor == 1.5
    assert sharpest(sound) < 3 * sharpest(sound[:9600])


def test_the_mixer_acts_within_a_tenth_of_a_second_without_a_click(
    player: Player, output: ManualOutput
) -> None:
    player.load(held_chord())
    player.mix = Mix(sound="organ")
    play(player)
    advance(player, output, 1.2)
    before = output.sound()

    player.mix = replace(ALL_MUTED, sound="organ")
    advance(player, output, 0.3)

    sound = output.sound()
    assert sound[len(before) + 4800 :].any() == np.False_
    assert sharpest(sound[24_000:]) < 1.5 * sharpest(before[24_000:])


@needs_fluidsynth
def test_changing_the_instrument_of_a_voice_while_playing_makes_no_gap(
    player: Player, output: ManualOutput
) -> None:
    play_organ(player, output)
    for sounds in (
        ("organ", "strings", "oboe", "brass"),
        ("strings", "strings", "oboe", "organ"),
        ("choir", "choir", "oboe", "organ"),
    ):
        player.mix = Mix(sound=sounds)
        output.advance(0.12)
        advance(player, output, 0.6)

    sound = output.sound()[9600:]
    assert np.sqrt((sound.reshape(-1, 480, 2) ** 2).mean(axis=(1, 2))).min() > 0.01
    assert player.position == pytest.approx((0.6 + 3 * 0.72) / STEP, abs=0.1)


def test_a_soundfont_that_cannot_be_loaded_stops_playing_with_its_sentence(
    output: ManualOutput, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_fake_fluidsynth(monkeypatch, font=-1)
    path = write_soundfont_header(tmp_path / "mine.sf2")
    with Player(output) as player:
        player.mix = Mix(sound="piano", soundfont=path)
        player.load(held_chord())
        player.play()  # it is loaded again if that has failed before
        wait_for_problem(player)

    assert player.problem == f"the SoundFont {path} is damaged: choose another .sf2 file"
    assert not player.playing


def rms(sound: Samples) -> float:
    return float(np.sqrt(np.mean(sound.astype(np.float64) ** 2)))


def test_a_prepared_piece_is_played_at_once_without_a_gap(
    player: Player, output: ManualOutput
) -> None:
    player.load(held_chord())
    other = held_chord(pitch=67)
    player.prepare(other)
    play(player)
    advance(player, output, 0.6)
    taken, before = len(output.blocks), player.position
    player.load(other)
    player.work()  # swaps; everything is rendered
    output.advance(0.3)

    assert player.chorale is other
    sound = np.concatenate(output.blocks[taken - 2 :])
    assert sharpest(sound) < 0.15
    assert min(rms(block) for block in np.array_split(sound, 20)) > 0.01
    assert player.position == pytest.approx(before + 0.3 / STEP, abs=0.1)


def test_the_piece_that_was_replaced_is_kept_ready(player: Player, output: ManualOutput) -> None:
    """Going back needs no rendering either, with the sound that it had."""
    first, second = random_piece(), random_piece(seed=2)
    player.load(first)
    player.prepare(second)
    play(player)
    for piece in (second, first, second):
        advance(player, output, 0.2)
        player.load(piece)
        player.work()
        assert player.chorale is piece
        assert player.playing


FRAMES = 9_000
"""Frames of a step at 80 quarters a minute."""
ON = Metronome(on=True)


def _rests(steps: int = 64, meter: Meter | None = None, pickup: int = 0) -> Chorale:
    """Return a piece without a note, so that all sound is clicks."""
    return Chorale.of(np.full((steps, 4), REST), meter=meter or Meter(), pickup=pickup)


def _clicks(output: ManualOutput) -> list[tuple[int, str]]:
    sound = output.sound()[:, 0]
    loud = np.flatnonzero(sound)
    starts = [int(loud[0])] if loud.size else []
    starts += [int(one) for before, one in itertools.pairwise(loud) if one > before + 900]
    return [(start - 1, _strength(sound[start - 1 : start + 2399])) for start in starts]


def _strength(click: np.ndarray) -> str:
    hertz = int(np.abs(np.fft.rfft(click, 48_000)).argmax())
    loudness = "soft" if np.abs(click).max() < 0.2 else "loud"
    return "bar" if hertz > 1300 else {"loud": "beat", "soft": "between"}[loudness]


def _play(player: Player, output: ManualOutput, seconds: float) -> None:
    play(player, count_in=True)
    advance(player, output, seconds)


def test_every_beat_clicks_at_its_frame_and_bar_lines_are_accented(
    player: Player, output: ManualOutput
) -> None:
    player.metronome = ON
    player.load(_rests(24, pickup=4))
    _play(player, output, 30 * STEP)
    assert _clicks(output) == [
        (0, "beat"), (4 * FRAMES, "bar"), (8 * FRAMES, "beat"), (12 * FRAMES, "beat"),
        (16 * FRAMES, "beat"), (20 * FRAMES, "bar"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("meter", "steps", "strengths"),
    [
        (Meter(3, 2), (0, 8, 16, 24), ("bar", "beat", "beat", "bar")),
        (Meter(6, 8), (0, 2, 4, 6, 8), ("bar", "between", "between", "beat", "between")),
    ],
)
def test_the_meter_decides_what_clicks(
    player: Player,
    output: ManualOutput,
    meter: Meter,
    steps: tuple[int, ...],
    strengths: tuple[str, ...],
) -> None:
    """Halves in 3/2; eighths, grouped by three, in a slow 6/8."""
    player.metronome = ON
    player.load(_rests(meter=meter))
    _play(player, output, (steps[-1] + 1) * STEP)

    found = _clicks(output)[: len(steps)]
    assert found == list(zip((step * FRAMES for step in steps), strengths, strict=True))


def test_the_first_beat_of_a_loop_clicks_in_full_every_time(
    player: Player, output: ManualOutput
) -> None:
    player.metronome = ON
    player.load(_rests())
    player.loop = (16, 24)
    player.seek(16)
    _play(player, output, 24 * STEP)

    sound, found = output.sound()[:, 0], _clicks(output)
    assert found[:6] == [
        (step * FRAMES, ("bar", "beat")[step // 4 % 2]) for step in range(0, 24, 4)
    ]
    first, again = (sound[start : start + 2400] for start in (0, 8 * FRAMES))
    assert np.array_equal(first, again)


def test_a_loop_that_cuts_a_click_lets_it_end(player: Player, output: ManualOutput) -> None:
    player.metronome = ON
    player.load(_rests())
    player.loop = (1.0, 4.125)
    player.seek(1)
    _play(player, output, 8 * STEP)

    cut = 3 * FRAMES
    sound = output.sound()[:, 0]
    assert _clicks(output)[0] == (cut, "beat")
    assert sound[cut : cut + 2400].any()
    assert sharpest(sound[cut + 1000 : cut + 2400, None]) < sharpest(sound[cut : cut + 1000, None])


def test_clicks_follow_the_tempo_and_held_fermatas(player: Player, output: ManualOutput) -> None:
    fermatas = np.zeros(32, dtype=bool)
    fermatas[4:8] = True
    player.metronome = ON
    player.style = Style(tempo_factor=2.0, fermata_stretch=2.0)
    player.load(replace(_rests(32), fermatas=fermatas))
    _play(player, output, 10 * STEP)

    half = FRAMES // 2
    assert [start for start, _ in _clicks(output)][:4] == [0, 4 * half, 12 * half, 16 * half]


def test_switched_off_nothing_clicks(player: Player, output: ManualOutput) -> None:
    player.load(_rests())
    _play(player, output, 4 * STEP)
    assert not output.sound().any()

    player.metronome = Metronome(on=True, level=0.5)
    advance(player, output, 4 * STEP)
    soft = np.abs(output.sound()).max()
    player.mix = Mix(volume=2.0)
    advance(player, output, 4 * STEP)
    assert np.abs(output.sound()).max() == pytest.approx(2 * soft, rel=0.02)


def test_a_bar_is_counted_in_before_the_pickup(player: Player, output: ManualOutput) -> None:
    player.metronome = Metronome(count_in="start")
    pitches = np.full((20, 4), REST)
    pitches[:, 0] = 60
    player.load(Chorale.of(pitches, pickup=4))
    play(player, count_in=True)
    assert player.count_in == pytest.approx(28)
    places = []
    for _ in range(4):
        advance(player, output, 6 * STEP)
        places.append((round(player.count_in), round(player.position)))

    assert places == [(22, 0), (16, 0), (10, 0), (4, 0)]
    assert [start // FRAMES for start, _ in _clicks(output)] == [0, 4, 8, 12, 16, 20, 24]
    assert [strength for _, strength in _clicks(output)][:5] == ["bar"] + ["beat"] * 3 + ["bar"]
    advance(player, output, 8 * STEP)
    assert player.count_in == 0
    assert player.position == pytest.approx(4, abs=0.4)
    voiced = np.flatnonzero(output.sound()[27 * FRAMES :, 0])[0]
    assert 0 < voiced - FRAMES < 50, "the note begins with its attack"


def test_a_loop_is_counted_in_once(player: Player, output: ManualOutput) -> None:
    player.metronome = Metronome(count_in="start")
    player.load(_rests())
    player.loop = (16, 20)
    player.seek(16)
    _play(player, output, 30 * STEP)

    assert [start // FRAMES for start, _ in _clicks(output)] == [0, 4, 8, 12]
    assert 16 <= player.position < 20


@pytest.mark.parametrize(
    ("when", "step", "counted"),
    [("never", 0, 0), ("start", 0, 16), ("start", 8, 0), ("always", 8, 24), ("always", 6, 22)],
)
def test_where_it_counts_in(
    player: Player, output: ManualOutput, when: str, step: float, counted: float
) -> None:
    player.metronome = Metronome(count_in=when)  # type: ignore[arg-type]
    player.load(_rests())
    player.loop = (32, 48)
    player.seek(step)
    play(player, count_in=True)

    assert player.count_in == pytest.approx(counted, abs=0.01)
    del output


def test_pausing_and_seeking_end_the_count_in(player: Player, output: ManualOutput) -> None:
    player.metronome = Metronome(count_in="start")
    player.load(held_chord())
    _play(player, output, 8 * STEP)
    player.pause()
    assert (player.count_in, player.position) == (0, 0)
    _play(player, output, 0)
    assert player.count_in == pytest.approx(16)

    player.seek(32)
    advance(player, output, 4 * STEP)
    assert player.count_in == 0
    assert player.position == pytest.approx(36, abs=0.4)


def test_without_a_device_the_count_in_takes_its_time(
    output: ManualOutput, clock: ManualClock
) -> None:
    output.missing = "no sound: there is no device"
    with Player(output, clock=clock, threaded=False) as player:
        player.metronome = Metronome(count_in="always")
        player.load(_rests())
        play(player, count_in=True)
        clock.seconds += 12 * STEP
        assert player.count_in == pytest.approx(4, abs=0.01)
        assert player.position == 0
        clock.seconds += 6 * STEP
        assert player.count_in == 0
        assert player.position == pytest.approx(2, abs=0.01)


NOTE = held_chord(3, pitch=72)


def sound_of(output: ManualOutput) -> Samples:
    taken = output.sound() if output.blocks else np.zeros((0, 2), dtype=np.float32)
    output.blocks.clear()
    return taken


@pytest.fixture
def piece(player: Player) -> Chorale:
    piece = random_piece()
    player.load(piece)
    player.loop = (8, 24)
    player.seek(16)
    return piece


def test_a_preview_sounds_and_leaves_the_piece_alone(
    player: Player, output: ManualOutput, piece: Chorale
) -> None:
    preview(player, NOTE)
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
    play(player)
    advance(player, output, 0.6)
    player.pause()
    advance(player, output, 0.3)
    expected_start = player.position
    preview(player, NOTE)
    advance(player, output, 0.3)

    player.play()
    assert not player.previewing
    player.preview(NOTE)
    assert not player.previewing
    assert player.chorale is piece
    advance(player, output, 4 * STEP)
    assert player.position > expected_start


def test_a_pause_ends_a_preview(player: Player, output: ManualOutput, piece: Chorale) -> None:
    for end in (player.pause, player.stop_preview):
        preview(player, NOTE)
        advance(player, output, 0.3)
        end()
        advance(player, output, 0.06)
        sound_of(output)
        advance(player, output, 0.3)
        assert not sound_of(output).any()
    assert player.chorale is piece


def test_a_missing_device_is_tried_again_by_each_preview(clock: ManualClock) -> None:
    output = ManualOutput(missing="no sound: there is no device")
    with Player(output, clock=clock, threaded=False) as player:
        player.load(random_piece())
        preview(player, NOTE)
        assert (player.previewing, player.problem) == (False, "no sound: there is no device")
        output.missing = ""
        preview(player, NOTE)
        advance(player, output, 0.3)
        assert (player.previewing, player.problem, player.playing) == (True, "", False)


def test_without_a_device_the_playhead_moves_by_the_clock(clock: ManualClock) -> None:
    output = ManualOutput(missing="no sound: none here")
    with Player(output, clock=clock, threaded=False) as player:
        player.style = PLAIN
        start(player, random_piece())
        clock.seconds += 10 * STEP
        assert player.position == pytest.approx(10, abs=0.01)
        assert player.problem == "no sound: none here"
        player.pause()
        clock.seconds += 1
        assert player.position == pytest.approx(10, abs=0.01)
        player.loop = (8, 12)
        play(player)
        clock.seconds += 3 * STEP
        assert player.position == pytest.approx(9, abs=0.02)
        player.loop = None
        clock.seconds += 100
        assert (player.position, player.playing) == (64.0, False)


def test_a_device_that_comes_later_is_used_at_the_next_play(clock: ManualClock) -> None:
    output = ManualOutput(missing="no sound: none here")
    with Player(output, clock=clock, threaded=False) as player:
        start(player, random_piece())
        player.pause()
        output.missing = ""
        play(player)
        output.advance(0.6)
        assert player.problem == ""
        assert player.position == pytest.approx(0.6 / STEP, abs=0.01)


def test_a_device_that_is_lost_leaves_the_playhead_moving(
    player: Player, output: ManualOutput, clock: ManualClock
) -> None:
    start(player, random_piece())
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
    play(player)
    output.advance(STEP)
    assert player.position == pytest.approx(11, abs=0.4)
    assert player.problem == ""


def test_a_device_that_is_not_needed_is_given_back(
    player: Player, output: ManualOutput, clock: ManualClock
) -> None:
    start(player, held_chord())
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

    play(player)
    output.blocks.clear()
    output.advance(0.3)

    assert output.starts == 2
    assert np.abs(output.sound()[0]).max() < 0.001
    assert player.position == pytest.approx(place + 0.3 / STEP, abs=0.01)


def test_an_error_in_rendering_is_reported_and_the_next_piece_rendered(
    output: ManualOutput, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fault(*_arguments: object) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(RenderCache, "render_next", fault)
    with Player(output) as player:
        player.load(random_piece())
        player.play()
        wait_for_problem(player)
        assert (player.problem, player.playing) == (FAULT, False)
        assert "ZeroDivisionError" in caplog.text
        begun = threading.Event()
        monkeypatch.setattr(RenderCache, "render_next", lambda *_: begun.set())
        player.load(random_piece())
        assert begun.wait(10)


class QueryingOutput(MiniaudioOutput):
    def __init__(self, until: float) -> None:
        super().__init__(null=True)
        self.until = until
        self.beyond = threading.Event()
        self.places: list[float] = []
        self.player: Player | None = None

    def start(self, pull: RenderCallback) -> None:
        def asked(frames: int) -> Samples:
            sound = pull(frames)
            assert self.player is not None
            self.places.append(self.player.position)
            if self.places[-1] > self.until:
                self.beyond.set()
            return sound

        super().start(asked)


def test_the_soundless_device_plays_in_real_time() -> None:
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
    preview(player, held_chord(steps=4))
    output.advance(0.1)
    play(player)
    output.advance(0.1)
    player.pause()
    player.load(random_piece(seed=2))
    clock.seconds += IDLE
    render_all(player)
    gc.collect()

    assert not output.running
    assert [tape.chorale for tape in tapes] == [player.chorale]


class Echo(MidiPort):
    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.trouble = ""

    def play(
        self,
        performance: Performance,
        start: float,
        loop: tuple[float, float] | None,
        mix: Mix,
        **metronome: Any,
    ) -> None:
        self.clicks = metronome
        self.performance = performance
        self.calls.append(("play", round(start, 6), loop, performance.times.steps, mix.sound))

    def clicked(self) -> list[float]:
        """Return the steps of the clicks, from the first of the count-in on."""
        found = events(self.performance, 0.0, None, **self.clicks)
        return [round(each.seconds / STEP, 2) for each in found if isinstance(each, Click)]

    def set_metronome(self, metronome: Metronome) -> None:
        self.metronome = metronome

    def set_mix(self, mix: Mix) -> None:
        self.calls.append(("mix", mix))

    def stop(self) -> None:
        self.calls.append(("stop",))

    def problem(self) -> str:
        return self.trouble


def test_a_follower_plays_what_the_player_plays_and_the_device_is_silent(
    player: Player, output: ManualOutput, clock: ManualClock
) -> None:
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
    echo, settings = Echo(), Metronome(on=True, count_in="start")
    player.load(held_chord(steps=16))
    player.route(echo)
    player.metronome = settings
    player.play(count_in=True)

    assert echo.metronome is settings
    assert echo.clicks["left"] == pytest.approx(16 * STEP)
    assert echo.clicked() == [0, 4, 8, 12, 16, 20, 24, 28]
    clock.seconds += 6 * STEP
    player.loop = (0, 8)
    assert echo.clicked()[:4] == [2, 6, 10, 14]
    assert player.position == 0
    assert echo.clicks["left"] == pytest.approx(10 * STEP, abs=1e-3)


def test_a_followers_problem_is_the_players(player: Player) -> None:
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
    echo = Echo()
    start(player, random_piece())
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
    assert (echo.clicks, player.position, player.playing) == ({}, 8, False)
    player.stop_preview()
    assert echo.calls[-1] == ("stop",)

    player.play()
    echo.calls.clear()
    player.preview(held_chord(3))
    player.stop_preview()
    assert (echo.calls, output.starts) == ([], 0)
