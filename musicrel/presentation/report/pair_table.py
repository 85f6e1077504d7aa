"""The table of differences between arms, a row for each pair and each reading of the pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from musicrel.experiment.study import statistics
from musicrel.presentation.report.blocks import NONE, Cell, Table
from musicrel.presentation.report.study_tables import count, has_window, number
from musicrel.presentation.words import display_names

if TYPE_CHECKING:
    from musicrel.experiment.study.results import StudyResults
    from musicrel.experiment.study.statistics import Comparison

_TITLE: Final = "Differences of test losses, {unit}, {pieces} {things}"
_WINDOW: Final = "window"
_WHOLE: Final = "whole"
_NOTE: Final = (
    "Difference: loss of the first arm minus that of the second; above 0 the second has the lower "
    "loss. Better: only with two seeds or more, and losses that no longer fall at the end. "
    "More seeds: those of each arm that would show a difference of 0.01 with a power of 80 %; – if "
    "no number would, because the pieces are too few, or if there is one seed."
)
_WHOLE_NOTE: Final = (
    " Window: pieces read in each arm's own window. Whole: pieces read at once; Student's interval "
    "over the seeds finished in both arms, without the choice of pieces."
)


def pairs(found: StudyResults) -> Table:
    """Return the differences of all pairs of arms."""
    rows = []
    for pair in found.comparisons:
        rows.append(_row(found, pair))
        if has_window(found) and (whole := _whole_row(found, pair)) is not None:
            rows.append(whole)
    heads = ("first arm", "second arm", "read", "difference", "95 % from", "to", "better", "seeds",
             "more seeds")  # fmt: skip
    note = _NOTE + (_WHOLE_NOTE if len(rows) > len(found.comparisons) else "")
    pieces = max((pair.pieces for pair in found.comparisons), default=0)
    title = _TITLE.format(
        unit=found.measure.unit, pieces=f"{pieces:,}", things=found.measure.observations
    )
    return Table(key="differences", title=title, heads=heads, rows=tuple(rows), note=note)


def whole_differences(found: StudyResults, pair: Comparison) -> list[float]:
    """Return the differences of the test losses on whole pieces, one for each seed."""
    first, second = (_whole_losses(found, arm) for arm in (pair.first, pair.second))
    return [first[seed] - second[seed] for seed in first if seed in second]


def _row(found: StudyResults, pair: Comparison) -> tuple[Cell, ...]:
    return (
        *_arms(pair),
        Cell(_WINDOW if has_window(found) else _WHOLE),
        *(number(value, "+.4f") for value in (pair.difference, pair.low, pair.high)),
        Cell(display_names.arm(pair.better) if pair.better else NONE),
        count(pair.seeds),
        Cell(NONE) if pair.more_seeds is None else count(pair.more_seeds),
    )


def _whole_row(found: StudyResults, pair: Comparison) -> tuple[Cell, ...] | None:
    """Return the row of whole pieces; None if no seed measured them in both arms."""
    values = whole_differences(found, pair)
    if not values:
        return None
    mean, half = sum(values) / len(values), None
    if len(values) > 1:
        half = float(statistics.mean_half_width(np.array(values)[:, None])[0])
    ends = (None, None) if half is None else (mean - half, mean + half)
    is_better = half is not None and abs(mean) > half and not pair.missing
    better = display_names.arm(pair.second if mean > 0 else pair.first)
    return (
        *_arms(pair),
        Cell(_WHOLE),
        *(number(value, "+.4f") for value in (mean, *ends)),
        Cell(better if is_better else NONE),
        count(len(values)),
        Cell(NONE),
    )


def _arms(pair: Comparison) -> tuple[Cell, Cell]:
    return Cell(display_names.arm(pair.first)), Cell(display_names.arm(pair.second))


def _whole_losses(found: StudyResults, arm: str) -> dict[int, float]:
    """Return the test losses of an arm on whole pieces, by seed."""
    losses = {
        run.planned.seed: run.result.further.get("whole test")
        for run in found.runs
        if run.planned.arm == arm and run.result is not None
    }
    return {seed: loss for seed, loss in losses.items() if isinstance(loss, float)}
