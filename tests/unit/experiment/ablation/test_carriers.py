"""Heads chosen for patterns, and their contrast, against naive formulas."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis.claims import intervals
from musicrel.analysis.heads.head_patterns import PATTERNS
from musicrel.analysis.heads.head_sets import RANDOM_SETS
from musicrel.experiment.ablation import carriers
from musicrel.experiment.ablation.carriers import ChosenSet
from musicrel.experiment.ablation.measures import Floats, Measures

NOTES, HEADS = 40, 6


def measures(**changed: Floats) -> Measures:
    """Return random measures; ``changed`` replaces some."""
    rng = np.random.default_rng(0)
    values = {
        "cells_N": np.arange(NOTES),
        "nats_N": rng.random(NOTES),
        "weights_NWH": rng.random((NOTES, 2, HEADS)),
        "effects_NH": rng.normal(size=(NOTES, HEADS)),
        "source_weights_NS": rng.random((NOTES, 4)),
        "source_effects_NS": rng.normal(size=(NOTES, 4)),
        "strongest_N": np.full(NOTES, 2),
        "correlations_NC": rng.random((NOTES, 4)),
        "by_head_NH": rng.random((NOTES, HEADS)),
        "removed_NKG": rng.normal(size=(NOTES, 2, 3)),
        "hurts_more_NK": rng.random((NOTES, 2)),
        "scores_NP": rng.integers(2, size=(NOTES, len(PATTERNS))).astype(np.float64),
        "excess_NPH": rng.normal(size=(NOTES, len(PATTERNS), HEADS)),
    }
    return Measures(**{**values, **changed})


def test_the_contrast_of_a_yes_or_no_pattern_is_a_difference_of_means() -> None:
    scores_N = np.array([1, 0, 1, 0, np.nan])
    effects_ND = np.array([[1.0], [2.0], [5.0], [4.0], [100.0]])
    assert carriers.contrast(scores_N, effects_ND).tolist() == [3.0 - 3.0]
    assert carriers.contrast(scores_N, effects_ND**2).tolist() == [13.0 - 10.0]


def test_the_contrast_of_degrees_is_a_difference_of_weighted_means() -> None:
    scores_N, effects_ND = np.array([0.25, 0.75]), np.array([[1.0], [2.0]])
    expected = (0.25 * 1 + 0.75 * 2) - (0.75 * 1 + 0.25 * 2)
    assert carriers.contrast(scores_N, effects_ND) == pytest.approx(expected)


@pytest.mark.parametrize("scores", [[1.0, 1.0], [0.0, np.nan], [np.nan, np.nan]])
def test_without_notes_of_both_kinds_there_is_no_contrast(scores: list[float]) -> None:
    assert np.isnan(carriers.contrast(np.array(scores), np.ones((2, 3)))).all()


def test_the_pools_give_the_contrast() -> None:
    found = measures()
    scores_N, effects_N = found.scores_NP[:, 1], found.effects_NH[:, 0]
    pieces_N = np.arange(NOTES) % 5
    with_pattern, without = carriers.pools(scores_N, effects_N, pieces_N, 5)
    expected = carriers.contrast(scores_N, effects_N[:, None])[0]
    assert with_pattern.value - without.value == pytest.approx(expected)
    draws_RU = intervals.draws(5, np.random.default_rng(0), 50)
    assert intervals.difference(with_pattern, without, draws_RU) is not None


def test_heads_are_chosen_by_the_weight_on_a_pattern_and_by_the_contrast() -> None:
    excess_NPH = np.random.default_rng(1).random((NOTES, len(PATTERNS), HEADS))
    excess_NPH[:, 0, [5, 1, 2]] += [3.0, 2.0, 1.0]
    scores_NP = np.zeros((NOTES, len(PATTERNS)))
    scores_NP[::2] = 1.0
    effects_NH = np.zeros((NOTES, HEADS))
    effects_NH[::2, [0, 3, 4]] = [1.0, 3.0, 2.0]
    found = carriers.choose(
        measures(excess_NPH=excess_NPH, scores_NP=scores_NP, effects_NH=effects_NH)
    )
    assert len(found) == 2 * len(PATTERNS)
    assert found[0] == ChosenSet("parallel_motion", "attention", (5, 1, 2))
    assert found[1] == ChosenSet("parallel_motion", "effect", (3, 4, 0))


def test_a_choice_that_no_note_decides_is_left_out() -> None:
    nothing = np.full((NOTES, len(PATTERNS), HEADS), np.nan)
    scores_NP = np.ones((NOTES, len(PATTERNS)))
    scores_NP[::2, 2] = 0.0
    found = carriers.choose(measures(excess_NPH=nothing, scores_NP=scores_NP))
    assert [(one.pattern, one.by) for one in found] == [("bar_ago", "effect")]


def test_random_sets_follow_the_chosen_ones_and_have_their_size() -> None:
    chosen = (ChosenSet("bar_ago", "effect", (4, 0)), ChosenSet("bar_ago", "attention", (1, 2)))
    sets_DH = carriers.with_random(chosen, HEADS, np.random.default_rng(0))
    assert sets_DH.shape == (2 + RANDOM_SETS, HEADS)
    assert [np.flatnonzero(row).tolist() for row in sets_DH[:2]] == [[0, 4], [1, 2]]
    assert (sets_DH.sum(axis=1) == 2).all()


def test_the_halves_are_disjoint_and_hold_all_pieces() -> None:
    first, second = carriers.halves(7, seed=2)
    assert len(first) == 4
    assert sorted([*first.tolist(), *second.tolist()]) == list(range(7))
    assert first.tolist() != carriers.halves(7, seed=3)[0].tolist()
