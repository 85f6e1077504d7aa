"""The results of a model: means over notes with bootstrap intervals over pieces.

Dimensions: N notes, U pieces, R replicates, H heads of all layers, W definitions of a head's
weight, S sources, K numbers of removed sources, G groups, D sets of heads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.analysis.claims import intervals
from musicrel.analysis.claims.intervals import Array, Estimate, Pool
from musicrel.analysis.heads.head_patterns import PATTERNS
from musicrel.analysis.heads.head_sets import SetComparison
from musicrel.analysis.heads.rank_correlation import spearman
from musicrel.errors import DataError
from musicrel.experiment.ablation import carriers
from musicrel.experiment.ablation.carriers import ChosenSet
from musicrel.experiment.ablation.head_weights import HEAD_WEIGHTS
from musicrel.experiment.ablation.measures import (
    CORRELATIONS,
    REMOVED,
    STRONGEST,
    Floats,
    Measures,
    Places,
    SetEffects,
)
from musicrel.experiment.ablation.study_results import (
    Carrier,
    Correlation,
    HeadResult,
    RankEffect,
    Removal,
)
from musicrel.generation.heads.mutes import Head

RANKS: Final = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, STRONGEST)
"""Borders of the ranks of sources that are pooled."""
_SIZE: Final = "_size"


@dataclass(frozen=True, eq=False, slots=True)
class NoteMeans:
    pieces_N: Places
    draws_RU: Array

    def pool(self, values_N: npt.ArrayLike) -> Pool:
        """Return the observations by piece; those that are nan do not count."""
        return Pool.of(values_N, self.pieces_N, self.draws_RU.shape[1])

    def mean(self, values_N: npt.ArrayLike) -> Estimate | None:
        """Return the mean with its interval; None if all values are nan."""
        return intervals.mean(self.pool(values_N), self.draws_RU)

    def known(self, values_N: npt.ArrayLike) -> Estimate:
        return _certain(self.mean(values_N))


def of_each_note(measures: Measures) -> dict[str, Floats]:
    """Return the correlations of each note by name: parts, then the measure, as "heads weight"."""
    found = {}
    effects_NH = measures.effects_NH
    for row, name in enumerate(HEAD_WEIGHTS):
        weights_NH = measures.weights_NWH[:, row]
        found[f"heads {name}"] = spearman(weights_NH, effects_NH)
        found[f"heads {name}{_SIZE}"] = spearman(weights_NH, np.abs(effects_NH))
    for row, name in enumerate(CORRELATIONS):
        found[f"sources {name}"] = measures.correlations_NC[:, row]
    return found


def correlations(of_notes: Mapping[str, Floats], means: NoteMeans) -> Iterator[Correlation]:
    """Yield the mean of each correlation that some note has."""
    for name, values_N in of_notes.items():
        parts, measure = name.split()
        mean = means.mean(values_N)
        if mean is not None:
            notes = int((~np.isnan(values_N)).sum())
            yield Correlation(parts=parts, measure=measure, mean=mean, notes=notes)


def by_head(measures: Measures, means: NoteMeans, heads_of_layer: int) -> Iterator[HeadResult]:
    for number in range(measures.effects_NH.shape[1]):
        weights = {
            name: means.known(measures.weights_NWH[:, row, number])
            for row, name in enumerate(HEAD_WEIGHTS)
        }
        yield HeadResult(
            head=Head(*divmod(number, heads_of_layer)),
            weights=weights,
            effect=means.known(measures.effects_NH[:, number]),
            correlation=means.mean(measures.by_head_NH[:, number]),
        )


def removals(measures: Measures, means: NoteMeans) -> Iterator[Removal]:
    """Yield the effects of sources removed together, for numbers that some note has sources for."""
    for row, number in enumerate(REMOVED):
        strongest_N, nearest_N, random_N = measures.removed_NKG[:, row].T
        notes = int((~np.isnan(strongest_N)).sum())
        if notes:
            yield Removal(
                number=number,
                strongest=means.known(strongest_N),
                nearest=means.known(nearest_N),
                random=means.known(random_N),
                difference=means.known(strongest_N - random_N),
                hurts_more=means.known(measures.hurts_more_NK[:, row]),
                notes=notes,
            )


def ranks(measures: Measures, means: NoteMeans) -> Iterator[RankEffect]:
    """Yield the effects of single sources by rank of weight, the random ones last.

    Sources of a note that share a group of ranks count as their mean.
    """
    number_S = np.arange(measures.source_weights_NS.shape[1])
    is_strong_NS = number_S < measures.strongest_N[:, None]
    groups = [
        (first + 1, last, is_strong_NS & (first <= number_S) & (number_S < last))
        for first, last in pairwise(RANKS)
    ]
    for first, last, chosen_NS in (*groups, (0, 0, ~is_strong_NS)):
        effects_NS = measures.source_effects_NS
        values = measures.source_weights_NS, effects_NS, np.abs(effects_NS)
        weight, effect, size = (means.mean(_row_means(one_NS, chosen_NS)) for one_NS in values)
        if weight is not None and effect is not None and size is not None:
            yield RankEffect(first=first, last=last, weight=weight, effect=effect, size=size)


def carriers_of(
    chosen: tuple[ChosenSet, ...],
    measures: Measures,
    sets: SetEffects,
    means: NoteMeans,
    heads_of_layer: int,
) -> Iterator[Carrier]:
    """Yield the chosen sets against the random ones.

    Args:
        measures: of the notes of the second half.
    """
    random_ND = sets.effects_ND[:, len(chosen) :]
    for row, one in enumerate(chosen):
        scores_N = measures.scores_NP[:, PATTERNS.index(one.pattern)]
        random_D = carriers.contrast(scores_N, random_ND)
        if np.isnan(random_D).any():
            continue
        effects_N = sets.effects_ND[:, row]
        with_pattern, without = _sides(scores_N, effects_N, means)
        above = _sides(scores_N, effects_N - random_ND.mean(axis=1), means)
        contrast = _certain(intervals.difference(with_pattern, without, means.draws_RU))
        comparison = SetComparison(
            heads=one.heads, value=contrast.value, random=tuple(np.sort(random_D).tolist())
        )
        yield Carrier(
            pattern=one.pattern,
            by=one.by,
            heads=tuple(Head(*divmod(head, heads_of_layer)) for head in one.heads),
            with_pattern=_certain(intervals.mean(with_pattern, means.draws_RU)),
            without=_certain(intervals.mean(without, means.draws_RU)),
            contrast=contrast,
            excess=_certain(intervals.difference(*above, means.draws_RU)),
            comparison=comparison,
        )


def _sides(scores_N: Floats, effects_N: Floats, means: NoteMeans) -> tuple[Pool, Pool]:
    """Return the observations of notes with a pattern, and of those without."""
    return carriers.pools(scores_N, effects_N, means.pieces_N, means.draws_RU.shape[1])


def _certain(found: Estimate | None) -> Estimate:
    if found is None:
        raise DataError("there is no note to take the mean of: expected at least one")
    return found


def _row_means(values_NS: Floats, chosen_NS: npt.NDArray[np.bool_]) -> Floats:
    """Return the mean of the chosen and known values of each row; nan without any."""
    there_NS = chosen_NS & ~np.isnan(values_NS)
    totals_N = np.where(there_NS, values_NS, 0.0).sum(axis=1)
    counts_N = there_NS.sum(axis=1)
    found: Floats = np.divide(
        totals_N, counts_N, out=np.full(len(totals_N), np.nan), where=counts_N > 0
    )
    return found
