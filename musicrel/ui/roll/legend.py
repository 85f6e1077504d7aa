"""Which colour and letter is which voice, and which voices are locked as a whole.

A passive widget: a click on a voice tells which. This file knows the four voices; it knows nothing
of their notes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from musicrel.chorale import Voice
from musicrel.presentation.words.palette import LIGHT, Theme
from musicrel.ui.roll.roll_decor import padlock

_CHIP: Final = 18
_GAP: Final = 6
_BETWEEN: Final = 14
_TIPS: Final = {
    False: "{voice}: click to lock it, so that rewriting leaves it alone (Ctrl+Alt+{number})",
    True: "{voice} is locked: click to unlock it (Ctrl+Alt+{number})",
}


class Legend(QWidget):
    """A coloured chip with its letter, and a name, for each voice.

    Signals:
        voice_clicked: the user wants a voice locked or unlocked; its number.
    """

    voice_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._locked: frozenset[int] = frozenset()
        self.setMouseTracking(True)
        self.setAccessibleName("Voices: " + ", ".join(f"{v.letter} {v.title}" for v in Voice))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._theme = theme
        self.update()

    def set_locked(self, voices: Iterable[int]) -> None:
        """Show a padlock on these voices."""
        self._locked = frozenset(voices)
        told = ", ".join(Voice(voice).title for voice in sorted(self._locked))
        self.setAccessibleDescription(f"Locked: {told}" if told else "")
        self.update()

    def voice_at(self, x: float) -> int | None:
        """The voice whose chip or name is at ``x``."""
        for voice, (left, right) in enumerate(self._stretches()):
            if left <= x < right:
                return voice
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Tell which voice was clicked."""
        voice = self.voice_at(event.position().x())
        if voice is not None and event.button() == Qt.MouseButton.LeftButton:
            self.voice_clicked.emit(voice)

    def event(self, event: QEvent) -> bool:
        """Say what a click does."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            voice = self.voice_at(event.pos().x())
            words = _TIPS[voice in self._locked] if voice is not None else ""
            named = Voice(voice).title if voice is not None else ""
            QToolTip.showText(event.globalPos(), words.format(voice=named, number=(voice or 0) + 1))
            return True
        return super().event(event)

    def _stretches(self) -> list[tuple[float, float]]:
        """From where to where each voice is drawn."""
        named = self.width() >= self.sizeHint().width()
        room = self.sizeHint().width() if named else len(Voice) * (_CHIP + _GAP)
        x = float(self.width() - room)
        found: list[tuple[float, float]] = []
        for voice in Voice if x >= 0 else ():
            name = self.fontMetrics().horizontalAdvance(voice.title) if named else 0
            found.append((x, x + _CHIP + _GAP + name))
            x = found[-1][1] + (_BETWEEN if named else 0)
        return found

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
        for voice, (left, _) in zip(Voice, self._stretches(), strict=False):
            self._chip(painter, round(left), voice)
            if named:
                self._name(painter, round(left) + _CHIP + _GAP, voice)
        painter.end()

    def _name(self, painter: QPainter, x: int, voice: Voice) -> None:
        width = self.fontMetrics().horizontalAdvance(voice.title)
        painter.setFont(self.font())
        painter.setPen(QColor(self._theme.quiet))
        box = QRectF(x, 0, width + 2, self.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, voice.title)

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
        locked = voice in self._locked
        letter = box.adjusted(0, 0, -7, 0) if locked else box
        painter.drawText(letter, Qt.AlignmentFlag.AlignCenter, voice.letter)
        if locked:
            padlock(painter, QPointF(box.right() - 8, box.top() + 5), self._theme.on_voice)
