"""A combo box whose texts are elided where they do not fit."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QWidget,
)

_LETTERS: Final = 12
"""Least width in letters."""
_EDGES: Final = 4
_LIST_EDGES: Final = 48
"""Frame, check mark and scroll bar of the list."""


class ElidedBox(QComboBox):
    """A combo box that does not grow with its texts; the tooltip shows a text that is elided.

    The list is as wide as its texts.
    """

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent)
        self._elide = elide
        self.view().setTextElideMode(elide)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_LETTERS)

    @property
    def shown_text(self) -> str:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        control = QStyle.ComplexControl.CC_ComboBox
        room = self.style().subControlRect(control, option, part, self).width() - _EDGES
        return self.fontMetrics().elidedText(self.currentText(), self._elide, max(room, 0))

    def showPopup(self) -> None:
        texts = (self.itemText(row) for row in range(self.count()))
        width = max(map(self.view().fontMetrics().horizontalAdvance, texts), default=0)
        self.view().setMinimumWidth(min(width + _LIST_EDGES, self.window().width()))
        super().showPopup()

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Show the full text in the tooltip while it is elided."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            elided = self.shown_text != self.currentText()
            lines = (self.currentText() if elided else "", self.toolTip())
            QToolTip.showText(event.globalPos(), "\n".join(line for line in lines if line), self)
            return True
        return super().event(event)
