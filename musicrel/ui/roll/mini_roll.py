"""A small piece at a glance: its notes without keyboard, ruler or names.

A passive widget: it shows the piece it is told.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from musicrel.chorale import Chorale
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.roll import Roll
from musicrel.presentation.words.palette import LIGHT, Theme

_HEIGHT: Final = 64


class MiniRoll(QWidget):
    """The notes of one piece."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._roll: Roll | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._theme = theme
        self.update()

    def show_piece(self, piece: Chorale | None) -> None:
        """Show a piece; None: an empty field."""
        self._roll = roll.draw(piece) if piece is not None else None
        self.update()

    def sizeHint(self) -> QSize:
        """Wide and low."""
        return QSize(220, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the notes, from the lowest to the highest there is."""
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.lane))
        if self._roll is not None and self._roll.notes:
            self._draw(painter, self._roll)
        painter.end()

    def _draw(self, painter: QPainter, picture: Roll) -> None:
        pitches = [note.pitch for note in picture.notes]
        low, high = min(pitches) - 1, max(pitches) + 1
        wide, tall = self.width() / max(picture.steps, 1), self.height() / (high - low + 1)
        painter.setPen(Qt.PenStyle.NoPen)
        for note in picture.notes:
            painter.setBrush(QColor(self._theme.voices[note.voice]))
            length = max((note.stop - note.start) * wide - 1, 1)
            painter.drawRect(
                QRectF(note.start * wide, (high - note.pitch) * tall, length, max(tall, 2))
            )
