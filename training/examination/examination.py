"""The examination: samples of Bach and of another, three classifiers, what gives the other away."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from training.examination import classifiers, features, grams
from training.examination.estimate import Estimate, Labels, area
from training.examination.features import FIRST_SEED, FeatureSet
from training.examination.reading import Reading
from training.examination.samples import Sample

GIVEN: Final = 10
"""Number of features that are reported."""

Table = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Giveaway:
    """A feature that gives the other away."""

    name: str
    # coefficient in standard deviations times the difference in standard deviations: the log-odds
    # that the feature adds on average
    weight: float
    other: float
    bach: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """The result of the classifiers of a set."""

    areas: Mapping[str, Estimate]
    # the features with the largest weight, by logistic regression on metrics
    giveaways: tuple[Giveaway, ...]
    others: int  # number of samples, and ``bach`` of Bach's
    bach: int  # see ``others``

    @property
    def worst(self) -> Estimate:
        return max(self.areas.values(), key=lambda found: found.value)


def examine(bach: Sequence[Sample], others: Sequence[Sample], which: FeatureSet) -> Examination:
    """Try to distinguish ``others`` from ``bach``."""
    both = [*others, *bach]
    readings = [Reading(piece=sample.piece) for sample in both]
    is_other = np.arange(len(both)) < len(others)
    groups = [sample.group for sample in both]
    table, texts = measured(readings, which), _texts(readings, which)
    seed = FIRST_SEED[which]
    areas = {}
    for name, make in classifiers.CLASSIFIERS.items():
        data = texts if name == "n-grams" else table
        scores = classifiers.cross_validated(make, data, is_other, groups, seed)
        areas[name] = area(scores, is_other, groups, seed)
    found = giveaways(table, is_other, tuple(features.metrics(which)))
    return Examination(areas=areas, giveaways=found, others=len(others), bach=len(bach))


def measured(readings: Sequence[Reading], which: FeatureSet) -> Table:
    """Return the metrics of a set, float (N, metrics); NaN where there is nothing to measure."""
    found = features.metrics(which).values()
    return np.array([[metric(reading) for metric in found] for reading in readings])


def _texts(readings: Sequence[Reading], which: FeatureSet) -> npt.NDArray[np.object_]:
    texts = np.empty(len(readings), dtype=object)
    texts[:] = [grams.words(reading, which) for reading in readings]
    return texts


def giveaways(table: Table, is_other: Labels, names: Sequence[str]) -> tuple[Giveaway, ...]:
    """Return the metrics that add most to the log-odds of the other, the largest first.

    Args:
        table: float (N, metrics).
        is_other: bool (N,).
    """
    model = classifiers.logistic().fit(table, is_other)
    standard = model[:-1].transform(table)
    apart = standard[is_other].mean(axis=0) - standard[~is_other].mean(axis=0)
    weights = model[-1].coef_[0] * apart
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a metric may be missing everywhere
        means = np.nanmean(table[is_other], axis=0), np.nanmean(table[~is_other], axis=0)
    return tuple(
        Giveaway(
            name=names[n],
            weight=float(weights[n]),
            other=float(means[0][n]),
            bach=float(means[1][n]),
        )
        for n in np.argsort(-weights)[:GIVEN].tolist()
    )
