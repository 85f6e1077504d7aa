"""Views of data on the screen and as files: a picture, or a table, which needs no Qt.

A chart is named with the module that paints it, which is imported with the first picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from musicrel import paths
from musicrel.errors import UsageError
from musicrel.presentation.words.markdown import to_csv
from musicrel.presentation.words.palette import Theme
from musicrel.score.files import one_of

if TYPE_CHECKING:
    from musicrel.figures.figure import Figure

CSV: Final = ".csv"
SUFFIXES: Final = (".png", ".svg", CSV)  # suffixes of the files that a view can be written to
WIDTH: Final = 924  # width of a figure on an exported page in pixels

Table: TypeAlias = Callable[[], Iterable[Iterable[object]]]
"""Returns the numbers of a view by rows, the names of the columns first."""
Chart: TypeAlias = tuple[Any, ...]
"""Module and name of the function that draws, and its arguments before width, height, theme."""


@dataclass(frozen=True, slots=True)
class Heading:
    heading: str
    lines: tuple[str, ...]
    models: tuple[str, str] = ("", "")  # names of A and B for the legend; "" without one
    # colours of a scale between the texts of its ends; None: there is none
    scale: tuple[str, tuple[str, ...], str] | None = None


@dataclass(frozen=True, slots=True)
class View:
    title: str  # of the view and the piece; proposed as the name of the file
    heading: Heading | None  # None: the exported figure has its own
    chart: Chart
    table: Table
    height: int = 0  # of the exported figure in pixels; 0: as much as it needs
    exported: Chart | None = None  # the exported figure, if it is another

    def body(self, width: int, height: int, theme: Theme) -> Figure:
        """Return the figure on the screen, which may be higher."""
        return _drawn(self.chart, width, height, theme)

    def draw(self, theme: Theme) -> Figure:
        figure = _drawn(self.exported or self.chart, WIDTH, self.height, theme)
        return _drawn(("charts", "page", figure, self.heading), theme) if self.heading else figure

    def write(self, path: Path, theme: Theme) -> None:
        if path.suffix.lower() == CSV:
            paths.write_text(path, to_csv(self.table()))
        else:
            from musicrel.figures import figure

            figure.write(self.draw(theme), path)


def check_suffix(path: Path) -> None:
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"cannot write {path}: expected a name that ends in {one_of(SUFFIXES)}")


def _drawn(chart: Chart, *place: object) -> Figure:
    module, name, *data = chart
    make = getattr(import_module(f"musicrel.interpretability.{module}"), name)
    figure: Figure = make(*data, *place)
    return figure
