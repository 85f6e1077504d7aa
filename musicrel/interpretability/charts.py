"""Parts that charts share: the heading of an exported page, and axes over the steps of a piece."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from musicrel.chorale import Chorale
from musicrel.figures.figure import Figure
from musicrel.figures.paint import MIDDLE, RIGHT, text_width, translucent, write
from musicrel.interpretability.view import Heading
from musicrel.presentation.words.palette import Theme

MARGIN: Final = 18
_HEADING, _LINE, _LEGEND = 44, 19, 26  # heights of the texts of a page
_SQUARE, _SWATCH = 10.0, 9.0
_BOTTOM: Final = 20.0  # height of the numbers of bars
_NUMBERS_APART: Final = 26.0  # least distance of two bar numbers in pixels
_TICKS: Final = 5  # most ticks of a vertical axis


def page(body: Figure, heading: Heading, theme: Theme) -> Figure:
    has_legend = any(heading.models) or heading.scale is not None
    header = _HEADING + _LINE * len(heading.lines) + (_LEGEND if has_legend else 6)

    def paint(painter: QPainter) -> None:
        painter.save()
        write(painter, QRectF(MARGIN, 10, body.width, 26), heading.heading, theme.text, 18,
              bold=True)  # fmt: skip
        for place, text in enumerate(heading.lines):
            line = QRectF(MARGIN, _HEADING - 7 + _LINE * place, body.width, _LINE)
            write(painter, line, text, theme.quiet if place else theme.text)
        box = QRectF(MARGIN, header - _LEGEND, body.width, 20)
        x = legend(painter, box, heading.models, theme)
        if heading.scale is not None:
            _paint_scale(painter, box.adjusted(x, 0, 0, 0), heading.scale, theme)
        painter.translate(MARGIN, header)
        body.paint(painter)
        painter.restore()

    height = header + body.height + MARGIN
    return replace(body, width=body.width + 2 * MARGIN, height=height, paint=paint)


def legend(painter: QPainter, box: QRectF, names: tuple[str, str], theme: Theme) -> float:
    """Write the names of A and B beside their colours; return the width of all.

    Long names lose their middle, so that both fit.
    """
    room = box.width() / max(len(list(filter(None, names))), 1) - 3 * _SQUARE
    x = 0.0
    for letter, name, colour in zip("AB", names, theme.models, strict=True):
        if name:
            text = f"{letter}: {name}"
            square = QRectF(box.x() + x, box.center().y() - _SQUARE / 2, _SQUARE, _SQUARE)
            painter.fillRect(square, QColor(colour))
            width = min(text_width(painter, text), room)
            place = QRectF(square.right() + 5, box.y(), width, box.height())
            write(painter, place, text, theme.text, elide=Qt.TextElideMode.ElideMiddle)
            x += width + 3 * _SQUARE
    return x


def _paint_scale(
    painter: QPainter, box: QRectF, scale: tuple[str, tuple[str, ...], str], theme: Theme
) -> None:
    low, colours, high = scale
    write(painter, box, low, theme.text)
    x = box.x() + text_width(painter, low) + 5
    for colour in colours:
        painter.fillRect(QRectF(x, box.y() + 3, _SWATCH + 1, box.height() - 6), QColor(colour))
        x += _SWATCH
    write(painter, QRectF(x + 6, box.y(), 200, box.height()), high, theme.text)


def below(figures: Sequence[Figure], title: str) -> Figure:
    def paint(painter: QPainter) -> None:
        painter.save()
        for one in figures:
            painter.save()
            one.paint(painter)
            painter.restore()
            painter.translate(0, one.height)
        painter.restore()

    return replace(
        figures[0],
        width=max(one.width for one in figures),
        height=sum(one.height for one in figures),
        title=title,
        paint=paint,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAxes:
    """The axes of a chart over some steps of a piece: bars below, values at the left."""

    chorale: Chorale
    steps: range
    low: float
    high: float
    width: int
    height: int
    left: float  # width of the values

    def x(self, step: float) -> float:
        share = (step - self.steps.start) / max(len(self.steps), 1)
        return self.left + share * (self.width - self.left)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return (self.height - _BOTTOM) * (1 - share)

    def step_at(self, x: float, y: float) -> int | None:
        if not (self.left <= x < self.width and 0 <= y < self.y(self.low)):
            return None
        share = (x - self.left) / (self.width - self.left)
        return self.steps.start + math.floor(share * len(self.steps))

    def paint(
        self, painter: QPainter, theme: Theme, step: int | None, text: Callable[[float], str]
    ) -> None:
        bottom = self.y(self.low)
        if step is not None:
            chosen = QRectF(self.x(step), 0, self.x(step + 1) - self.x(step), bottom)
            painter.fillRect(chosen, translucent(theme.accent, 0.3))
        for value in self._ticks():
            y = self.y(value)
            painter.setPen(QPen(QColor(theme.quiet if value == 0 else theme.line_beat), 1))
            painter.drawLine(QLineF(self.left, y, self.width, y))
            label = QRectF(0, y - 8, self.left - 6, 16)
            write(painter, label, text(value), theme.quiet, side=RIGHT)
        free_from = 0.0
        for number, line in enumerate(self.chorale.bar_line_steps(), start=1):
            x = self.x(line)
            if line in self.steps:
                painter.setPen(QPen(QColor(theme.line_bar), 1))
                painter.drawLine(QLineF(x, 0, x, bottom))
                if x >= free_from:
                    free_from = x + _NUMBERS_APART
                    below = QRectF(x - 20, bottom + 2, 40, 16)
                    write(painter, below, str(number), theme.quiet, side=MIDDLE)
        painter.setPen(QPen(QColor(theme.line_bar), 1))
        corner = QPointF(self.left, bottom)
        painter.drawLine(corner, QPointF(self.left, 0))
        painter.drawLine(corner, QPointF(self.width, bottom))

    def _ticks(self) -> list[float]:
        """Return multiples of 1, 2 or 5 times a power of ten."""
        least = (self.high - self.low) / _TICKS
        power = 10 ** math.floor(math.log10(least))
        apart = power * next(unit for unit in (1, 2, 5, 10) if unit * power >= least)
        first, last = math.ceil(self.low / apart), math.floor(self.high / apart)
        return [number * apart for number in range(first, last + 1)]
