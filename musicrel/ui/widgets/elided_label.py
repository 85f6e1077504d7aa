"""A label of one line that is elided where the text does not fit."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QWidget,
)

_LETTERS: Final = 12  # least width in letters
_LIST_EDGES: Final = 48  # frame, check mark and scroll bar of the list


class ElidedLabel(QLabel):
    """One line of plain text, elided while it is painted where it does not fit.

    ``text`` is always the full text. The tooltip shows it, too, while it is elided.
    """

    clicked = Signal()  # the label was clicked while it is clickable

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(text, parent)
        self._elide = elide
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._clickable = False

    def set_clickable(self, *, clickable: bool) -> None:
        self._clickable = clickable
        shape = Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        inside = self.rect().contains(event.position().toPoint())
        if self._clickable and inside and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()
        super().mouseReleaseEvent(event)

    @property
    def text_width(self) -> int:
        """Return the width in pixels of the whole text; ``sizeHint`` has the minimum in it."""
        return super().minimumSizeHint().width()

    @property
    def is_elided(self) -> bool:
        return self.text_width > self.contentsRect().width()

    @property
    def shown_text(self) -> str:
        room = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), self._elide, room)

    def minimumSizeHint(self) -> QSize:
        least = self.fontMetrics().horizontalAdvance("MMM…")
        whole = super().minimumSizeHint()
        return QSize(min(least, whole.width()), whole.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter, room = QPainter(self), self.contentsRect()
        self.style().drawItemText(
            painter, room, self.alignment(), self.palette(), self.isEnabled(),
            self.shown_text, self.foregroundRole(),
        )  # fmt: skip
        painter.end()

    def event(self, event: QEvent) -> bool:
        shows = event.type() == QEvent.Type.ToolTip and self.is_elided
        if shows and isinstance(event, QHelpEvent):
            lines = dict.fromkeys(line for line in (self.text(), self.toolTip()) if line)
            QToolTip.showText(event.globalPos(), "\n".join(lines), self)
            return True
        return super().event(event)


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
        room = self.style().subControlRect(control, option, part, self).width() - 4
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
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            elided = self.shown_text != self.currentText()
            lines = (self.currentText() if elided else "", self.toolTip())
            QToolTip.showText(event.globalPos(), "\n".join(line for line in lines if line), self)
            return True
        return super().event(event)
