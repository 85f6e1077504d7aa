"""A thumbnail of a piece: its notes without keyboard, ruler or names."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from musicrel.chorale import Chorale
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.roll import Roll
from musicrel.ui.widgets.stylesheet import current_theme

_HEIGHT: Final = 64


class MiniRoll(QWidget):
    """The notes of one piece; a passive widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture: Roll | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_piece(self, piece: Chorale | None) -> None:
        """Show a piece; None leaves the field empty."""
        self.picture = roll.draw(piece) if piece is not None else None
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(220, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the notes; the rows are those from the lowest to the highest note."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(current_theme().lane))
            if self.picture is not None and self.picture.notes:
                self._draw(painter, self.picture)

    def _draw(self, painter: QPainter, picture: Roll) -> None:
        pitches = [note.pitch for note in picture.notes]
        low, high = min(pitches) - 1, max(pitches) + 1
        wide, tall = self.width() / max(picture.steps, 1), self.height() / (high - low + 1)
        voices = current_theme().voices
        for note in picture.notes:
            length = max((note.stop - note.start) * wide - 1, 1)
            box = QRectF(note.start * wide, (high - note.pitch) * tall, length, max(tall, 2))
            painter.fillRect(box, QColor(voices[note.voice]))
