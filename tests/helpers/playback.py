"""Pieces for a player, and functions that render them and advance its time."""

from __future__ import annotations

import threading

import numpy as np

from musicrel.chorale import Chorale
from musicrel.playback.player import Player
from musicrel.score.audio.mixer import Mix, Strip
from musicrel.score.audio.timbre import Samples
from musicrel.score.performance import Style
from tests.helpers.music import random_chorale
from tests.helpers.sound import ManualOutput

STEP = 60 / 80 / 4
"""Seconds of a step."""
PLAIN = Style(fermata_stretch=1.0)
ALL_MUTED = Mix(strips=(Strip(mute=True),) * 4)


def random_piece(steps: int = 64, seed: int = 1) -> Chorale:
    return random_chorale(seed, steps=steps)


def held_chord(steps: int = 64, pitch: int = 60) -> Chorale:
    """Return a piece of one held chord, so that any silence is an error."""
    return Chorale.of(np.full((steps, 4), pitch))


def render_all(player: Player) -> None:
    while player.work():
        pass


def play(player: Player, step: float | None = None, *, count_in: bool = False) -> None:
    """Play from a step, and render what is needed."""
    player.play(step, count_in=count_in)
    render_all(player)


def start(player: Player, piece: Chorale, step: float | None = None) -> None:
    player.load(piece)
    play(player, step)


def preview(player: Player, piece: Chorale) -> None:
    player.preview(piece)
    render_all(player)


def advance(player: Player, output: ManualOutput, seconds: float) -> None:
    for _ in range(round(seconds / 0.06)):
        output.advance(0.06)
        render_all(player)


def sharpest(sound: Samples) -> float:
    """Return the largest second difference of adjacent frames: large at a click."""
    return float(np.abs(np.diff(sound.astype(np.float64), 2, axis=0)).max())


def wait_for_problem(player: Player) -> None:
    """Wait until the thread that renders has reported one, ten seconds at most."""
    never = threading.Event()
    for _ in range(1000):
        if player.problem:
            return
        never.wait(0.01)
