"""The ranges of the voices on the piano roll: a strip beside the keyboard, and lines at the limits.

The strip has a line for each voice. The limits of the voices that are selected or under the mouse
are lines over the lanes.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from PySide6.QtCore import QEvent, QLineF, QObject, QPoint, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from musicrel.chorale import Voice
from musicrel.generation.constraints.voice_ranges import Ranges
from musicrel.presentation.words import names
from musicrel.ui.roll.roll_overlay import LanesOverlay
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, KEYS_WIDTH, RULER_HEIGHT
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.widgets.paint import translucent
from musicrel.ui.widgets.stylesheet import current_theme

_LINE: Final = 2
_BETWEEN: Final = 3
"""Distance between the left edges of two lines of the strip."""
_CALM: Final = 0.55
"""Opacity of the lines of voices that are not pointed at."""
_NAME: Final = "Voice ranges"
_RANGE: Final = "{voice}: {low} to {high}"


class RollRanges(QObject):
    def __init__(self, roll: RollView) -> None:
        super().__init__(roll)
        self._roll = roll
        self._selected: frozenset[int] = frozenset()
        self.strip, self.limits = _Strip(roll), _Limits(roll)
        self.strip.pointed.connect(self._point)
        roll.viewport().setMouseTracking(True)
        roll.viewport().installEventFilter(self)

    @property
    def voices(self) -> frozenset[int]:
        """Return the voices whose limits are drawn."""
        return self.limits.voices

    def show_ranges(self, ranges: Ranges | None) -> None:
        """Show the ranges that bind; None: none do."""
        self.strip.ranges = self.limits.ranges = ranges
        self.strip.arrange()
        self.limits.rearrange()

    def select(self, voices: Collection[int]) -> None:
        self._selected = frozenset(voices)
        self._point(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove:
            note = self._roll.note_at(event.position().toPoint())
            self._point(note.voice if note is not None else None)
        elif event.type() == QEvent.Type.Leave:
            self._point(None)
        return super().eventFilter(watched, event)

    @Slot(object)
    def _point(self, voice: int | None) -> None:
        voices = self._selected | ({voice} if voice is not None else frozenset())
        if voices != self.limits.voices:
            self.strip.voices = self.limits.voices = frozenset(voices)
            self.strip.update()
            self.limits.rearrange()


class _Limits(LanesOverlay):
    """Dashed lines at the lowest and highest note of some voices."""

    ranges: Ranges | None = None
    voices: frozenset[int] = frozenset()

    def has_content(self) -> bool:
        """Return whether there is a line to draw."""
        return self.ranges is not None and bool(self.voices)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, view = current_theme(), self.roll.seen
        with QPainter(self) as painter:
            for voice in self.voices if self.ranges is not None else ():
                low, high = self.ranges[voice] if self.ranges is not None else (0, 0)
                pen = QPen(QColor(theme.voice_edges[voice]), 1.4, Qt.PenStyle.DashLine)
                painter.setPen(pen)
                for y in (view.y(high), view.y(low - 1)):
                    painter.drawLine(QLineF(0, round(y) + 0.5, self.width(), round(y) + 0.5))


class _Strip(QWidget):
    """A line for each voice from its lowest to its highest note."""

    pointed = Signal(object)  # the voice under the mouse; None without one

    ranges: Ranges | None = None
    voices: frozenset[int] = frozenset()

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll.viewport())
        self._roll = roll
        self.setMouseTracking(True)
        self.setAccessibleName(_NAME)
        roll.view_changed.connect(self.arrange)

    @Slot()
    def arrange(self) -> None:
        height = self._roll.seen.height
        self.setGeometry(KEYS_WIDTH, RULER_HEIGHT, KEYBOARD_WIDTH - KEYS_WIDTH, height)
        self.setVisible(self._roll.picture is not None)
        self.setAccessibleDescription(", ".join(self._words(voice) for voice in Voice))
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(self._voice_at(event.position().x()))

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        """Show the range of the voice under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos()), self)
            return True
        return super().event(event)

    def tip_at(self, place: QPoint) -> str:
        """Return the range of the voice at a point."""
        return self._words(self._voice_at(place.x())) if self.ranges is not None else ""

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the lines; those of the voices pointed at are strong."""
        theme, view = current_theme(), self._roll.seen
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.panel))
            painter.fillRect(QRectF(self.width() - 1, 0, 1, self.height()), QColor(theme.line_bar))
            for voice, (low, high) in enumerate(self.ranges or ()):
                colour = theme.voice_edges[voice]
                top, bottom = round(view.y(high)), round(view.y(low - 1))
                line = QRectF(voice * _BETWEEN, top, _LINE, bottom - top)
                strong = not self.voices or voice in self.voices
                painter.fillRect(line, translucent(colour, 1 if strong else _CALM))

    def _voice_at(self, x: float) -> Voice:
        return Voice(min(max(int(x // _BETWEEN), 0), len(Voice) - 1))

    def _words(self, voice: Voice) -> str:
        if self.ranges is None:
            return ""
        low, high = (names.pitch(pitch) for pitch in self.ranges[voice])
        return _RANGE.format(voice=voice.title, low=low, high=high)
