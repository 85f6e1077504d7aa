"""The report of a study: Markdown, CSV and curves, made from its folder alone.

This file knows tables and sentences; the figures are ``musicrel.experiment.results``'.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from musicrel import paths
from musicrel.experiment import published, results
from musicrel.experiment.results import Curve, CurvePoint, RunOutcome, StudyResults
from musicrel.presentation import curves, published_report, svg
from musicrel.presentation.curves import Axis, Series
from musicrel.presentation.published_report import table

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

_ARM_COLUMNS: Final = (
    "arm", "scheme", "window", "feed-forward", "parameters", "above the first arm",
)  # fmt: skip

_METHOD: Final = """\
- Runs of one seed read the same windows in the same order. The averaged weights that were best on
  valid are measured on test, once, at the end.
- Losses are {unit} on {on}.
- The difference is paired by {things} and seed and weighted by notes; its interval is a bootstrap
  over {things} and, with more than one, seeds (10,000 draws, widened for few seeds by Student's
  quantile).
"""


def write(folder: Path, found: StudyResults) -> list[Path]:
    """Write the report of ``found`` into the study's folder; its files.

    Raises:
        FileError: the folder cannot be written.
    """
    told = results.curves(folder)
    besides = published_report.lines(published.findings(folder, found))
    contents = {REPORT: markdown(found, besides), TABLE: table_csv(found)}
    for name, axis in PICTURES.items():
        drawing = curves.draw(series(told, axis), title=found.study.name, axis=axis)
        contents[name] = svg.to_svg(drawing)
    for name, content in contents.items():
        paths.write_text(folder / name, content)
    return [folder / name for name in contents]


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
    lines += [f"![Loss on valid by {axis}]({name})" for name, axis in PICTURES.items()]
    lines += ["", "## How it was measured", "", *_method(found), ""]
    return "\n".join(lines)


def table_csv(found: StudyResults) -> str:
    """A line for each run."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([name for name, _ in _COLUMNS])
    writer.writerows([fill(run) for _, fill in _COLUMNS] for run in found.runs)
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
    names = [name for name, _ in _COLUMNS]
    return table(names, [[fill(run) for _, fill in _COLUMNS] for run in found.runs])


def _further(found: StudyResults) -> list[str]:
    """What was measured besides, a column for each thing that was tried."""
    runs = [run for run in found.runs if run.result is not None and run.result.further]
    columns = list(dict.fromkeys(name for run in runs for name in _besides(run)))
    if not runs:
        return []
    rows = [
        [run.planned.arm, str(run.planned.seed), *(_besides(run).get(name, "") for name in columns)]
        for run in runs
    ]
    title = found.measure.further
    return [f"## {title}", "", *table(("arm", "seed", *columns), rows), ""]


def _besides(run: RunOutcome) -> dict[str, str]:
    further = run.result.further if run.result else {}
    return {
        name: value if isinstance(value, str) else f"{value:.4f}" for name, value in further.items()
    }


def _method(found: StudyResults) -> list[str]:
    recipe = found.study.arms[0].recipe
    training = recipe.training
    budgets = {"tokens": training.tokens, "steps": training.steps, "minutes": training.minutes}
    unit, amount = next((unit, amount) for unit, amount in budgets.items() if amount)
    widths = "chosen so that parameters agree" if found.study.matched else "as given"
    windows = sorted({arm.recipe.data.window for arm in found.study.arms})
    data = f"- Data {recipe.data.source}, vocabulary {recipe.data.vocabulary}, windows of "
    data += f"{', '.join(map(str, windows))} tokens; budget {amount:,} {unit} a run; feed-forward "
    data += "widths "
    measure = found.measure
    method = _METHOD.format(unit=measure.unit, on=measure.on, things=measure.things)
    return [f"{data}{widths}.", *method.splitlines()]


def _figure(loss: float | None) -> str:
    return "" if loss is None else f"{loss:.4f}"


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
