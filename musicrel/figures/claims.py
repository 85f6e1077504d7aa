"""The claims about relative attention: bars with intervals for each model, beside Bach's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from PySide6.QtCore import Qt

from musicrel.figures import charts, plots
from musicrel.figures.charts import Canvas, Heading
from musicrel.figures.figure import Figure
from musicrel.presentation.attention import claim_rows
from musicrel.presentation.attention.claim_rows import ClaimRow
from musicrel.presentation.words.palette import Theme

_HEADING: Final = "Claims about relative attention"
_WORDS: Final = (
    "Bars: this piece, with intervals of 95 % over its bars. Grey: Bach. Dotted: equal weights."
)
_EVEN: Final = " &nbsp; ┊ equal weights"
_EVEN_ROOM: Final = 160
_MIN_COLUMN: Final = 280  # least width of a column of claims in pixels
_MAX_COLUMNS: Final = 3
_BAR, _LINE, _GAP = 22, 22, 12  # heights of a bar, of a line of text and between claims in pixels
_LETTERS: Final = 40
_ROOM: Final = 1.04  # length of the scale, where the largest end is 1


def page_height(rows: Sequence[ClaimRow], width: float) -> int:
    return _height(rows, _columns(width), with_claims=False) + 2 * _LINE


def make_page(canvas: Canvas, rows: Sequence[ClaimRow], names: tuple[str, str]) -> None:
    """Add a legend, and below it the claims in as many columns as fit."""
    canvas.set_height(0, _LINE)
    canvas.add_html(canvas.legend(names, canvas.width - _EVEN_ROOM) + _EVEN, 0)
    make(canvas.inside(1), rows, names, columns=_columns(canvas.width), with_claims=False)


def make(
    canvas: Canvas, rows: Sequence[ClaimRow], names: tuple[str, str], *, columns: int = 1,
    with_claims: bool = True,
) -> None:  # fmt: skip
    """Add the claims."""
    canvas.layout.layout.setVerticalSpacing(_GAP)
    room = canvas.width / columns - 2 * charts.MARGIN
    for place, row in enumerate(rows):
        cell = canvas.inside(*divmod(place, columns))
        canvas.layout.layout.setAlignment(cell.layout, Qt.AlignmentFlag.AlignTop)
        cell.layout.layout.setContentsMargins(0, 0, charts.MARGIN, 0)
        cell.add_text(row.measure.title, 0, bold=True, room=room)
        words = row.remark or (row.measure.claim if with_claims else "")
        for line in range(1 + bool(words)):
            cell.set_height(line, _LINE)
        if words:
            cell.add_text(words, 1, quiet=True, room=room)
        if row.values:
            plot = cell.add_plot(2, height=_BAR * len(row.values))
            _show_values(cell, plot, row, with_letters=bool(names[1]))
            plot.setToolTip(claim_rows.in_words(row, names))


def figure(rows: Sequence[ClaimRow], models: tuple[str, str], piece: str, theme: Theme) -> Figure:
    heading = Heading(heading=_HEADING, piece=piece, words=_WORDS, models=models)
    height = _height(rows, 1, with_claims=True)
    return charts.headed(lambda canvas: make(canvas, rows, models), heading, theme, height=height)


def _columns(width: float) -> int:
    return int(min(max(width // _MIN_COLUMN, 1), _MAX_COLUMNS))


def _height(rows: Sequence[ClaimRow], columns: int, *, with_claims: bool) -> int:
    each = [
        _LINE * (1 + bool(with_claims or row.remark)) + len(row.values) * _BAR + _GAP
        for row in rows
    ]
    return sum(max(each[first : first + columns]) for first in range(0, len(each), columns))


def _show_values(canvas: Canvas, plot: Any, row: ClaimRow, *, with_letters: bool) -> None:
    library, theme = plots.library(), canvas.theme
    colours = {"A": theme.models[0], "B": theme.models[1], "Bach": theme.quiet}
    bars = library.BarGraphItem(
        x0=0, y=range(len(row.values)), width=[one.value for _, one in row.values], height=0.5,
        pen=None, brushes=[colours[letter] for letter, _ in row.values],
    )  # fmt: skip
    plot.addItem(bars)
    for place, (_, one) in enumerate(row.values):
        for colour, width in ((theme.panel, 3.5), (theme.text, 1.5)):
            interval = library.ErrorBarItem(
                x=np.array([one.value]), y=np.array([place]), left=one.value - one.low,
                right=one.high - one.value, beam=0.3, pen=library.mkPen(colour, width=width),
            )  # fmt: skip
            if one.low < one.high:
                plot.addItem(interval)
    if row.even is not None:
        pen = library.mkPen(theme.text, width=1.5, style=Qt.PenStyle.DotLine)
        plot.addItem(library.InfiniteLine(row.even, pen=pen), ignoreBounds=True)
    plot.invertY()
    plot.hideAxis("bottom")
    letters = [letter if with_letters or letter != "A" else "" for letter, _ in row.values]
    numbers = [claim_rows.figure(row.measure, one.value) for _, one in row.values]
    canvas.label_rows(plot, "left", list(enumerate(letters)), quiet=True)
    plot.getAxis("left").setWidth(_LETTERS)
    canvas.label_rows(plot, "right", list(enumerate(numbers)))
    plot.setXRange(0, row.full * _ROOM or 1.0, padding=0)
    plot.setYRange(-0.6, len(row.values) - 0.4, padding=0)
