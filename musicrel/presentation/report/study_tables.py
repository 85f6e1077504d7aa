"""The tables of a study's report: losses, pairs, runs, costs and settings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from musicrel.presentation.report.blocks import NONE, Cell, Table
from musicrel.presentation.study import curves, progress, search_text
from musicrel.presentation.words import display_names

if TYPE_CHECKING:
    from musicrel.experiment.study.results import RunOutcome, StudyResults
    from musicrel.experiment.study.study import Arm
    from musicrel.experiment.training.train_events import TrainResult

_OWN: Final = "window\N{NO-BREAK SPACE}of"
_WHOLE: Final = "whole\N{NO-BREAK SPACE}pieces"
_LOSSES_NOTE: Final = (
    "Means over seeds. SD: standard deviation between seeds, of a sample. {readings}"
)
_READINGS: Final = (
    "Window: pieces read in windows of the training length that overlap by half. Whole pieces: "
    "read at once with the full context; refused: the scheme has no positions beyond its window."
)
_RUNS_NOTE: Final = (
    "Loss at the end: the median slope of validation in the last quarter of the steps; level below "
    "a change of 0.01 over that quarter."
)
_COSTS_NOTE: Final = "Means over the finished runs; memory: the highest of them."
_PARTS: Final = ("model", "data", "training", "masking")
_NOT_SET: Final = ("seed", "trial")
"""Entries that a study sets itself for each run."""
_UNUSED: Final[tuple[Any, ...]] = ("", (), [], {})
_MASKED: Final = ("masked", "infill", "encoder_decoder", "published")
"""Objectives whose recipes use the table ``masking``."""


def losses(found: StudyResults) -> Table:
    """Return the losses of each arm, a row for each reading of the pieces."""
    windowed = has_window(found)
    rows = []
    for arm in found.study.arms:
        results = [run.result for run in found.runs if _is_done(run, arm) and run.result]
        own = f"{_OWN} {arm.recipe.data.window:,}" if windowed else _whole(found)
        valid, test = ([one.valid for one in results], [one.test for one in results])
        rows.append(_loss_row(arm, own, valid, test))
        if windowed:
            further = [one.further for one in results]
            whole = ([one.get(f"whole {split}") for one in further] for split in ("valid", "test"))
            rows.append(_loss_row(arm, _WHOLE, *whole))
    unit = found.measure.unit
    heads = ("arm", "read", "seeds", "validation", "test", "SD of test")
    note = _LOSSES_NOTE.format(readings=_READINGS if windowed else "").strip()
    title = f"Losses of the arms, {unit}"
    return Table(key="losses", title=title, heads=heads, rows=tuple(rows), note=note)


def runs(found: StudyResults) -> Table:
    unit = found.measure.unit
    heads = (
        "arm", "seed", "state", "validation", "test", "steps", curves.examples(unit), "time",
        "memory", "rollbacks", "loss at the end",
    )  # fmt: skip
    rows = tuple(_run_row(run) for run in found.runs)
    title = f"Runs, losses in {unit}"
    return Table(key="runs", title=title, heads=heads, rows=rows, note=_RUNS_NOTE)


def search(found: StudyResults) -> Table:
    """Return the trials of the search for learning rates."""
    rows = []
    for trial in search_text.in_order(found):
        result = trial.result
        valid, seconds = (None, 0.0) if result is None else (result.valid, result.seconds)
        _, rate, loss, time, chosen = search_text.cells(trial)
        rows.append((Cell(display_names.arm(trial.planned.arm)), Cell(rate, trial.rate),
                     Cell(loss, valid), Cell(time, seconds or None), Cell(chosen)))  # fmt: skip
    heads = ("arm", "learning rate", "validation", "time", "chosen")
    title = f"Learning rates tried before the runs, losses in {found.measure.unit}"
    note = " ".join(search_text.remarks(found))
    return Table(key="learning-rates", title=title, heads=heads, rows=tuple(rows), note=note)


def costs(found: StudyResults) -> Table:
    """Return parameters, time, speed and memory of each arm, and the time of its search."""
    rows = []
    for arm in found.study.arms:
        done = [run.result for run in found.runs if _is_done(run, arm) and run.result]
        searched = [_search_time(found, arm)] if found.trials else []
        rows.append((Cell(display_names.arm(arm.name)), *_cost_cells(arm, done), *searched))
    each = curves.examples(found.measure.unit)
    more = ("time of search",) if found.trials else ()
    heads = ("arm", "parameters", "feed-forward", "time per run", f"{each}/s", "memory", *more)
    return Table(
        key="costs", title="Costs of the arms", heads=heads, rows=tuple(rows), note=_COSTS_NOTE
    )


def settings(found: StudyResults) -> Table:
    """Return the values of the recipes: one column if they agree in all arms, else one per arm."""
    arms = found.study.arms
    tables = [asdict(arm.recipe) for arm in arms]
    rows = []
    for part in _PARTS if found.study.objective in _MASKED else _PARTS[:-1]:
        for name in tables[0][part]:
            values = [table[part].get(name) for table in tables]
            if name in _NOT_SET or all(value in _UNUSED for value in values):
                continue
            rows.append((Cell(part), Cell(name), Cell(_values(values, arms))))
    heads = ("table", "setting", "value")
    return Table(key="settings", title="Values of all recipes", heads=heads, rows=tuple(rows))


def _whole(found: StudyResults) -> str:
    """Return how pieces were read at once, or the name of what else was measured."""
    return _WHOLE if found.measure.observations == "pieces" else found.measure.observations


def has_window(found: StudyResults) -> bool:
    """Return whether pieces were read in the window of each arm."""
    return found.study.arms[0].recipe.data.measured == "window"


def _is_done(run: RunOutcome, arm: Arm) -> bool:
    return run.planned.arm == arm.name and run.result is not None


def _loss_row(
    arm: Arm,
    reading: str,
    valid: Sequence[float | str | None],
    test: Sequence[float | str | None],
) -> tuple[Cell, ...]:
    tests = _numbers(test)
    seeds = Cell(str(len(test)), len(test))
    refused = next((value for value in (*valid, *test) if isinstance(value, str)), NONE)
    return (
        Cell(display_names.arm(arm.name)),
        Cell(reading),
        seeds,
        *(number(_mean(_numbers(values)), ".4f", refused) for values in (valid, test)),
        number(_deviation(tests), ".4f"),
    )


def _run_row(run: RunOutcome) -> tuple[Cell, ...]:
    named = (Cell(display_names.arm(run.planned.arm)), count(run.planned.seed), Cell(run.ending))
    result = run.result
    if result is None:
        return (*named, *(Cell(NONE) for _ in range(8)))
    return (
        *named,
        number(result.valid, ".4f"),
        number(result.test, ".4f"),
        count(result.step),
        count(result.tokens),
        Cell(progress.duration(result.seconds), result.seconds),
        Cell(progress.memory(result.peak_bytes), result.peak_bytes),
        count(result.rollbacks),
        Cell(run.trend or NONE),
    )


def _cost_cells(arm: Arm, done: Sequence[TrainResult]) -> Iterator[Cell]:
    yield count(arm.parameters)
    yield count(arm.recipe.model.feedforward)
    if not done or not (seconds := sum(one.seconds for one in done)):
        yield from (Cell(NONE) for _ in range(3))
        return
    yield Cell(progress.duration(seconds / len(done)), seconds / len(done))
    yield count(round(sum(one.tokens for one in done) / seconds))
    peak = max(one.peak_bytes for one in done)
    yield Cell(progress.memory(peak), peak)


def _search_time(found: StudyResults, arm: Arm) -> Cell:
    """Return the time that the trials of an arm took."""
    results = [one.result for one in found.trials if one.planned.arm == arm.name]
    seconds = sum(result.seconds for result in results if result is not None)
    return Cell(progress.duration(seconds), seconds) if seconds else Cell(NONE)


def _values(values: Sequence[Any], arms: Sequence[Arm]) -> str:
    texts = [_text(value) for value in values]
    if len(set(texts)) == 1:
        return texts[0]
    named = zip(arms, texts, strict=True)
    return "; ".join(f"{display_names.arm(arm.name)}: {text}" for arm, text in named)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(inner)}" for name, inner in value.items()) or NONE
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value) or NONE


def _numbers(values: Iterable[float | str | None]) -> list[float]:
    return [float(value) for value in values if isinstance(value, int | float)]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _deviation(values: Sequence[float]) -> float | None:
    """Return the standard deviation of a sample; None below two values."""
    if len(values) < 2:  # noqa: PLR2004
        return None
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))


def number(value: float | None, form: str, without: str = NONE) -> Cell:
    """Return a number with a minus sign; ``without`` if there is none."""
    if value is None:
        return Cell(without)
    return Cell(f"{value:{form}}".replace("-", "\N{MINUS SIGN}"), value)


def count(value: int) -> Cell:
    return Cell(f"{value:,}", value)
