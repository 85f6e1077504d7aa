"""Entries of a list with two lines: a name, and below it a quieter text."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFocusEvent, QIcon, QPainter, QPalette
from PySide6.QtWidgets import (
    QListWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

SECOND_LINE: Final = Qt.ItemDataRole.UserRole + 1  # role of the second line


class TwoLineList(QListWidget):
    """A list of such entries; taking the focus selects none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plain")
        self.setItemDelegate(_TwoLines(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def focusInEvent(self, event: QFocusEvent) -> None:
        with QSignalBlocker(self):
            super().focusInEvent(event)
            if not self.selectedItems():
                self.setCurrentRow(-1)


class _TwoLines(QStyledItemDelegate):
    """A delegate that paints the text of an entry, and its second line below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: object) -> QSize:
        del index
        return QSize(0, 2 * option.fontMetrics.height() + 16)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        self.initStyleOption(option, index)  # type: ignore[arg-type]
        first, second = option.text, index.data(SECOND_LINE)  # type: ignore[attr-defined]
        option.text, option.icon = "", QIcon()
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text
        quiet = role if chosen else QPalette.ColorRole.PlaceholderText
        line = option.fontMetrics.height()
        box = option.rect.adjusted(8, 6, -8, 0)
        for place, text, colour in ((0, first, role), (1, second, quiet)):
            painter.setPen(option.palette.color(colour))
            shown = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideMiddle, box.width())
            at = box.adjusted(0, place * (line + 2), 0, 0)
            painter.drawText(at, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, shown)
