"""Shares of attention by distance and voice, and the attention of one note by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from PySide6.QtCore import Qt

from musicrel.chorale import Voice
from musicrel.figures import charts, plots
from musicrel.figures.charts import Canvas, Heading
from musicrel.figures.figure import Figure
from musicrel.presentation.attention.piece_analysis import percent
from musicrel.presentation.comparison import share_difference
from musicrel.presentation.comparison.note_attention import NoteAttention
from musicrel.presentation.comparison.share_difference import BY_VOICE, Groups, SharePair
from musicrel.presentation.comparison.views import Shown
from musicrel.presentation.words.palette import Theme

_BESIDE_FROM: Final = 760  # least width in pixels for two groups side by side
_ROW, _ROW_OF_TWO, _TITLE, _GAP = 22, 40, 24, 8
"""Heights of a row with one bar and with two, of a title, and between groups, in pixels."""
_APART: Final = 0.22  # distance of the two bars of a row from its middle, where a row is 1 high
AXES: Final = "Above: weights of A. Below: weights of B, on the same scale. Colours: voices."
ALONE: Final = "Weights by step. Colours: voices."
_HIGH, _LOW = 320, 200  # height of an exported chart of two models and of one
_LEAST_SCALE: Final = 0.02
_AXIS: Final = 64
_NOTE_BAR: Final = 0.86  # width of a bar, where a step is 1 wide
_SIDES: Final = (
    '<span style="color:{}">B</span> &nbsp;←&nbsp; &nbsp;→&nbsp; <span style="color:{}">A</span>'
)


def height(groups: Groups, width: float) -> int:
    heights = [len(pairs) * _row(pairs) + _TITLE + _GAP for _, pairs in groups]
    return max(heights) if width >= _BESIDE_FROM else sum(heights)


def make(canvas: Canvas, groups: Groups) -> None:
    beside, theme = canvas.width >= _BESIDE_FROM, canvas.theme
    differences = [pair.difference or 0.0 for _, pairs in groups for pair in pairs]
    most = max(map(abs, differences), default=0.0) or 1.0
    for place, (title, pairs) in enumerate(groups):
        part = canvas.inside(*((0, place) if beside else (place, 0)))
        canvas.layout.layout.setAlignment(part.layout, Qt.AlignmentFlag.AlignTop)
        part.layout.layout.setContentsMargins(0, 0, charts.MARGIN, 0)
        part.set_height(0, _TITLE)
        part.add_text(title, 0, bold=True)
        bars, two = _add_rows(part, pairs, 0), _has_second(pairs)
        of_one = theme.voices if title == BY_VOICE else [theme.accent] * len(pairs)
        colours = [[colour] * len(pairs) for colour in theme.models] if two else [of_one]
        _show_shares(part, bars, pairs, colours)
        part.layout.layout.setColumnStretchFactor(0, 3)
        if two:
            part.add_text("B − A", 0, 1, quiet=True)
            part.layout.layout.setColumnStretchFactor(1, 2)
            _show_differences(part, _add_rows(part, pairs, 1), pairs, most)


def figure(shown: Shown, theme: Theme) -> Figure:
    groups = shown.shares
    heading = Heading(
        heading=f"Shares of attention: {' and '.join(filter(None, shown.models))}",
        piece=shown.first.chorale.title,
        words=share_difference.WORDS if shown.second else share_difference.ALONE,
        models=shown.legend,
    )
    tall = height(groups, charts.PAGE)
    return charts.headed(lambda canvas: make(canvas, groups), heading, theme, height=tall)


def _has_second(pairs: Sequence[SharePair]) -> bool:
    return any(pair.second is not None for pair in pairs)


def _row(pairs: Sequence[SharePair]) -> int:
    return _ROW_OF_TWO if _has_second(pairs) else _ROW


def _add_rows(canvas: Canvas, pairs: Sequence[SharePair], column: int) -> Any:
    plot = canvas.add_plot(1, column, height=_row(pairs) * len(pairs))
    plot.invertY()
    plot.hideAxis("bottom")
    plot.hideAxis("left")
    plot.setYRange(-0.5, len(pairs) - 0.5, padding=0)
    return plot


def _show_shares(
    canvas: Canvas, plot: Any, pairs: Sequence[SharePair], colours: Sequence[Sequence[str]]
) -> None:
    """Show bars in their grooves with their numbers, and marks for the chosen note."""
    library = plots.library()
    numbers: list[tuple[float, str]] = []
    offsets, thick = ((0.0,), 0.42) if len(colours) == 1 else ((-_APART, _APART), 0.3)
    for place, (offset, brushes) in enumerate(zip(offsets, colours, strict=True)):
        shares = [share for pair in pairs if (share := pair[place]) is not None]
        y = np.arange(len(shares)) + offset
        grooves = [canvas.theme.edge] * len(shares)
        wholes = [share.whole for share in shares]
        for width, fills in ((1.0, grooves), (wholes, brushes)):
            bars = library.BarGraphItem(
                x0=0, y=y, width=width, height=thick, pen=None, brushes=fills
            )
            plot.addItem(bars)
        for row, share in zip(y, shares, strict=True):
            if share.here is not None:
                mark = library.ErrorBarItem(
                    x=np.array([share.here]), y=np.array([row]), height=1.3 * thick, beam=0,
                    pen=library.mkPen(canvas.theme.text, width=2),
                )  # fmt: skip
                plot.addItem(mark)
        numbers += zip(y.tolist(), map(percent, wholes), strict=True)
    names = [(float(row), pair.name) for row, pair in enumerate(pairs)]
    canvas.label_rows(plot, "left", names)
    canvas.label_rows(plot, "right", numbers, quiet=True)
    plot.setXRange(0, 1, padding=0.01)


def _show_differences(canvas: Canvas, plot: Any, pairs: Sequence[SharePair], most: float) -> None:
    """Show B − A as bars to either side, in points."""
    values, theme = [pair.difference or 0.0 for pair in pairs], canvas.theme
    bars = plots.library().BarGraphItem(
        x0=0, y=range(len(pairs)), width=values, height=0.42, pen=None,
        brushes=[theme.models[value > 0] for value in values],
    )  # fmt: skip
    plot.addItem(bars)
    plot.addItem(plots.library().InfiniteLine(0, pen=theme.quiet), ignoreBounds=True)
    points = [(float(row), share_difference.points(value)) for row, value in enumerate(values)]
    canvas.label_rows(plot, "right", points)
    plot.setXRange(-most, most, padding=0.05)


def make_note(canvas: Canvas, attention: NoteAttention) -> Any:
    """Add the weights of a note; return the plot, whose horizontal axis is in steps.

    Bars of A rise, bars of B hang.
    """
    plot, theme, window = canvas.add_plot(), canvas.theme, attention.window
    first, second = (name != "" for name in attention.models)
    canvas.show_bars(plot, attention.chorale, window, _AXIS + 16 * second)
    canvas.mark_step(plot, attention.cell // len(Voice))
    full = _LEAST_SCALE
    for model, (profile, sign) in enumerate(zip(attention.profiles, (1, -1), strict=True)):
        if profile is None:
            continue
        shown = profile.weights[window.start : window.stop]
        full = max(full, float(shown.sum(axis=1).max(initial=0.0)))
        below = shown.cumsum(axis=1) - shown
        voices = theme.voices if shown.shape[1] == len(Voice) else (theme.models[model],)
        for column, colour in enumerate(voices):
            bars = plots.library().BarGraphItem(
                x=np.array(window) + 0.5, width=_NOTE_BAR, pen=None, brush=colour,
                y0=sign * below[:, column], height=sign * shown[:, column],
            )  # fmt: skip
            plot.addItem(bars)
    plot.setYRange(-full if second else 0, full if first else 0, padding=0.02)
    axis = plot.getAxis("left")
    axis.tickStrings = lambda values, *_: [percent(abs(value)) for value in values]
    if second:
        axis.setLabel(_SIDES.format(theme.models[1], theme.models[0]))
    return plot


def of_note(attention: NoteAttention, theme: Theme) -> Figure:
    both = all(attention.models)
    heading = Heading(
        heading=f"Attention of {attention.title}",
        piece=f"{attention.chorale.title}. {AXES if both else ALONE}",
        words=attention.words,
        models=attention.legend,
    )
    height = _HIGH if both else _LOW
    return charts.headed(lambda canvas: make_note(canvas, attention), heading, theme, height=height)
