"""The examination: samples of Bach and of another, three classifiers, what gives the other away."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from training.examination import grams
from training.examination.estimate import Estimate, Labels, Scores, area
from training.examination.features import FIRST_SEED, LIKELIHOOD, FeatureSet, measured
from training.examination.reading import Reading
from training.examination.samples import Sample

GIVEN: Final = 10
"""Number of features that are reported."""

Table = npt.NDArray[np.float64]

_FOLDS: Final = 5
_REPEATS: Final = 4
"""Divisions into folds; scores are their means."""
_TREES: Final = 300
_LEAF: Final = 3
_METRIC_PENALTY: Final = 0.1
"""Inverse strength of the regularisation of logistic regression on metrics."""
_GRAM_PENALTY: Final = 1.0
_LEAST_SAMPLES: Final = 3
"""N-grams in fewer samples are left out."""


def _logistic() -> Any:
    """Return logistic regression on standardised metrics; a missing one has its median."""
    return make_pipeline(
        SimpleImputer(strategy="median", keep_empty_features=True),
        StandardScaler(),
        LogisticRegression(C=_METRIC_PENALTY, class_weight="balanced", max_iter=5000),
    )


def _forest(seed: int) -> Any:
    return make_pipeline(
        SimpleImputer(strategy="median", keep_empty_features=True),
        RandomForestClassifier(
            _TREES, min_samples_leaf=_LEAF, class_weight="balanced", random_state=seed
        ),
    )


def _gram_logistic() -> Any:
    return make_pipeline(
        TfidfVectorizer(analyzer=list, sublinear_tf=True, min_df=_LEAST_SAMPLES),
        LogisticRegression(C=_GRAM_PENALTY, class_weight="balanced", max_iter=5000),
    )


_OF_WORDS: Final = "n-grams"
CLASSIFIERS: Final[Mapping[str, Callable[[int], Any]]] = MappingProxyType(
    {
        "logistic regression": lambda _: _logistic(),
        "random forest": _forest,
        _OF_WORDS: lambda _: _gram_logistic(),
    }
)
"""Name -> classifier with a seed; the first two take metrics, the last n-grams, of music alone."""


def cross_validated(
    make: Callable[[int], Any], data: Any, is_other: Labels, groups: Sequence[str], seed: int
) -> Scores:
    """Return the mean log-odds of each sample by classifiers that knew none of its group."""
    total = np.zeros(len(is_other))
    for repeat in range(_REPEATS):
        folds = StratifiedGroupKFold(_FOLDS, shuffle=True, random_state=seed + repeat)
        for train, test in folds.split(is_other, is_other, groups):
            fitted = make(seed + repeat).fit(data[train], is_other[train])
            odds = fitted.predict_proba(data[test])[:, 1].clip(1e-4, 1 - 1e-4)
            total[test] += np.log(odds / (1 - odds)) / _REPEATS
    return total


@dataclass(frozen=True, slots=True, kw_only=True)
class Giveaway:
    name: str
    # coefficient in standard deviations times the difference in standard deviations: the log-odds
    # that the feature adds on average
    weight: float
    other: float
    bach: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    areas: Mapping[str, Estimate]
    # the features with the largest weight, by logistic regression on metrics
    giveaways: tuple[Giveaway, ...]
    others: int  # number of samples, and ``bach`` of Bach's
    bach: int  # see ``others``

    @property
    def worst(self) -> Estimate:
        return max(self.areas.values(), key=lambda found: found.value)


def examine(bach: Sequence[Sample], others: Sequence[Sample], which: FeatureSet) -> Examination:
    both = [*others, *bach]
    readings = [Reading(piece=sample.piece) for sample in both]
    is_other = np.arange(len(both)) < len(others)
    groups = [sample.group for sample in both]
    names, table = measured(readings, which)
    seed = FIRST_SEED[which]
    areas = {}
    for name, make in CLASSIFIERS.items():
        if name == _OF_WORDS and which == LIKELIHOOD:
            continue
        data = _texts(readings, which) if name == _OF_WORDS else table
        scores = cross_validated(make, data, is_other, groups, seed)
        areas[name] = area(scores, is_other, groups, seed)
    found = giveaways(table, is_other, names)
    return Examination(areas=areas, giveaways=found, others=len(others), bach=len(bach))


def _texts(readings: Sequence[Reading], which: FeatureSet) -> npt.NDArray[np.object_]:
    texts = np.empty(len(readings), dtype=object)
    texts[:] = [grams.words(reading, which) for reading in readings]
    return texts


def giveaways(table: Table, is_other: Labels, names: Sequence[str]) -> tuple[Giveaway, ...]:
    """Return the metrics that add most to the log-odds of the other, the largest first."""
    model = _logistic().fit(table, is_other)
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
