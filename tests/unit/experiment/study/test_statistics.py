"""Tests of paired differences and their confidence interval."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel import language
from musicrel.errors import DataError
from musicrel.experiment.study import statistics
from musicrel.experiment.study.statistics import Comparison, compare

NOTES = np.array([100.0, 300.0, 200.0])
FIRST = np.array([[50.0, 160.0, 110.0], [52.0, 158.0, 108.0]])
SECOND = np.array([[48.0, 150.0, 108.0], [49.0, 155.0, 104.0]])


def normal_study(
    seed: int, *, seeds: int = 3, pieces: int = 77, truth: float = 0.02
) -> tuple[statistics.Array, statistics.Array]:
    rng = np.random.default_rng(seed)
    notes = rng.integers(300, 1600, pieces).astype(np.float64)
    apart = rng.normal(0, 0.04, pieces) + rng.normal(0, 0.02, (seeds, pieces))
    of_seed = rng.normal(0, 0.005, (seeds, 1)) if seeds > 1 else 0.0
    return (truth + apart + of_seed) * notes, notes


def test_the_difference_is_that_of_the_reported_losses() -> None:
    """Nats/note over all notes of all pieces, mean over seeds, against a plain loop."""
    found = compare("a", "b", FIRST, SECOND, NOTES)

    losses = [sum(sum(row) / 600 for row in arm) / 2 for arm in (FIRST.tolist(), SECOND.tolist())]
    assert found.difference == pytest.approx(losses[0] - losses[1])
    assert found.low < found.difference < found.high
    assert (found.pieces, found.seeds) == (3, 2)


def test_swapping_the_arms_changes_the_sign_only() -> None:
    one, other = compare("a", "b", FIRST, SECOND, NOTES), compare("b", "a", SECOND, FIRST, NOTES)

    assert one.difference == pytest.approx(-other.difference)
    assert one.low == pytest.approx(-other.high)
    assert one.high == pytest.approx(-other.low)


def test_pairs_of_a_study_have_the_same_draws() -> None:
    gain, notes = normal_study(0)
    zero = np.zeros_like(gain)
    for factor in (1.0, 3.0):
        found = compare("a", "b", factor * gain, zero, notes)
        alone = statistics.replicates(factor * gain, notes, np.random.default_rng(0))
        ends = np.quantile(alone, [0.025, 0.975])
        assert (found.low, found.high) == pytest.approx(tuple(ends), rel=1e-12)


def test_replicates_are_those_of_a_loop() -> None:
    gain = FIRST - SECOND
    found = statistics.replicates(gain, NOTES, np.random.default_rng(5), 40)

    rng = np.random.default_rng(5)
    pieces = rng.multinomial(3, [1 / 3] * 3, size=40)
    seeds = rng.multinomial(2, [1 / 2] * 2, size=40)
    widening = math.sqrt(2) * 12.706205 / 1.959964
    for replicate in range(40):
        gains, notes = 0.0, 0.0
        for piece in range(3):
            mean = (gain[0, piece] + gain[1, piece]) / 2
            for _ in range(pieces[replicate, piece]):
                notes += NOTES[piece]
                gains += mean
                for seed in range(2):
                    share = seeds[replicate, seed] / 2
                    gains += widening * share * (gain[seed, piece] - mean)
        assert found[replicate] == pytest.approx(gains / notes)


def test_with_one_seed_the_interval_is_that_of_a_plain_bootstrap() -> None:
    gain, notes = normal_study(3, seeds=1)
    rng = np.random.default_rng(9)
    naive = []
    for _ in range(4000):
        drawn = rng.integers(77, size=77)
        naive.append(gain[0][drawn].sum() / notes[drawn].sum())

    found = compare("a", "b", gain, np.zeros_like(gain), notes)

    assert found.low == pytest.approx(np.quantile(naive, 0.025), abs=7e-4)
    assert found.high == pytest.approx(np.quantile(naive, 0.975), abs=7e-4)


@pytest.mark.parametrize("seeds", [1, 2, 3, 5])
def test_the_interval_covers_the_true_difference_at_its_level(seeds: int) -> None:
    """In at least 90 % of 150 simulated studies; the level is 95 %, few seeds give more."""
    held = 0
    for study in range(150):
        gain, notes = normal_study(study, seeds=seeds)
        drawn = statistics.replicates(gain, notes, np.random.default_rng(study), 600)
        low, high = np.quantile(drawn, [0.025, 0.975])
        held += low <= 0.02 <= high

    assert held >= 0.9 * 150


def test_the_needed_pieces_meet_the_width_of_the_interval() -> None:
    gain = np.array([[1.0, -1.0] * 50] * 2) * 0.04 + np.array([[0.0003], [-0.0003]])

    needed = statistics.pieces_needed(gain, np.ones(100))

    assert needed is not None
    from_pieces, from_seeds = 100 / 99 * 0.04**2 / needed, 0.0003**2
    half_width = math.sqrt(1.96**2 * from_pieces + 12.7062**2 * from_seeds)
    power = 0.8416 * math.sqrt(from_pieces + from_seeds)
    assert half_width + power == pytest.approx(0.01, rel=0.01)


def test_no_number_of_pieces_outweighs_seeds_that_differ_too_much() -> None:
    """The sentence asks for both, since 77 pieces are too few as well."""
    gain, notes = normal_study(1, seeds=3)
    gain = gain + np.array([[-0.1], [0.0], [0.1]]) * notes

    found = compare("a", "b", gain, np.zeros_like(gain), notes)

    assert found.pieces_needed is None
    assert found.seeds_needed is None
    assert found.sentence.endswith("would take more seeds and more pieces")


@pytest.mark.parametrize(("apart", "pieces"), [(0.002, 400), (0.01, 400), (0.05, 800)])
def test_the_needed_seeds_are_those_of_a_plain_search(apart: float, pieces: int) -> None:
    """Formula with two sources of variance in float64, Student's quantile from the table."""
    rng = np.random.default_rng(4)
    notes = rng.integers(300, 1600, pieces).astype(np.float64)
    gain = (rng.normal(0, 0.04, pieces) + rng.normal(0, apart, (4, 1))) * notes

    total = notes.sum()
    per_seed = [row.sum() / total for row in gain]
    mean = sum(per_seed) / 4
    of_seed = sum((one - mean) ** 2 for one in per_seed) / 3
    rest = [gain[:, p].mean() - mean * notes[p] for p in range(pieces)]
    of_pieces = pieces / (pieces - 1) * sum(one**2 for one in rest) / total**2
    naive = 2
    while True:
        student = statistics._STUDENT[min(naive - 2, 29)]
        wide = math.sqrt(1.959964**2 * of_pieces + student**2 * of_seed / naive)
        if wide + 0.841621 * math.sqrt(of_pieces + of_seed / naive) <= 0.01:
            break
        naive += 1

    assert statistics.seeds_needed(gain, notes) == naive


@pytest.mark.parametrize(("seeds", "pieces"), [(1, None), (10, None), (None, 400)])
def test_the_needed_numbers_detect_the_smallest_effect_in_four_of_five_studies(
    seeds: int | None, pieces: int | None
) -> None:
    """About 80 % of a hundred simulated studies are significant, or a little more."""
    found = normal_study(1, seeds=seeds or 8, pieces=pieces or 400)
    seeds = seeds or statistics.seeds_needed(*found)
    pieces = pieces or statistics.pieces_needed(*found)
    assert seeds
    assert pieces

    shown = 0
    for study in range(100):
        gain, notes = normal_study(study, seeds=seeds, pieces=pieces, truth=0.01)
        drawn = statistics.replicates(gain, notes, np.random.default_rng(study), 600)
        shown += bool(np.quantile(drawn, 0.025) > 0)
    assert 65 <= shown <= 95


def test_few_pieces_cannot_be_outweighed_by_seeds() -> None:
    gain, notes = normal_study(2, seeds=3, pieces=20)
    one, many = (
        compare("a", "b", gain[:1], gain[:1] * 0, notes),
        statistics.seeds_needed(gain, notes),
    )

    assert many is None
    assert one.seeds_needed is None
    assert "would take about" in replace(one, seeds=2, low=-1.0).sentence


@pytest.mark.parametrize(("seeds", "student"), [(2, 12.7062), (3, 4.30265), (5, 2.77645)])
def test_the_interval_of_a_mean_is_that_of_student(seeds: int, student: float) -> None:
    """Against the formula in plain float64."""
    values = np.random.default_rng(seeds).normal(2.0, 0.1, (seeds, 4))
    found = statistics.mean_half_width(values)

    for place in range(4):
        column = values[:, place].tolist()
        mean = sum(column) / seeds
        variance = sum((value - mean) ** 2 for value in column) / (seeds - 1)
        assert found[place] == pytest.approx(student * math.sqrt(variance / seeds), rel=1e-5)


SHOWN = Comparison(
    first="vanilla", second="relative", difference=0.0212, low=0.0123, high=0.0301, pieces=77,
    seeds=3, pieces_needed=50, bootstrap_seed=0,
)  # fmt: skip


OPEN = replace(SHOWN, difference=0.004, low=-0.003, high=0.011, pieces_needed=1234)


def test_a_verdict_is_translated_but_not_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    german = {"seeds": "Startwerte"}
    monkeypatch.setattr(language, "_installed", [(lambda text, _: german.get(text, ""), True)])
    assert "+0,004 nats/note" in OPEN.sentence
    assert "3 Startwerte" in OPEN.sentence
    with language.english():
        assert "+0.004 nats/note" in OPEN.sentence
        assert "3 seeds" in OPEN.sentence


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            SHOWN,
            (
                "relative is better than vanilla: mean difference 0.021 nats/note, 95 % confidence "
                "interval 0.012 to 0.030 (77 pieces, 3 seeds)"
            ),
        ),
        (
            replace(SHOWN, difference=-0.0212, low=-0.0301, high=-0.0123, reading="read whole"),
            (
                "vanilla is better than relative: mean difference 0.021 nats/note, 95 % confidence "
                "interval 0.012 to 0.030 (77 pieces read whole, 3 seeds)"
            ),
        ),
        (
            replace(OPEN, caveat="the loss of 1 of 6 runs rises"),
            (
                "no significant difference between vanilla and relative: mean difference "
                "+0.004 nats/note, 95 % confidence interval -0.003 to +0.011 (77 pieces, "
                "3 seeds); detecting 0.01 nats/note would take about 1,234 pieces; the "
                "loss of 1 of 6 runs rises"
            ),
        ),
        (
            replace(SHOWN, difference=-0.000212, low=-0.000301, high=-0.000123),
            (
                "the difference between vanilla and relative is negligible: mean "
                "difference -0.00021 nats/note, 95 % confidence interval -0.00030 to "
                "-0.00012 (77 pieces, 3 seeds)"
            ),
        ),
    ],
    ids=["better", "worse", "open", "negligible"],
)
def test_a_verdict_is_a_sentence(found: Comparison, sentence: str) -> None:
    assert found.sentence == sentence


@pytest.mark.parametrize(
    ("seeds", "remedy"), [(9, "would take about 6 more seeds"), (2, "would take no more seeds")]
)
def test_more_seeds_are_proposed_where_they_suffice(seeds: int, remedy: str) -> None:
    assert replace(OPEN, seeds_needed=seeds).sentence.endswith(remedy)


@pytest.mark.parametrize(
    ("lacks", "missing"),
    [
        ({"seeds": 1}, "only 1 seed; at least 2 are needed"),
        ({"undertrained": ("the loss falls",)}, "the loss falls"),
        (
            {"seeds": 1, "undertrained": ("the loss falls",)},
            "only 1 seed; at least 2 are needed; the loss falls",
        ),
    ],
)
@pytest.mark.parametrize(
    ("difference", "low", "high"),
    [(0.0212, 0.0123, 0.0301), (-0.0212, -0.0301, -0.0123), (0.004, -0.003, 0.011),
     (0.0001, 0.00005, 0.0002)],
    ids=["better", "worse", "open", "negligible"],
)  # fmt: skip
def test_one_seed_or_a_loss_that_still_falls_is_not_enough_for_a_verdict(
    lacks: dict[str, Any], missing: str, difference: float, low: float, high: float
) -> None:
    digits = 5 if abs(difference) < 0.0005 else 3
    found = replace(SHOWN, difference=difference, low=low, high=high, next_step="more", **lacks)

    assert found.better is None
    head, figures = found.sentence.split(" This run only: ")
    assert head == (
        f"Not enough to say which of vanilla and relative is better: {missing}. Next: more."
    )
    assert figures.startswith(
        f"vanilla minus relative {difference:+.{digits}f} nats/note, 95 % confidence interval "
        f"{low:+.{digits}f} to {high:+.{digits}f} (77 pieces, "
    )


@pytest.mark.parametrize(
    ("lacks", "reason"),
    [
        ({"seeds": 1}, "Too few seeds (1)"),
        ({"undertrained": ("the loss falls",)}, "Too short"),
        ({"seeds": 1, "undertrained": ("the loss falls",)}, "Too short and too few seeds (1)"),
    ],
)
def test_runs_that_decide_nothing_work_and_name_what_to_run(
    lacks: dict[str, Any], reason: str
) -> None:
    found = replace(SHOWN, next_step="more", **lacks)
    expected = f"The study works. {reason} to say which is better; run more to find out"
    assert statistics.advice([SHOWN, found]) == expected
    assert statistics.advice([SHOWN]) == ""


def test_with_one_seed_the_sentence_states_that_seeds_are_not_covered() -> None:
    one = replace(SHOWN, seeds=1, observations="windows")
    assert one.sentence.endswith(
        "(77 windows, 1 seed); with one seed the interval covers windows only, not seeds"
    )


@pytest.mark.parametrize(
    ("first", "second", "notes", "sentence"),
    [
        (FIRST, SECOND[:1], NOTES, r"have shapes \(2, 3\) and \(1, 3\) for 3 pieces"),
        (FIRST[:, :0], SECOND[:, :0], NOTES[:0], "no pieces to compare two arms on: expected at"),
        (FIRST * np.nan, SECOND, NOTES, "a loss is not finite, or a piece has no notes"),
        (FIRST, SECOND, NOTES * 0, "a loss is not finite, or a piece has no notes"),
    ],
)
def test_losses_that_cannot_be_compared_are_refused(
    first: statistics.Array, second: statistics.Array, notes: statistics.Array, sentence: str
) -> None:
    with pytest.raises(DataError, match=sentence):
        compare("a", "b", first, second, notes)
