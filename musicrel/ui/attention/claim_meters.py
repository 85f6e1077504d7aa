"""The claims of 2018 as meters: a bar with its interval for each model, beside Bach's own."""

from __future__ import annotations

from html import escape
from itertools import zip_longest
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from musicrel.analysis.claims.intervals import Estimate
from musicrel.presentation.attention.claim_rows import SHOWN, ClaimRow, figure, in_words
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.paint import fill_rounded, translucent

_NAME: Final = "Claims about relative attention"
EMPTY: Final = "Generate a piece, or open one, to measure the claims."
_EVEN: Final = "┊ equal weights"
_MODEL: Final = '<span style="color:{colour}">■</span> {letter} {name}'
_BETWEEN: Final = " &nbsp; "
_WIDEST: Final = "88.8 quarters"
_LETTERS: Final = ("A", "B", "Bach")
_MIN_COLUMN: Final = 280
"""Least width of a column of meters in pixels."""
_GAP: Final = 14
_FONT: Final = 0.92
_BAR: Final = 8
_WHISKER: Final = 3.5
"""Half the height of the ends of an interval."""
_LEAST: Final = 2.0
"""Least width of a bar in pixels."""
_MAX_COLUMNS: Final = 3
_SCALE: Final = 1.04
"""Length of the scale, where the largest end is 1."""


class _Line(NamedTuple):
    """One bar: its letter, colour, value, number in words, and mark of equal weights."""

    letter: str
    colour: str
    value: Estimate
    number: str
    even: float | None


class ClaimMeter(QWidget):
    """One claim; a passive widget."""

    def __init__(self) -> None:
        super().__init__()
        self._row: ClaimRow | None = None
        self._two = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_row(self, row: ClaimRow, names: tuple[str, str]) -> None:
        """Show a claim with the values of the models ``names``; the second may be ""."""
        self._row, self._two = row, bool(names[1])
        words = in_words(row, names)
        self.setToolTip(words)
        self.setAccessibleName(row.measure.title)
        self.setAccessibleDescription(words.replace("\n", "; "))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        lines = 1
        if self._row is not None:
            lines += len(_lines(self._row, stylesheet.current_theme())) + bool(self._row.remark)
        return QSize(_MIN_COLUMN, lines * self._line_height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self._row is None:
            return
        theme, line = stylesheet.current_theme(), self._line_height()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(stylesheet.scaled_font(_FONT))
        self._text(painter, 0, self._row.measure.title, theme.text)
        top, full = line, self._row.full * _SCALE or 1.0
        for each in _lines(self._row, theme, two=self._two):
            self._paint_line(painter, top, each, full, theme)
            top += line
        if self._row.remark:
            self._text(painter, top, self._row.remark, theme.quiet)
        painter.end()

    # ------------------------------------------------------------------ inside

    def _paint_line(
        self, painter: QPainter, top: int, line: _Line, full: float, theme: Theme
    ) -> None:
        """Paint letter, groove, bar, equal weights, interval and number."""
        track = self._track(top)
        fill_rounded(painter, track, _BAR / 2, theme.edge)
        bar = QRectF(track)
        bar.setWidth(max(track.width() * line.value.value / full, _LEAST))
        fill_rounded(painter, bar, min(_BAR, bar.width()) / 2, line.colour)
        if line.even is not None:
            at = track.left() + track.width() * line.even / full
            painter.setPen(QPen(QColor(theme.text), 1.5, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(at, track.top() - 3), QPointF(at, track.bottom() + 3))
        _paint_interval(painter, track, line.value, full, theme)
        painter.setPen(QColor(theme.quiet))
        box = QRectF(0, top, self.width(), self._line_height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, line.letter)
        painter.setPen(QColor(theme.text))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(box, right, line.number)

    def _text(self, painter: QPainter, top: int, text: str, colour: str) -> None:
        metrics = QFontMetrics(painter.font())
        painter.setPen(QColor(colour))
        painter.drawText(
            QRectF(0, top, self.width(), self._line_height()),
            Qt.AlignmentFlag.AlignVCenter,
            metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width()),
        )

    def _track(self, top: int) -> QRectF:
        """Return the groove of the bar in the line that begins at ``top``."""
        left, right = self._letter_width(), self.width() - self._number_width()
        return QRectF(left, top + (self._line_height() - _BAR) / 2, right - left, _BAR)

    def _letter_width(self) -> int:
        return self._metrics().horizontalAdvance(_LETTERS[-1]) + 8

    def _number_width(self) -> int:
        return self._metrics().horizontalAdvance(_WIDEST) + 6

    def _line_height(self) -> int:
        return self._metrics().height() + 2

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(stylesheet.scaled_font(_FONT))


class ClaimMeters(QWidget):
    """The meters of one or two models, in as many columns as fit; a passive widget.

    Attributes:
        legend: the models with their letters, or the sentence of the empty state.
        meters: the meters, from the first measure; those without a row are hidden.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_NAME)
        self.legend, self.meters = QLabel(), tuple(ClaimMeter() for _ in SHOWN)
        self.legend.setWordWrap(True)
        self._names = "", ""
        self._columns = 0
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(2 * _GAP)
        self._grid.setVerticalSpacing(_GAP // 2)
        for meter in self.meters:
            meter.setParent(self)
        layout.column(self.legend, self._grid, None, owner=self, spacing=_GAP // 2)
        self.clear()

    def show_rows(self, rows: tuple[ClaimRow, ...], first: str, second: str = "") -> None:
        """Show the meters.

        Args:
            second: name of the second model; "": there is none.
        """
        self._names = first, second
        for meter, row in zip_longest(self.meters, rows):
            meter.setVisible(row is not None)
            if row is not None:
                meter.show_row(row, self._names)
        self._explain()
        self._arrange()

    def clear(self, sentence: str = EMPTY) -> None:
        self._names = "", ""
        for meter in self.meters:
            meter.hide()
        self.legend.setTextFormat(Qt.TextFormat.PlainText)
        self.legend.setText(sentence)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._names[0]:
            self._explain()

    # ------------------------------------------------------------------ inside

    def _explain(self) -> None:
        """Write the legend: letters and names in the models' colours, and the mark of even."""
        colours = stylesheet.current_theme().models
        named = zip(_LETTERS, self._names, colours, strict=False)
        models = [
            _MODEL.format(colour=colour, letter=letter if self._names[1] else "", name=escape(name))
            for letter, name, colour in named
            if name
        ]
        self.legend.setTextFormat(Qt.TextFormat.RichText)  # the names are escaped
        self.legend.setText(_BETWEEN.join((*models, _EVEN)))

    def _arrange(self) -> None:
        """Put the visible meters into columns, from the top of the first on."""
        shown = [meter for meter in self.meters if not meter.isHidden()]
        columns = min(max(self.width() // _MIN_COLUMN, 1), _MAX_COLUMNS)
        per_column = -(-len(shown) // columns)
        for meter in self.meters:
            self._grid.removeWidget(meter)
        for place, meter in enumerate(shown):
            top = Qt.AlignmentFlag.AlignTop
            self._grid.addWidget(meter, place % per_column, place // per_column, top)
        for column in range(_MAX_COLUMNS):
            self._grid.setColumnStretch(column, int(column < columns))


def _lines(row: ClaimRow, theme: Theme, *, two: bool = True) -> list[_Line]:
    colours = (*theme.models, theme.quiet)
    letters = _LETTERS if two else ("", *_LETTERS[1:])
    values = (row.first, row.second, row.bach)
    return [
        _Line(letter, colour, value, figure(row.measure, value.value), row.even)
        for letter, colour, value in zip(letters, colours, values, strict=True)
        if value is not None
    ]


def _paint_interval(
    painter: QPainter, track: QRectF, value: Estimate, full: float, theme: Theme
) -> None:
    """Paint a line from the lower to the upper end, on a halo that parts it from the bar."""
    if value.low == value.high:
        return
    low, high = (track.left() + track.width() * end / full for end in (value.low, value.high))
    middle = track.center().y()
    for colour, width in ((translucent(theme.panel, 0.45), 3.0), (QColor(theme.text), 1.3)):
        painter.setPen(QPen(colour, width))
        painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        for end in (low, high):
            painter.drawLine(QPointF(end, middle - _WHISKER), QPointF(end, middle + _WHISKER))
