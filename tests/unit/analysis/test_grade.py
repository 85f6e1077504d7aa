"""The grade: its parts, and the published scale."""

from __future__ import annotations

from functools import cache
from statistics import median

import numpy as np
import pytest

from musicrel.analysis import events, wasserstein
from musicrel.analysis.distributions import FEATURES
from musicrel.analysis.grade import Reference, grade
from musicrel.chorale import REST, Chorale
from musicrel.errors import DataError
from tests.helpers import published

MAJOR = Chorale.of(
    [(69, 65, 60, 53), (71, 67, 62, 55), (69, 69, 60, 53), (71, 67, 62, 55), (72, 67, 64, 48)]
)
MINOR = Chorale.of([(69, 65, 62, 50), (69, 64, 61, 45), (70, 65, 62, 50), (69, 65, 62, 50)])
REFERENCE = Reference.of([MAJOR, MINOR], "two pieces")


def test_the_reference_itself_is_near() -> None:
    """All features by mode have distance 0: each mode has one piece."""
    features = grade(MINOR, REFERENCE).features
    assert list(features) == list(FEATURES)
    for feature in ("note", "harmony", "soprano", "alto", "tenor", "bass"):
        assert features[feature] == pytest.approx(0.0, abs=1e-12)
    assert features["rhythm"] > 0


def test_the_grade_is_the_plain_sum() -> None:
    """The features have no weights."""
    of_piece = grade(MAJOR.transposed(1), REFERENCE)
    assert of_piece.total == pytest.approx(sum(of_piece.features.values()))


def test_a_transposition_has_the_same_grade() -> None:
    """Only the distances from the tonic count."""
    assert grade(MAJOR.transposed(2), REFERENCE).total == grade(MAJOR, REFERENCE).total


def test_parallels_are_weighted_by_their_ratio() -> None:
    """Their distance is multiplied by the ratio of parallels per note, or by 0 without any."""
    fifths = Chorale.of([(67, REST, REST, 60), (69, REST, REST, 62), (71, REST, REST, 64)])
    pooled = REFERENCE.counts["parallels"]["both"]
    distance = wasserstein.distance({"fifths": 2}, pooled)
    ratio = (2 / 6) / (sum(pooled.values()) / REFERENCE.notes)
    assert grade(fifths, REFERENCE).features["parallels"] == pytest.approx(distance * ratio)
    assert grade(MINOR, REFERENCE).features["parallels"] == 0.0


def test_too_small_a_reference_is_refused() -> None:
    """The message names the missing feature."""
    with pytest.raises(
        DataError, match="one piece, with 1 pieces, has no note in minor to compare"
    ):
        Reference.of([MAJOR], "one piece")
    with pytest.raises(DataError, match="has no parallels in major or minor to compare with"):
        Reference.of([MINOR, Chorale.of([(72, 67, 64, 48), (72, 67, 64, 52)])], "clean")


def moved(music: Chorale, share: float, rng: np.random.Generator) -> Chorale:
    """Move a share of the notes of ``music`` by a semitone or two."""
    pitches = music.pitches.copy()
    for voice in range(4):
        notes, lengths = events.merge_repeats(pitches[:, voice])
        off = rng.choice([-2, -1, 1, 2], len(notes)) * (rng.random(len(notes)) < share)
        pitches[:, voice] += np.repeat(off * (notes != REST), lengths).astype(np.int16)
    return Chorale.of(pitches)


@cache
def jsb16_reference() -> Reference:
    return Reference.of(published.jsb16("train"), "JSB16")


def grades(pieces: list[Chorale]) -> list[float]:
    return [grade(piece, jsb16_reference()).total for piece in pieces]


@published.needs_both
@pytest.mark.parametrize(
    ("name", "middle", "mean", "deviation"),
    [
        ("train", 4.16, 4.52, 1.65),
        ("valid", 4.31, 5.01, 2.54),
        ("test", 4.12, 4.61, 2.10),
        ("js-fakes", 5.33, 5.80, 2.23),
    ],
)
def test_the_scale_is_the_published_one(
    name: str, middle: float, mean: float, deviation: float
) -> None:
    """Median, mean and standard deviation of Bach's splits and of an imitation, to two digits."""
    pieces = published.js_fakes() if name == "js-fakes" else published.jsb16(name)
    found = grades(pieces)
    figures = [median(found), np.mean(found), np.std(found)]
    assert figures == pytest.approx([middle, mean, deviation], abs=0.0051)


@published.needs_both
@pytest.mark.parametrize(("steps", "bach", "fakes"), [(128, 5.11, 6.40), (192, 4.57, 5.50)])
def test_short_pieces_grade_worse(steps: int, bach: float, fakes: float) -> None:
    """The medians of the first steps of all pieces of that length."""
    for pieces, expected in ((published.jsb16("test"), bach), (published.js_fakes(), fakes)):
        starts = [piece.cropped(0, steps) for piece in pieces if piece.steps >= steps]
        assert median(grades(starts)) == pytest.approx(expected, abs=0.0051)


@published.needs_both
@pytest.mark.parametrize(("share", "middle"), [(0.05, 6.89), (0.1, 9.68), (0.2, 16.33)])
def test_wrong_notes_raise_the_grade(share: float, middle: float) -> None:
    """The medians are near the published ones, up to sampling error."""
    rng = np.random.default_rng(0)
    found = grades([moved(piece, share, rng) for piece in published.jsb16("test")])
    assert median(found) == pytest.approx(middle, rel=0.08)
