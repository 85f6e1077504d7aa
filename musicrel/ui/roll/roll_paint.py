"""Painting of the piano roll: backdrop, keyboard, ruler and notes.

Lengths are logical pixels; the origin of the painter is the upper left corner of the whole roll.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from musicrel.chorale import Voice
from musicrel.presentation.attention.surprisal import NoteColours, Tint
from musicrel.presentation.roll.roll import Roll, RollNote, Unison, is_black
from musicrel.presentation.roll.viewport import Viewport
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets.paint import sized_font, translucent

KEYS_WIDTH: Final = 54
KEYBOARD_WIDTH: Final = KEYS_WIDTH + 12
"""Left edge of the lanes; the ranges of the voices are beside the keys."""
NUMBERS_HEIGHT: Final = 34
"""Height of the bar numbers."""
PHRASES_HEIGHT: Final = 22
"""Height of the phrases below them."""
RULER_HEIGHT: Final = NUMBERS_HEIGHT + PHRASES_HEIGHT
"""Upper edge of the lanes."""

_BLACK_KEY_SHARE: Final = 0.6
_MIN_GRID_WIDTH: Final = 9.0
_MIN_NUMBER_WIDTH: Final = 34.0
_MIN_ROUND_WIDTH: Final = 4.0
_MIN_LETTER_WIDTH: Final = 11.0
_LOWEST_LETTER: Final = 9.5
_OCTAVE_LETTERS: Final = 11
_SMALLEST_LETTERS: Final = 6.0
_MIN_NAME_WIDTH: Final = 44.0
_RADIUS: Final = 3.0
_FERMATA_TOP: Final = 3.0
"""Upper edge of a fermata, above the bar numbers."""
_FERMATA_ROOM: Final = 16.0
"""Least distance in pixels of two fermatas; where they are closer, some are left out."""
_FERMATA_TINT: Final = 0.102
_NO_PEN: Final = Qt.PenStyle.NoPen


class RollPainter:
    """A painter for one picture in one viewport.

    Args:
        painter: active, in logical pixels.
        heat: colours of the notes by a value; None: by voice.
    """

    def __init__(
        self,
        painter: QPainter,
        roll: Roll,
        view: Viewport,
        theme: Theme,
        heat: NoteColours | None = None,
    ) -> None:
        self._painter = painter
        self._roll = roll
        self._view = view
        self._theme = theme
        self._heat = heat

    # ------------------------------------------------------------------ the paper

    def backdrop(self) -> None:
        """Draw rows, grid, ruler and keyboard: everything but the notes."""
        self._painter.save()
        self._painter.translate(KEYBOARD_WIDTH, RULER_HEIGHT)
        self._painter.setClipRect(QRectF(0, 0, self._view.width, self._view.height))
        self._rows()
        self._fermata_columns()
        self._grid()
        self._end_of_paper()
        self._painter.restore()
        self._ruler()
        self._keyboard()

    def _rows(self) -> None:
        right = min(self._view.x(self._roll.steps), self._view.width)
        for pitch in range(self._roll.low, self._roll.high + 1):
            top, bottom = self._row(pitch)
            colour = self._theme.lane_black if is_black(pitch) else self._theme.lane
            self._painter.fillRect(QRectF(0, top, right, bottom - top), QColor(colour))
            if pitch % 12 == 0:
                self._painter.fillRect(
                    QRectF(0, bottom - 1, right, 1), QColor(self._theme.line_beat)
                )

    def _fermata_columns(self) -> None:
        tint = translucent(self._theme.accent, _FERMATA_TINT)
        for start, stop in self._roll.fermatas:
            left, right = self._view.x(start), self._view.x(stop)
            self._painter.fillRect(QRectF(left, 0, right - left, self._view.height), tint)

    def _grid(self) -> None:
        seen, width = self._view.seen_steps, self._view.step_width
        if width >= _MIN_GRID_WIDTH:
            self._verticals(tuple(seen), self._theme.line_step)
        if width * 4 >= _MIN_GRID_WIDTH:
            self._verticals(self._roll.beats, self._theme.line_beat)
        self._verticals(tuple(line.step for line in self._roll.bars), self._theme.line_bar)

    def _verticals(self, steps: tuple[int, ...], colour: str) -> None:
        self._painter.setPen(QPen(QColor(colour), 1))
        seen = self._view.seen_steps
        for step in steps:
            if seen.start <= step <= seen.stop:
                x = round(self._view.x(step)) + 0.5
                self._painter.drawLine(QLineF(x, 0, x, self._view.height))

    def _end_of_paper(self) -> None:
        """Draw the final bar line and the area to the right of it."""
        x = self._view.x(self._roll.steps)
        if x < self._view.width:
            beyond = QRectF(x, 0, self._view.width - x, self._view.height)
            self._painter.fillRect(beyond, QColor(self._theme.panel))
            self._painter.fillRect(QRectF(x, 0, 2, self._view.height), QColor(self._theme.line_bar))

    # ------------------------------------------------------------------ the edges

    def _ruler(self) -> None:
        painter, view = self._painter, self._view
        painter.save()
        whole = QRectF(0, 0, KEYBOARD_WIDTH + view.width, RULER_HEIGHT)
        painter.fillRect(whole, QColor(self._theme.panel))
        edge = QRectF(0, RULER_HEIGHT - 1, whole.width(), 1)
        painter.fillRect(edge, QColor(self._theme.line_bar))
        painter.setClipRect(QRectF(KEYBOARD_WIDTH, 0, view.width, NUMBERS_HEIGHT))
        painter.translate(KEYBOARD_WIDTH, 0)
        self._bar_numbers()
        self._fermata_signs()
        painter.restore()

    def _bar_numbers(self) -> None:
        painter, view = self._painter, self._view
        painter.setFont(sized_font(painter.font(), 11, QFont.Weight.Normal))
        every = self._numbers_every()
        for line in self._roll.bars:
            x = round(view.x(line.step)) + 0.5
            if not -view.step_width * 64 < x < view.width:
                continue
            painter.setPen(QPen(QColor(self._theme.line_bar), 1))
            painter.drawLine(QLineF(x, NUMBERS_HEIGHT - 7, x, NUMBERS_HEIGHT))
            if (line.number - 1) % every == 0:
                painter.setPen(QColor(self._theme.quiet))
                painter.drawText(QPointF(x + 4, NUMBERS_HEIGHT - 9), str(line.number))

    def _numbers_every(self) -> int:
        """Return the number of bars between two bar numbers so that these do not overlap."""
        bar = self._roll.meter.steps * self._view.step_width
        return next((n for n in (1, 2, 4, 8, 16) if bar * n >= _MIN_NUMBER_WIDTH), 32)

    def _fermata_signs(self) -> None:
        painter = self._painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        free_from = 0.0
        for start, stop in self._roll.fermatas:
            middle = (self._view.x(start) + self._view.x(stop)) / 2
            if middle < free_from:
                continue
            free_from = middle + _FERMATA_ROOM
            painter.setPen(QPen(QColor(self._theme.accent), 1.6, c=Qt.PenCapStyle.RoundCap))
            painter.drawArc(QRectF(middle - 6.5, _FERMATA_TOP, 13, 13), 15 * 16, 150 * 16)
            painter.setPen(_NO_PEN)
            painter.setBrush(QColor(self._theme.accent))
            painter.drawEllipse(QPointF(middle, _FERMATA_TOP + 6.5), 1.7, 1.7)

    def _keyboard(self) -> None:
        painter, theme = self._painter, self._theme
        painter.save()
        painter.fillRect(
            QRectF(KEYS_WIDTH, RULER_HEIGHT, KEYBOARD_WIDTH - KEYS_WIDTH, self._view.height),
            QColor(theme.panel),
        )
        painter.setClipRect(QRectF(0, RULER_HEIGHT, KEYS_WIDTH, self._view.height))
        painter.translate(0, RULER_HEIGHT)
        painter.fillRect(QRectF(0, 0, KEYS_WIDTH, self._view.height), QColor(theme.key_white))
        for pitch in range(self._roll.low, self._roll.high + 1):
            self._key(pitch)
        painter.fillRect(QRectF(KEYS_WIDTH - 1, 0, 1, self._view.height), QColor(theme.line_bar))
        self._octaves()
        painter.restore()

    def _octaves(self) -> None:
        """Draw the name of every C on the white part of the keys, free of their gaps."""
        painter = self._painter
        painter.setFont(sized_font(painter.font(), _OCTAVE_LETTERS, QFont.Weight.DemiBold))
        painter.setPen(QColor(self._theme.on_key))
        for box, name in self.octave_boxes():
            painter.fillRect(box, QColor(self._theme.key_white))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)

    def octave_boxes(self) -> Iterator[tuple[QRectF, str]]:
        """Yield the places of the names of every C that is visible, and the names.

        They are right of the black keys, and whole at the upper and lower edge, too.
        """
        left, height = KEYS_WIDTH * _BLACK_KEY_SHARE + 1, _OCTAVE_LETTERS + 2.0
        for pitch, name in self._roll.octaves:
            top, bottom = self._row(pitch)
            if bottom > 0 and top < self._view.height:
                over = (top + bottom - height) / 2
                over = max(min(over, self._view.height - height), 0.0)
                yield QRectF(left, over, KEYS_WIDTH - 2 - left, height), name

    def _key(self, pitch: int) -> None:
        """Draw a black key and the gap between its neighbours, or the gap below a white one."""
        top, bottom = self._row(pitch)
        gap = QColor(self._theme.line_bar)
        if is_black(pitch):
            length = KEYS_WIDTH * _BLACK_KEY_SHARE
            middle = round((top + bottom) / 2)
            self._painter.fillRect(QRectF(length, middle, KEYS_WIDTH - length, 1), gap)
            self._painter.fillRect(
                QRectF(0, top, length, bottom - top), QColor(self._theme.key_black)
            )
        elif not is_black(pitch - 1):
            self._painter.fillRect(QRectF(0, bottom - 1, KEYS_WIDTH, 1), gap)

    # ------------------------------------------------------------------ the music

    def notes(self, first: int = 0) -> None:
        """Draw the visible notes from the step ``first`` on.

        The origin of the painter is the upper left corner of the lanes here.
        """
        seen = self._view.seen_steps
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        letters = max(min(11.0, self._view.row_height - 1.5), _SMALLEST_LETTERS)
        self._painter.setFont(sized_font(self._painter.font(), letters))
        notes = [note for note in self._roll.notes if _overlaps(note, seen, first)]
        unisons = [unison for unison in self._roll.unisons if _overlaps(unison, seen, first)]
        for note in notes:
            self._bar(self.box(note), note.voice, note.start)
        for unison in unisons:
            self._unison(unison)
        shared = {(unison.start, unison.pitch): unison.stop for unison in unisons}
        self._painter.setPen(QColor(self._theme.on_voice))
        if self._view.row_height >= _LOWEST_LETTER:
            for note in notes:
                free_from = shared.get((note.start, note.pitch), note.start)
                self._letter(note._replace(start=min(free_from, note.stop)))

    def _bar(self, box: QRectF, voice: int, step: int, rounding: float = _RADIUS) -> None:
        """Draw the bar of the note of ``voice`` at ``step``."""
        radius = min(rounding, box.height() / 3)
        by_heat = self._heat.tint(voice, step) if self._heat is not None else None
        colours = by_heat or Tint(self._theme.voices[voice], self._theme.voice_edges[voice])
        if box.width() < _MIN_ROUND_WIDTH:
            self._painter.fillRect(box, QColor(colours.edge))
            return
        self._painter.setBrush(QColor(colours.fill))
        self._painter.setPen(QPen(QColor(colours.edge), 1))
        self._painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)

    def _unison(self, unison: Unison) -> None:
        """Draw the voices of a unison as stripes over the notes drawn before."""
        box = self.box(unison)
        height = box.height() / len(unison.voices)
        for place, voice in enumerate(unison.voices):
            stripe = QRectF(box.left(), box.top() + place * height, box.width(), height)
            self._bar(stripe, voice, unison.start, 0)

    def _letter(self, note: RollNote) -> None:
        """Draw the letter of the voice, and the name of the pitch where there is room."""
        box, label = self.box(note), Voice(note.voice).letter
        if box.width() >= _MIN_NAME_WIDTH:
            label += f"  {names.pitch(note.pitch, self._roll.key)}"
        if box.width() >= _MIN_LETTER_WIDTH:
            inside = box.adjusted(3.5, 0, 0, 0)
            self._painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, label)

    def box(self, part: RollNote | Unison) -> QRectF:
        """Return the rectangle of a note among the lanes."""
        top, bottom = self._row(part.pitch)
        left, right = round(self._view.x(part.start)), round(self._view.x(part.stop))
        return QRectF(left + 1, top, max(right - left - 1, 1), max(bottom - top, 1))

    def _row(self, pitch: int) -> tuple[int, int]:
        """Return the upper and lower edge of a row, in whole pixels so that rows have no seams."""
        return round(self._view.y(pitch)), round(self._view.y(pitch - 1))


def _overlaps(part: RollNote | Unison, seen: range, first: int) -> bool:
    return part.stop > max(seen.start, first) and part.start < seen.stop
