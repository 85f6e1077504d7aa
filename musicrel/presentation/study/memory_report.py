"""The report of a memory study: Markdown, CSV and two pictures."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from musicrel import paths
from musicrel.presentation.drawing import svg
from musicrel.presentation.study import cost_plot
from musicrel.presentation.study.cost_plot import CostCurve, prefixed
from musicrel.presentation.study.csv_text import to_csv
from musicrel.presentation.words.markdown import table as markdown_table

if TYPE_CHECKING:
    from musicrel.experiment.study.layer_costs import LayerCost, LayerCosts

REPORT: Final = "report.md"
TABLE: Final = "results.csv"
PICTURES: Final = {
    "memory.svg": ("peak_bytes", "Peak memory of one layer", "B"),
    "time.svg": ("seconds", "Time of one layer, forwards and backwards", "s"),
}
"""Files, and for each its value, title and unit."""
FIGURES: Final = (("Peak memory", "peak_bytes", "B"), ("Time", "seconds", "s"))
"""Title, value and unit of each table in the report."""
_METHOD: Final = """\
- One causal layer of {heads} heads and width {width}, batch {batch}, distances up to
  {max_distance}; forward and backward passes, without training.
- Time is the fastest of {repeats} passes after a warm-up. Memory is the peak of tensors allocated
  in a pass.
- Rows above {limit_gigabytes:g} GB, or above free memory, are extrapolated from the two before
  them. Exponents are fitted to measured rows only.
- Machine: {machine}.
"""
_COLUMNS: Final = ("arm", "length", "seconds", "peak_bytes", "estimated")


def write(folder: Path, found: LayerCosts) -> list[Path]:
    """Write the report of ``found`` into the study's folder and return its files."""
    contents = {REPORT: markdown(found), TABLE: table_csv(found)}
    for name, (value, title, unit) in PICTURES.items() if found.rows else ():
        drawing = cost_plot.draw(_lines(found, value), title=title, unit=unit)
        contents[name] = svg.to_svg(drawing)
    for name, content in contents.items():
        paths.write_text(folder / name, content)
    return [folder / name for name in contents]


def markdown(found: LayerCosts) -> str:
    study = found.study
    verdict = found.sentence[:1].upper() + found.sentence[1:]
    lines = [f"# Study: {study.name}", "", f"**{verdict}.**", ""]
    for title, value, unit in FIGURES:
        head, *rows = table(found, value, unit)
        lines += [f"## {title}", "", *markdown_table(head, rows), ""]
    lines += [f"![{title}]({name})" for name, (_, title, _) in PICTURES.items()]
    lines += ["", "## Method", "", *_method(found), ""]
    return "\n".join(lines)


def table(found: LayerCosts, value: str, unit: str) -> list[list[str]]:
    """Return a figure by length and arm for people: head, a row per length, exponents."""
    study = found.study
    rows = [
        [f"{length:,}", *(_cell(found, arm, length, value, unit) for arm in study.arms)]
        for length in study.lengths
    ]
    powers = ["growth", *(_power(found, arm, value) for arm in study.arms)]
    return [["tokens", *study.arms], *rows, powers]


def table_csv(found: LayerCosts) -> str:
    return to_csv([_COLUMNS, *([getattr(row, name) for name in _COLUMNS] for row in found.rows)])


def _lines(found: LayerCosts, value: str) -> list[CostCurve]:
    return [
        CostCurve(
            name=arm,
            points=tuple((row.length, max(getattr(row, value), 1e-9)) for row in rows),
            estimated=sum(row.estimated for row in rows),
        )
        for arm in found.study.arms
        if (rows := found.rows_of(arm))
    ]


def _cell(found: LayerCosts, arm: str, length: int, value: str, unit: str) -> str:
    row: LayerCost | None = next((row for row in found.rows_of(arm) if row.length == length), None)
    if row is None:
        return ""
    figure = prefixed(getattr(row, value), unit)
    return f"{figure} (estimated)" if row.estimated else figure


def _power(found: LayerCosts, arm: str, value: str) -> str:
    power = found.exponent(arm, value)
    return "" if power is None else f"L^{power:.2f}"


def _method(found: LayerCosts) -> list[str]:
    study = found.study
    machine = ", ".join(f"{name} {value}" for name, value in found.machine.items() if value)
    return _METHOD.format(**asdict(study) | {"machine": machine}).splitlines()
