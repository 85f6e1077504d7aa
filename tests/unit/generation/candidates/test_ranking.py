"""Measures of one candidate, and the ranking."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.analysis import grade_reference, voice_leading
from musicrel.chorale import REST, Chorale, Key
from musicrel.errors import UsageError
from musicrel.generation.candidates import ranking
from musicrel.generation.candidates.ranking import (
    CandidateEvaluator,
    Distance,
    Measures,
)
from tests.helpers.music import random_chorale

KNOWN = [random_chorale(seed, 80, margin=2) for seed in range(2)]


@pytest.fixture(scope="module")
def evaluator() -> CandidateEvaluator:
    return CandidateEvaluator(grade_reference.load().reference, KNOWN)


def all_free(piece: Chorale) -> np.ndarray:
    return np.ones(piece.pitches.shape, dtype=bool)


def test_nats_are_means_over_piece_region_and_cells_to_the_end(
    evaluator: CandidateEvaluator,
) -> None:
    """The region spans the free cells; ``region_to_end_nats`` includes the notes after it."""
    piece = random_chorale(7, 40)
    free = np.zeros((40, 4), dtype=bool)
    free[10:19, 1] = free[20, 2] = True
    nats = np.random.default_rng(1).random((40, 4))

    found = evaluator.measure(piece, nats, free)

    assert found.nats == pytest.approx(nats.mean())
    assert found.region_nats == pytest.approx(nats[10:21].mean())
    assert found.region_to_end_nats == pytest.approx(nats[10:].sum() / 44)


def test_nats_to_the_end_of_a_region_at_the_end_are_its_own(evaluator: CandidateEvaluator) -> None:
    piece = random_chorale(7, 40)
    found = evaluator.measure(piece, np.full((40, 4), 0.5), all_free(piece))
    assert found.nats == found.region_nats == found.region_to_end_nats == 0.5


def test_rules_and_grade_are_those_of_the_whole_piece_and_silence_has_no_grade(
    evaluator: CandidateEvaluator,
) -> None:
    piece = random_chorale(7, 40)
    found = evaluator.measure(piece, np.zeros((40, 4)), all_free(piece))
    assert found.rates == voice_leading.rates(piece)
    assert found.grade is not None
    assert found.distance is None

    silence = Chorale.of([[REST] * 4] * 16)
    found = evaluator.measure(silence, np.zeros((16, 4)), all_free(silence))
    assert found.grade is None
    assert ranking.score(found) >= 1.0


def test_distance_is_share_and_mean_interval_of_changed_notes() -> None:
    """Only free cells count; rests change, but have no interval."""
    original = Chorale.of([[72, 64, 55, 48]] * 4)
    moved = original.pitches.copy()
    moved[0, 1], moved[1, 1], moved[2, 1], moved[0, 0] = 65, 61, REST, 70
    free = np.zeros((4, 4), dtype=bool)
    free[:, 1] = True

    found = Distance.between(Chorale.of(moved), original, free)

    assert found == Distance(changed=0.75, interval=2.0)
    assert Distance.between(original, original, free) == Distance(changed=0.0, interval=0.0)


def test_copying_is_measured_in_the_region_only(evaluator: CandidateEvaluator) -> None:
    piece = Chorale.of(np.concatenate([KNOWN[0].pitches[:40], random_chorale(9, 40).pitches]))
    free = np.zeros((80, 4), dtype=bool)
    free[40:] = True

    new = evaluator.measure(piece, np.zeros((80, 4)), free)
    copied = evaluator.measure(KNOWN[0], np.zeros((80, 4)), all_free(KNOWN[0]))

    assert new.memorised == 0.0
    assert new.longest < 10
    assert (copied.memorised, copied.longest) == (1.0, 80)


def test_phrase_ends_without_the_requested_cadence_count(evaluator: CandidateEvaluator) -> None:
    """The measure is a share of the ends with a requested cadence, and 0 without any."""
    chords = [(72, 67, 64, 48), (71, 67, 62, 55), (72, 67, 64, 48), (71, 67, 62, 55)]
    pitches = np.repeat(np.array(chords), 4, axis=0)
    fermatas = np.isin(np.arange(16), (8, 9, 10, 11))
    piece = Chorale.of(pitches, fermatas=fermatas, key=Key("C", "major"))

    def found(cadence: str) -> Measures:
        return evaluator.measure(piece, np.ones((16, 4)), all_free(piece), cadence=cadence)

    assert found("").cadences == ("authentic", "half")
    assert [found(kind).missed_cadence_share for kind in ("", "half", "plagal")] == [0.0, 0.5, 1.0]
    listed = ("authentic,half", "authentic,plagal", "plagal,", "half,", ",half", ",")
    missed = [found(kinds).missed_cadence_share for kinds in listed]
    assert missed == [0.0, 0.5, 1.0, 1.0, 0.0, 0.0]
    assert ranking.terms(found("plagal"))["cadence"] == ranking.TERMS["cadence"].weight


def measures(evaluator: CandidateEvaluator) -> Measures:
    piece = random_chorale(7, 40)
    original = random_chorale(8, 40)
    return evaluator.measure(piece, np.full((40, 4), 0.5), all_free(piece), original)


def test_the_score_is_the_weighted_sum(evaluator: CandidateEvaluator) -> None:
    found = measures(evaluator)
    terms = ranking.terms(found)

    assert ranking.score(found) == pytest.approx(sum(terms.values()))
    assert terms["nats"] == pytest.approx(0.5)
    assert terms["parallels"] == pytest.approx(0.01 * found.rates.parallels)
    assert terms["changed"] == 0.0


def test_weights_replace_the_defaults(evaluator: CandidateEvaluator) -> None:
    found = measures(evaluator)
    assert found.distance is not None
    terms = ranking.terms(found, {"nats": 0.0, "changed": -2.0})

    assert terms["nats"] == 0.0
    assert terms["changed"] == pytest.approx(-2 * found.distance.changed)
    assert terms["grade"] == ranking.terms(found)["grade"]
    assert ranking.terms(replace(found, distance=None), {"changed": 1.0})["changed"] == 0.0


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"fun": 1.0}, "there is no weight 'fun': expected some of nats, grade, parallels"),
        ({"critic": 0.0}, "there is no weight 'critic': expected some of nats, grade, parallels"),
        ({"nats": float("nan")}, "the weight of 'nats' is nan: expected -1,000,000 to 1,000,000"),
        ({"nats": float("inf")}, "the weight of 'nats' is inf"),
    ],
)
def test_invalid_weights_are_refused(asked: dict[str, float], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        ranking.weights(asked)
