"""A line of text that is shortened where there is no room for all of it.

This file knows room; it knows nothing of what is said.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_EDGES: Final = 4


class ShortLabel(QLabel):
    """A line that ends in an ellipsis where there is no room for all of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def whole(self) -> str:
        """All it would say."""
        return self._whole

    @property
    def wanted(self) -> int:
        """Width in pixels that has room for all of it."""
        return self.fontMetrics().horizontalAdvance(self._whole) + 2 * _EDGES

    def say(self, text: str, tip: str = "", spoken: str = "") -> None:
        """Say something else.

        Args:
            text: one line.
            tip: more of it, for the pointer; "": the line itself.
            spoken: more of it, for those who listen.
        """
        self._whole = text
        self.setToolTip(tip or text)
        self.setAccessibleName(text)
        self.setAccessibleDescription(spoken)
        self._shorten()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        self._shorten()

    def _shorten(self) -> None:
        room = max(self.width() - _EDGES, 0)
        right = Qt.TextElideMode.ElideRight
        self.setText(self.fontMetrics().elidedText(self._whole, right, room))
