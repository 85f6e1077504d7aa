"""A logistic regression of crops of eight bars, Bach's against a model's, on counts of features.

Columns are divided by the square root of their standard deviation: between counts as they are, of
which common ones decide, and standardised ones, of which rare ones do. The strength of the penalty
has the least log loss on crops of tunes that were held out. Their log-odds are then scaled until
they are calibrated (Platt 1999), since a penalty leaves them too small.

Dimensions: S samples, F features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict

from musicrel.chorale import Chorale
from musicrel.generation.discriminator.features import counts
from training.examination.samples import grouped

PENALTIES: Final = (0.003, 0.01, 0.03, 0.1, 0.3)
"""Inverse strengths of the penalty that are tried."""
_LEAST_SAMPLES: Final = 5
"""Features in fewer crops are left out."""
_LEAST_VARIANCE: Final = 1e-4
"""The value of features which occur equally often in all samples."""
_FOLDS: Final = 8
_UNPENALISED: Final = 1e6


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The figures of a penalty on held-out tunes."""

    penalty: float  # its inverse strength
    log_loss: float  # log loss in nats a crop, after calibration
    area: float  # area under the ROC curve
    slope: float  # factor that calibrates the log-odds


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    weights: Mapping[str, float]  # nats for each occurrence of a feature, calibrated
    held_out: HeldOut  # its figures on held-out tunes
    sizes: tuple[int, int]  # number of crops of Bach and of the model


def fit(bach: Sequence[Chorale], others: Sequence[Chorale]) -> Fit:
    own, foreign = grouped(bach, others, "8")
    is_bach_S = np.array([True] * len(own) + [False] * len(foreign))
    groups = [sample.group for sample in (*own, *foreign)]
    names, counts_SF = _table([counts(sample.piece) for sample in (*own, *foreign)])
    scale_F = 1.0 / np.sqrt(_deviation(counts_SF))
    columns_SF = counts_SF.multiply(scale_F).tocsr()
    tried = [_held_out(columns_SF, is_bach_S, groups, penalty) for penalty in PENALTIES]
    best = min(tried, key=lambda one: one.log_loss)
    fitted = _regression(best.penalty).fit(columns_SF, is_bach_S)
    weights_F = best.slope * scale_F * fitted.coef_[0]
    return Fit(
        weights=dict(zip(names, weights_F.tolist(), strict=True)),
        held_out=best,
        sizes=(len(own), len(foreign)),
    )


def _table(of_samples: Sequence[Counter[str]]) -> tuple[list[str], Any]:
    """Return the names of the features in enough samples, and their counts, sparse (S, F)."""
    frequency = Counter(feature for each in of_samples for feature in each)
    kept = {feature for feature, samples in frequency.items() if samples >= _LEAST_SAMPLES}
    table = DictVectorizer()
    counts_SF = table.fit_transform(
        [{name: number for name, number in each.items() if name in kept} for each in of_samples]
    )
    return table.get_feature_names_out().tolist(), counts_SF


def _deviation(counts_SF: Any) -> npt.NDArray[np.float64]:
    mean_F = np.asarray(counts_SF.mean(axis=0)).ravel()
    square_F = np.asarray(counts_SF.multiply(counts_SF).mean(axis=0)).ravel()
    return np.asarray(np.sqrt(np.maximum(square_F - mean_F**2, _LEAST_VARIANCE)))


def _held_out(
    columns_SF: Any, is_bach_S: npt.NDArray[np.bool_], groups: Sequence[str], penalty: float
) -> HeldOut:
    odds_S1 = cross_val_predict(
        _regression(penalty),
        columns_SF,
        is_bach_S,
        groups=groups,
        cv=StratifiedGroupKFold(_FOLDS),
        method="decision_function",
    )[:, None]
    calibrated = LogisticRegression(C=_UNPENALISED).fit(odds_S1, is_bach_S)
    return HeldOut(
        penalty=penalty,
        log_loss=float(log_loss(is_bach_S, calibrated.predict_proba(odds_S1)[:, 1])),
        area=float(roc_auc_score(is_bach_S, odds_S1[:, 0])),
        slope=float(calibrated.coef_[0, 0]),
    )


def _regression(penalty: float) -> LogisticRegression:
    return LogisticRegression(C=penalty, max_iter=5000)
