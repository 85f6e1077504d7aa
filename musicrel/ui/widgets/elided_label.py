"""A label of one line that is elided where the text does not fit."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

_MIN_TEXT: Final = "MMM…"


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
        wraps: bool = False,
    ) -> None:
        super().__init__(text, parent)
        self._elide = elide
        self.setWordWrap(wraps)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._clickable = False

    def set_clickable(self, *, clickable: bool) -> None:
        """Make the label emit ``clicked``, and show it by the mouse pointer."""
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
        return self.fontMetrics().horizontalAdvance(self.text())

    @property
    def is_elided(self) -> bool:
        """Return True if a part of the text is not visible."""
        return not self.wordWrap() and self.text_width > self.contentsRect().width()

    @property
    def shown_text(self) -> str:
        if self.wordWrap():
            return self.text()
        room = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), self._elide, room)

    def minimumSizeHint(self) -> QSize:
        least = self.fontMetrics().horizontalAdvance(_MIN_TEXT)
        whole = super().minimumSizeHint()
        return QSize(min(least, whole.width()), whole.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter, room = QPainter(self), self.contentsRect()
        flags = self.alignment() | Qt.TextFlag(Qt.TextFlag.TextWordWrap * self.wordWrap())
        self.style().drawItemText(
            painter, room, flags, self.palette(), self.isEnabled(),
            self.shown_text, self.foregroundRole(),
        )  # fmt: skip
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Show the full text in the tooltip while it is elided."""
        shows = event.type() == QEvent.Type.ToolTip and self.is_elided
        if shows and isinstance(event, QHelpEvent):
            lines = dict.fromkeys(line for line in (self.text(), self.toolTip()) if line)
            QToolTip.showText(event.globalPos(), "\n".join(lines), self)
            return True
        return super().event(event)
