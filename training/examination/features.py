"""The features by set: G guides decisions, R only reports. No measure is in both.

Each row of ``FAMILIES`` has one measure and its variants by set. A measure of lines is taken of two
voices in one set and of the other two in the other, in turn: each set covers all voices, and
neither is blind to a weakness. Zigzag lines, for instance, show in G as the second step of soprano
and tenor and as double turns of alto and bass, in R the other way round. Chord kinds, inversions,
root motions, pairs of voices, rules and beats of the bar are split likewise.
The n-grams of G are those of single voices, the n-grams of R those of chords and of pairs.

Disjoint is not independent. So a feature is not in R if its correlation with one of G is 0.9 or
more, of either sign, in the crops of Bach's training pieces, or in those of training and
validation: long notes of soprano and tenor, the mean interval of the tenor, rests and lengths under
fermatas of the bass, fermatas on the third beat, repeated bars. ``test_examination_features``
computes it again. Of the 91 features that are left, 7 correlate with one of the 94 of G by 0.8 or
more: a model chosen by G has lower areas in R, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from training.examination import counterpoint, form, harmony, likelihood, lines, rhythm
from training.examination.reading import Family, Reading

FeatureSet = Literal["G", "R", "L"]
SETS: Final[tuple[FeatureSet, ...]] = ("G", "R")
"""The sets of musical measures."""
LIKELIHOOD: Final = "L"
FIRST_SEED: Final[Mapping[FeatureSet, int]] = MappingProxyType(
    {"G": 600_000, "R": 700_000, "L": 800_000}
)
"""The first seed of generated pieces, of folds and of draws, by set."""


FAMILIES: Final = (
    *lines.FAMILIES, *rhythm.FAMILIES, *harmony.FAMILIES, *counterpoint.FAMILIES, *form.FAMILIES,
)  # fmt: skip
"""Every measure with its variants in G and in R."""


def variants(family: Family, which: FeatureSet) -> tuple[str, ...]:
    return family.guiding if which == "G" else family.reporting


def metrics(which: FeatureSet) -> dict[str, Callable[[Reading], float]]:
    """Return the metrics of a set by name, such as "eighths, S"."""
    return {
        f"{family.title}, {variant or 'none'}": partial(_measured, family, variant)
        for family in FAMILIES
        for variant in variants(family, which)
    }


def _measured(family: Family, variant: str, reading: Reading) -> float:
    return family.measure(reading, variant)


def measured(
    readings: Sequence[Reading], which: FeatureSet
) -> tuple[tuple[str, ...], npt.NDArray[np.float64]]:
    """Return the names of the metrics of a set, and float (N, metrics); NaN where there is none."""
    if which == LIKELIHOOD:
        profiles = [likelihood.profile(reading.piece) for reading in readings]
        return tuple(profiles[0]), np.array([[*one.values()] for one in profiles])
    found = metrics(which)
    rows = [[metric(reading) for metric in found.values()] for reading in readings]
    return tuple(found), np.array(rows)
