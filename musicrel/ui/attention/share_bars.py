"""Shares of attention as bars: the mean over the piece, with a mark for the selected note."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from musicrel.presentation.attention.piece_analysis import Share, percent
from musicrel.presentation.words.palette import LIGHT, Theme

_ROW: Final = 22
_BAR: Final = 9
_NUMBER: Final = 54
_GAP: Final = 10


class ShareBars(QWidget):
    """A bar, a number and a mark for each share; a passive widget."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._shares: tuple[Share, ...] = ()
        self._colours: tuple[str, ...] = ()
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._theme = theme
        self.update()

    def show_shares(self, shares: tuple[Share, ...], colours: tuple[str, ...] = ()) -> None:
        """Show ``shares`` in ``colours``, or all in the accent colour."""
        if len(shares) != len(self._shares):
            self.updateGeometry()
        self._shares, self._colours = shares, colours
        self.setAccessibleDescription(", ".join(_words(share) for share in shares))
        self.setToolTip("\n".join(_words(share) for share in shares))
        self.update()

    def sizeHint(self) -> QSize:
        """Return a row for each share."""
        return QSize(self._name_width() + 130 + _NUMBER, len(self._shares) * _ROW)

    def minimumSizeHint(self) -> QSize:
        """Return the size with shorter bars."""
        return QSize(self._name_width() + 40 + _NUMBER, len(self._shares) * _ROW)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, share in enumerate(self._shares):
            self._row(painter, row, share)
        painter.end()

    def _row(self, painter: QPainter, row: int, share: Share) -> None:
        theme, top, left = self._theme, row * _ROW, self._name_width() + _GAP
        room = self.width() - left - _NUMBER
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(theme.text))
        painter.drawText(QRectF(0, top, left, _ROW), middle, share.name)
        number = QRectF(self.width() - _NUMBER, top, _NUMBER, _ROW)
        painter.drawText(number, middle | Qt.AlignmentFlag.AlignRight, percent(share.whole))
        groove = QRectF(left, top + (_ROW - _BAR) / 2, room, _BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.edge))
        painter.drawRoundedRect(groove, 2, 2)
        painter.setBrush(QColor(self._colours[row] if self._colours else theme.accent))
        painter.drawRoundedRect(QRectF(left, groove.top(), room * share.whole, _BAR), 2, 2)
        if share.here is not None:
            self._mark(painter, left + room * share.here, groove)

    def _mark(self, painter: QPainter, x: float, groove: QRectF) -> None:
        ends = (QPointF(x, groove.top() - 3), QPointF(x, groove.bottom() + 3))
        for colour, width in ((self._theme.panel, 5.0), (self._theme.text, 2.4)):
            painter.setPen(QPen(QColor(colour), width, c=Qt.PenCapStyle.RoundCap))
            painter.drawLine(*ends)

    def _name_width(self) -> int:
        metrics = self.fontMetrics()
        return max((metrics.horizontalAdvance(share.name) for share in self._shares), default=60)


def _words(share: Share) -> str:
    here = "" if share.here is None else f", this note {percent(share.here)}"
    return f"{share.name}: {percent(share.whole)} over the piece{here}"
