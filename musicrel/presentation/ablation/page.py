"""Parts of all drawings of effects: boxes, and the page on which they are exported."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from musicrel.presentation.comparison import chart
from musicrel.presentation.comparison.chart import ChartTexts
from musicrel.presentation.comparison.views import View
from musicrel.presentation.drawing import arrangement
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.words.palette import Theme

WIDTH: Final = chart.PAGE - 2 * round(chart.MARGIN)
"""Width of the drawing on a page in pixels."""
DrawPage = Callable[[Theme], Drawing]


class Box(NamedTuple):
    """A rectangle in pixels."""

    x: float
    y: float
    width: float
    height: float

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point is inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTexts:
    heading: str  # what is shown, and of which note
    piece: str
    model: str
    words: str


def view(texts: PageTexts, draw: DrawPage, table: Callable[[], Iterable[Iterable[object]]]) -> View:
    """Return a drawing of width ``WIDTH`` as a view that can be written to a file."""

    def page(theme: Theme) -> Drawing:
        body = draw(theme)
        margin = round(chart.MARGIN)
        inset = replace(
            body,
            width=chart.PAGE,
            height=body.height + margin,
            items=tuple(arrangement.moved(item, margin, 0) for item in body.items),
        )
        named = ", ".join(filter(None, (texts.piece, texts.model)))
        headings = ChartTexts(
            heading=texts.heading, piece=named, words=texts.words, models=("", "")
        )
        return chart.headed(inset, headings, theme)

    return View(", ".join(filter(None, (texts.piece, texts.heading))), page, table)
