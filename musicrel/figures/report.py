"""The report of a study as files: one HTML page, Markdown, tables as CSV and LaTeX, figures as SVG.

A report is complete without Qt's libraries but for its figures; a sentence takes their place.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from musicrel import paths
from musicrel.errors import MissingQtError
from musicrel.experiment.study import blocks
from musicrel.experiment.study.blocks import Intervals, Link, PieceDifferences, Report, Table
from musicrel.experiment.study.layer_report import CostCurves
from musicrel.presentation.words.palette import LIGHT, Theme

if TYPE_CHECKING:
    from jinja2 import Template

    from musicrel.figures.figure import Figure

PAGE: Final = "report.html"
MARKDOWN: Final = "report.md"
RESULTS: Final = "results.csv"
TABLES: Final = "tables"  # the folder of the tables as CSV and LaTeX
_TEMPLATE: Final = Path(__file__).with_name("study.html")
_SVG: Final = re.compile(r"<svg\b.*", re.DOTALL)  # an SVG file without its declarations
_ID: Final = re.compile(r'(?<=\bid=")|(?<=url\(#)|(?<=href="#)')
"""The beginning of the name of an element of an SVG file."""

Picture = Callable[[blocks.Figure], str]  # returns a figure as HTML


def write(folder: Path, report: Report, results: str) -> list[Path]:
    try:
        pictures, missing = {id(one): svg(one) for one in report.figures}, ""
    except MissingQtError as reason:
        pictures, missing = {}, f"The figures are missing: {reason}."
    contents = {
        MARKDOWN: report.to_markdown(),
        RESULTS: results,
        PAGE: to_html(report, lambda one: pictures.get(id(one), ""), missing=missing),
        **{
            f"{TABLES}/{file.name}": file.content.decode("utf-8")
            for table in report.tables
            for file in (_csv(table), _latex(table))
        },
        **{one.file: pictures[id(one)] for one in report.figures if one.file and pictures},
    }
    for name, content in contents.items():
        paths.write_text(folder / name, content)
    return [folder / name for name in contents]


def to_html(report: Report, picture: Picture, *, paper: bool = False, missing: str = "") -> str:
    """Return a page without scripts or network: pictures and files are inside."""
    return _template().render(report=report, picture=picture, paper=paper, missing=missing)


def svg(figure: blocks.Figure) -> str:
    from musicrel.figures.figure import to_svg

    file = to_svg(drawn(figure))
    found = _SVG.search(file.decode("utf-8"))
    return _ID.sub(f"figure{zlib.crc32(file)}-", found[0]) if found else ""


def drawn(figure: blocks.Figure, theme: Theme = LIGHT) -> Figure:
    from musicrel.figures import curves, intervals

    match figure.data:
        case Intervals():
            return intervals.of_pairs(figure.data, theme, figure.title)
        case PieceDifferences():
            return intervals.of_pieces(figure.data, theme, figure.title)
        case CostCurves():
            return curves.of_costs(figure.data, theme)
        case _:
            return curves.of_curves(figure.data, theme)


@cache
def _template() -> Template:
    from jinja2 import Environment

    page = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    page.filters |= {"kind": lambda block: type(block).__name__, "address": _address}
    page.filters |= {"csv": _csv, "latex": _latex}
    return page.from_string(_TEMPLATE.read_text("utf-8"))


def _csv(table: Table) -> Link:
    content = table.to_csv().encode("utf-8")
    return Link(text="CSV", name=f"{table.key}.csv", media="text/csv", content=content)


def _latex(table: Table) -> Link:
    content = table.to_latex().encode("utf-8")
    return Link(text="LaTeX", name=f"{table.key}.tex", media="application/x-tex", content=content)


def _address(file: Link) -> str:
    return f"data:{file.media};base64,{base64.b64encode(file.content).decode('ascii')}"
