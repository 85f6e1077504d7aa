"""Views of data that can be shown on the screen and exported, as a picture or as a table.

A view names the module of ``musicrel.figures`` that paints it, which is imported with the first
picture: tables need no Qt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from musicrel.presentation.words.palette import Theme

if TYPE_CHECKING:
    from musicrel.figures.figure import Figure

WIDTH: Final = 924  # width of a figure on an exported page in pixels

Table: TypeAlias = Callable[[], Iterable[Iterable[object]]]
"""Returns the numbers of a view by rows, the names of the columns first."""
Make: TypeAlias = "Callable[[Any, int, int, Theme], Figure]"
"""Draws, given the module of figures, width and height in pixels; the figure may be higher."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The texts above an exported figure."""

    heading: str
    lines: tuple[str, ...]
    models: tuple[str, str] = ("", "")  # names of A and B for the legend; "" without one
    # colours of a scale between the texts of its ends; None: there is none
    scale: tuple[str, tuple[str, ...], str] | None = None


@dataclass(frozen=True, slots=True)
class View:
    title: str  # of the view and the piece; proposed as the name of the file
    draw: Callable[[Theme], Figure]  # as it is exported
    table: Table
    # as it is shown, of a width and height in pixels
    body: Callable[[int, int, Theme], Figure] | None = None


def of_module(
    module: str, title: str, heading: Heading, make: Make, table: Table, *, height: int = 0,
    exported: Make | None = None,
) -> View:  # fmt: skip
    """Return the view of a figure, exported below a heading.

    Args:
        module: of ``musicrel.figures``, imported with the first picture.
        height: of the exported figure; 0: as much as it needs.
        exported: draws the exported figure; None: ``make`` does.
    """

    def body(width: int, height: int, theme: Theme) -> Figure:
        return make(import_module(f"musicrel.figures.{module}"), width, height, theme)

    def draw(theme: Theme) -> Figure:
        drawn = (exported or make)(
            import_module(f"musicrel.figures.{module}"), WIDTH, height, theme
        )
        page: Callable[..., Figure] = import_module("musicrel.figures.charts").page
        return page(drawn, heading, theme)

    return View(title, draw, table, body)
