"""The pictures of the study of ablations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from musicrel.analysis.heads.head_patterns import PATTERNS
from musicrel.generation.heads.mutes import Mutes
from musicrel.presentation.ablation import effect_grid, interval_chart, rank_chart, study_words
from musicrel.presentation.ablation.head_effects import HeadEffects
from musicrel.presentation.ablation.interval_chart import (
    ChartFrame,
    ChartGroup,
    ChartRow,
    ChartValue,
)
from musicrel.presentation.ablation.rank_chart import RankPoint
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.words.palette import LIGHT, Theme

if TYPE_CHECKING:
    from musicrel.experiment.ablation.study_results import (
        Carrier,
        ModelResults,
        Removal,
        StudyResults,
    )

CORRELATIONS: Final = "correlations.svg"
REMOVALS: Final = "removals.svg"
RANKS: Final = "ranks.svg"
CARRIERS: Final = "carriers.svg"
HEADS: Final = "heads-{number}.svg"

_NONE: Final = ChartValue(None)
_TITLES: Final[Mapping[str, str]] = {
    CORRELATIONS: "Attention weight and effect: rank correlations of each note, mean over notes",
    REMOVALS: "Sources removed together, mean effect",
    RANKS: "Sources removed one at a time, mean size of the effect",
    CARRIERS: "Heads that may carry a pattern, against 100 random sets",
}
_AXES: Final[Mapping[str, str]] = {
    CORRELATIONS: "rank correlation",
    REMOVALS: "nats",
    RANKS: "nats, by rank of weight from the strongest source",
    CARRIERS: "effect on notes with the pattern minus effect on others, nats",
}
_GROUPS: Final[Mapping[str, str]] = {
    "strongest": "of largest weight",
    "nearest": "nearest in time",
    "random": "random others",
}
_REMOVED: Final = "{number} sources"
_CHOSEN: Final = "chosen {by}"
_MEAN_OF: Final = "mean of {notes:,} notes"
_PIECES: Final = "{pieces} pieces"


def draw(results: StudyResults, caption: str, theme: Theme = LIGHT) -> dict[str, Drawing]:
    """Return the pictures by name of their file; those without values are left out."""
    groups = {
        CORRELATIONS: tuple(_correlations(results)),
        REMOVALS: tuple(_removals(results)),
        CARRIERS: tuple(_carriers(results)),
    }
    found = {
        name: interval_chart.draw(of_name, _frame(results, name, caption), theme)
        for name, of_name in groups.items()
        if of_name
    }
    lines = [_ranks(model) for model in results.models]
    if any(lines):
        found[RANKS] = rank_chart.draw(lines, _frame(results, RANKS, caption), theme)
    for number, model in enumerate(results.models):
        found[HEADS.format(number=number + 1)] = _heads(results, model, theme)
    return found


def _frame(results: StudyResults, name: str, caption: str) -> ChartFrame:
    models = tuple(model.model for model in results.models)
    return ChartFrame(title=_TITLES[name], axis=_AXES[name], models=models, caption=caption)


def _correlations(results: StudyResults) -> Iterator[ChartGroup]:
    for parts, title in study_words.PARTS.items():
        rows = []
        for name, label in study_words.CORRELATIONS.items():
            found = [study_words.correlation(model, name) for model in results.models]
            if name.startswith(parts) and any(found):
                rows.append(ChartRow(label, tuple(map(ChartValue, found))))
        if rows:
            yield ChartGroup(title, tuple(rows))


def _removals(results: StudyResults) -> Iterator[ChartGroup]:
    for number in sorted({one.number for model in results.models for one in model.removals}):
        found = [_removal(model, number) for model in results.models]
        rows = [
            ChartRow(
                label,
                tuple(_NONE if one is None else ChartValue(getattr(one, name)) for one in found),
            )
            for name, label in _GROUPS.items()
        ]
        yield ChartGroup(_REMOVED.format(number=number), tuple(rows))


def _removal(model: ModelResults, number: int) -> Removal | None:
    return next((one for one in model.removals if one.number == number), None)


def _carriers(results: StudyResults) -> Iterator[ChartGroup]:
    for pattern in PATTERNS:
        rows = []
        for by in study_words.CHOICES:
            found = [_carrier(model, pattern, by) for model in results.models]
            if any(found):
                label = _CHOSEN.format(by=study_words.CHOICES[by])
                rows.append(ChartRow(label, tuple(map(_carrier_value, found))))
        if rows:
            yield ChartGroup(study_words.PATTERNS[pattern].capitalize(), tuple(rows))


def _carrier(model: ModelResults, pattern: str, by: str) -> Carrier | None:
    wanted = (pattern, by)
    return next((one for one in model.carriers if (one.pattern, one.by) == wanted), None)


def _carrier_value(found: Carrier | None) -> ChartValue:
    return _NONE if found is None else ChartValue(found.contrast, found.comparison.random)


def _ranks(model: ModelResults) -> list[RankPoint]:
    """Return the points of a model; those of several ranks lie at their geometric mean."""
    return [RankPoint((one.first * one.last) ** 0.5, one.size) for one in model.ranks if one.first]


def _heads(results: StudyResults, model: ModelResults, theme: Theme) -> Drawing:
    effects = np.array([one.effect.value for one in model.by_head])
    shown = HeadEffects(
        of=_MEAN_OF.format(notes=results.notes),
        model=model.model,
        by=results.by,
        by_head=effects.reshape(model.layers, model.heads),
    )
    return effect_grid.view(shown, Mutes(), _PIECES.format(pieces=results.pieces)).draw(theme)
