"""Musical patterns that heads may carry."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from musicrel.analysis import cadences
from musicrel.analysis.heads.head_patterns import (
    PATTERNS,
    HeadPatterns,
    attention_excess,
    nearness,
)
from musicrel.chorale import REST, Chorale
from musicrel.corpus import bundled
from tests.helpers.music import random_chorale


@cache
def piece() -> Chorale:
    """Return six bars by Bach."""
    return bundled.load("test")[0].cropped(0, 96)


def in_parallel(chorale: Chorale, step: int, voice: int, other: int) -> bool:
    """Return whether two voices move in parallel into a step, note by note."""
    if step == 0 or voice == other:
        return False
    four = chorale.pitches[step - 1 : step + 1, [voice, other]].astype(int)
    if (four == REST).any():
        return False
    (first, second), (third, fourth) = four
    same_direction = (third - first) * (fourth - second) > 0
    return bool(same_direction and abs((third - fourth) - (first - second)) <= 1)


def naive(chorale: Chorale, cell: int, earlier: int) -> dict[str, float]:
    """Return the scores of an earlier cell for a predicted cell of a causal model."""
    (step, voice), (then, other) = divmod(cell, 4), divmod(earlier, 4)
    bar, pitch = chorale.meter.steps, chorale.pitches[step, voice]
    ahead = [
        end.step - then for end in cadences.phrase_ends(chorale) if end.kind and end.step >= then
    ]
    return {
        "parallel_motion": float(
            other < voice and then in (step - 1, step) and in_parallel(chorale, step, voice, other)
        ),
        "cadence_near": max(1 - min(ahead) / bar, 0) if ahead else 0.0,
        "bar_ago": float(
            pitch != REST and then == step - bar and chorale.pitches[then, other] == pitch
        ),
    }


@pytest.mark.parametrize("chorale", [piece(), random_chorale(3, 40)], ids=["Bach", "random"])
def test_scores_of_columns_are_those_of_every_earlier_cell(chorale: Chorale) -> None:
    """START and all cells from the predicted one on have none."""
    cells = np.array([0, 1, 3, 4, 6, 66, 95, *range(100, 159, 3)])

    found = HeadPatterns.of(chorale).of_columns(cells)

    assert tuple(found) == PATTERNS
    for place, cell in enumerate(cells):
        for name, scores in found.items():
            expected = [naive(chorale, int(cell), earlier)[name] for earlier in range(cell)]
            np.testing.assert_allclose(scores[place, 1 : cell + 1], expected, atol=1e-12)
            assert scores[place, 0] == 0
            assert not scores[place, cell + 1 :].any()


@pytest.mark.parametrize("both_sides", [False, True])
def test_notes_have_the_score_of_their_cells(*, both_sides: bool) -> None:
    """A model that sees both sides knows the voices below, too."""
    found = HeadPatterns.of(piece(), both_sides=both_sides).of_notes()

    near = nearness(piece())
    for step in range(piece().steps):
        for voice in range(4):
            scores = [found[name][step, voice] for name in PATTERNS]
            if not piece().onsets[step, voice]:
                assert np.isnan(scores).all()
                continue
            others = range(4) if both_sides else range(voice)
            parallel = any(in_parallel(piece(), step, voice, other) for other in others)
            assert scores[0] == pytest.approx(float(parallel) if step else np.nan, nan_ok=True)
            assert scores[1] == near[step]
            ago = piece().pitches[step, voice] in piece().pitches[max(step - 16, 0)]
            assert scores[2] == pytest.approx(float(ago) if step >= 16 else np.nan, nan_ok=True)
    assert 0 < np.nanmean(found["parallel_motion"]) < 1
    assert 0 < np.nanmean(found["bar_ago"]) < 1


def test_nearness_rises_to_each_cadence() -> None:
    """From 0 a bar before; a step between two cadences belongs to the next."""
    ends = [end.step for end in cadences.phrase_ends(piece()) if end.kind]
    found = nearness(piece())

    assert len(ends) > 1
    for end in ends:
        assert found[end] == 1
        assert found[end - 4] == pytest.approx(0.75)
        assert found[end - 1] == pytest.approx(15 / 16)
    assert found.min() == 0
    assert found.max() == 1


def test_nearness_is_that_to_the_next_cadence_if_two_are_within_a_bar() -> None:
    """The second of them does not lower what the first one has."""
    fermatas = piece().fermatas.copy()
    fermatas[52] = True  # an authentic cadence, half a bar before a half cadence
    chorale = replace(piece(), fermatas=fermatas)
    ends = [end.step for end in cadences.phrase_ends(chorale) if end.kind]
    found = nearness(chorale)

    assert ends[1:3] == [52, 60]
    assert found[52] == found[60] == 1
    assert found[48] == pytest.approx(0.75)


def test_a_piece_shorter_than_a_bar_has_no_bar_ago() -> None:
    """And no error."""
    short = piece().cropped(0, 6)

    patterns = HeadPatterns.of(short)

    assert np.isnan(patterns.of_notes()["bar_ago"]).all()
    assert not patterns.of_columns(np.array([20]))["bar_ago"].any()


def test_excess_is_the_weight_on_a_pattern_above_equal_weights() -> None:
    """Equal weights have 0, all weight on one cell its score minus the mean."""
    cells = np.array([70, 100])
    scores = HeadPatterns.of(piece()).of_columns(cells)
    weights = np.zeros((2, 2, 101), dtype=np.float32)
    for place, cell in enumerate(cells):
        weights[0, place, : cell + 1] = 1 / (cell + 1)
        weights[1, place, 60] = 1

    for values in scores.values():
        found = attention_excess(weights, values, cells)

        np.testing.assert_allclose(found[0], 0, atol=1e-6)
        for place, cell in enumerate(cells):
            expected = values[place, 60] - values[place, : cell + 1].mean()
            assert found[1, place] == pytest.approx(expected)
