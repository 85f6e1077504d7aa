"""Musical patterns that heads may carry."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from musicrel.analysis import cadences
from musicrel.analysis.corpus import bundled
from musicrel.chorale import REST, Chorale
from tests.helpers.music import random_chorale
from training.ablation.head_patterns import (
    PATTERNS,
    HeadPatterns,
    nearness,
)


@cache
def piece() -> Chorale:
    return bundled.load("test")[0].cropped(0, 96)


def in_parallel(chorale: Chorale, step: int, voice: int, other: int) -> bool:
    if step == 0 or voice == other:
        return False
    four = chorale.pitches[step - 1 : step + 1, [voice, other]].astype(int)
    if (four == REST).any():
        return False
    (first, second), (third, fourth) = four
    same_direction = (third - first) * (fourth - second) > 0
    return bool(same_direction and abs((third - fourth) - (first - second)) <= 1)


def naive(chorale: Chorale, ends: list[int], cell: int, earlier: int) -> dict[str, float]:
    """Score an earlier cell, with the steps of the cadences."""
    (step, voice), (then, other) = divmod(cell, 4), divmod(earlier, 4)
    bar, pitch = chorale.meter.steps, chorale.pitches[step, voice]
    ahead = [end - then for end in ends if end >= then]
    return {
        "parallel_motion": float(
            other < voice and then in (step - 1, step) and in_parallel(chorale, step, voice, other)
        ),
        "cadence_near": max(1 - min(ahead) / bar, 0) if ahead else 0.0,
        "bar_ago": float(
            pitch != REST and then == step - bar and chorale.pitches[then, other] == pitch
        ),
    }


def with_a_second_cadence() -> Chorale:
    """Add an authentic cadence half a bar before a half cadence."""
    fermatas = piece().fermatas.copy()
    fermatas[52] = True
    return replace(piece(), fermatas=fermatas)


@pytest.mark.parametrize(
    ("chorale", "cadences_at"),
    [(piece(), 60), (with_a_second_cadence(), 52), (random_chorale(3, 40), None)],
    ids=["Bach", "two cadences in a bar", "random"],
)
def test_scores_of_columns_are_those_of_every_earlier_cell(
    chorale: Chorale, cadences_at: int | None
) -> None:
    cells = np.array([0, 1, 3, 4, 6, 66, 95, *range(100, 159, 3), 4 * chorale.steps - 1])
    ends = [end.step for end in cadences.phrase_ends(chorale) if end.kind]
    assert cadences_at is None or cadences_at in ends

    found = HeadPatterns.of(chorale).of_columns(cells)

    assert tuple(found) == PATTERNS
    for place, cell in enumerate(cells.tolist()):
        every = [naive(chorale, ends, cell, earlier) for earlier in range(cell)]
        for name, scores in found.items():
            expected = [one[name] for one in every]
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


def test_a_piece_shorter_than_a_bar_has_no_bar_ago() -> None:
    patterns = HeadPatterns.of(piece().cropped(0, 6))

    assert np.isnan(patterns.of_notes()["bar_ago"]).all()
    assert not patterns.of_columns(np.array([20]))["bar_ago"].any()
