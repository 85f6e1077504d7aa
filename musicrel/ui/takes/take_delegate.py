"""The painter of the cards of takes, and the field in which a take is renamed."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from musicrel.project.take_table import TakeRow
from musicrel.ui.takes.take_card import GAP, TakeCard, card_size
from musicrel.ui.takes.take_model import ROW, Index
from musicrel.ui.takes.thumbnails import Thumbnails
from musicrel.ui.widgets.stylesheet import current_theme, scaled_font

_CURRENT = "current"
_ROUND = 6
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_QUIET_SCALE = 0.86
_BADGE_SCALE = 0.76


class TakeDelegate(QStyledItemDelegate):
    """A card for each take.

    Attributes:
        thumbnails: pictures of the takes shown last.
    """

    def __init__(self) -> None:
        super().__init__()
        self.low = False
        self.thumbnails = Thumbnails()

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return self.size + QSize(GAP, 0)

    @property
    def size(self) -> QSize:
        """Return the size of a card at the present text size."""
        return card_size(_metrics(), low=self.low)

    def card(self, cell: QRect) -> TakeCard:
        return TakeCard(cell, _metrics(), low=self.low)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: TakeRow = index.data(ROW)
        card = self.card(option.rect)
        size, ratio = card.thumbnail.size(), painter.device().devicePixelRatioF()
        picture = self.thumbnails.picture(row, size, ratio)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _frame(painter, card, option)
        painter.fillRect(card.thumbnail, QColor(current_theme().lane))
        painter.drawPixmap(card.thumbnail.topLeft(), picture.pixmap)
        _rating(painter, card, row.rating)
        self._texts(painter, card, row, picture.changes)
        if row.current:
            _badge(painter, card)
        painter.restore()

    def _texts(self, painter: QPainter, card: TakeCard, row: TakeRow, changes: str) -> None:
        theme, quiet = current_theme(), scaled_font(_QUIET_SCALE)
        weight = QFont.Weight.DemiBold if row.current else QFont.Weight.Medium
        name = scaled_font(0.94, weight)
        lines = [(card.name, row.name, name, theme.text)]
        if not card.low:
            origin = "  ·  ".join(part for part in (row.action, changes) if part)
            lines.append((card.origin, origin, quiet, theme.quiet))
            lines.append((card.source, row.source, quiet, theme.quiet))
        for place, text, font, colour in lines:
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideMiddle, place.width())
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(place, _LEFT, shown)

    # ------------------------------------------------------------------ renaming

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, _index: Index
    ) -> None:
        card = self.card(option.rect)
        height = editor.sizeHint().height()
        top = card.name.center().y() - height // 2
        editor.setGeometry(card.frame.left(), top, card.frame.width(), height)


def _frame(painter: QPainter, card: TakeCard, option: QStyleOptionViewItem) -> None:
    """Paint the card; the outline shows the selection, a broad one the focus."""
    theme, state = current_theme(), option.state
    selected = bool(state & QStyle.StateFlag.State_Selected)
    hovered = bool(state & QStyle.StateFlag.State_MouseOver)
    painter.setBrush(QColor(theme.hover if hovered or selected else theme.field))
    pen = painter.pen()
    focused = bool(state & QStyle.StateFlag.State_HasFocus)
    pen.setColor(QColor(theme.accent if selected or focused else theme.edge))
    pen.setWidth(2 if selected else 1)
    painter.setPen(pen)
    painter.drawRoundedRect(card.frame.adjusted(1, 1, -1, -1), _ROUND, _ROUND)


def _rating(painter: QPainter, card: TakeCard, rating: int) -> None:
    """Paint the stars, as many filled as the rating."""
    theme = current_theme()
    for number, star in enumerate(card.stars(), start=1):
        filled = number <= rating
        painter.setPen(QColor(theme.accent if filled else theme.faint))
        painter.setBrush(QColor(theme.accent) if filled else Qt.BrushStyle.NoBrush)
        painter.drawPolygon(star)


def _badge(painter: QPainter, card: TakeCard) -> None:
    """Mark the current take in words."""
    theme = current_theme()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.accent))
    font = scaled_font(_BADGE_SCALE, QFont.Weight.DemiBold)
    place = card.badge(QFontMetrics(font), _CURRENT)
    painter.drawRoundedRect(place, 4, 4)
    painter.setPen(QColor(theme.on_accent))
    painter.setFont(font)
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, _CURRENT)


def _metrics() -> QFontMetrics:
    return QFontMetrics(scaled_font(1.0))
