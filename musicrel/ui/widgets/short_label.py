"""Labels of one line that are elided where the text does not fit."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolTip, QWidget

_EDGES: Final = 4
_MIN_TEXT: Final = "MMM…"


class ShortLabel(QLabel):
    """A label whose ``text`` is elided where it does not fit, with the full text in its tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._full_text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def full_text(self) -> str:
        """Return the text before it is elided."""
        return self._full_text

    @property
    def full_width(self) -> int:
        """Return the width in pixels that the full text needs."""
        return self.fontMetrics().horizontalAdvance(self._full_text) + 2 * _EDGES

    def set_text(self, text: str, tip: str = "", description: str = "") -> None:
        """Show another text.

        Args:
            text: one line.
            tip: tooltip; "": the full text.
            description: accessible description.
        """
        self._full_text = text
        self.setToolTip(tip or text)
        self.setAccessibleName(text)
        self.setAccessibleDescription(description)
        self._shorten()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide the text for the new width."""
        super().resizeEvent(event)
        self._shorten()

    def _shorten(self) -> None:
        room = max(self.width() - _EDGES, 0)
        right = Qt.TextElideMode.ElideRight
        self.setText(self.fontMetrics().elidedText(self._full_text, right, room))


class ElidedLabel(QLabel):
    """One line of plain text, elided while it is painted where it does not fit.

    ``text`` is always the full text. The tooltip shows it, too, while it is elided.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)

    @property
    def is_elided(self) -> bool:
        """Return True if a part of the text is not visible."""
        return self.fontMetrics().horizontalAdvance(self.text()) > self.contentsRect().width()

    def minimumSizeHint(self) -> QSize:
        """Return the width of a few letters."""
        least = self.fontMetrics().horizontalAdvance(_MIN_TEXT)
        whole = super().minimumSizeHint()
        return QSize(min(least, whole.width()), whole.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much of the text as fits."""
        del event
        painter, room = QPainter(self), self.contentsRect()
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room.width()
        )
        self.style().drawItemText(
            painter, room, self.alignment(), self.palette(), self.isEnabled(), shown,
            self.foregroundRole(),
        )  # fmt: skip
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Show the full text in the tooltip while it is elided."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.is_elided:
            lines = dict.fromkeys(line for line in (self.text(), self.toolTip()) if line)
            QToolTip.showText(event.globalPos(), "\n".join(lines), self)
            return True
        return super().event(event)
