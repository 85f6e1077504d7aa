"""Which colour and letter is which voice.

This file knows the four voices; it knows nothing of their notes.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from musicrel.chorale import Voice
from musicrel.presentation.palette import LIGHT, Theme

_CHIP: Final = 18
_GAP: Final = 6
_BETWEEN: Final = 14


class Legend(QWidget):
    """A coloured chip with its letter, and a name, for each voice."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self.setAccessibleName("Voices: " + ", ".join(f"{v.letter} {v.title}" for v in Voice))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Room for chips and names."""
        names = sum(self.fontMetrics().horizontalAdvance(voice.title) for voice in Voice)
        chips = len(Voice) * (_CHIP + _GAP) + (len(Voice) - 1) * _BETWEEN
        return QSize(names + chips, max(_CHIP, self.fontMetrics().height()) + 4)

    def minimumSizeHint(self) -> QSize:
        """None: names are left out where there is no room for them, then the chips too."""
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw chips, and where there is room their names, up to the right edge."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        named = self.width() >= self.sizeHint().width()
        room = self.sizeHint().width() if named else len(Voice) * (_CHIP + _GAP)
        x = self.width() - room
        for voice in Voice if x >= 0 else ():
            self._chip(painter, x, voice)
            x += _CHIP + _GAP
            if named:
                x += self._name(painter, x, voice) + _BETWEEN
        painter.end()

    def _name(self, painter: QPainter, x: int, voice: Voice) -> int:
        """Write the name; its width."""
        width = self.fontMetrics().horizontalAdvance(voice.title)
        painter.setFont(self.font())
        painter.setPen(QColor(self._theme.quiet))
        box = QRectF(x, 0, width + 2, self.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, voice.title)
        return width

    def _chip(self, painter: QPainter, x: int, voice: Voice) -> None:
        box = QRectF(x, (self.height() - _CHIP) / 2, _CHIP, _CHIP)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.voices[voice]))
        painter.drawRoundedRect(box, 5, 5)
        font = QFont(self.font())
        font.setPixelSize(11)
        font.setWeight(QFont.Weight.Bold)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.on_voice))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, voice.letter)
