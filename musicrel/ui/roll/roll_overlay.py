"""Widgets on top of the piano roll, placed whenever the visible part changes.

Only what a moving one leaves and enters is repainted. Playhead, loop, selection, the cursor of note
input and dragged notes belong to the roll; arcs of attention and voice ranges are added to it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QEvent, QLineF, QObject, QPoint, QPointF, QRect, QRectF, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QToolTip, QWidget

from musicrel.chorale import REST, Voice
from musicrel.figures.paint import draw_letter, fill_rounded, sized_font, translucent
from musicrel.figures.roll import KEYBOARD_WIDTH, KEYS_WIDTH, NUMBERS_HEIGHT, RULER_HEIGHT, Viewport
from musicrel.generation.constraints.voice_ranges import Ranges
from musicrel.generation.heads.mutes import Head
from musicrel.interpretability.piece_analysis import PieceAnalysis, percent
from musicrel.language import tr
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme
from musicrel.score.editing.notes import Note
from musicrel.ui.widgets.stylesheet import current_theme

if TYPE_CHECKING:
    from musicrel.ui.roll.roll_view import RollView

CHIP: Final = 15
_INPUT_LINE, _INPUT_CHIP = 3, 17


class Overlay(QWidget):
    """A widget on top of a roll that ignores the mouse unless it has a name."""

    def __init__(self, roll: RollView, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent or roll.viewport())
        self.roll = roll
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not name)
        self.hide()
        roll.view_changed.connect(self.rearrange)

    @Slot()
    def rearrange(self) -> None:
        raise NotImplementedError

    def tip_at(self, _place: QPoint) -> str:
        return ""

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos()), self)
            return True
        return super().event(event)


class LanesOverlay(Overlay):
    """An overlay that covers the visible lanes."""

    def has_content(self) -> bool:
        raise NotImplementedError

    @Slot()
    def rearrange(self) -> None:
        view = self.roll.seen
        self.setGeometry(KEYBOARD_WIDTH, RULER_HEIGHT, view.width, view.height)
        self.setVisible(self.has_content())
        self.update()


class InputCursor(LanesOverlay):
    def has_content(self) -> bool:
        return self.roll.input_cursor is not None

    def paintEvent(self, _event: QPaintEvent) -> None:
        cursor, theme, view = self.roll.input_cursor, current_theme(), self.roll.seen
        if cursor is None:
            return
        left = min(round(view.x(cursor.step)), view.width - _INPUT_LINE)
        right = max(round(view.x(cursor.step + cursor.length)), left + _INPUT_LINE)
        with QPainter(self) as painter:
            band = QRectF(left, 0, right - left, self.height())
            painter.fillRect(band, translucent(theme.voices[cursor.voice], 0.22))
            band.setWidth(_INPUT_LINE)
            painter.fillRect(band, QColor(theme.voice_edges[cursor.voice]))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            x, y = min(left, view.width - _INPUT_CHIP), self.height() - _INPUT_CHIP - 2
            chip = QRectF(x, y, _INPUT_CHIP, _INPUT_CHIP)
            draw_letter(painter, chip, cursor.voice, theme, 11)


class SelectionOutline(LanesOverlay):
    def has_content(self) -> bool:
        return self.roll.selection is not None

    def paintEvent(self, _event: QPaintEvent) -> None:
        selected, picture, view = self.roll.selection, self.roll.picture, self.roll.seen
        if selected is None or picture is None:
            return
        theme = current_theme()
        accent = QColor(theme.accent)
        left, right = round(view.x(selected.start)), round(view.x(selected.stop))
        with QPainter(self) as painter:
            columns = QRectF(left, 0, right - left, view.height)
            painter.fillRect(columns, translucent(theme.accent, 0.087))
            for x in (left, right - 1):
                painter.fillRect(QRectF(x, 0, 1, view.height), accent)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(accent, 2))
            for note in picture.parts_in(selected):
                painter.drawRoundedRect(view.box(note).adjusted(-0.5, -1, 1, 1), 4, 4)
            room = self.width() - CHIP * len(selected.voices) - 2
            for place, voice in enumerate(selected.voices):
                box = QRectF(min(left + 1, room) + place * CHIP, 1, CHIP - 1, CHIP - 1)
                draw_letter(painter, box, voice, theme)


# width of the playhead's triangle, and of its widget: odd, so that it has a middle
_PLAYHEAD_WIDTH: Final = 13
LOOP_HEIGHT: Final = 10  # of the bar of the loop in the ruler
_GRIP: Final = 3
_MIN_LETTER_ROW: Final = 9.5


class Playhead(Overlay):
    @Slot()
    def rearrange(self) -> None:
        view = self.roll.seen
        x = view.x(self.roll.step) if self.roll.step is not None else -1.0
        seen = -0.5 <= x <= view.width  # noqa: PLR2004  # half a pixel
        if seen:
            left = KEYBOARD_WIDTH + round(x) - _PLAYHEAD_WIDTH // 2
            self.setGeometry(left, 0, _PLAYHEAD_WIDTH, RULER_HEIGHT + view.height)
        self.setVisible(seen)

    def paintEvent(self, _event: QPaintEvent) -> None:
        middle, colour = self.width() // 2, QColor(current_theme().text)
        tip, foot = NUMBERS_HEIGHT - 0.5, NUMBERS_HEIGHT - 9
        corners = (QPointF(1, foot), QPointF(self.width() - 1, foot), QPointF(middle + 0.5, tip))
        with QPainter(self) as painter:
            painter.fillRect(QRectF(middle - 0.25, NUMBERS_HEIGHT - 1, 1.5, self.height()), colour)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawPolygon(QPolygonF(corners))


class LoopBar(Overlay):
    """The loop: a bar in the ruler, with a tint and two lines below it while it is on."""

    @Slot()
    def rearrange(self) -> None:
        view = self.roll.seen
        first, last = self.roll.loop or (0.0, 0.0)
        left, right = max(round(view.x(first)), 0), min(round(view.x(last)), view.width)
        height = RULER_HEIGHT + view.height
        self.setGeometry(KEYBOARD_WIDTH + left, 0, right - left + 1, height)
        self.setVisible(left < right)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, on = current_theme(), self.roll.loop_on
        colour = theme.accent if on else theme.quiet
        with QPainter(self) as painter:
            bar = QRectF(0, 0, self.width(), LOOP_HEIGHT)
            painter.fillRect(bar, translucent(colour, 0.353 if on else 0.236))
            for left in (0, self.width() - _GRIP):
                painter.fillRect(QRectF(left, 0, _GRIP, LOOP_HEIGHT), QColor(colour))
            for x in (0, self.width() - 1):
                line = QRectF(x, 0, 1, self.height() if on else RULER_HEIGHT)
                painter.fillRect(line, QColor(colour))
            if on:
                below = QRectF(0, RULER_HEIGHT, self.width(), self.height())
                painter.fillRect(below, translucent(colour, 0.063))


class NoteOutline(LanesOverlay):
    def has_content(self) -> bool:
        return bool(self.roll.ghost)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, view, picture = current_theme(), self.roll.seen, self.roll.picture
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(sized_font(painter.font(), 10.0))
            for index, note in enumerate(self.roll.ghost):
                box = view.box(note)
                painter.setBrush(translucent(theme.voices[note.voice], 0.35))
                painter.setPen(QPen(QColor(theme.text), 1.4))
                painter.drawRoundedRect(box.adjusted(0.5, 0, -0.5, 0), 3, 3)
                if not index and picture is not None and view.note_height >= _MIN_LETTER_ROW:
                    name = names.pitch(note.pitch, picture.key)
                    over = box.adjusted(4, -2, 40, 2)
                    painter.drawText(over, Qt.AlignmentFlag.AlignVCenter, name)


_LABEL_HEIGHT: Final = 16.0
_MAX_ARCS: Final = 12
_FAINTEST: Final = 0.005  # smaller weights are not drawn
_LABELLED: Final = 3
_BEND, _MIN_BEND, _MAX_BEND = 0.3, 14.0, 130.0
_THINNEST, _THICKER = 1.0, 6.0
_PALEST, _DARKER = 0.25, 1.1


class Arc(NamedTuple):
    """A curve from the middle of the attending cell to that of another, in pixels of the lanes."""

    target: QRectF
    bend: QPointF  # the control point of the quadratic Bézier curve
    weight: float  # 0 to 1
    label: str  # the weight, for the largest; "" for the others


class RollArcs(LanesOverlay):
    """The attention arcs of one cell over the visible part of the roll."""

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll)
        self.show_cell(None, None, None)

    def show_cell(
        self, analysis: PieceAnalysis | None, head: Head | None, cell: int | None
    ) -> None:
        """Show the arcs of ``cell`` for ``head`` (None: mean of all heads); None hides them."""
        self._analysis, self._head, self._cell = analysis, head, cell
        self.rearrange()

    def has_content(self) -> bool:
        return self._analysis is not None and self._cell is not None

    @Slot()
    def rearrange(self) -> None:
        analysis, cell, view = self._analysis, self._cell, self.roll.seen
        self._source: QRectF | None = None
        self._arcs: list[Arc] = []
        if analysis is not None and analysis.has_weights and cell is not None:
            if analysis.has_cell(cell):
                self._source = cell_box(analysis, *divmod(cell, len(Voice)), view)
            if self._source is not None:
                self._arcs = arcs_of(analysis, self._head, cell, self._source, view)
        super().rearrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        source, theme = self._source, current_theme()
        if source is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for arc in self._arcs:
                _paint_arc(painter, arc, source, event.rect(), theme)
            painter.setOpacity(1.0)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for colour, width in ((theme.lane, 4.0), (theme.text, 2.0)):
                painter.setPen(QPen(QColor(colour), width))
                painter.drawRoundedRect(source.adjusted(-2, -2, 2, 2), 3, 3)
            font = sized_font(painter.font(), 11)
            painter.setFont(font)
            letter = QRectF(source.x(), 0, CHIP, CHIP)
            for box, label in label_boxes(self._arcs, QFontMetricsF(font), self.width(), letter):
                fill_rounded(painter, box, 5, theme.accent)
                painter.setPen(QColor(theme.on_accent))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)


def arcs_of(
    analysis: PieceAnalysis, head: Head | None, cell: int, source: QRectF, view: Viewport
) -> list[Arc]:
    """Return the arcs of a cell, the largest weight last so that it is on top."""
    found: list[Arc] = []
    for step, voice, weight in analysis.largest(cell, head, _MAX_ARCS):
        target = cell_box(analysis, step, voice, view)
        if target is not None and weight >= _FAINTEST:
            one, other = source.center(), target.center()
            rise = min(max(_BEND * abs(one.x() - other.x()), _MIN_BEND), _MAX_BEND)
            top = min(one.y(), other.y())
            bend = QPointF((one.x() + other.x()) / 2, max(top - rise, 2 - top))
            label = percent(weight) if len(found) < _LABELLED else ""
            found.append(Arc(target, bend, weight, label))
    return found[::-1]


def cell_box(analysis: PieceAnalysis, step: int, voice: int, view: Viewport) -> QRectF | None:
    pitch = int(analysis.chorale.pitches[step, voice])
    return None if pitch == REST else view.box(Note(step, step + 1, pitch, voice))


def _paint_arc(painter: QPainter, arc: Arc, source: QRectF, region: QRect, theme: Theme) -> None:
    """Paint an arc if it is in a region: a moving playhead repaints a strip."""
    strength = math.sqrt(arc.weight)
    width = _THINNEST + _THICKER * strength
    ends, margin = (source.center().x(), arc.target.left(), arc.target.right()), width + 2
    if min(ends) - margin > region.right() + 1 or max(ends) + margin < region.left():
        return
    path = QPainterPath(source.center())
    path.quadTo(arc.bend, arc.target.center())
    painter.setOpacity(min(_PALEST + _DARKER * strength, 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.accent), width, c=Qt.PenCapStyle.RoundCap))
    painter.drawPath(path)
    painter.setPen(QPen(QColor(theme.text), 1.2))
    painter.setBrush(translucent(theme.accent, 0.45))
    painter.drawRoundedRect(arc.target.adjusted(-1, -1, 1, 1), 2, 2)


def label_boxes(
    arcs: Sequence[Arc], metrics: QFontMetricsF, width: int, letter: QRectF
) -> list[tuple[QRectF, str]]:
    """Return places and texts of labels that are whole and free of each other and ``letter``."""
    placed: list[tuple[QRectF, str]] = []
    for arc in reversed(arcs):
        cell = arc.target
        if not arc.label or cell.right() <= 0 or cell.left() >= width:
            continue
        wide = metrics.horizontalAdvance(arc.label) + 10
        above = max(cell.top() - _LABEL_HEIGHT - 4, 2)
        box = QRectF(cell.center().x() - wide / 2, above, wide, _LABEL_HEIGHT)
        box.moveLeft(max(min(box.left(), width - wide - 2), 2))
        side = -1
        while any(box.intersects(other) for other in (letter, *(other for other, _ in placed))):
            if box.top() > _LABEL_HEIGHT:
                box.translate(0, -_LABEL_HEIGHT - 1)
                continue
            side = 1 if box.left() < wide + 2 else side
            box.translate(side * (wide + 1), 0)
        placed.append((box, arc.label))
    return placed


_BETWEEN: Final = 3  # distance between the left edges of two lines of the strip
_CALM: Final = 0.55  # opacity of the lines of voices that are not pointed at
_NAME: Final = tr("Voice ranges")
_RANGE: Final = tr("{voice}: {low} to {high}")


class RollRanges(Overlay):
    """A line beside the keys for each voice from its lowest to its highest note.

    Attributes:
        ranges: those that bind; None: none do.
        voices: those that are selected or pointed at; ``limits`` shows theirs on the lanes.
    """

    def __init__(self, roll: RollView) -> None:
        self.ranges: Ranges | None = None
        self.voices = self._selected = frozenset[int]()
        super().__init__(roll, _NAME)
        self.limits = _Limits(self)
        self.setMouseTracking(True)
        roll.viewport().setMouseTracking(True)
        roll.viewport().installEventFilter(self)

    def show_ranges(self, ranges: Ranges | None) -> None:
        self.ranges = ranges
        self.rearrange()
        self.limits.rearrange()

    def select(self, voices: Collection[int]) -> None:
        self._selected = frozenset(voices)
        self._point(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove:
            note = self.roll.note_at(event.position().toPoint())
            self._point(note.voice if note is not None else None)
        elif event.type() == QEvent.Type.Leave:
            self._point(None)
        return super().eventFilter(watched, event)

    def _point(self, voice: int | None) -> None:
        voices = self._selected | ({voice} if voice is not None else frozenset())
        if voices != self.voices:
            self.voices = voices
            self.update()
            self.limits.rearrange()

    @Slot()
    def rearrange(self) -> None:
        height = self.roll.seen.height
        self.setGeometry(KEYS_WIDTH, RULER_HEIGHT, KEYBOARD_WIDTH - KEYS_WIDTH, height)
        self.setVisible(self.roll.picture is not None)
        self.setAccessibleDescription(", ".join(self._words(voice) for voice in Voice))
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self._voice_at(event.position().x()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)
        super().leaveEvent(event)

    def tip_at(self, place: QPoint) -> str:
        return self._words(self._voice_at(place.x()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, view = current_theme(), self.roll.seen
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.panel))
            painter.fillRect(QRectF(self.width() - 1, 0, 1, self.height()), QColor(theme.line_bar))
            for voice, (low, high) in enumerate(self.ranges or ()):
                top, bottom = round(view.y(high)), round(view.y(low - 1))
                line = QRectF(voice * _BETWEEN, top, 2, bottom - top)
                opacity = 1 if not self.voices or voice in self.voices else _CALM
                painter.fillRect(line, translucent(theme.voice_edges[voice], opacity))

    def _voice_at(self, x: float) -> Voice:
        return Voice(min(max(int(x // _BETWEEN), 0), len(Voice) - 1))

    def _words(self, voice: Voice) -> str:
        if self.ranges is None:
            return ""
        low, high = (names.pitch(pitch) for pitch in self.ranges[voice])
        return _RANGE.format(voice=voice.title, low=low, high=high)


class _Limits(LanesOverlay):
    """Dashed lines at the lowest and highest note of some voices."""

    def __init__(self, of: RollRanges) -> None:
        self._of = of
        super().__init__(of.roll)

    def has_content(self) -> bool:
        return self._of.ranges is not None and bool(self._of.voices)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, view = current_theme(), self.roll.seen
        with QPainter(self) as painter:
            for voice, (low, high) in enumerate(self._of.ranges or ()):
                if voice in self._of.voices:
                    colour = QColor(theme.voice_edges[voice])
                    painter.setPen(QPen(colour, 1.4, Qt.PenStyle.DashLine))
                    for y in (round(view.y(high)) + 0.5, round(view.y(low - 1)) + 0.5):
                        painter.drawLine(QLineF(0, y, self.width(), y))
