"""Three kinds of classifier, and their scores of samples they were not trained on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from training.examination.estimate import Labels, Scores

FOLDS: Final = 5
_REPEATS: Final = 4
"""Divisions into folds; scores are their means."""
_TREES: Final = 300
_LEAF: Final = 3
_METRIC_PENALTY: Final = 0.1
"""Inverse strength of the regularisation of logistic regression on metrics."""
_GRAM_PENALTY: Final = 1.0
_LEAST_SAMPLES: Final = 3
"""N-grams in fewer samples are left out."""


def logistic() -> Any:
    """Return logistic regression on standardised metrics; a missing one has its median."""
    return make_pipeline(
        SimpleImputer(strategy="median", keep_empty_features=True),
        StandardScaler(),
        LogisticRegression(C=_METRIC_PENALTY, class_weight="balanced", max_iter=5000),
    )


def forest(seed: int) -> Any:
    """Return a random forest on metrics."""
    return make_pipeline(
        SimpleImputer(strategy="median", keep_empty_features=True),
        RandomForestClassifier(
            _TREES, min_samples_leaf=_LEAF, class_weight="balanced", random_state=seed
        ),
    )


def gram_logistic() -> Any:
    """Return logistic regression on weighted counts of n-grams."""
    return make_pipeline(
        TfidfVectorizer(analyzer=list, sublinear_tf=True, min_df=_LEAST_SAMPLES),
        LogisticRegression(C=_GRAM_PENALTY, class_weight="balanced", max_iter=5000),
    )


CLASSIFIERS: Final[Mapping[str, Callable[[int], Any]]] = MappingProxyType(
    {
        "logistic regression": lambda _: logistic(),
        "random forest": forest,
        "n-grams": lambda _: gram_logistic(),
    }
)
"""Name -> classifier with a seed; the first two take metrics, the last n-grams."""


def cross_validated(
    make: Callable[[int], Any], data: Any, is_other: Labels, groups: Sequence[str], seed: int
) -> Scores:
    """Return the mean log-odds of each sample by classifiers that knew none of its group.

    Args:
        is_other: bool (N,), the class that has high scores.
        groups: the group of each sample; never on both sides of a fold.
    """
    total = np.zeros(len(is_other))
    for repeat in range(_REPEATS):
        folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed + repeat)
        for train, test in folds.split(is_other, is_other, groups):
            fitted = make(seed + repeat).fit(data[train], is_other[train])
            odds = fitted.predict_proba(data[test])[:, 1].clip(1e-4, 1 - 1e-4)
            total[test] += np.log(odds / (1 - odds)) / _REPEATS
    return total
