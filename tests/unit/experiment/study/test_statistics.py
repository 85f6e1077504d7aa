"""Paired differences and their interval."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from musicrel.errors import DataError
from musicrel.experiment.study import statistics
from musicrel.experiment.study.statistics import Comparison, compare

NOTES = np.array([100.0, 300.0, 200.0])
FIRST = np.array([[50.0, 160.0, 110.0], [52.0, 158.0, 108.0]])
SECOND = np.array([[48.0, 150.0, 108.0], [49.0, 155.0, 104.0]])


def normal_study(
    seed: int, *, seeds: int = 3, pieces: int = 77, truth: float = 0.02
) -> tuple[statistics.Array, statistics.Array]:
    """Gains (S, P) in nats and notes (P,) of a study by chance that differs by ``truth``."""
    rng = np.random.default_rng(seed)
    notes = rng.integers(300, 1600, pieces).astype(np.float64)
    apart = rng.normal(0, 0.04, pieces) + rng.normal(0, 0.02, (seeds, pieces))
    of_seed = rng.normal(0, 0.005, (seeds, 1)) if seeds > 1 else 0.0
    return (truth + apart + of_seed) * notes, notes


def test_the_difference_is_that_of_the_reported_losses() -> None:
    """Nats a note over all notes of all pieces, the mean over seeds; written out by hand."""
    found = compare("a", "b", FIRST, SECOND, NOTES)

    losses = [sum(sum(row) / 600 for row in arm) / 2 for arm in (FIRST.tolist(), SECOND.tolist())]
    assert found.difference == pytest.approx(losses[0] - losses[1])
    assert found.low < found.difference < found.high
    assert (found.pieces, found.seeds) == (3, 2)


def test_an_arm_against_itself_shows_nothing() -> None:
    """Not a bit of a difference."""
    found = compare("a", "b", FIRST, FIRST, NOTES)

    assert (found.difference, found.low, found.high, found.better) == (0.0, 0.0, 0.0, None)


def test_turned_round_it_is_the_same_with_the_other_sign() -> None:
    """To the draws of the bootstrap."""
    one, other = compare("a", "b", FIRST, SECOND, NOTES), compare("b", "a", SECOND, FIRST, NOTES)

    assert one.difference == pytest.approx(-other.difference)
    assert one.low == pytest.approx(-other.high)
    assert one.high == pytest.approx(-other.low)


def test_the_same_seed_gives_the_same_interval() -> None:
    """And another one nearly the same."""
    gain, notes = normal_study(0)
    zero = np.zeros_like(gain)
    found = [compare("a", "b", gain, zero, notes, bootstrap_seed=seed) for seed in (1, 1, 2)]

    assert found[0] == found[1]
    assert found[0].low != found[2].low
    assert found[0].low == pytest.approx(found[2].low, abs=5e-4)


def test_replicates_are_those_of_a_loop() -> None:
    """Piece by piece and seed by seed, from the same draws."""
    gain = FIRST - SECOND
    found = statistics.replicates(gain, NOTES, np.random.default_rng(5), 40)

    rng = np.random.default_rng(5)
    pieces = rng.multinomial(3, [1 / 3] * 3, size=40)
    seeds = rng.multinomial(2, [1 / 2] * 2, size=40)
    widening = math.sqrt(2) * 12.706205 / 1.959964
    for replicate in range(40):
        gains, sung = 0.0, 0.0
        for piece in range(3):
            mean = (gain[0, piece] + gain[1, piece]) / 2
            for _ in range(pieces[replicate, piece]):
                sung += NOTES[piece]
                gains += mean
                for seed in range(2):
                    share = seeds[replicate, seed] / 2
                    gains += widening * share * (gain[seed, piece] - mean)
        assert found[replicate] == pytest.approx(gains / sung)


def test_with_one_seed_the_interval_is_that_of_a_plain_bootstrap() -> None:
    """Of pieces drawn one by one, with as many draws."""
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
def test_the_interval_holds_the_truth_as_often_as_it_says(seeds: int) -> None:
    """In 150 studies by chance: at least 90 % of them; 95 % are meant, few seeds give more."""
    held = 0
    for study in range(150):
        gain, notes = normal_study(study, seeds=seeds)
        drawn = statistics.replicates(gain, notes, np.random.default_rng(study), 600)
        low, high = np.quantile(drawn, [0.025, 0.975])
        held += low <= 0.02 <= high

    assert held >= 0.9 * 150


def test_so_many_pieces_show_what_is_worth_showing() -> None:
    """Of studies with as many pieces as were asked for, about four in five show it."""
    gain, notes = normal_study(1, seeds=1, pieces=400, truth=0.0)
    needed = statistics.pieces_needed(gain, notes)
    assert needed is not None
    shown = 0
    for study in range(100):
        gain, notes = normal_study(study, seeds=1, pieces=needed, truth=0.01)
        drawn = statistics.replicates(gain, notes, np.random.default_rng(study), 600)
        shown += float(np.quantile(drawn, 0.025)) > 0

    assert 65 <= shown <= 95


def test_seeds_that_differ_too_much_cannot_be_mended_by_pieces() -> None:
    """The sentence asks for seeds."""
    gain, notes = normal_study(1, seeds=3)
    gain = gain + np.array([[-0.1], [0.0], [0.1]]) * notes

    found = compare("a", "b", gain, np.zeros_like(gain), notes)

    assert found.pieces_needed is None
    assert found.sentence.endswith("0.01 nats would need more seeds")


SHOWN = Comparison(
    first="vanilla", second="relative", difference=0.0212, low=0.0123, high=0.0301, pieces=77,
    seeds=3, pieces_needed=50, bootstrap_seed=0,
)  # fmt: skip


def test_a_verdict_is_said_in_a_sentence() -> None:
    """For either arm, or none."""
    worse = replace(SHOWN, difference=-0.0212, low=-0.0301, high=-0.0123)
    open_ = replace(SHOWN, difference=0.004, low=-0.003, high=0.011, pieces_needed=1234)

    assert SHOWN.sentence == (
        "relative is better than vanilla by 0.021 nats/note, 95 % CI 0.012 to 0.030, 77 pieces, "
        "3 seeds"
    )
    assert worse.sentence == (
        "vanilla is better than relative by 0.021 nats/note, 95 % CI 0.012 to 0.030, 77 pieces, "
        "3 seeds"
    )
    assert open_.sentence == (
        "no difference shown between vanilla and relative (+0.004 nats/note, 95 % CI -0.003 to "
        "+0.011, 77 pieces, 3 seeds); 0.01 nats would need about 1,234 pieces"
    )


def test_a_tiny_difference_does_not_matter_however_surely_it_was_shown() -> None:
    """It is told with digits that show which way it goes."""
    tiny = replace(SHOWN, difference=-0.000212, low=-0.000301, high=-0.000123)

    assert tiny.better == "vanilla"
    assert tiny.sentence == (
        "no difference that matters between vanilla and relative (-0.00021 nats/note, 95 % CI "
        "-0.00030 to -0.00012, 77 pieces, 3 seeds)"
    )


def test_with_one_seed_the_sentence_says_that_seeds_were_not_sampled() -> None:
    """Whatever the verdict and whatever the things are called."""
    one = replace(SHOWN, seeds=1, things="windows")
    assert one.sentence.endswith(
        "77 windows, 1 seed; with 1 seed the interval is over windows only: seeds were not sampled"
    )


def test_what_cannot_be_compared_is_refused() -> None:
    """Other pieces, no pieces, no numbers, no notes."""
    with pytest.raises(DataError, match=r"have shapes \(2, 3\) and \(1, 3\) for 3 pieces"):
        compare("a", "b", FIRST, SECOND[:1], NOTES)
    with pytest.raises(DataError, match="there is no piece to compare two arms on"):
        compare("a", "b", FIRST[:, :0], SECOND[:, :0], NOTES[:0])
    with pytest.raises(DataError, match="a loss is no number, or a piece has no notes"):
        compare("a", "b", FIRST * np.nan, SECOND, NOTES)
    with pytest.raises(DataError, match="a loss is no number, or a piece has no notes"):
        compare("a", "b", FIRST, SECOND, NOTES * 0)
