"""What is said of one proposal, and how it is ranked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.analysis import grade_reference, voice_leading
from musicrel.chorale import REST, Chorale, Key
from musicrel.errors import UsageError
from musicrel.generation.candidates import ranking
from musicrel.generation.candidates.measures import Distance, Judge, Measures
from tests.helpers.music import random_chorale

KNOWN = [random_chorale(seed, 80, margin=2) for seed in range(2)]


@pytest.fixture(scope="module")
def judge() -> Judge:
    """The shipped reference; two pieces by chance are known."""
    return Judge(grade_reference.load().reference, KNOWN)


def all_free(piece: Chorale) -> np.ndarray:
    return np.ones(piece.pitches.shape, dtype=bool)


def test_nats_are_those_of_piece_region_and_what_follows(judge: Judge) -> None:
    """The region spans the free cells; what follows is charged to it."""
    piece = random_chorale(7, 40)
    free = np.zeros((40, 4), dtype=bool)
    free[10:19, 1] = free[20, 2] = True
    nats = np.random.default_rng(1).random((40, 4))

    found = judge.measure(piece, nats, free)

    assert found.nats == pytest.approx(nats.mean())
    assert found.region_nats == pytest.approx(nats[10:21].mean())
    assert found.onward_nats == pytest.approx(nats[10:].sum() / 44)


def test_without_notes_after_it_a_region_is_all_there_is(judge: Judge) -> None:
    """Both figures are the same."""
    piece = random_chorale(7, 40)
    found = judge.measure(piece, np.full((40, 4), 0.5), all_free(piece))
    assert found.nats == found.region_nats == found.onward_nats == 0.5


def test_rules_and_grade_are_those_of_the_whole_piece(judge: Judge) -> None:
    """As the command line grades it."""
    piece = random_chorale(7, 40)
    found = judge.measure(piece, np.zeros((40, 4)), all_free(piece))
    assert found.rates == voice_leading.rates(piece)
    assert found.grade is not None
    assert found.distance is None


def test_distance_is_the_share_of_changed_notes_and_how_far_they_are() -> None:
    """Over the free cells; rests change, but are no interval away."""
    original = Chorale.of([[72, 64, 55, 48]] * 4)
    moved = original.pitches.copy()
    moved[0, 1], moved[1, 1], moved[2, 1], moved[0, 0] = 65, 61, REST, 70
    free = np.zeros((4, 4), dtype=bool)
    free[:, 1] = True

    found = Distance.between(Chorale.of(moved), original, free)

    assert found == Distance(changed=0.75, interval=2.0)
    assert Distance.between(original, original, free) == Distance(changed=0.0, interval=0.0)


def test_what_is_known_is_looked_for_in_the_region_alone(judge: Judge) -> None:
    """A copied beginning that was given is no fault of the region."""
    piece = Chorale.of(np.concatenate([KNOWN[0].pitches[:40], random_chorale(9, 40).pitches]))
    free = np.zeros((80, 4), dtype=bool)
    free[40:] = True

    new = judge.measure(piece, np.zeros((80, 4)), free)
    copied = judge.measure(KNOWN[0], np.zeros((80, 4)), all_free(KNOWN[0]))

    assert new.memorised == 0.0
    assert new.longest < 10
    assert (copied.memorised, copied.longest) == (1.0, 80)


def test_silence_has_no_grade(judge: Judge) -> None:
    """And comes last."""
    silence = Chorale.of([[REST] * 4] * 16)
    found = judge.measure(silence, np.zeros((16, 4)), all_free(silence))
    assert found.grade is None
    assert ranking.score(found) >= 1.0


def test_closes_that_were_not_wished_for_count(judge: Judge) -> None:
    """As a share of the phrase ends, and nothing where no kind is wished for."""
    chords = [(72, 67, 64, 48), (71, 67, 62, 55), (72, 67, 64, 48), (71, 67, 62, 55)]
    pitches = np.repeat(np.array(chords), 4, axis=0)
    fermatas = np.isin(np.arange(16), (8, 9, 10, 11))
    piece = Chorale.of(pitches, fermatas=fermatas, key=Key("C", "major"))

    def found(cadence: str) -> Measures:
        return judge.measure(piece, np.ones((16, 4)), all_free(piece), cadence=cadence)

    assert found("").cadences == ("authentic", "half")
    assert [found(kind).astray for kind in ("", "half", "plagal")] == [0.0, 0.5, 1.0]
    assert ranking.terms(found("plagal"))["cadence"] == ranking.TERMS["cadence"].weight


def measures(judge: Judge) -> Measures:
    piece = random_chorale(7, 40)
    original = random_chorale(8, 40)
    return judge.measure(piece, np.full((40, 4), 0.5), all_free(piece), original)


def test_the_score_is_the_weighted_sum(judge: Judge) -> None:
    """Of all terms, each shown."""
    found = measures(judge)
    terms = ranking.terms(found)

    assert ranking.score(found) == pytest.approx(sum(terms.values()))
    assert terms["nats"] == pytest.approx(0.5)
    assert terms["parallels"] == pytest.approx(0.01 * found.rates.parallels)
    assert terms["changed"] == 0.0


def test_weights_may_be_others(judge: Judge) -> None:
    """Those not named stay as they are."""
    found = measures(judge)
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
        ({"nats": float("nan")}, "the weight of 'nats' is nan: expected a number"),
        ({"nats": float("inf")}, "the weight of 'nats' is inf"),
    ],
)
def test_weights_that_are_none_are_refused(asked: dict[str, float], sentence: str) -> None:
    """With the names there are."""
    with pytest.raises(UsageError, match=sentence):
        ranking.weights(asked)


def test_every_term_says_what_it_is() -> None:
    """For the help and the app."""
    assert all(term.says for term in ranking.TERMS.values())
