"""A thumbnail of a piece: its notes without keyboard, ruler or names."""

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
    """The notes of one piece; a passive widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._roll: Roll | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._theme = theme
        self.update()

    def show_piece(self, piece: Chorale | None) -> None:
        """Show a piece; None leaves the field empty."""
        self._roll = roll.draw(piece) if piece is not None else None
        self.update()

    @property
    def picture(self) -> Roll | None:
        """Return the roll that is shown."""
        return self._roll

    def sizeHint(self) -> QSize:
        """Return a wide and low size."""
        return QSize(220, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the notes; the rows are those from the lowest to the highest note."""
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
