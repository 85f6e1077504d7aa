"""Parts that charts share: heading and legend above them, plots, ticks at bars and with texts.

A chart is a function ``make`` that adds its plots to a canvas: that of a page, or that of a figure,
below its heading.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from musicrel.chorale import Chorale
from musicrel.figures import figure, plots
from musicrel.figures.figure import Figure
from musicrel.presentation.words.palette import Theme

PAGE: Final = 960  # width of an exported chart in pixels
MARGIN: Final = 16
_LINES: Final = (32, 22, 22, 26)  # heights of heading, piece, words and legend
_TITLE, _TEXT = 18, 12
_NUMBERS_APART: Final = 26.0  # least distance of two bar numbers in pixels
_GAP: Final = 8.0
_RIGHT: Final = Qt.TextElideMode.ElideRight
_MIDDLE: Final = Qt.TextElideMode.ElideMiddle


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    layout: Any  # a pyqtgraph ``GraphicsLayout``
    theme: Theme
    width: float  # pixels
    font: QFont | None = None  # of texts; None: the default

    def inside(self, row: int = 0, column: int = 0) -> Canvas:
        """Return a part of the canvas, whose rows follow each other without a gap."""
        layout = self.layout.addLayout(row, column)
        layout.layout.setVerticalSpacing(0)
        layout.layout.setContentsMargins(0, 0, 0, 0)
        return replace(self, layout=layout)

    def set_height(self, row: int, height: float) -> None:
        self.layout.layout.setRowFixedHeight(row, height)

    def add_plot(self, row: int = 0, column: int = 0, *, height: float = 0.0) -> Any:
        """Add a plot that the mouse does not move, on the colour of the panel."""
        plot = self.layout.addPlot(row, column, enableMenu=False)
        plot.hideButtons()
        plot.setMouseEnabled(x=False, y=False)
        plot.getAxis("left").enableAutoSIPrefix(enable=False)
        plots.apply_theme(plot, self.theme, font=self.font, background=self.theme.panel)
        if height:
            self.set_height(row, height)
        return plot

    def add_text(
        self, text: str, row: int, column: int = 0, *, quiet: bool = False, bold: bool = False,
        size: int = _TEXT, room: float = 0.0,
    ) -> None:  # fmt: skip
        """Add a text at the left."""
        font = QFont(self.font) if self.font is not None else _sized(size)
        font.setBold(bold)
        shown = QFontMetricsF(font).elidedText(text, _RIGHT, room) if room else text
        colour = self.theme.quiet if quiet else self.theme.text
        self.add_html(escape(shown), row, column, colour=colour, font=font)

    def add_html(
        self, html: str, row: int, column: int = 0, *, colour: str = "", font: QFont | None = None
    ) -> None:
        label = plots.library().LabelItem(justify="left", color=colour or self.theme.text)
        label.item.setFont(font or self.font or _sized(_TEXT))
        label.setText(html)
        self.layout.addItem(label, row, column)

    def legend(self, names: tuple[str, str], room: float) -> str:
        """Return the colours of A and B with the names of the models as HTML; "" is left out.

        Long names lose their middle, so that both fit into ``room`` pixels.
        """
        metrics = QFontMetricsF(self.font or _sized(_TEXT))
        each = room / max(len(list(filter(None, names))), 1) - 4 * _TEXT
        return " &nbsp; ".join(
            f'<span style="color:{colour}">■</span> '
            + escape(metrics.elidedText(f"{letter}: {name}", _MIDDLE, each))
            for letter, name, colour in zip("AB", names, self.theme.models, strict=True)
            if name
        )

    def label_rows(
        self, plot: Any, side: str, texts: Sequence[tuple[float, str]], *, quiet: bool = False
    ) -> None:
        """Show texts without lines as ticks on an axis, which is as wide as the widest."""
        axis = plot.getAxis(side)
        plot.showAxis(side)
        axis.setTicks([list(texts)])
        axis.setStyle(tickLength=0, tickAlpha=0, hideOverlappingLabels=False)
        axis.setPen(None)
        axis.setTextPen(self.theme.quiet if quiet else self.theme.text)
        metrics = QFontMetricsF(self.font or QFont())
        widths = [metrics.horizontalAdvance(text) for _, text in texts]
        axis.setWidth(max(widths, default=0.0) + _GAP)

    def show_bars(self, plot: Any, chorale: Chorale, steps: range, axis: float) -> None:
        """Show steps of a piece on the horizontal axis: lines at bars, with numbers that fit."""
        apart = _NUMBERS_APART * len(steps) / max(self.width - axis, 1)
        free_from, ticks = 0.0, []
        for number, step in enumerate(chorale.bar_line_steps(), start=1):
            if step in steps:
                line = plots.library().InfiniteLine(step, pen=self.theme.line_bar)
                line.setZValue(-1)
                plot.addItem(line, ignoreBounds=True)
                if step >= free_from:
                    ticks.append((float(step), str(number)))
                    free_from = step + apart
        plot.getAxis("bottom").setTicks([ticks])
        plot.getAxis("bottom").setStyle(tickLength=0, hideOverlappingLabels=False)
        plot.getAxis("left").setWidth(axis)
        plot.getAxis("left").setGrid(40)
        plot.setXRange(steps.start, steps.stop, padding=0)
        zero = plots.library().InfiniteLine(0, angle=0, pen=self.theme.quiet)
        zero.setZValue(1)
        plot.addItem(zero, ignoreBounds=True)

    def mark_step(self, plot: Any, step: int) -> None:
        region = plots.library().LinearRegionItem(
            (step, step + 1), movable=False, brush=self.theme.accent, pen=self.theme.accent
        )
        region.setOpacity(0.3)
        region.setZValue(-1)
        plot.addItem(region, ignoreBounds=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    heading: str
    piece: str
    words: str  # what the chart shows
    models: tuple[str, str] = ("", "")  # names of A and B for the legend; "" without one
    more: str = ""  # further legend as HTML


def headed(
    make: Callable[[Canvas], Any], heading: Heading, theme: Theme, *, width: int = PAGE, height: int
) -> Figure:
    """Return the figure of a chart below its heading and the legend of A and B."""

    def whole(view: Any) -> None:
        view.ci.layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        view.ci.layout.setSpacing(0)
        canvas, room = Canvas(layout=view.ci, theme=theme, width=width), width - 2 * MARGIN - _GAP
        canvas.add_text(heading.heading, 0, size=_TITLE, bold=True, room=room)
        canvas.add_text(heading.piece, 1, room=room)
        canvas.add_text(heading.words, 2, quiet=True, room=room)
        words = canvas.legend(heading.models, room), heading.more
        canvas.add_html(" &nbsp; ".join(filter(None, words)), 3)
        for row, line in enumerate(_LINES):
            canvas.set_height(row, line)
        view.kept = make(canvas.inside(len(_LINES)))  # plots live as long as the view

    height += sum(_LINES) + 2 * MARGIN
    return figure.of_plot(whole, width=width, height=height, theme=theme, title=heading.heading)


def below(figures: Sequence[Figure], title: str) -> Figure:
    def paint(painter: QPainter) -> None:
        painter.save()
        for one in figures:
            painter.save()
            one.paint(painter)
            painter.restore()
            painter.translate(0, one.height)
        painter.restore()

    return Figure(
        width=max(one.width for one in figures),
        height=sum(one.height for one in figures),
        background=figures[0].background,
        title=title,
        paint=paint,
    )


def _sized(pixels: int) -> QFont:
    font = QFont()
    font.setPixelSize(pixels)
    return font
