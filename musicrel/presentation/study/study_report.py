"""The report of a study: Markdown, CSV and curves, made from its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from musicrel import legacy, paths
from musicrel.errors import UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import (
    definition,
    published,
    run_watch,
    statistics,
    study_folder,
)
from musicrel.experiment.study.learning_curve import CurvePoint
from musicrel.experiment.study.measures import MEASURES
from musicrel.experiment.study.memory_study import MemoryStudy
from musicrel.experiment.study.results import RunOutcome, StudyResults
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.training.train_events import TrainResult
from musicrel.presentation.drawing import svg
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.study import (
    curves,
    progress,
    published_report,
    search_text,
    study_method,
)
from musicrel.presentation.study.csv_text import to_csv
from musicrel.presentation.study.curves import Axis, Series
from musicrel.presentation.words.markdown import table
from musicrel.presentation.words.palette import LIGHT, Theme

REPORT: Final = "report.md"
TABLE: Final = "results.csv"
PICTURES: Final[dict[str, Axis]] = {"curves.svg": "tokens", "curves-time.svg": "seconds"}

_LARGEST: Final = 1e15
"""Size below which a number is drawn in a curve."""
_COLUMNS: Final[tuple[tuple[str, Callable[[RunOutcome], str]], ...]] = (
    ("arm", lambda run: run.planned.arm),
    ("seed", lambda run: str(run.planned.seed)),
    ("state", lambda run: run.ending),
    ("parameters", lambda run: f"{run.result.parameters}" if run.result else ""),
    ("valid", lambda run: _figure(run.result.valid) if run.result else ""),
    ("test", lambda run: _figure(run.result.test) if run.result else ""),
    ("tokens", lambda run: f"{run.result.tokens}" if run.result else ""),
    ("seconds", lambda run: f"{run.result.seconds:.1f}" if run.result else ""),
    ("peak_bytes", lambda run: f"{run.result.peak_bytes}" if run.result else ""),
)
"""Columns of results.csv: key, and the cell of a run."""
_CELLS: Final[Mapping[str, Callable[[TrainResult], str]]] = {
    "parameters": lambda result: f"{result.parameters:,}",
    "tokens": lambda result: f"{result.tokens:,}",
    "seconds": lambda result: progress.duration(result.seconds),
    "peak_bytes": lambda result: progress.memory(result.peak_bytes),
}
"""Cells of these columns for people, if different."""
_TITLES: Final[Mapping[str, str]] = {
    "valid": "validation",
    "seconds": "time",
    "peak_bytes": "memory",
}
"""Titles of these columns for people, if different."""
_OF_LOSSES: Final = tuple(
    place for place, (name, _) in enumerate(_COLUMNS) if name in ("valid", "test")
)
_WINDOW_COLUMNS: Final = (
    "arm", "seed", "window", "validation, own window", "test, own window",
    "validation, whole pieces", "test, whole pieces",
)  # fmt: skip
_WHOLE: Final = (
    "Whole pieces are read at once with the full context, whatever the training window of the arm; "
    "`refused`: the scheme has no positions beyond its window."
)

_ARM_COLUMNS: Final = (
    "arm", "scheme", "window", "feed-forward", "parameters", "vs. first arm",
)  # fmt: skip


def write(folder: Path, found: StudyResults) -> list[Path]:
    """Write the report of ``found`` into the study's folder and return its files."""
    runs = run_watch.read_all(folder, found.study)
    extra = published_report.lines(published.findings(folder, found))
    contents = {REPORT: markdown(found, extra), TABLE: table_csv(found)}
    for name, axis in PICTURES.items():
        unit = found.measure.unit
        picture = curves.draw(series(runs, axis), title=found.study.name, unit=unit, axis=axis)
        contents[name] = svg.to_svg(picture)
    for name, content in contents.items():
        paths.write_text(folder / name, content)
    return [folder / name for name in contents]


def drawing(
    folder: Path, *, axis: Axis = "tokens", logarithmic: bool = False, theme: Theme = LIGHT
) -> Drawing:
    """Draw the curves of the study or the run in ``folder``, as far as known.

    Args:
        logarithmic: True for a logarithmic loss axis.
    """
    kind = study_folder.kind_of(folder)
    if kind is None:
        raise UsageError(f"{folder} holds no study and no run: expected the folder of one of them")
    study = definition.read(folder) if kind == "study" else None
    if isinstance(study, MemoryStudy):
        raise UsageError(
            f"the study in {folder} has no learning curves: expected one that trains models; "
            f"compare --report --out {folder} draws its measurements"
        )
    if study is not None:
        name, unit, runs = study.name, study.measure.unit, run_watch.read_all(folder, study)
    else:
        alone = recipe.parse(RunFolder(folder).recipe_toml(), "recipe.toml")
        name, unit = alone.name, MEASURES[alone.model.family].unit
        runs = [run_watch.read(folder, name, alone.training.seed)]
    found = series(runs, axis)
    return curves.draw(
        found, title=name, unit=unit, axis=axis, logarithmic=logarithmic, theme=theme
    )


def markdown(found: StudyResults, extra: Sequence[str] = ()) -> str:
    """Return the report as Markdown; ``extra`` are lines that only this study has."""
    study = found.study
    first, *others = statistics.parts(_capital(found.sentence))
    verdict = " ".join([f"**{first}.**", *(f"{part}." for part in others)])
    lines = [f"# Study: {study.name}", "", verdict, ""]
    further = [f"- {comparison.sentence}" for comparison in found.comparisons[1:]]
    lines += [*further, ""] if further else []
    if not found.finished:
        done = sum(run.result is not None for run in found.runs)
        lines += [f"Unfinished: {done} of {len(found.runs)} runs done.", ""]
    lines += ["## Arms", "", *_arms(found), "", "## Runs", "", *_runs(found), ""]
    lines += [*search_text.section(found), *_further(found), *extra]
    unit = found.measure.unit
    axes = {"tokens": curves.examples(unit)}
    lines += [
        f"![Validation loss by {axes.get(axis, axis)}, {unit}]({name})"
        for name, axis in PICTURES.items()
    ]
    lines += ["", "## Method", "", *study_method.lines(found), ""]
    return "\n".join(lines)


def table_csv(found: StudyResults) -> str:
    """Return a row for each run as CSV, with the unit of its losses and further measurements."""
    more = _further_names(found.runs)
    names = _names(found)
    title = found.measure.further_title
    prefix = legacy.inverse(legacy.TABLE_TITLES).get(title, title)
    further = [f"{prefix}: {name}" if name in names else name for name in more]
    rows = (
        [
            *(fill(run) for _, fill in _COLUMNS),
            found.measure.unit,
            *(_further_cells(run).get(name, "") for name in more),
        ]
        for run in found.runs
    )
    return to_csv([[*names, "unit", *further], *rows])


def series(runs: Sequence[RunStatus], axis: Axis) -> list[Series]:
    """Return the validation losses along ``axis``, without those of a diverged or damaged run."""

    def places(points: Sequence[CurvePoint]) -> Iterator[tuple[float, float]]:
        for point in points:
            place = float(getattr(point, axis)), point.nats
            if all(0 <= value < _LARGEST for value in place):  # False for NaN
                yield place

    return [Series(arm=run.arm, points=tuple(places(run.valid))) for run in runs]


def _arms(found: StudyResults) -> list[str]:
    rows = [
        (
            arm.name,
            arm.recipe.model.scheme,
            f"{arm.recipe.data.window:,}",
            str(arm.recipe.model.feedforward),
            f"{arm.parameters:,}",
            f"{arm.excess:+,}" if arm.excess else "0",
        )
        for arm in found.study.arms
    ]
    return table(_ARM_COLUMNS, rows)


def _runs(found: StudyResults) -> list[str]:
    unit = found.measure.unit
    titles = [_TITLES.get(name, name) for name in _names(found)]
    heads = [f"{title}, {unit}" if title in ("validation", "test") else title for title in titles]
    return table(heads, [_cells(run) for run in found.runs])


def _names(found: StudyResults) -> list[str]:
    """Return the keys of the columns; tokens are named by the unit of the loss."""
    examples = curves.examples(found.measure.unit)
    return [examples if name == "tokens" else name for name, _ in _COLUMNS]


def _cells(run: RunOutcome) -> list[str]:
    return [
        _CELLS[name](run.result) if name in _CELLS and run.result else fill(run)
        for name, fill in _COLUMNS
    ]


def _further(found: StudyResults) -> list[str]:
    """Return the section of further measurements, a column for each."""
    runs = [run for run in found.runs if run.result is not None and run.result.further]
    if not runs:
        return []
    if found.study.arms[0].recipe.data.measured == "window":
        return _windows(found, runs)
    columns = _further_names(runs)
    rows = [
        [
            run.planned.arm,
            str(run.planned.seed),
            *(_further_cells(run).get(name, "") for name in columns),
        ]
        for run in runs
    ]
    titles = ("arm", "seed", *(_TITLES.get(name, name) for name in columns))
    title = found.measure.further_title
    return [f"## {title}", "", *table(titles, rows), ""]


def _windows(found: StudyResults, runs: Sequence[RunOutcome]) -> list[str]:
    """Return the section of losses in each arm's own window, and on whole pieces."""
    rows = [
        (
            run.planned.arm,
            str(run.planned.seed),
            f"{run.planned.recipe.data.window:,}",
            *(_cells(run)[place] for place in _OF_LOSSES),
            *(_further_cells(run).get(name, "") for name in ("whole valid", "whole test")),
        )
        for run in runs
    ]
    title = f"## {found.measure.unit.capitalize()} in each arm's own window, and on whole pieces"
    return [title, "", _WHOLE, "", *table(_WINDOW_COLUMNS, rows), ""]


def _further_names(runs: Sequence[RunOutcome]) -> list[str]:
    return list(dict.fromkeys(name for run in runs for name in _further_cells(run)))


def _further_cells(run: RunOutcome) -> dict[str, str]:
    further = {} if run.result is None else _with_test(run.result)
    return {
        name: value if isinstance(value, str) else f"{value:.4f}" for name, value in further.items()
    }


def _with_test(result: TrainResult) -> dict[str, float | str]:
    """Return the further measurements, with the accuracy on test from its sequences."""
    right = [piece.right for piece in result.test_pieces if piece.right is not None]
    valid = {name: result.further[name] for name in ("valid",) if name in result.further}
    test = {"test": sum(right) / len(right)} if right and valid else {}
    return {**valid, **test, **result.further}


def _figure(loss: float | None) -> str:
    return "" if loss is None else f"{loss:.4f}"


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
