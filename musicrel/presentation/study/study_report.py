"""The report of a study: Markdown, CSV and curves, made from its folder alone.

This file knows tables and sentences; the figures are ``musicrel.experiment.study.results``'.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from musicrel import paths
from musicrel.errors import UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import layer_costs, published, results, study_folder
from musicrel.experiment.study.measures import MEASURES
from musicrel.experiment.study.results import Curve, CurvePoint, RunOutcome, StudyResults
from musicrel.experiment.training.train_events import TrainResult
from musicrel.presentation.drawing import svg
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.study import curves, progress, published_report, study_method
from musicrel.presentation.study.curves import Axis, Series
from musicrel.presentation.study.published_report import table
from musicrel.presentation.words.palette import LIGHT, Theme

REPORT: Final = "report.md"
TABLE: Final = "results.csv"
PICTURES: Final[dict[str, Axis]] = {"curves.svg": "tokens", "curves-time.svg": "seconds"}

_COLUMNS: Final[tuple[tuple[str, Callable[[RunOutcome], str]], ...]] = (
    ("arm", lambda run: run.planned.arm),
    ("seed", lambda run: str(run.planned.seed)),
    ("state", lambda run: run.state),
    ("parameters", lambda run: f"{run.result.parameters}" if run.result else ""),
    ("valid", lambda run: _figure(run.result.valid) if run.result else ""),
    ("test", lambda run: _figure(run.result.test) if run.result else ""),
    ("tokens", lambda run: f"{run.result.tokens}" if run.result else ""),
    ("seconds", lambda run: f"{run.result.seconds:.1f}" if run.result else ""),
    ("peak_bytes", lambda run: f"{run.result.peak_bytes}" if run.result else ""),
)
"""The columns of the table of runs: name and how a run fills it."""
_FOR_PEOPLE: Final[Mapping[str, tuple[str, Callable[[TrainResult], str]]]] = {
    "parameters": ("parameters", lambda result: f"{result.parameters:,}"),
    "tokens": ("tokens", lambda result: f"{result.tokens:,}"),
    "seconds": ("time", lambda result: progress.duration(result.seconds)),
    "peak_bytes": ("memory", lambda result: progress.memory(result.peak_bytes)),
}
"""How some of these columns are called and filled in a text."""
_OF_LOSSES: Final = tuple(
    place for place, (name, _) in enumerate(_COLUMNS) if name in ("valid", "test")
)
_WINDOW_COLUMNS: Final = (
    "arm", "seed", "window", "valid, own window", "test, own window", "valid, whole pieces",
    "test, whole pieces",
)  # fmt: skip
_WHOLE: Final = (
    "Whole pieces are read at once, all that stands before in view, however long a window the arm "
    "was trained on; `refused`: its scheme has no positions so far."
)

_ARM_COLUMNS: Final = (
    "arm", "scheme", "window", "feed-forward", "parameters", "above the first arm",
)  # fmt: skip


def write(folder: Path, found: StudyResults) -> list[Path]:
    """Write the report of ``found`` into the study's folder; its files.

    Raises:
        FileError: the folder cannot be written.
    """
    told = results.curves(folder)
    besides = published_report.lines(published.findings(folder, found))
    contents = {REPORT: markdown(found, besides), TABLE: table_csv(found)}
    for name, axis in PICTURES.items():
        unit = found.measure.unit
        picture = curves.draw(series(told, axis), title=found.study.name, unit=unit, axis=axis)
        contents[name] = svg.to_svg(picture)
    for name, content in contents.items():
        paths.write_text(folder / name, content)
    return [folder / name for name in contents]


def drawing(
    folder: Path, *, axis: Axis = "tokens", logarithmic: bool = False, theme: Theme = LIGHT
) -> Drawing:
    """The curves of the study or the run in ``folder``, as far as they go.

    Args:
        folder: of a study, or of a run alone.
        axis: what runs to the right.
        logarithmic: whether losses stand at their logarithm.
        theme: colours.

    Raises:
        UsageError: there is neither, or a study that trains nothing.
        FileError: it cannot be read.
    """
    kind = study_folder.kind(folder)
    if kind is None:
        raise UsageError(f"{folder} holds no study and no run: expected the folder of one")
    if kind == "study" and layer_costs.study_in(folder) is not None:
        raise UsageError(
            f"the study in {folder} trains nothing and has no curves: compare --report --out "
            f"{folder} draws what it measured"
        )
    if kind == "study":
        asked = results.study_in(folder)
        name, unit, told = asked.name, asked.measure.unit, results.curves(folder)
    else:
        alone = recipe.parse(RunFolder(folder).recipe_toml(), "recipe.toml")
        name, unit = alone.name, MEASURES[alone.model.family].unit
        told = [results.curve_of(folder, name, alone.training.seed)]
    found = series(told, axis)
    return curves.draw(
        found, title=name, unit=unit, axis=axis, logarithmic=logarithmic, theme=theme
    )


def markdown(found: StudyResults, besides: Sequence[str] = ()) -> str:
    """The report as Markdown; ``besides`` are lines that only this study has."""
    study = found.study
    lines = [f"# Study: {study.name}", "", f"**{_capital(found.sentence)}.**", ""]
    others = [f"- {comparison.sentence}" for comparison in found.comparisons[1:]]
    lines += [*others, ""] if others else []
    if not found.finished:
        done = sum(run.result is not None for run in found.runs)
        lines += [f"Unfinished: {done} of {len(found.runs)} runs are done.", ""]
    lines += ["## Arms", "", *_arms(found), "", "## Runs", "", *_runs(found), ""]
    lines += [*_further(found), *besides]
    unit = found.measure.unit
    lines += [
        f"![Loss on valid by {curves.learned(unit) if axis == 'tokens' else axis}, {unit}]({name})"
        for name, axis in PICTURES.items()
    ]
    lines += ["", "## How it was measured", "", *study_method.lines(found), ""]
    return "\n".join(lines)


def table_csv(found: StudyResults) -> str:
    """A line for each run, with the unit of its losses and all that was measured besides."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    more = _tried(found.runs)
    names = _names(found)
    further = [f"{found.measure.further}: {name}" if name in names else name for name in more]
    writer.writerow([*names, "unit", *further])
    writer.writerows(
        [
            *(fill(run) for _, fill in _COLUMNS),
            found.measure.unit,
            *(_besides(run).get(name, "") for name in more),
        ]
        for run in found.runs
    )
    return text.getvalue()


def series(told: Sequence[Curve], axis: Axis) -> list[Series]:
    """Losses on valid along ``axis``."""

    def place(point: CurvePoint) -> float:
        return float(getattr(point, axis))

    return [
        Series(arm=curve.arm, points=tuple((place(point), point.nats) for point in curve.valid))
        for curve in told
    ]


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
    names = [_FOR_PEOPLE[name][0] if name in _FOR_PEOPLE else name for name in _names(found)]
    heads = [f"{name}, {unit}" if name in ("valid", "test") else name for name in names]
    return table(heads, [_told(run) for run in found.runs])


def _names(found: StudyResults) -> list[str]:
    """Of the columns; what was learned from is called what it is."""
    learned = curves.learned(found.measure.unit)
    return [learned if name == "tokens" else name for name, _ in _COLUMNS]


def _told(run: RunOutcome) -> list[str]:
    """The cells of a run, its numbers as people write them."""
    return [
        _FOR_PEOPLE[name][1](run.result) if name in _FOR_PEOPLE and run.result else fill(run)
        for name, fill in _COLUMNS
    ]


def _further(found: StudyResults) -> list[str]:
    """What was measured besides, a column for each thing that was tried."""
    runs = [run for run in found.runs if run.result is not None and run.result.further]
    if not runs:
        return []
    if found.study.arms[0].recipe.data.measured == "window":
        return _windows(found, runs)
    columns = _tried(runs)
    rows = [
        [run.planned.arm, str(run.planned.seed), *(_besides(run).get(name, "") for name in columns)]
        for run in runs
    ]
    title = found.measure.further
    return [f"## {title}", "", *table(("arm", "seed", *columns), rows), ""]


def _windows(found: StudyResults, runs: Sequence[RunOutcome]) -> list[str]:
    """Each arm in its own window, and on whole pieces."""
    rows = [
        (
            run.planned.arm,
            str(run.planned.seed),
            f"{run.planned.recipe.data.window:,}",
            *(_told(run)[place] for place in _OF_LOSSES),
            *(_besides(run).get(name, "") for name in ("whole valid", "whole test")),
        )
        for run in runs
    ]
    title = f"## {found.measure.unit.capitalize()} in an arm's own window, and on whole pieces"
    return [title, "", _WHOLE, "", *table(_WINDOW_COLUMNS, rows), ""]


def _tried(runs: Sequence[RunOutcome]) -> list[str]:
    """The names of all that was measured besides."""
    return list(dict.fromkeys(name for run in runs for name in _besides(run)))


def _besides(run: RunOutcome) -> dict[str, str]:
    further = {} if run.result is None else _with_test(run.result)
    return {
        name: value if isinstance(value, str) else f"{value:.4f}" for name, value in further.items()
    }


def _with_test(result: TrainResult) -> dict[str, float | str]:
    """What was measured besides; the share right on test stands in its sequences."""
    right = [piece.right for piece in result.test_pieces if piece.right is not None]
    valid = {name: result.further[name] for name in ("valid",) if name in result.further}
    test = {"test": sum(right) / len(right)} if right and valid else {}
    return {**valid, **test, **result.further}


def _figure(loss: float | None) -> str:
    return "" if loss is None else f"{loss:.4f}"


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
