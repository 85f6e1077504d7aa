"""The metronome: its settings, and clicks at exact frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from musicrel.chorale import MAX_STEPS, REST, Chorale, Meter
from musicrel.errors import UsageError
from musicrel.score.audio import metronome
from musicrel.score.audio.metronome import NO_CLICKS, ClickReader, Clicks, Metronome
from musicrel.score.performance import Style, TempoMap

RATE = 48_000


def _rests(steps: int, **fields: Any) -> Chorale:
    return Chorale.of(np.full((steps, 4), REST), **fields)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"level": 3.0}, r"the level of the metronome is 3\.0: expected 0 to 2"),
        ({"count_in": "often"}, "count-in is 'often': expected never, start, always"),
    ],
)
def test_other_settings_are_refused(values: dict[str, Any], sentence: str) -> None:
    """In one sentence."""
    with pytest.raises(UsageError, match=sentence):
        Metronome(**values)


def test_the_size_of_the_blocks_changes_nothing() -> None:
    """A click that is cut by a block continues in the next one."""
    clicks = metronome.steady(Meter(3, 4), 97, 48, RATE)
    whole, parts = ClickReader(RATE), ClickReader(RATE)
    sizes = (1, 7, 480, 2880, 40_000)

    found, position = [], 0
    for size in sizes:
        found.append(parts.read(clicks, position, size))
        position += size

    assert np.array_equal(np.concatenate(found), whole.read(clicks, 0, sum(sizes)))


def test_a_click_that_has_begun_ends_without_more_clicks() -> None:
    """It fades out, and leaves silence."""
    reader = ClickReader(RATE)
    first = reader.read(Clicks((0,), (0,), 100), 0, 100)
    rest = reader.read(NO_CLICKS, 100, 4_800)

    assert np.abs(first).max() > 0.3
    assert np.abs(rest[:1_000]).max() > 0.05
    assert np.abs(rest[2_290:2_300]).max() < 0.0005
    assert not rest[2_300:].any()


@pytest.mark.parametrize("tempo", [53.0, 80.0, 97.3, 144.0])
def test_no_rounding_adds_up(tempo: float) -> None:
    """In the longest piece every click is at the frame of its step."""
    piece = _rests(MAX_STEPS, tempo=tempo)
    style = Style(tempo_factor=0.9, fermata_stretch=1.0)

    clicks = metronome.of_piece(piece, style, TempoMap.of(piece, style), RATE)

    exact = np.arange(0, MAX_STEPS, 4) * 60 / (tempo * 0.9) / 4 * RATE
    assert np.abs(np.array(clicks.starts) - exact).max() <= 0.51


def test_a_playhead_beside_a_bar_line_by_a_rounding_error_stands_at_it() -> None:
    """It is counted in by one bar, not by two."""
    piece, style = _rests(64), Style()
    bar = 16 * 60 / 80 / 4 * RATE

    lengths = [metronome.count_in(piece, style, step, RATE).frames for step in (15.9999, 16.0001)]

    assert lengths == [bar, bar]
