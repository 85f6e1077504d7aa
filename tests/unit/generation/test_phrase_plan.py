"""Phrase plans drawn from the training chorales."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from musicrel.analysis import cadences
from musicrel.chorale import Meter
from musicrel.generation import phrase_plan
from musicrel.generation.request import GenerationRequest, max_bars

METERS = [Meter(4, 4), Meter(3, 4), Meter(6, 8), Meter(2, 4), Meter(3, 2), Meter(1, 16)]
COMMON, TRIPLE = METERS[:2]


def draw(bars: int, meter: Meter, seed: int) -> tuple[tuple[int, ...], int]:
    """Draw phrases and pickup."""
    return phrase_plan.resolved(None, None, bars=bars, meter=meter, seed=seed)


@pytest.mark.parametrize("meter", METERS, ids=str)
def test_phrases_sum_to_the_bars(meter: Meter) -> None:
    """In every meter and at every length a request accepts the plan."""
    for bars in [*range(1, 20), max_bars(meter)]:
        for seed in range(5):
            phrases, pickup = draw(bars, meter, seed)
            request = GenerationRequest(bars=bars, meter=meter, pickup=pickup, phrases=phrases)
            assert sum(request.phrases) == bars
            assert len(phrase_plan.draw_cadences(len(phrases), seed)) == len(phrases)


def test_the_same_seed_gives_the_same_plan() -> None:
    """Other seeds give other ones."""
    plans = [draw(16, COMMON, seed) for seed in range(20)]
    assert plans == [draw(16, COMMON, seed) for seed in range(20)]
    assert len(set(plans)) > 5


def test_most_pieces_in_common_time_have_phrases_of_two_bars() -> None:
    """And a pickup of a quarter, as three in four training chorales have."""
    plans = [draw(12, COMMON, seed) for seed in range(200)]
    lengths = Counter(bars for phrases, _ in plans for bars in phrases)
    pickups = Counter(pickup for _, pickup in plans)
    assert lengths[2] > 0.7 * lengths.total()
    assert 0.6 < pickups[4] / len(plans) < 0.85


def test_most_pieces_in_triple_time_have_phrases_of_four_bars() -> None:
    """And more often no pickup than one."""
    plans = [draw(16, TRIPLE, seed) for seed in range(200)]
    lengths = Counter(bars for phrases, _ in plans for bars in phrases)
    pickups = Counter(pickup for _, pickup in plans)
    assert lengths[4] > 0.7 * lengths.total()
    assert pickups[0] > pickups[4] > 0


def test_a_meter_without_statistics_has_no_pickup() -> None:
    """Its phrases are those of the meter with bars like its own."""
    assert phrase_plan.draw_pickup(Meter(6, 8), 0) == 0
    assert phrase_plan.draw_phrases(16, Meter(6, 8), 3) == phrase_plan.draw_phrases(16, TRIPLE, 3)


def test_a_bar_that_no_phrase_fits_is_one_phrase() -> None:
    """No training chorale in triple time has a phrase of one bar."""
    assert phrase_plan.draw_phrases(1, TRIPLE, 0) == (1,)


def test_most_pieces_end_with_an_authentic_cadence() -> None:
    """Phrases within pieces end otherwise more often."""
    drawn = [phrase_plan.draw_cadences(6, seed) for seed in range(200)]
    inner = Counter(kind for kinds in drawn for kind in kinds[:-1])
    final = Counter(kinds[-1] for kinds in drawn)
    assert set(inner) <= {"", *cadences.KINDS}
    assert final["authentic"] / final.total() > 0.75 > inner["authentic"] / inner.total()
    assert phrase_plan.draw_cadences(0, 1) == ()


def test_what_is_given_is_not_drawn() -> None:
    """Without phrases there is no pickup to draw."""
    resolved = partial(phrase_plan.resolved, bars=4, meter=COMMON, seed=1)
    assert resolved((2, 2), 8) == ((2, 2), 8)
    assert resolved((), None) == ((), 0)
    assert resolved(None, 0)[1] == 0
