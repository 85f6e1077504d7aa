"""The transport: the order of reading, and the playhead as frames are played."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast
from weakref import ref

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.playback.audio_callback import FADE, Mixer, RenderCache, StemReader, Transport
from musicrel.score.audio.mixer import Mix, Strip, gains
from musicrel.score.audio.synth import LENGTH, Synthesizer
from musicrel.score.audio.timbre import Samples
from musicrel.score.performance import Style, perform
from tests.helpers.music import random_chorale


def tape(frames: int = 1000) -> RenderCache:
    """Return a tape of which only the length is known."""
    return cast("RenderCache", SimpleNamespace(frames=frames))


@pytest.fixture
def deck() -> Transport:
    deck = Transport(tape())
    deck.running = True
    return deck


def _read(deck: Transport, frames: int) -> list[tuple[int, int, bool]]:
    return [(span.position, span.frames, span.running) for span in deck.advance(frames)]


def _place(deck: Transport, played: float) -> float:
    return deck.played_at(played)[1]


@pytest.mark.parametrize(
    ("loop", "start", "frames", "spans"),
    [
        (None, 300, 300, [(300, 300, True)]),
        (None, 0, 1200, [(0, 1000, True), (1000, 200, False)]),
        ((100, 300), 0, 700, [(0, 300, True), (100, 200, True), (100, 200, True)]),
        ((100, 300), 300, 900, [(300, 700, True), (1000, 200, False)]),
        ((900, 1000), 950, 100, [(950, 50, True), (900, 50, True)]),
    ],
    ids=["goes on", "stops at the end", "loops", "is behind the loop", "loops to the end"],
)
def test_it_reads_on_where_it_stands(
    deck: Transport,
    loop: tuple[int, int] | None,
    start: int,
    frames: int,
    spans: list[tuple[int, int, bool]],
) -> None:
    deck.loop = loop
    deck.seek(start)
    assert _read(deck, frames) == spans
    assert deck.running == spans[-1][2]


def test_the_playhead_is_the_position_of_the_played_frame(deck: Transport) -> None:
    """It is no later one; after a jump it waits at the target until that is played."""
    deck.advance(200)
    assert [_place(deck, played) for played in (0, 123.5, 200, 700)] == [0, 123.5, 200, 200]
    deck.seek(600)
    assert _place(deck, 200) == 600
    deck.advance(200)
    assert [_place(deck, played) for played in (150, 230)] == [600, 630]


def test_the_playhead_follows_loops_and_pauses_as_they_are_played(deck: Transport) -> None:
    deck.loop = (100, 300)
    deck.advance(800)
    places = [_place(deck, played) for played in (250, 299, 310, 499, 520)]
    assert places == [250, 299, 110, 299, 120]
    deck.loop = None
    deck.restart(0)
    deck.advance(200)
    deck.running = False
    deck.advance(100)
    deck.running = True
    deck.hold(50)
    deck.advance(100)
    assert [_place(deck, played) for played in (150, 250, 340, 360)] == [150, 200, 200, 210]


def test_a_replaced_tape_is_reported_once_it_is_played(deck: Transport) -> None:
    old, new = deck.tape, tape(400)
    deck.advance(200)
    deck.replace_tape(new, 50)
    deck.advance(100)
    assert deck.played_at(199) == (old, 199)
    assert deck.played_at(210) == (new, 60)


RATE = 48_000
ORGAN = Mix(sound="organ")


def _cache(piece: Chorale) -> RenderCache:
    return RenderCache(piece, Style(), ORGAN, RATE)


@pytest.fixture(scope="module")
def piece() -> Chorale:
    """Return a piece of sixty seconds or more."""
    return random_chorale(1, steps=320)


def test_what_the_playhead_needs_is_made_first(piece: Chorale) -> None:
    cache = _cache(piece)
    assert not cache.is_ready(3 * LENGTH, 100)

    assert cache.render_next(3 * LENGTH + 50, None)

    assert cache.is_ready(3 * LENGTH, LENGTH)
    assert not cache.is_ready(3 * LENGTH, LENGTH + 1)
    assert [cache.render_next(3 * LENGTH, None) for _ in range(6)] == [True] * 4 + [False] * 2


def test_what_a_loop_comes_back_to_is_made_but_nothing_after_the_end(piece: Chorale) -> None:
    cache = _cache(piece)
    while cache.render_next(20 * LENGTH, (100, 20 * LENGTH + 10)):
        pass
    assert cache.is_ready(100, LENGTH)

    cache = _cache(piece)
    while cache.render_next(cache.frames - 1, None):
        pass
    assert cache.is_ready(cache.frames - 1, 10_000)
    assert cache.is_ready(cache.frames, 10_000)


def test_what_is_read_is_what_the_synthesizer_makes(piece: Chorale) -> None:
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


class Constant(RenderCache):
    def __init__(self, value: float) -> None:
        self.value = value

    def read(self, position: int, frames: int) -> Samples:
        assert position >= 0
        return np.full((3, 4, frames), self.value, dtype=np.float32)


def _steepest(sound: Samples) -> float:
    return float(np.abs(np.diff(sound, axis=-1)).max())


def test_a_start_a_pause_and_an_exchange_fade() -> None:
    reader, one, other = StemReader(), Constant(1.0), Constant(-1.0)
    parts_read = [
        reader.read(one, 0, 3000),
        reader.read(None, 3000, 3000),
        reader.read(one, 3000, 3000),
        reader.read(other, 6000, 3000),
    ]

    sound = np.concatenate(parts_read, axis=-1)

    assert _steepest(sound) < 2 * 2 / FADE
    assert [sound[0, 0, at] for at in (2999, 5999, 8999, 11_999)] == [1, 0, 1, -1]


def test_a_source_that_has_faded_out_is_no_longer_held() -> None:
    reader, first = StemReader(), Constant(1.0)
    known = ref(first)
    reader.read(first, 0, 2 * FADE)
    del first

    reader.read(None, 0, FADE - 1)
    assert known() is not None  # its fade has not ended
    reader.read(None, 0, 1)
    assert known() is None


def _muted() -> Mix:
    return Mix(strips=(Strip(mute=True),) * 4)


def test_gains_slide_and_arrive_exactly() -> None:
    usual, nothing = gains(Mix()), gains(_muted())
    mixer, stems = Mixer(usual), Constant(1.0).read(0, 4800)
    before = mixer.mix(stems, usual)

    after = mixer.mix(stems, nothing)

    assert _steepest(np.concatenate([before, after]).T) < 0.001
    assert not after[-1].any()
    assert not mixer.mix(stems, nothing).any()
