"""A thumbnail of a piece: its notes without keyboard, ruler or names."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, QSizeF
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from musicrel.chorale import Chorale
from musicrel.figures import roll
from musicrel.ui.widgets.stylesheet import current_theme

_EDGE: Final = 3


class MiniRoll(QWidget):
    """The notes of one piece; a passive widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.piece: Chorale | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_piece(self, piece: Chorale | None) -> None:
        self.piece = piece
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(220, 64)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, size = current_theme(), self.size().toSizeF()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.lane))
            if self.piece is not None:
                painter.translate(0, _EDGE)
                roll.draw_thumbnail(painter, self.piece, size - QSizeF(0, 2 * _EDGE), theme)
