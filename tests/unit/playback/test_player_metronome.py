"""Metronome and count-in: clicks at exact frames of what the device gets."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Meter
from musicrel.playback.player import Player
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.performance import Style
from tests.helpers.playback import STEP, advance, held_chord, render_all, sharpest
from tests.helpers.sound import ManualClock, ManualOutput

FRAMES = 9_000
"""Frames of a step at 80 quarters a minute."""
ON = Metronome(on=True)


def _rests(steps: int = 64, meter: Meter | None = None, pickup: int = 0) -> Chorale:
    """Return a piece without a note, so that all sound is clicks."""
    return Chorale.of(np.full((steps, 4), REST), meter=meter or Meter(), pickup=pickup)


def _clicks(output: ManualOutput) -> list[tuple[int, str]]:
    """Return the frames at which clicks begin, and their strength by height and loudness."""
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
    player.play(count_in=True)
    render_all(player)
    advance(player, output, seconds)


def test_every_beat_clicks_at_its_frame_and_bar_lines_are_accented(
    player: Player, output: ManualOutput
) -> None:
    """Also before the bar line of a pickup; after the end nothing clicks."""
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
    """At its exact frame, although the voices fade at the border."""
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
    """The jump comes a quarter of a step after the beat, in the middle of its click."""
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
    """A quarter that is held twice as long delays the next beat."""
    fermatas = np.zeros(32, dtype=bool)
    fermatas[4:8] = True
    player.metronome = ON
    player.style = Style(tempo_factor=2.0, fermata_stretch=2.0)
    player.load(replace(_rests(32), fermatas=fermatas))
    _play(player, output, 10 * STEP)

    half = FRAMES // 2
    assert [start for start, _ in _clicks(output)][:4] == [0, 4 * half, 12 * half, 16 * half]


def test_switched_off_nothing_clicks(player: Player, output: ManualOutput) -> None:
    """The level and the master volume apply to the next click."""
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
    """The playhead stands meanwhile, and the first note follows at the exact frame."""
    player.metronome = Metronome(count_in="start")
    pitches = np.full((20, 4), REST)
    pitches[:, 0] = 60
    player.load(Chorale.of(pitches, pickup=4))
    player.play(count_in=True)
    render_all(player)
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
    """The start of the loop is a beginning; its repetitions are not."""
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
    """Never, at the beginning, also with a loop elsewhere, or wherever play begins."""
    player.metronome = Metronome(count_in=when)  # type: ignore[arg-type]
    player.load(_rests())
    player.loop = (32, 48)
    player.seek(step)
    player.play(count_in=True)
    render_all(player)

    assert player.count_in == pytest.approx(counted, abs=0.01)
    del output


def test_pausing_and_seeking_end_the_count_in(player: Player, output: ManualOutput) -> None:
    """After a pause it starts again, after a jump the piece plays."""
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
    """The clock moves it."""
    output.missing = "no sound: there is no device"
    with Player(output, clock=clock, threaded=False) as player:
        player.metronome = Metronome(count_in="always")
        player.load(_rests())
        player.play(count_in=True)
        render_all(player)
        clock.seconds += 12 * STEP
        assert player.count_in == pytest.approx(4, abs=0.01)
        assert player.position == 0

        clock.seconds += 6 * STEP
        assert player.count_in == 0
        assert player.position == pytest.approx(2, abs=0.01)
