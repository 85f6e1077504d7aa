"""How fast sound is made: measured on one thread's own time, with room for slow machines."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.playback.audio_callback import Deck, Mixer
from musicrel.playback.render_cache import Stock
from musicrel.score.audio.mixer import Mix, gains
from musicrel.score.audio.synth import render
from musicrel.score.audio.timbre import Sound
from musicrel.score.performance import Style
from tests.helpers.music import random_chorale

pytestmark = pytest.mark.slow


def _sixteen_bars() -> Chorale:
    """48 seconds with some six hundred notes."""
    return random_chorale(1, steps=256)


@pytest.mark.parametrize("sound", ["organ", "choir"])
def test_sixteen_bars_are_rendered_within_a_second(
    sound: Sound, record_property: Callable[[str, object], None]
) -> None:
    """A quarter of one, usually."""
    render(_sixteen_bars(), Mix(sound=sound))

    begun = time.thread_time()
    render(_sixteen_bars(), Mix(sound=sound))
    seconds = time.thread_time() - begun

    record_property("seconds", seconds)
    assert seconds < 1


def test_a_device_is_answered_in_a_tenth_of_the_time_it_plays() -> None:
    """Sixty milliseconds of sound are mixed in less than six, on average."""
    stock = Stock(_sixteen_bars(), Style(), "choir", 48_000)
    while stock.make(0, None):
        pass
    deck, mixer, wanted = Deck(), Mixer(gains(Mix())), gains(Mix(sound="organ", volume=0.5))

    begun = time.thread_time()
    for number in range(100):
        assert np.isfinite(mixer.mix(deck.read(stock, number * 2880, 2880), wanted)).all()

    assert (time.thread_time() - begun) / 100 < 0.006


def test_a_piece_is_ready_to_play_within_a_third_of_a_second() -> None:
    """Its first one and a half seconds are made; the rest follows while they play."""
    begun = time.thread_time()
    stock = Stock(_sixteen_bars(), Style(), "choir", 48_000)
    stock.make(0, None)

    assert time.thread_time() - begun < 0.33
