"""Phrase plans drawn from the training chorales."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from musicrel.analysis import cadences
from musicrel.chorale import Meter, spans
from musicrel.corpus import bundled
from musicrel.generation import fermatas, phrase_plan
from musicrel.generation.drawn_phrases import phrase_fields
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase
from musicrel.generation.request import GenerationRequest, max_bars

METERS = [Meter(4, 4), Meter(3, 4), Meter(6, 8), Meter(2, 4), Meter(3, 2), Meter(1, 16)]
COMMON, TRIPLE = METERS[:2]


def draw(bars: int, meter: Meter, seed: int) -> tuple[tuple[PlannedPhrase, ...], int]:
    """Draw phrases and pickup."""
    return phrase_plan.resolved(None, None, bars=bars, meter=meter, seed=seed)


def fermatas_of(meter: Meter, seeds: int) -> list[tuple[int, int]]:
    """Return beat, 0 on a bar line, and quarters of the fermatas of pieces of 8 to 20 bars."""
    found = []
    for seed in range(seeds):
        bars = 8 + seed % 13
        phrases, pickup = draw(bars, meter, seed)
        for first, stop in fermatas.at_ends(phrases, meter, pickup, bars * meter.steps):
            found.append(((first - pickup) % meter.steps // 4, (stop - first) // 4))
    return found


def in_bach(meter: Meter) -> list[tuple[int, int]]:
    """Return the same of the training chorales."""
    return [
        ((first - chorale.pickup) % meter.steps // 4, (stop - first) // 4)
        for chorale in bundled.load("train")
        if chorale.meter == meter
        for first, stop in spans(chorale.fermatas)
    ]


@pytest.mark.parametrize(("meter", "points"), [(COMMON, 0.05), (TRIPLE, 0.1)], ids=str)
@pytest.mark.parametrize("part", [0, 1], ids=["beat", "length"])
def test_fermatas_stand_where_bach_has_them(meter: Meter, points: float, part: int) -> None:
    """And are as long; only 26 training chorales are in triple time."""
    drawn, bach = (
        Counter(fermata[part] for fermata in found)
        for found in (fermatas_of(meter, 300), in_bach(meter))
    )
    for value in bach.keys() | drawn.keys():
        share = bach[value] / bach.total()
        assert drawn[value] / drawn.total() == pytest.approx(share, abs=points)


@pytest.mark.parametrize("meter", METERS, ids=str)
def test_phrases_sum_to_the_bars(meter: Meter) -> None:
    """In every meter and at every length a request accepts the plan."""
    for bars in [*range(1, 20), max_bars(meter)]:
        for seed in range(5):
            phrases, pickup = draw(bars, meter, seed)
            fields = phrase_fields(phrases, meter, pickup)
            GenerationRequest(bars=bars, meter=meter, pickup=pickup, **fields)
            assert sum(phrase.bars for phrase in phrases) == bars
            assert len(phrase_plan.draw_cadences(len(phrases), seed)) == len(phrases)


def test_the_same_seed_gives_the_same_plan() -> None:
    """Other seeds give other ones."""
    plans = [draw(16, COMMON, seed) for seed in range(20)]
    assert plans == [draw(16, COMMON, seed) for seed in range(20)]
    assert len(set(plans)) > 5


def test_most_pieces_in_common_time_have_phrases_of_two_bars() -> None:
    """And a pickup of a quarter, as three in four training chorales have."""
    plans = [draw(12, COMMON, seed) for seed in range(200)]
    lengths = Counter(phrase.bars for phrases, _ in plans for phrase in phrases)
    pickups = Counter(pickup for _, pickup in plans)
    assert lengths[2] > 0.6 * lengths.total()
    assert lengths[2.5] > 0
    assert 0.6 < pickups[4] / len(plans) < 0.85


def test_most_pieces_in_triple_time_have_phrases_of_four_bars() -> None:
    """And more often no pickup than one."""
    plans = [draw(16, TRIPLE, seed) for seed in range(200)]
    lengths = Counter(phrase.bars for phrases, _ in plans for phrase in phrases)
    pickups = Counter(pickup for _, pickup in plans)
    assert lengths[4] > 0.7 * lengths.total()
    assert pickups[0] > pickups[4] > 0


def test_a_meter_without_statistics_has_no_pickup() -> None:
    """Its phrases have the lengths of the meter with bars like its own, and no drawn fermatas."""
    assert phrase_plan.draw_pickup(Meter(6, 8), 0) == 0
    lengths = [phrase.bars for phrase in phrase_plan.draw_phrases(16, TRIPLE, 0, 3)]
    expected = tuple(map(PlannedPhrase, lengths))
    assert phrase_plan.draw_phrases(16, Meter(6, 8), 0, 3) == expected


def test_a_bar_that_no_phrase_fits_is_one_phrase() -> None:
    """No training chorale in triple time has a phrase of one bar."""
    (phrase,) = phrase_plan.draw_phrases(1, TRIPLE, 0, 0)
    assert phrase.bars == 1


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
    given = (PlannedPhrase(2), PlannedPhrase(2))
    assert resolved(given, 8) == (given, 8)
    assert resolved((), None) == ((), 0)
    assert resolved(None, 0)[1] == 0


def test_a_plan_is_drawn_once_for_a_form() -> None:
    """The form, the roll and the request ask for the same one."""
    drawn = phrase_plan.draw_phrases(16, Meter(4, 4), 4, 7)
    assert phrase_plan.draw_phrases(16, Meter(4, 4), 4, 7) is drawn
    assert phrase_plan.draw_phrases(16, Meter(4, 4), 4, 8) != drawn
