"""Sound made ahead: what is made first, and what is kept."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.playback import render_cache as stock_module
from musicrel.playback.render_cache import Stock
from musicrel.score.audio.reverb import LENGTH
from musicrel.score.audio.synth import Synthesizer
from musicrel.score.performance import Style, perform
from tests.helpers.music import random_chorale

RATE = 48_000


def _stock(piece: Chorale) -> Stock:
    return Stock(piece, Style(), "organ", RATE)


@pytest.fixture(scope="module")
def piece() -> Chorale:
    """Sixty seconds or more of sound."""
    return random_chorale(1, steps=320)


def test_what_the_playhead_needs_is_made_first(piece: Chorale) -> None:
    """Then what follows, until enough is made."""
    stock = _stock(piece)
    assert not stock.ready(3 * LENGTH, 100)

    assert stock.make(3 * LENGTH + 50, None)

    assert stock.ready(3 * LENGTH, LENGTH)
    assert not stock.ready(3 * LENGTH, LENGTH + 1)
    assert [stock.make(3 * LENGTH, None) for _ in range(6)] == [True] * 4 + [False] * 2


def test_what_a_loop_comes_back_to_is_made_too(piece: Chorale) -> None:
    """Before it is needed."""
    stock = _stock(piece)

    while stock.make(20 * LENGTH, (100, 20 * LENGTH + 10)):
        pass

    assert stock.ready(100, LENGTH)


def test_what_is_read_is_what_the_synthesizer_makes(piece: Chorale) -> None:
    """Across the border of two pieces; silent where nothing is made yet."""
    stock, synthesizer = _stock(piece), Synthesizer(perform(piece), "organ", RATE)
    stock.make(0, None)
    stock.make(0, None)

    read = stock.read(LENGTH - 100, LENGTH + 200)

    assert np.array_equal(read[..., :100], synthesizer.stems(0)[..., -100:])
    assert np.array_equal(read[..., 100 : 100 + LENGTH], synthesizer.stems(1))
    assert not read[..., 100 + LENGTH :].any()


def test_a_long_piece_is_not_kept_whole(piece: Chorale, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the playhead has left is forgotten, what it needs is not."""
    monkeypatch.setattr(stock_module, "_MOST_KEPT", 7)
    stock = _stock(piece)

    for number in range(12):
        while stock.make(number * LENGTH, None):
            pass

    assert not stock.ready(0, 100)
    assert stock.ready(11 * LENGTH, 5 * LENGTH)


def test_nothing_is_made_after_the_end(piece: Chorale) -> None:
    """And all of it counts as made."""
    stock = _stock(piece)
    while stock.make(stock.frames - 1, None):
        pass

    assert stock.ready(stock.frames - 1, 10_000)
    assert stock.ready(stock.frames, 10_000)


def test_steps_and_frames_are_each_others_inverse(piece: Chorale) -> None:
    """At every step."""
    stock = _stock(piece)

    assert stock.steps == 320
    assert [stock.step_at(stock.frame_at(step)) for step in range(321)] == pytest.approx(
        list(range(321)), abs=1e-3
    )
