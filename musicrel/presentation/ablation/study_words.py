"""Names of the quantities of the study of ablations, for tables and charts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from musicrel.analysis.claims.intervals import Estimate

if TYPE_CHECKING:
    from musicrel.experiment.ablation.study_results import ModelResults

CORRELATIONS: Final[Mapping[str, str]] = {
    "heads strongest_source": "weight on the strongest source, effect",
    "heads strongest_source_size": "weight on the strongest source, size of effect",
    "heads concentration": "concentration, effect",
    "heads concentration_size": "concentration, size of effect",
    "sources weight": "weight, effect",
    "sources weight_size": "weight, size of effect",
    "sources closeness": "closeness in time, effect",
    "sources closeness_size": "closeness in time, size of effect",
}
"""Labels by parts and measure."""
PARTS: Final[Mapping[str, str]] = {"heads": "Heads of a note", "sources": "Sources of a note"}
PATTERNS: Final[Mapping[str, str]] = {
    "parallel_motion": "parallel motion",
    "cadence_near": "cadence near",
    "bar_ago": "this pitch a bar ago",
}
CHOICES: Final[Mapping[str, str]] = {"attention": "by attention", "effect": "by effect"}
DASH: Final = "–"


def interval(estimate: Estimate | None, digits: int = 3) -> str:
    if estimate is None:
        return DASH
    value, low, high = (number(part, digits) for part in estimate)
    return f"{value} ({low} to {high})"


def number(value: float, digits: int = 3) -> str:
    """Return a number with a minus sign and without a negative 0."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def correlation(model: ModelResults, name: str) -> Estimate | None:
    """Return the mean correlation of a name in ``CORRELATIONS``; None if the model has none."""
    for one in model.correlations:
        if f"{one.parts} {one.measure}" == name:
            return one.mean
    return None
