"""Overlays of an engraved system: selection, sounding notes, violations, playhead and editing."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from musicrel.chorale import Voice
from musicrel.editing.note_input import Cursor
from musicrel.editing.selection import Selection
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.score import mark_positions
from musicrel.presentation.score.ghost import Ghost
from musicrel.presentation.score.score_picture import SPACE
from musicrel.presentation.score.score_window import ScoreWindow
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets.paint import fill_rounded, sized_font, translucent

_TINT: Final = 0.11
_HALO: Final = 0.353
_TRIANGLE: Final = QPolygonF([QPointF(-5.5, -4), QPointF(5.5, -4), QPointF(0, 5.5)])
_PLAYHEAD: Final = 1.5
_RING: Final = 1.4
_RING_WIDTH, _RING_HEIGHT = 1.05, 0.85
"""Ellipse around a notehead: its pen in pixels, its radii in staff spaces."""
_LOOP_TOP, _LOOP_FOOT = 4.6, 3.7
"""Edges of the bar of the loop, in staff spaces above the staves."""
_LOOP_END: Final = 3
_CHIP: Final = 15
"""Side in pixels of the letter of a voice, with the gap after it."""
_LETTER: Final = 10
_CURSOR_TINT: Final = 0.22
_CURSOR_LINE: Final = 2
_HEAD_WIDTH, _HEAD_HEIGHT, _HEAD_TILT = 0.68, 0.5, -18.0
"""Head of a ghost: its radii in staff spaces, and its angle in degrees."""
_LEDGER: Final = 1.0
"""Half the width of a ledger line in staff spaces."""
_NAME: Final = 12
_NAME_PADDING: Final = 5


class ScoreMarks:
    """A painter for the overlays of one system.

    Args:
        painter: in pixels of the window.
    """

    def __init__(self, painter: QPainter, window: ScoreWindow, index: int, theme: Theme) -> None:
        self._painter, self._window, self._index, self._theme = painter, window, index, theme
        self._system, self._space = window.system(index), SPACE * window.scale

    def _point(self, x: float, y: float) -> QPointF:
        return QPointF(*self._window.point(self._index, x, y))

    def selection(self, chosen: Selection) -> None:
        """Draw a tint over the selected steps and voices, and a line at each end."""
        band = self._system.band(chosen.voices, chosen.start, chosen.stop)
        if band is None:
            return
        box = QRectF(self._point(*band[:2]), self._point(*band[2:]))
        self._painter.fillRect(box, translucent(self._theme.accent, _TINT))
        for x, visible in (
            (box.left(), chosen.start >= self._system.start),
            (box.right(), chosen.stop <= self._system.stop),
        ):
            if visible:
                line = QRectF(round(x), box.top(), 1, box.height())
                self._painter.fillRect(line, QColor(self._theme.accent))

    def sounding(self, step: float) -> None:
        """Draw a halo behind each notehead that sounds at ``step``."""
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(translucent(self._theme.accent, _HALO))
        for head in self._system.sounding(step):
            middle = self._point(head.x, head.y)
            self._painter.drawEllipse(middle, self._space * 1.1, self._space * 0.9)

    def violations(self, marks: tuple[Mark, ...]) -> None:
        """Draw a ring around the noteheads of each rule violation, and a dotted line between."""
        colour, down = QColor(self._theme.on_warning), QPointF(0, self._space * _RING_HEIGHT)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for heads in mark_positions.on_system(self._system, marks):
            middles = [self._point(head.x, head.y) for head in heads]
            self._painter.setPen(QPen(colour, _RING))
            for middle in middles:
                self._painter.drawEllipse(middle, self._space * _RING_WIDTH, down.y())
            self._painter.setPen(QPen(colour, _RING, Qt.PenStyle.DotLine))
            if middles[-1].y() - middles[0].y() > 2 * down.y():
                self._painter.drawLine(QLineF(middles[0] + down, middles[-1] - down))

    def playhead(self, step: float) -> None:
        """Draw a line through all staves below a triangle, as on the piano roll."""
        x, staves = self._system.x_at(step), self._system.staves
        head = self._point(x, staves[0].top - 3.5 * SPACE)
        length = self._point(x, staves[-1].bottom + 2.5 * SPACE).y() - head.y()
        colour = QColor(self._theme.text)
        line = QRectF(round(head.x()) - 0.25, head.y(), _PLAYHEAD, length)  # exactly one full pixel
        self._painter.fillRect(line, colour)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        self._painter.drawPolygon(_TRIANGLE.translated(head))

    def loop(self, region: tuple[float, float] | None) -> None:
        """Draw the bar of the loop above the staves, as on the roll; None: there is none."""
        first, last = region or (0, 0)
        band = self._system.band(Voice, int(first), int(last))
        if band is None:
            return
        top = self._point(band[0], self._system.staves[0].top - _LOOP_TOP * SPACE)
        foot = self._point(band[2], self._system.staves[0].top - _LOOP_FOOT * SPACE)
        bar, colour = QRectF(top, foot), QColor(self._theme.accent)
        self._painter.fillRect(bar, translucent(self._theme.accent, _HALO))
        for x, visible in (
            (bar.left(), first >= self._system.start),
            (bar.right() - _LOOP_END, last <= self._system.stop),
        ):
            if visible:
                self._painter.fillRect(QRectF(x, bar.top(), _LOOP_END, bar.height()), colour)

    # ------------------------------------------------------------------ editing

    def letters(self, chosen: Selection) -> None:
        """Draw the letters of the selected voices at the beginning of the selection."""
        band = self._system.band(chosen.voices, chosen.start, chosen.stop)
        if band is None or chosen.start < self._system.start:
            return
        corner = self._point(*band[:2])
        for place, voice in enumerate(chosen.voices):
            self._letter(voice, corner + QPointF(1 + place * _CHIP, 1))

    def cursor(self, cursor: Cursor) -> None:
        """Draw the cursor of note input: its voice, its step and the length of the next note."""
        last = self._system.stop - 1
        start = min(cursor.step, last)
        stop = max(min(cursor.step + cursor.length, last + 1), start + 1)
        band = self._system.band((cursor.voice,), start, stop)
        if band is None:
            return
        left, top, right, bottom = band
        if cursor.step > last:  # a note there adds a bar
            left, right = self._system.columns[-1].x, self._system.columns[-1].x + 2 * SPACE
        box = QRectF(self._point(left, top), self._point(right, bottom))
        self._painter.fillRect(box, translucent(self._theme.voices[cursor.voice], _CURSOR_TINT))
        line = QRectF(round(box.left()), box.top(), _CURSOR_LINE, box.height())
        self._painter.fillRect(line, QColor(self._theme.voices[cursor.voice]))
        self._letter(cursor.voice, box.topLeft() - QPointF(0, _CHIP))

    def ghost(self, ghost: Ghost) -> None:
        """Draw a head with its ledger lines and the name of its note."""
        colour, middle = QColor(self._theme.accent), self._point(ghost.x, ghost.y)
        self._painter.setPen(QPen(colour, max(self._space / 8, 1)))
        for y in ghost.ledgers:
            line = self._point(ghost.x, y)
            reach = QPointF(self._space * _LEDGER, 0)
            self._painter.drawLine(QLineF(line - reach, line + reach))
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        self._painter.save()
        self._painter.translate(middle)
        self._painter.rotate(_HEAD_TILT)
        self._painter.drawEllipse(QPointF(), self._space * _HEAD_WIDTH, self._space * _HEAD_HEIGHT)
        self._painter.restore()
        self._name(ghost.name, middle + QPointF(self._space * 1.3, 0))

    def _name(self, name: str, left: QPointF) -> None:
        """Draw a label with its left edge at a point, or on the other side of the head."""
        font = sized_font(self._painter.font(), _NAME, QFont.Weight.Bold)
        measured = QFontMetricsF(font)
        width, height = measured.horizontalAdvance(name) + 2 * _NAME_PADDING, measured.height() + 2
        box = QRectF(left.x(), left.y() - height / 2, width, height)
        if box.right() > self._window.width:
            box.moveRight(left.x() - 2.6 * self._space)
        fill_rounded(self._painter, box, 4, self._theme.accent)
        self._painter.setFont(font)
        self._painter.setPen(QColor(self._theme.on_accent))
        self._painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)

    def _letter(self, voice: int, corner: QPointF) -> None:
        box = QRectF(corner.x(), corner.y(), _CHIP - 1, _CHIP - 1)
        fill_rounded(self._painter, box, 3, self._theme.voices[voice])
        self._painter.setFont(sized_font(self._painter.font(), _LETTER, QFont.Weight.Bold))
        self._painter.setPen(QColor(self._theme.on_voice))
        self._painter.drawText(box, Qt.AlignmentFlag.AlignCenter, Voice(voice).letter)
