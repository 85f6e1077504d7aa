"""The studies to start from, as cards with their expected time on this computer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from musicrel.ui.widgets.stylesheet import current_theme, scaled_font

_NAME: Final = "Start from"
_TIP: Final = "{about}\n{time}"
_TIME: Final = Qt.ItemDataRole.UserRole + 1
_ABOUT: Final = Qt.ItemDataRole.UserRole + 2
_LEAST: Final = 150
"""Least width of a card, which also has room for the longest title."""
_GAP, _PADDING, _ROUND = 8, 10, 6
_QUIET: Final = 0.9
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class TemplateCards(QListWidget):
    """A card for each study, in as many columns as fit; a passive widget."""

    chosen = Signal(int)  # the row of a card that the user chose

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_NAME)
        self.setObjectName("plain")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.marked = -1
        """Row of the card whose study is in the form; -1: none."""
        self.setItemDelegate(_CardDelegate(self))
        self.itemClicked.connect(self._choose)
        self.itemActivated.connect(self._choose)

    def set_cards(self, titles: Sequence[tuple[str, str]]) -> None:
        """Replace the cards; each is a name and a description."""
        self.clear()
        for title, about in titles:
            item = QListWidgetItem(title)
            item.setData(_ABOUT, about)
            self.addItem(item)
            self.set_time(self.count() - 1, "")
        self.mark(-1)
        self._fit()

    def set_time(self, row: int, text: str) -> None:
        """Show the expected time of a study."""
        item = self.item(row)
        item.setData(_TIME, text)
        item.setToolTip(_TIP.format(about=item.data(_ABOUT), time=text).strip())
        spoken = f"{item.text()}, {text}" if text else item.text()
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)

    def mark(self, row: int) -> None:
        """Mark the card whose study is in the form; -1: none."""
        self.marked = row
        self.setCurrentRow(row)
        self.viewport().update()

    def title(self, row: int) -> str:
        return self.item(row).text()

    def time(self, row: int) -> str:
        return str(self.item(row).data(_TIME))

    def row_of(self, title: str) -> int:
        """Return the row of the card with a name; -1 if there is none."""
        return next((row for row in range(self.count()) if self.title(row) == title), -1)

    # ------------------------------------------------------------------ Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() == Qt.Key.Key_Space and item is not None:
            self._choose(item)
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------------ inside

    @Slot(object)
    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(self.row(item))

    def _fit(self) -> None:
        """Divide the width among the columns, and take the height of the rows."""
        metrics = QFontMetrics(scaled_font(1.0, QFont.Weight.Medium))
        titles = (metrics.horizontalAdvance(self.title(row)) for row in range(self.count()))
        least = max((_LEAST, *(width + 2 * _PADDING + 2 for width in titles)))
        columns = max((self.viewport().width() - 2) // (least + _GAP), 1)
        width = (self.viewport().width() - 2) // columns
        size = QSize(width, 2 * metrics.height() + 2 * _PADDING + _GAP)
        self.setGridSize(size)
        rows = -(-max(self.count(), 1) // columns)
        self.setFixedHeight(rows * size.height() + 2)


class _CardDelegate(QStyledItemDelegate):
    def __init__(self, cards: TemplateCards) -> None:
        super().__init__(cards)
        self._cards = cards

    def sizeHint(
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return self._cards.gridSize()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint a card: frame, name and time."""
        theme, state = current_theme(), option.state
        marked = index.row() == self._cards.marked
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        frame = option.rect.adjusted(1, 1, -_GAP, -_GAP)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(theme.hover if hovered or marked else theme.field))
        pen = painter.pen()
        pen.setColor(QColor(theme.accent if marked or focused else theme.edge))
        pen.setWidth(2 if marked else 1)
        painter.setPen(pen)
        painter.drawRoundedRect(frame, _ROUND, _ROUND)
        box = frame.adjusted(_PADDING, _PADDING - 2, -_PADDING, 0)
        title, time = scaled_font(1.0, QFont.Weight.Medium), scaled_font(_QUIET)
        lines = ((title, index.data(), theme.text), (time, index.data(_TIME), theme.quiet))
        for font, text, colour in lines:
            metrics = QFontMetrics(font)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(box, _LEFT, shown)
            box.translate(0, metrics.height() + 2)
        painter.restore()
