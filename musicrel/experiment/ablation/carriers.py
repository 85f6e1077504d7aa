"""The heads that carry a pattern: chosen on one half of the pieces, examined on the other.

Two sets of heads are chosen for each pattern, on the first half: those with the largest mean of

- ``attention``: their weight on the pattern above that of equal weights, over the notes to which an
  earlier note has the pattern;
- ``effect``: their ``contrast``, the mean effect on notes weighted by their score of the pattern,
  minus that weighted by 1 - score.

On the second half the heads of a set are replaced together. A set carries the pattern if the
contrast of its effect exceeds that of random sets of as many heads.

Dimensions: N notes, H heads of all layers, P patterns, D sets, U pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from musicrel.analysis.claims.intervals import Pool
from musicrel.analysis.heads import head_sets
from musicrel.analysis.heads.head_patterns import PATTERNS
from musicrel.experiment.ablation.measures import Floats, Measures, Places

Choice: TypeAlias = Literal["attention", "effect"]
CHOICES: Final[tuple[Choice, ...]] = get_args(Choice)
SET_SIZE: Final = 3
"""Heads of a set."""

Sets = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ChosenSet:
    """Heads that may carry a pattern."""

    pattern: str
    by: Choice
    heads: tuple[int, ...]  # their numbers in the model, in order of their score


def choose(measures: Measures) -> tuple[ChosenSet, ...]:
    """Return the sets of heads for each pattern."""
    heads = measures.effects_NH.shape[1]
    found = []
    for row, pattern in enumerate(PATTERNS):
        scores_N = measures.scores_NP[:, row]
        scored: dict[Choice, Floats] = {
            "attention": _means(measures.excess_NPH[:, row]),
            "effect": contrast(scores_N, measures.effects_NH),
        }
        found += [
            ChosenSet(pattern, by, head_sets.strongest(scores_H, min(SET_SIZE, heads)))
            for by, scores_H in scored.items()
            if not np.isnan(scores_H).any()
        ]
    return tuple(found)


def contrast(scores_N: Floats, effects_ND: Floats) -> Floats:
    """Return the contrast of effects, (D,); nan without notes of both kinds.

    It is sum_n s_n e_n / sum_n s_n - sum_n (1 - s_n) e_n / sum_n (1 - s_n).

    Args:
        scores_N: of the pattern, 0 to 1; notes that are nan do not count.
    """
    there = ~np.isnan(scores_N)
    s_N, e_ND = scores_N[there], effects_ND[there]
    if not (s_N.sum() and (1 - s_N).sum()):
        return np.full(effects_ND.shape[1], np.nan)
    found: Floats = s_N @ e_ND / s_N.sum() - (1 - s_N) @ e_ND / (1 - s_N).sum()
    return found


def pools(scores_N: Floats, effects_N: Floats, pieces_N: Places, number: int) -> tuple[Pool, Pool]:
    """Return the observations of the two means of the contrast, by piece."""
    there = ~np.isnan(scores_N)
    s_N, e_N, piece_N = scores_N[there], effects_N[there], pieces_N[there]
    return _weighted(s_N, e_N, piece_N, number), _weighted(1 - s_N, e_N, piece_N, number)


def with_random(chosen: Sequence[ChosenSet], heads: int, rng: np.random.Generator) -> Sets:
    """Return the chosen sets, then ``RANDOM_SETS`` random ones of as many heads, bool (D, H)."""
    size = len(chosen[0].heads)
    drawn = [rng.choice(heads, size=size, replace=False) for _ in range(head_sets.RANDOM_SETS)]
    sets_DH = np.zeros((len(chosen) + len(drawn), heads), dtype=np.bool_)
    members_DK = np.array([*(one.heads for one in chosen), *drawn])
    np.put_along_axis(sets_DH, members_DK, values=True, axis=1)
    return sets_DH


def halves(pieces: int, seed: int) -> tuple[Places, Places]:
    """Return the numbers of the pieces of the first half, drawn by a seed, and of the second.

    The first has one piece more if their number is odd.
    """
    order = np.random.default_rng(seed).permutation(pieces)
    first, second = np.split(order, [-(-pieces // 2)])
    return np.sort(first), np.sort(second)


def _weighted(weights_N: Floats, effects_N: Floats, pieces_N: Places, number: int) -> Pool:
    """Return observations that count as often as their weight."""
    totals_U, counts_U = np.zeros(number), np.zeros(number)
    np.add.at(totals_U, pieces_N, weights_N * effects_N)
    np.add.at(counts_U, pieces_N, weights_N)
    return Pool(totals_U, counts_U)


def _means(excess_NH: Floats) -> Floats:
    """Return the mean of each head over the notes that have a value; nan without any."""
    there = ~np.isnan(excess_NH[:, 0])
    if not there.any():
        return np.full(excess_NH.shape[1], np.nan)
    means_H: Floats = excess_NH[there].mean(axis=0)
    return means_H
