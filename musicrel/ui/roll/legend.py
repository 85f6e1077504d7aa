"""Legends above the roll: of the voices, with a padlock where one is locked, and of surprisal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QHelpEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from musicrel.chorale import Voice
from musicrel.figures.paint import fill_rounded, sized_font
from musicrel.interpretability.surprisal import TIP, NoteColours, colours_of
from musicrel.language import tr
from musicrel.presentation.words.palette import Theme
from musicrel.ui.roll.roll_view import padlock
from musicrel.ui.widgets.stylesheet import current_theme

_CHIP: Final = 18
_GAP: Final = 6
_BETWEEN: Final = 14
LETTERS: Final = len(Voice) * (_CHIP + _GAP) - _GAP  # width in pixels of the chips without names
_TIPS: Final = {
    False: tr("{voice}: click to lock against rewriting (Ctrl+Alt+{number})"),
    True: tr("{voice} is locked: click to unlock (Ctrl+Alt+{number})"),
}
_VOICES: Final = tr("Voices: {names}")
_LOCKED: Final = tr("Locked: {voices}")


class Legend(QWidget):
    """A coloured chip with its letter, and a name, for each voice; a passive widget."""

    voice_clicked = Signal(int)  # the number of a voice to be locked or unlocked

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._locked: frozenset[int] = frozenset()
        self.setMouseTracking(True)
        names = ", ".join(f"{voice.letter} {voice.title}" for voice in Voice)
        self.setAccessibleName(_VOICES.format(names=names))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_locked(self, voices: Iterable[int]) -> None:
        self._locked = frozenset(voices)
        titles = ", ".join(Voice(voice).title for voice in sorted(self._locked))
        self.setAccessibleDescription(_LOCKED.format(voices=titles) if titles else "")
        self.update()

    def voice_at(self, x: float) -> int | None:
        extents = enumerate(self._extents())
        return next((voice for voice, (left, right) in extents if left <= x < right), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        voice = self.voice_at(event.position().x())
        if voice is not None and event.button() == Qt.MouseButton.LeftButton:
            self.voice_clicked.emit(voice)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            voice = self.voice_at(event.pos().x())
            tip = ""
            if voice is not None:
                title = Voice(voice).title
                tip = _TIPS[voice in self._locked].format(voice=title, number=voice + 1)
            QToolTip.showText(event.globalPos(), tip)
            return True
        return super().event(event)

    def _extents(self) -> list[tuple[float, float]]:
        """Return the left and right edge of each voice in pixels; empty without room."""
        named = self.width() >= self.sizeHint().width()
        room = self.sizeHint().width() if named else LETTERS
        x = float(self.width() - room)
        found: list[tuple[float, float]] = []
        for voice in Voice if x >= 0 else ():
            name = self.fontMetrics().horizontalAdvance(voice.title) if named else 0
            found.append((x, x + _CHIP + _GAP + name))
            x = found[-1][1] + (_BETWEEN if named else 0)
        return found

    def sizeHint(self) -> QSize:
        names = sum(self.fontMetrics().horizontalAdvance(voice.title) for voice in Voice)
        chips = len(Voice) * (_CHIP + _GAP) + (len(Voice) - 1) * _BETWEEN
        return QSize(names + chips, max(_CHIP, self.fontMetrics().height()) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, named = current_theme(), self.width() >= self.sizeHint().width()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for voice, (left, right) in zip(Voice, self._extents(), strict=False):
                self._chip(painter, round(left), voice, theme)
                if named:
                    name = QRectF(round(left) + _CHIP + _GAP, 0, right - left, self.height())
                    painter.setFont(self.font())
                    painter.setPen(QColor(theme.quiet))
                    painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, voice.title)

    def _chip(self, painter: QPainter, x: int, voice: Voice, theme: Theme) -> None:
        box, locked = QRectF(x, (self.height() - _CHIP) / 2, _CHIP, _CHIP), voice in self._locked
        fill_rounded(painter, box, 5, theme.voices[voice])
        painter.setFont(sized_font(self.font(), 11, QFont.Weight.Bold))
        painter.setPen(QColor(theme.on_voice))
        letter = box.adjusted(0, 0, -7, 0) if locked else box
        painter.drawText(letter, Qt.AlignmentFlag.AlignCenter, voice.letter)
        if locked:
            padlock(painter, QPointF(box.right() - 8, box.top() + 5), theme.on_voice)


_BAR, _LEAST_BAR = 110, 32
_THICK: Final = 12
_BESIDE: Final = 8
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
_WIDEST: Final = (tr("0.0 nats"), tr("9.9 nats +"))


class HeatLegend(QWidget):
    """The colour scale as a bar, with the values of its ends in nats."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colours: NoteColours | None = None
        self.setAccessibleName(tr("Surprisal"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.show_scale(None)

    def show_scale(self, colours: NoteColours | None) -> None:
        self._colours = colours
        self._ends = ("", "") if colours is None else colours.ends
        self._bare = ("", "") if colours is None else colours.bare
        tip = TIP if colours is None else colours.tip
        self.setToolTip(tip)
        self.setAccessibleDescription(tip)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        words = sum(
            max(map(self.fontMetrics().horizontalAdvance, texts))
            for texts in zip(self._ends, _WIDEST, strict=True)
        )
        return QSize(words + _BAR + 2 * _BESIDE, self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._width_of(self._bare), self.sizeHint().height())

    def _width_of(self, ends: tuple[str, str]) -> int:
        return sum(map(self.fontMetrics().horizontalAdvance, ends)) + _LEAST_BAR + 2 * _BESIDE

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = current_theme()
        ends = self._ends if self.width() >= self._width_of(self._ends) else self._bare
        low, high = map(self.fontMetrics().horizontalAdvance, ends)
        width = self.width() - low - high - 2 * _BESIDE
        box = QRectF(low + _BESIDE, (self.height() - _THICK) / 2, width, _THICK)
        colours = QLinearGradient(box.topLeft(), box.topRight())
        shown = self._colours or colours_of((), None, theme)
        for place in (0.0, 0.25, 0.5, 0.75, 1.0):
            colours.setColorAt(place, QColor(shown.at(place).fill))
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(theme.quiet))
            for end, side in zip(ends, (_LEFT, _RIGHT), strict=True):
                painter.drawText(self.rect(), side | Qt.AlignmentFlag.AlignVCenter, end)
            painter.setPen(QColor(theme.line_bar))
            painter.setBrush(colours)
            painter.drawRoundedRect(box, 3, 3)
