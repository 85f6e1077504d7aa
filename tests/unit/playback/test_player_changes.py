"""The player while piece, tempo or sound change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.playback.player import Player
from musicrel.score.audio.mixer import Mix
from musicrel.score.audio.timbre import Samples
from tests.helpers.playback import (
    ALL_MUTED,
    PLAIN,
    STEP,
    advance,
    held_chord,
    random_piece,
    render_all,
    sharpest,
    wait_for_problem,
)
from tests.helpers.sound import (
    ManualClock,
    ManualOutput,
    install_fake_fluidsynth,
    needs_fluidsynth,
    write_soundfont_header,
)


def play_organ(player: Player, output: ManualOutput) -> None:
    """Play a held chord on the organ for a moment."""
    player.mix = Mix(sound="organ")
    player.load(held_chord())
    player.play()
    render_all(player)
    advance(player, output, 0.6)


def test_another_piece_leaves_the_playhead_unless_asked(
    player: Player, output: ManualOutput
) -> None:
    """Standing still or playing."""
    player.load(random_piece())
    player.seek(24)
    player.load(random_piece(seed=2))
    assert player.position == pytest.approx(24)
    player.load(random_piece(seed=3), keep_position=False)
    assert player.position == 0

    player.play(24)
    render_all(player)
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
    """A longer one does not move it."""
    player.load(random_piece())
    player.seek(60)
    player.load(random_piece(steps=20))
    assert player.position == 20
    player.load(random_piece())
    assert player.position == 20


def test_another_piece_in_another_tempo_keeps_the_step(
    player: Player, output: ManualOutput
) -> None:
    """Steps count, not seconds."""
    player.load(random_piece())
    player.play(16)
    render_all(player)
    advance(player, output, 0.6)
    before = player.position

    player.load(replace(random_piece(seed=9), tempo=160.0))
    advance(player, output, 0.6)

    assert player.position == pytest.approx(before + 2 * 0.6 / STEP, abs=0.35)


def test_changing_piece_or_tempo_while_playing_makes_no_gap(
    player: Player, output: ManualOutput
) -> None:
    """The old sound plays until the new one is rendered, then they crossfade."""
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


def test_the_tempo_moves_the_playhead_faster_from_the_same_step(
    player: Player, output: ManualOutput
) -> None:
    """Twice as fast, twice the steps."""
    player.load(random_piece())
    player.play()
    render_all(player)
    advance(player, output, 0.6)
    player.style = replace(PLAIN, tempo_factor=2.0)
    before = player.position
    advance(player, output, 0.6)

    assert player.position - before == pytest.approx(2 * 0.6 / STEP, abs=0.4)


def test_fermatas_are_held_unless_switched_off(output: ManualOutput, clock: ManualClock) -> None:
    """The playhead slows down at them."""
    piece = Chorale.of(np.full((16, 4), 60), fermatas=np.ones(16, dtype=bool))
    with Player(output, clock=clock, threaded=False) as player:
        player.load(piece)
        assert player.performance is not None
        assert player.performance.times.seconds == pytest.approx(1.75 * 16 * STEP)
        player.style = PLAIN
        assert player.performance.times.seconds == pytest.approx(16 * STEP)


def test_the_mixer_acts_within_a_tenth_of_a_second_without_a_click(
    player: Player, output: ManualOutput
) -> None:
    """Measured from the next frame the device takes."""
    player.load(held_chord())
    player.mix = Mix(sound="organ")
    player.play()
    render_all(player)
    advance(player, output, 1.2)
    before = output.sound()

    player.mix = replace(ALL_MUTED, sound="organ")
    advance(player, output, 0.3)

    sound = output.sound()
    assert sound[len(before) + 4800 :].any() == np.False_
    assert sharpest(sound[24_000:]) < 1.5 * sharpest(before[24_000:])


def test_another_sound_plays_on_at_the_same_step(player: Player, output: ManualOutput) -> None:
    """From choir to organ."""
    player.load(random_piece())
    player.play()
    render_all(player)
    advance(player, output, 0.6)
    player.mix = Mix(sound="organ")
    advance(player, output, 0.6)

    assert player.position == pytest.approx(1.2 / STEP, abs=0.1)
    assert player.mix.sound == "organ"


@needs_fluidsynth
def test_changing_the_instrument_of_a_voice_while_playing_makes_no_gap(
    player: Player, output: ManualOutput
) -> None:
    """The old sound plays until the new one is rendered, then they crossfade."""
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
    """It is loaded by the thread that renders."""
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
    """The next block already has it, no sample jumps, and the playhead keeps its place."""
    player.load(held_chord())
    other = held_chord(pitch=67)
    player.prepare(other)
    player.play()
    render_all(player)
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
    player.play()
    render_all(player)
    for piece in (second, first, second):
        advance(player, output, 0.2)
        player.load(piece)
        player.work()
        assert player.chorale is piece
        assert player.playing


def test_a_prepared_piece_follows_a_change_of_tempo(player: Player, output: ManualOutput) -> None:
    """It is rendered again, and the playhead stays in time."""
    player.load(held_chord())
    other = held_chord(pitch=65)
    player.prepare(other)
    player.style = replace(player.style, tempo_factor=2.0)
    player.load(other)
    player.play()
    render_all(player)
    advance(player, output, 0.6)

    assert player.performance is not None
    assert player.position == pytest.approx(0.6 / STEP * 2, abs=0.1)


def test_a_player_that_is_to_prepare_nothing_forgets_the_piece(player: Player) -> None:
    """Loading it later renders it like any other."""
    player.load(held_chord())
    other = held_chord(pitch=65)
    player.prepare(other)
    player.prepare(None)
    player.load(other)

    assert player.chorale is other
