"""Means over notes against naive sums."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis.claims import intervals
from musicrel.analysis.heads.head_sets import RANDOM_SETS
from musicrel.analysis.heads.rank_correlation import spearman
from musicrel.errors import DataError
from musicrel.experiment.ablation import carriers, summary
from musicrel.experiment.ablation.measures import RANDOM, STRONGEST, SetEffects
from musicrel.experiment.ablation.summary import NoteMeans
from musicrel.generation.heads.mutes import Head
from tests.unit.experiment.ablation.test_carriers import HEADS, NOTES, measures

MEANS = NoteMeans(np.arange(NOTES) // 8, intervals.draws(NOTES // 8, np.random.default_rng(0), 200))


def test_the_correlation_of_heads_is_the_mean_over_notes() -> None:
    found = measures()
    of_notes = summary.of_each_note(found)
    by_hand = [
        float(spearman(found.weights_NWH[note, 1], abs(found.effects_NH[note])))
        for note in range(NOTES)
    ]
    results = {f"{one.parts} {one.measure}": one for one in summary.correlations(of_notes, MEANS)}
    one = results["heads concentration_size"]
    assert one.mean.value == pytest.approx(np.mean(by_hand))
    assert one.mean.low < one.mean.value < one.mean.high
    assert one.notes == NOTES


def test_notes_without_a_correlation_do_not_count() -> None:
    some = measures().correlations_NC.copy()
    some[:10] = np.nan
    of_notes = summary.of_each_note(measures(correlations_NC=some))
    results = {f"{one.parts} {one.measure}": one for one in summary.correlations(of_notes, MEANS)}
    assert results["sources weight"].notes == NOTES - 10
    assert results["sources weight"].mean.value == pytest.approx(some[10:, 0].mean())


def test_a_correlation_that_no_note_has_is_left_out() -> None:
    nothing = np.full_like(measures().correlations_NC, np.nan)
    of_notes = summary.of_each_note(measures(correlations_NC=nothing))
    assert {one.parts for one in summary.correlations(of_notes, MEANS)} == {"heads"}


def test_heads_come_layer_by_layer_with_their_means() -> None:
    found = measures()
    results = list(summary.by_head(found, MEANS, heads_of_layer=2))
    assert [one.head for one in results] == [Head(n // 2, n % 2) for n in range(HEADS)]
    assert results[3].effect.value == pytest.approx(found.effects_NH[:, 3].mean())
    assert results[3].weights["concentration"].value == pytest.approx(
        found.weights_NWH[:, 1, 3].mean()
    )


def test_the_difference_of_removals_is_that_of_the_same_notes() -> None:
    removed_NKG = measures().removed_NKG.copy()
    removed_NKG[:5, 1] = np.nan
    found = measures(removed_NKG=removed_NKG)
    four, sixteen = summary.removals(found, MEANS)
    assert (four.number, four.notes, sixteen.number, sixteen.notes) == (4, 40, 16, 35)
    kept = removed_NKG[5:, 1]
    assert sixteen.difference.value == pytest.approx((kept[:, 0] - kept[:, 2]).mean())
    assert sixteen.nearest.value == pytest.approx(kept[:, 1].mean())


def test_a_number_of_sources_that_no_note_has_is_left_out() -> None:
    removed_NKG = measures().removed_NKG.copy()
    removed_NKG[:, 1] = np.nan
    assert [one.number for one in summary.removals(measures(removed_NKG=removed_NKG), MEANS)] == [4]


def test_sources_are_pooled_by_rank_and_random_ones_apart() -> None:
    rng, sources = np.random.default_rng(5), STRONGEST + RANDOM
    effects_NS = rng.normal(size=(NOTES, sources))
    weights_NS = np.sort(rng.random((NOTES, sources)))[:, ::-1]
    effects_NS[:20, 70:] = np.nan
    weights_NS[:20, 70:] = np.nan
    found = list(
        summary.ranks(
            measures(
                source_effects_NS=effects_NS,
                source_weights_NS=weights_NS,
                strongest_N=np.full(NOTES, STRONGEST),
            ),
            MEANS,
        )
    )
    assert [(one.first, one.last) for one in found[:5]] == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6)]
    assert found[4].effect.value == pytest.approx(effects_NS[:, 4:6].mean())
    assert found[4].size.value == pytest.approx(abs(effects_NS[:, 4:6]).mean())
    assert (found[-1].first, found[-1].last) == (0, 0)
    random = [np.nanmean(row) for row in weights_NS[:, STRONGEST:]]
    assert found[-1].weight.value == pytest.approx(np.mean(random))


def test_a_set_of_heads_is_compared_with_the_random_ones() -> None:
    found = measures()
    chosen = carriers.choose(found)
    effects_ND = np.random.default_rng(7).normal(size=(NOTES, len(chosen) + RANDOM_SETS))
    scores_N = found.scores_NP[:, 0]
    effects_ND[:, 0] += 5 * scores_N
    sets = SetEffects(
        sets_DH=carriers.with_random(chosen, HEADS, np.random.default_rng(0)),
        effects_ND=effects_ND,
    )
    first, *_others = summary.carriers_of(chosen, found, sets, MEANS, heads_of_layer=2)
    here, there = scores_N == 1, scores_N == 0
    expected = effects_ND[here, 0].mean() - effects_ND[there, 0].mean()
    assert first.contrast.value == pytest.approx(expected)
    assert first.with_pattern.value == pytest.approx(effects_ND[here, 0].mean())
    random = effects_ND[:, len(chosen) :]
    of_random = random[here].mean(axis=0) - random[there].mean(axis=0)
    assert first.comparison.random == pytest.approx(sorted(of_random.tolist()))
    assert first.excess.value == pytest.approx(expected - of_random.mean())
    assert first.excess.above_zero
    assert first.comparison.rank == 1.0
    assert first.comparison.p == pytest.approx(1 / 101)


def test_the_mean_of_nothing_is_refused() -> None:
    with pytest.raises(DataError, match="no note to take the mean of: expected at least one"):
        MEANS.known(np.full(NOTES, np.nan))
