"""Rendering ahead: the order, and the chunks kept."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.playback.render_cache import RenderCache
from musicrel.score.audio.mixer import Mix
from musicrel.score.audio.reverb import LENGTH
from musicrel.score.audio.synth import Synthesizer
from musicrel.score.performance import Style, perform
from tests.helpers.music import random_chorale

RATE = 48_000
ORGAN = Mix(sound="organ")


def _cache(piece: Chorale) -> RenderCache:
    return RenderCache(piece, Style(), ORGAN, RATE)


@pytest.fixture(scope="module")
def piece() -> Chorale:
    """Return a piece of sixty seconds or more."""
    return random_chorale(1, steps=320)


def test_what_the_playhead_needs_is_made_first(piece: Chorale) -> None:
    """The following chunks are next, up to the lookahead."""
    cache = _cache(piece)
    assert not cache.is_ready(3 * LENGTH, 100)

    assert cache.render_next(3 * LENGTH + 50, None)

    assert cache.is_ready(3 * LENGTH, LENGTH)
    assert not cache.is_ready(3 * LENGTH, LENGTH + 1)
    assert [cache.render_next(3 * LENGTH, None) for _ in range(6)] == [True] * 4 + [False] * 2


def test_what_a_loop_comes_back_to_is_made_too(piece: Chorale) -> None:
    """It is rendered before it is needed."""
    cache = _cache(piece)

    while cache.render_next(20 * LENGTH, (100, 20 * LENGTH + 10)):
        pass

    assert cache.is_ready(100, LENGTH)


def test_what_is_read_is_what_the_synthesizer_makes(piece: Chorale) -> None:
    """Across chunk borders; silent where nothing is rendered yet."""
    cache, synthesizer = _cache(piece), Synthesizer(perform(piece), ORGAN, RATE)
    cache.render_next(0, None)
    cache.render_next(0, None)

    read = cache.read(LENGTH - 100, LENGTH + 200)

    assert np.array_equal(read[..., :100], synthesizer.stems(0)[..., -100:])
    assert np.array_equal(read[..., 100 : 100 + LENGTH], synthesizer.stems(1))
    assert not read[..., 100 + LENGTH :].any()


def test_a_long_piece_is_not_kept_whole(piece: Chorale) -> None:
    """Chunks behind the playhead are evicted, those ahead are not; all take 26 MB at most."""
    cache, sizes = _cache(piece), list[int]()

    for number in range(12):
        while cache.render_next(number * LENGTH, (0, 12 * LENGTH)):
            sizes.append(cache.kept_bytes)

    assert not cache.is_ready(3 * LENGTH, 100)
    assert cache.is_ready(0, 2 * LENGTH)
    assert cache.is_ready(11 * LENGTH, 5 * LENGTH)
    assert 20_000_000 < max(sizes) < 26_000_000


def test_nothing_is_made_after_the_end(piece: Chorale) -> None:
    """It counts as rendered."""
    cache = _cache(piece)
    while cache.render_next(cache.frames - 1, None):
        pass

    assert cache.is_ready(cache.frames - 1, 10_000)
    assert cache.is_ready(cache.frames, 10_000)


def test_steps_and_frames_are_each_others_inverse(piece: Chorale) -> None:
    """At every step."""
    cache = _cache(piece)

    assert cache.steps == 320
    assert [cache.step_at(cache.frame_at(step)) for step in range(321)] == pytest.approx(
        list(range(321)), abs=1e-3
    )
