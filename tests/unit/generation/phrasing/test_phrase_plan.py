"""Phrase plans drawn from the training chorales, and the statistics they are drawn by."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from musicrel.analysis.corpus import bundled
from musicrel.chorale import Meter, spans
from musicrel.errors import UsageError
from musicrel.generation.phrasing import phrase_ends, phrase_plan, planned_phrase
from musicrel.generation.phrasing.phrase_plan import COMMON, TRIPLE, PhraseChain, State
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase
from musicrel.generation.request import GenerationRequest, max_bars

METERS = [COMMON, TRIPLE, Meter(6, 8), Meter(2, 4), Meter(3, 2), Meter(1, 16)]


def draw(bars: int, meter: Meter, seed: int) -> tuple[tuple[PlannedPhrase, ...], int]:
    pickup = phrase_plan.draw_pickup(meter, seed)
    return phrase_plan.draw_phrases(bars, meter, pickup, seed), pickup


def fermatas_of(meter: Meter, seeds: int) -> list[tuple[int, int]]:
    """Return beat, 0 on a bar line, and quarters of the fermatas of pieces of 8 to 20 bars."""
    found = []
    for seed in range(seeds):
        bars = 8 + seed % 13
        phrases, pickup = draw(bars, meter, seed)
        for first, stop in planned_phrase.at_ends(phrases, meter, pickup, bars * meter.steps):
            found.append(((first - pickup) % meter.steps // 4, (stop - first) // 4))
    return found


def in_bach(meter: Meter) -> list[tuple[int, int]]:
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
    for bars in [*range(1, 20), max_bars(meter)]:
        for seed in range(5):
            phrases, pickup = draw(bars, meter, seed)
            GenerationRequest(bars=bars, meter=meter, pickup=pickup, phrases=phrases)
            assert sum(phrase.bars for phrase in phrases) == bars
            assert len(phrase_ends.draw_cadences(len(phrases), seed)) == len(phrases)


def test_the_same_seed_gives_the_same_plan_drawn_once_for_a_form() -> None:
    plans = [draw(16, COMMON, seed) for seed in range(20)]
    assert plans == [draw(16, COMMON, seed) for seed in range(20)]
    assert len(set(plans)) > 5

    drawn = phrase_plan.draw_phrases(16, Meter(4, 4), 4, 7)
    assert phrase_plan.draw_phrases(16, Meter(4, 4), 4, 7) is drawn
    assert phrase_plan.draw_phrases(16, Meter(4, 4), 4, 8) != drawn


def test_most_pieces_have_phrases_of_two_bars_in_common_time_and_of_four_in_triple() -> None:
    plans = [draw(12, COMMON, seed) for seed in range(200)]
    lengths = Counter(phrase.bars for phrases, _ in plans for phrase in phrases)
    pickups = Counter(pickup for _, pickup in plans)
    assert lengths[2] > 0.6 * lengths.total()
    assert lengths[2.5] > 0
    assert 0.6 < pickups[4] / len(plans) < 0.85

    plans = [draw(16, TRIPLE, seed) for seed in range(200)]
    lengths = Counter(phrase.bars for phrases, _ in plans for phrase in phrases)
    pickups = Counter(pickup for _, pickup in plans)
    assert lengths[4] > 0.7 * lengths.total()
    assert pickups[0] > pickups[4] > 0


def test_a_meter_without_statistics_has_no_pickup() -> None:
    assert phrase_plan.draw_pickup(Meter(6, 8), 0) == 0
    lengths = [phrase.bars for phrase in phrase_plan.draw_phrases(16, TRIPLE, 0, 3)]
    expected = tuple(map(PlannedPhrase, lengths))
    assert phrase_plan.draw_phrases(16, Meter(6, 8), 0, 3) == expected


CONDITIONS = ("voice", "beat", "bar", "fermata", "key")


REQUEST = GenerationRequest(bars=8, phrases=None, pickup=None, seed=4)


def test_phrases_and_pickup_are_those_of_the_seed() -> None:
    """Everything else stays."""
    for seed in range(4):
        request = replace(REQUEST, seed=seed)
        pickup = phrase_plan.draw_pickup(request.meter, seed)
        phrases = phrase_plan.draw_phrases(8, request.meter, pickup, seed)
        assert request.resolved(CONDITIONS) == replace(request, pickup=pickup, phrases=phrases)


def test_whole_bars_are_stored_as_phrases_and_others_as_fermatas() -> None:
    whole = replace(REQUEST, phrases=(PlannedPhrase(2.0), PlannedPhrase(6)), pickup=4)
    assert whole.phrases == (2, 6)
    assert (whole.to_json()["phrases"], whole.to_json()["fermatas"]) == ([2, 6], [])
    parts = replace(whole, phrases=(PlannedPhrase(2.5), PlannedPhrase(5.5, 3)))
    stored = parts.to_json()
    assert (stored["phrases"], stored["fermatas"]) == ([], [[36, 40], [116, 128]])
    assert GenerationRequest.from_json(stored).plan() == parts.plan()


def test_only_what_is_open_and_read_by_the_model_is_drawn() -> None:
    given = replace(REQUEST, phrases=(4, 4), pickup=8)
    assert given.resolved(CONDITIONS) == given
    assert replace(given, pickup=None).resolved(CONDITIONS).phrases == (4, 4)
    assert replace(REQUEST, pickup=8).resolved(CONDITIONS).pickup == 8

    nothing = replace(REQUEST, phrases=(), pickup=0)
    assert REQUEST.resolved(("voice", "beat", "bar")) == nothing
    without_bars = REQUEST.resolved(("voice", "beat", "fermata"))
    assert without_bars.phrases
    assert without_bars.pickup == 0

    given = replace(REQUEST, fermatas=((24, 32),))
    assert given.resolved(CONDITIONS) == replace(given, phrases=(), pickup=0)


def test_cadences_one_by_one_need_known_phrases() -> None:
    replace(REQUEST, cadence="half")
    with pytest.raises(UsageError, match="2 cadences, but the phrases are drawn: give the phrases"):
        replace(REQUEST, cadence="half,authentic")


def test_fermatas_depend_on_where_they_end() -> None:
    within = phrase_plan.holds(COMMON, 12, is_last=False)
    final = phrase_plan.holds(COMMON, 12, is_last=True)
    assert {1, 3} == {*within} == {*final}
    assert within[1] > 4 * within[3]
    assert final[1] < 2 * final[3]


def test_chorales_without_pickup_have_lengths_of_their_own() -> None:
    shares = {
        pickup: phrase_plan.chain(COMMON, pickup, 4).shares[State(0, 0)].get(10, 0.0)
        for pickup in (0, 4)
    }
    assert shares[0] > 0.1 > shares[4]


PIECES = [[2, 2, 4], [2, 2, 4], [3, 1, 4], [4, 4]]


def naive_share(pieces: list[list[int]], lengths: tuple[int, ...], parts: int) -> float:
    paths = [(0, *piece, 0) for piece in pieces]
    counts, at = Counter[tuple[int, int, int]](), Counter[tuple[int, int]]()
    for path in paths:
        for n in range(1, len(path)):
            place = sum(path[:n]) % parts
            counts[path[n - 1], place, path[n]] += 1
            at[place, path[n]] += 1
    share, path = 1.0, (0, *lengths, 0)
    for n in range(1, len(path)):
        before, place, length = path[n - 1], sum(path[:n]) % parts, path[n]
        usual = sum(count for (where, _), count in at.items() if where == place)
        known = sum(c for (was, where, _), c in counts.items() if (was, where) == (before, place))
        smooth = 2 * at[place, length] / usual
        share *= (counts[before, place, length] + smooth) / (known + 2)
    return share


@pytest.mark.parametrize("parts", [1, 2])
def test_pieces_are_drawn_with_the_probability_of_their_sum(parts: int) -> None:
    """Shares of 4,000 draws agree with the formula over all pieces of that length."""
    chain, generator = PhraseChain.of(PIECES, parts), np.random.default_rng(1)
    drawn = Counter(chain.draw(8, generator) for _ in range(4000))
    possible = [
        lengths
        for number in range(1, 9)
        for lengths in product((1, 2, 3, 4), repeat=number)
        if sum(lengths) == 8
    ]
    shares = np.array([naive_share(PIECES, lengths, parts) for lengths in possible])
    found = np.array([drawn[lengths] / 4000 for lengths in possible])
    np.testing.assert_allclose(found, shares / shares.sum(), atol=0.03)


def test_a_sum_that_no_phrases_fit_is_one_phrase() -> None:
    chain = PhraseChain.of([[2, 2], [4]], 1)
    assert chain.draw(7, np.random.default_rng(0)) == (7,)
    assert PhraseChain.of([[4]], 1).draw(2, np.random.default_rng(0)) == (2,)


def test_pieces_are_as_long_as_bach_s_in_both_meters() -> None:
    for meter, points in ((COMMON, 0.6), (TRIPLE, 2.0)):
        lengths = [
            min(-(-chorale.steps // meter.steps), 32)
            for chorale in bundled.load("train")
            if chorale.meter == meter
        ]
        drawn = []
        for seed in range(600):
            pickup = phrase_plan.draw_pickup(meter, seed)
            drawn.append(phrase_plan.draw_bars(meter, pickup, seed, 256))
        assert np.mean(drawn) == pytest.approx(np.mean(lengths), abs=points)
        assert max(drawn) <= 32
    assert phrase_plan.draw_bars(COMMON, 4, 0, 3) == 3


def test_bar_form_and_other_endings_are_as_frequent_as_in_bach() -> None:
    forms = Counter(map(phrase_plan.draw_form, range(1000)))
    assert forms["aab"] / 1000 == pytest.approx(0.37, abs=0.04)
    others = [phrase_plan.draw_other_ending(seed) for seed in range(1000)]
    assert np.mean(others) == pytest.approx(0.15, abs=0.04)


@pytest.mark.parametrize("meter", METERS, ids=str)
def test_the_phrases_of_a_stollen_come_twice(meter: Meter) -> None:
    for seed in range(30):
        bars, pickup = 16 + seed % 3, phrase_plan.draw_pickup(meter, seed)
        stollen = phrase_plan.draw_stollen(meter, seed, (bars - 1) // 2)
        phrases = phrase_plan.draw_phrases(bars, meter, pickup, seed, stollen)
        assert sum(phrase.bars for phrase in phrases) == bars
        ends = tuple(planned_phrase.at_ends(phrases, meter, pickup, bars * meter.steps))
        found = phrase_plan.stollen_steps(ends, meter, bars * meter.steps)
        again = tuple((first + found, stop + found) for first, stop in ends if stop <= found)
        assert found % meter.steps == 0
        assert 0 < 2 * found < bars * meter.steps
        assert ends[len(again) : 2 * len(again)] == again


@pytest.mark.parametrize(
    ("phrases", "bars"),
    [
        ((2, 2, 2, 2, 4), 4),  # two phrases rather than one
        ((2, 2, 4), 2),
        ((2, 1, 3, 2, 1, 3, 1), 6),
        ((1, 1, 1, 3, 1, 1, 1, 3, 2), 6),  # four phrases rather than one
        ((2, 2), 0),  # nothing follows
        ((2, 3, 2, 2), 0),
        ((2.5, 2.5, 3), 0),  # the repeat would stand on other beats
    ],
)
def test_a_stollen_is_whole_bars_of_phrases_that_come_twice_before_others(
    phrases: tuple[float, ...], bars: int
) -> None:
    steps = round(sum(phrases) * 16)
    ends = tuple(planned_phrase.at_ends(map(PlannedPhrase, phrases), COMMON, 0, steps))
    assert phrase_plan.stollen_steps(ends, COMMON, steps) == bars * 16
