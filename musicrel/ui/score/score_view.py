"""The engraved score on the screen: systems one below the other, as wide as the view.

The ink of each visible system is cached as a pixmap; overlays are painted at every paint event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from PySide6.QtCore import QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from musicrel.chorale import Voice
from musicrel.figures.paint import draw_letter, fill_rounded, sized_font, translucent
from musicrel.figures.score import SPACE, Head, Owner, Score, ScorePainter, System
from musicrel.language import tr
from musicrel.presentation.marks import Mark, descriptions
from musicrel.presentation.words.palette import Theme
from musicrel.score.editing.note_input import Cursor
from musicrel.score.editing.notes import Note
from musicrel.score.editing.selection import Selection
from musicrel.ui.score.score_window import ABOVE, DEFAULT_SPACE, MARGIN, Ghost, ScoreWindow, Spot
from musicrel.ui.widgets.sheet_view import Press, SheetView
from musicrel.ui.widgets.stylesheet import current_theme

_NAME: Final = tr("Score")
_STALE: Final = 0.4  # opacity of a score that is out of date
# milliseconds that an outdated score keeps its look: an edit of a short piece takes less
_PATIENCE: Final = 500


class ScoreView(SheetView):
    """A view of one score at a time, with a playhead and a selection; a passive widget.

    The wheel scrolls, with Ctrl it zooms; Home and End jump.

    Attributes:
        stale: True if the score is out of date; ``set_stale`` and so on change what is shown.
        pale: True if it has been for so long that it is shown pale.
        loop: first and last step that playback repeats; None: nothing.
        ghost: a note that is dragged or pointed at; None: none.
    """

    score_shown = Signal()  # another score is shown
    page_width_changed = Signal()  # a score of another width fits; see ``seen.page_width``

    zoom_step = 1.2
    note_drag_distance = 3  # less than from a line of the staff to the next space

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._describe: Callable[[Note], str] | None = None
        self.stale = self.pale = False
        self.step: float | None = None
        self.selection: Selection | None = None
        self.marks: tuple[Mark, ...] = ()
        self.loop: tuple[float, float] | None = None
        self.ghost: Ghost | None = None
        self._layers = ScoreLayers()
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._patience.timeout.connect(self._grow_pale)
        self.setAccessibleName(_NAME)
        self.seen = ScoreWindow()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setSingleStep(32)

    @property
    def score(self) -> Score | None:
        return self.seen.score

    def follow(self, step: float) -> None:
        self.verticalScrollBar().setValue(self.seen.showing(step))

    def zoom(self, factor: float) -> None:
        self._zoom(self.seen.space * factor)

    @Slot()
    def fit(self) -> None:
        self._zoom(DEFAULT_SPACE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before, size = self.seen.width, self.viewport().size()
        self._look(replace(self.seen, width=size.width(), height=size.height()))
        if before != size.width():
            self.page_width_changed.emit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        del dx, dy
        self.seen = replace(self.seen, hidden=self.verticalScrollBar().value())
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(self.zoom_step ** (event.angleDelta().y() / 120))
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        match event.key():
            case Qt.Key.Key_Home:
                bar.setValue(0)
            case Qt.Key.Key_End:
                bar.setValue(bar.maximum())
            case _:
                super().keyPressEvent(event)

    def _zoom(self, space: float) -> None:
        before = self.seen
        self._look(before.zoomed(space))
        if self.seen.space != before.space:
            self.page_width_changed.emit()

    def _look(self, window: ScoreWindow) -> None:
        self.seen = window
        bar = self.verticalScrollBar()
        bar.setPageStep(window.height)
        bar.setRange(0, max(window.whole - window.height, 0))
        bar.setValue(window.hidden)
        self.viewport().update()

    def show_score(
        self, score: Score | None, describe: Callable[[Note], str] | None = None
    ) -> None:
        self._describe, self.ghost = describe, None
        self.set_stale(stale=False)
        self._look(self.seen.of(score))
        if score is not None:
            self.score_shown.emit()

    def set_stale(self, *, stale: bool) -> None:
        """Mark the score as out of date: soon it is pale, and clicks are ignored."""
        self.stale = stale
        if not stale:
            self._patience.stop()
            self.pale = False
            self.viewport().update()
        elif not self.pale and not self._patience.isActive():
            self._patience.start()

    @Slot()
    def _grow_pale(self) -> None:
        self.pale, self.ghost = True, None
        self.viewport().update()

    def set_step(self, step: float | None) -> None:
        before, self.step = self.step, step
        for index in {self.seen.system_of(before), self.seen.system_of(step)}:
            if index is not None:
                self.viewport().update(self.seen.box(index).toAlignedRect())

    def set_selection(self, selection: Selection | None) -> None:
        self.selection = selection
        self.viewport().update()

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        self.marks = marks
        self.viewport().update()

    def set_loop(self, loop: tuple[float, float] | None) -> None:
        if loop != self.loop:
            self.loop = loop
            self.viewport().update()

    def set_input_cursor(self, cursor: Cursor | None) -> None:
        super().set_input_cursor(cursor)
        self.viewport().update()

    def set_ghost(self, ghost: Ghost | None) -> None:
        if ghost != self.ghost:
            self.ghost = ghost
            self.viewport().update()

    def clear_ghost(self) -> None:
        self.set_ghost(None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons():
            self.viewport().setCursor(self._shape_at(event.position().toPoint()))

    def _shape_at(self, place: QPoint) -> Qt.CursorShape:
        """Return the pointer, which shows what a click would do."""
        spot, shapes = self.spot_at(place), Qt.CursorShape
        if spot is None:
            return shapes.ArrowCursor
        if self.input_cursor is not None and self.editable:
            return shapes.CrossCursor
        part = spot.part_of_loop(self.loop) if self.loop is not None else ""
        if part:
            return shapes.PointingHandCursor if part == "bar" else shapes.SplitHCursor
        if spot.head is None:
            return shapes.IBeamCursor
        return shapes.SizeVerCursor if self.editable else shapes.PointingHandCursor

    def spot_at(self, place: QPoint) -> Spot | None:
        """Return the point of a system at a point of the viewport, if the score is up to date."""
        return None if self.pale else self.seen.spot(place.toPointF())

    def note_at(self, place: QPoint) -> Note | None:
        spot = self.spot_at(place)
        return spot.head.note if spot is not None and spot.head is not None else None

    def tip_at(self, place: QPoint) -> str:
        note = self.note_at(place)
        if note is None or self._describe is None:
            return ""
        lines = [self._describe(note), *descriptions(self.marks, note)]
        return "\n".join(filter(None, (*lines, self.note_tip)))

    def step_at(self, place: QPoint) -> float | None:
        spot = self.spot_at(place)
        return spot.system.time_at(spot.x) if spot is not None else None

    def paper(self) -> QRect:
        return QRect() if self.pale else self.viewport().rect()

    def in_band(self, one: QPoint, other: QPoint, *, free: bool) -> Selection | None:
        del free  # it selects whole notes
        return self.seen.in_band(one.toPointF(), other.toPointF())

    def bar_at(self, place: QPoint) -> Selection | None:
        spot = self.spot_at(place)
        return spot.bar if spot is not None else None

    def loop_anchor(self, place: QPoint) -> float | None:
        spot, loop = self.spot_at(place), self.loop
        if spot is None or loop is None:
            return None
        return {"start": loop[1], "end": loop[0]}.get(spot.part_of_loop(loop))

    def click(self, press: Press, *, extends: bool) -> None:
        spot = self.spot_at(press.place)
        if spot is not None and self.loop is not None and spot.part_of_loop(self.loop):
            self.loop_clicked.emit()
        elif spot is not None:
            self.chosen.emit(spot.selection, extends)
            if not extends:
                self.seek_requested.emit(float(spot.step), False)
        elif not extends and not self.pale:
            self.chosen.emit(None, False)

    def paintEvent(self, event: QPaintEvent) -> None:
        area, theme = event.rect(), current_theme()
        with QPainter(self.viewport()) as painter:
            painter.setClipRect(area)
            painter.fillRect(area, QColor(theme.lane))
            if self.seen.whole == 0:
                self.draw_hint(painter, self.viewport().rect())
            painter.setOpacity(_STALE if self.pale else 1.0)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for index in self.seen.seen(area.top(), area.bottom() + 1):
                self._paint_system(painter, index, theme)

    def _paint_system(self, painter: QPainter, index: int, theme: Theme) -> None:
        window, chosen, step = self.seen, self.selection, self.step
        marks = ScoreMarks(painter, window, index, theme)
        if chosen is not None:
            marks.selection(chosen)
        if self.input_cursor is not None and window.system_of(self.input_cursor.step) == index:
            marks.cursor(self.input_cursor)
        here = step if window.system_of(step) == index else None
        if here is not None:
            marks.sounding(here)
        picture = self._layers.picture(
            window, index, theme, chosen, self.viewport().devicePixelRatioF()
        )
        ratio, top = picture.devicePixelRatio(), window.box(index).top()
        painter.drawPixmap(QPointF(0, round(top * ratio) / ratio), picture)
        if self.marks and not self.pale:
            marks.violations(self.marks)
        marks.loop(self.loop)
        if here is not None:
            marks.playhead(here)
        if chosen is not None and self.input_cursor is None:
            marks.letters(chosen)
        if self.ghost is not None and self.ghost.system == index:
            marks.ghost(self.ghost)


# pictures take as many bytes as this many views at most: those in sight, and some beside them
_VIEWS: Final = 2
# systems that are kept in any case: of those taller than half a view, three are in sight
_MIN_KEPT: Final = 3


class _Look(NamedTuple):
    """Everything that the picture of a system is painted from, besides the glyphs."""

    system: System
    chosen: frozenset[Owner]
    theme: Theme
    scale: float
    width: int
    ratio: float


class ScoreLayers:
    """A cache of the most recently used systems; each is painted on demand."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[_Look, QPixmap]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def kept_bytes(self) -> int:
        return sum(p.width() * p.height() * p.depth() // 8 for _, p in self._kept.values())

    def picture(
        self,
        window: ScoreWindow,
        index: int,
        theme: Theme,
        selection: Selection | None,
        ratio: float,
    ) -> QPixmap:
        system = window.systems[index]
        heads = system.selected(selection) if selection is not None else ()
        chosen = frozenset(Owner(head.voice, head.start) for head in heads)
        look = _Look(system, chosen, theme, window.scale, window.width, ratio)
        kept = self._kept.pop(index, None)
        if kept is None or kept[0] != look:
            kept = (look, _painted(look))
        self._kept[index] = kept
        self._evict(most=_VIEWS * window.width * window.height * ratio**2 * kept[1].depth() / 8)
        return kept[1]

    def _evict(self, most: float) -> None:
        while len(self) > _MIN_KEPT and self.kept_bytes > most:
            del self._kept[next(iter(self._kept))]


def _painted(look: _Look) -> QPixmap:
    height = round(look.system.height * look.scale) + 2 * ABOVE
    picture = QPixmap((QSize(look.width, height).toSizeF() * look.ratio).toSize())
    picture.fill(Qt.GlobalColor.transparent)
    corner, scale = QPointF(MARGIN, ABOVE) * look.ratio, look.scale * look.ratio
    with QPainter(picture) as painter:
        for colour, only in ((look.theme.text, None), (look.theme.accent, look.chosen)):
            ink = ScorePainter(painter, scale, QColor(colour), snaps=True)
            ink.paint(look.system, corner, only)
    picture.setDevicePixelRatio(look.ratio)
    return picture


_HALO: Final = 0.353
_TRIANGLE: Final = QPolygonF([QPointF(-5.5, -4), QPointF(5.5, -4), QPointF(0, 5.5)])
_RING: Final = 1.4
# ellipse around a notehead: its pen in pixels, its radii in staff spaces
_RING_WIDTH, _RING_HEIGHT = 1.05, 0.85
_LOOP_TOP, _LOOP_FOOT = 4.6, 3.7  # edges of the bar of the loop, in staff spaces above the staves
_LOOP_END: Final = 3
_CHIP: Final = 15  # side in pixels of the letter of a voice, with the gap after it
# head of a ghost: its radii in staff spaces, and its angle in degrees
_HEAD_WIDTH, _HEAD_HEIGHT, _HEAD_TILT = 0.68, 0.5, -18.0


class ScoreMarks:
    """A painter for the overlays of one system, in pixels of the window."""

    def __init__(self, painter: QPainter, window: ScoreWindow, index: int, theme: Theme) -> None:
        self._painter, self.seen, self._index, self._theme = painter, window, index, theme
        self._system, self._space = window.systems[index], SPACE * window.scale

    def _point(self, x: float, y: float) -> QPointF:
        return self.seen.point(self._index, x, y)

    def _box(self, voices: Sequence[int], start: int, stop: int) -> QRectF | None:
        band = self._system.band(voices, start, stop)
        if band is None:
            return None
        return QRectF(self._point(band.x(), band.y()), band.size() * self.seen.scale)

    def selection(self, chosen: Selection) -> None:
        box = self._box(chosen.voices, chosen.start, chosen.stop)
        if box is None:
            return
        self._painter.fillRect(box, translucent(self._theme.accent, 0.11))
        for x, visible in (
            (box.left(), chosen.start >= self._system.start),
            (box.right(), chosen.stop <= self._system.stop),
        ):
            if visible:
                line = QRectF(round(x), box.top(), 1, box.height())
                self._painter.fillRect(line, QColor(self._theme.accent))

    def sounding(self, step: float) -> None:
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(translucent(self._theme.accent, _HALO))
        for head in self._system.sounding(step):
            middle = self._point(head.x, head.y)
            self._painter.drawEllipse(middle, self._space * 1.1, self._space * 0.9)

    def violations(self, marks: tuple[Mark, ...]) -> None:
        colour, down = QColor(self._theme.on_warning), QPointF(0, self._space * _RING_HEIGHT)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for heads in marked_heads(self._system, marks):
            middles = [self._point(head.x, head.y) for head in heads]
            self._painter.setPen(QPen(colour, _RING))
            for middle in middles:
                self._painter.drawEllipse(middle, self._space * _RING_WIDTH, down.y())
            self._painter.setPen(QPen(colour, _RING, Qt.PenStyle.DotLine))
            if middles[-1].y() - middles[0].y() > 2 * down.y():
                self._painter.drawLine(QLineF(middles[0] + down, middles[-1] - down))

    def playhead(self, step: float) -> None:
        x, staves = self._system.x_at(step), self._system.staves
        head = self._point(x, staves[0].top - 3.5 * SPACE)
        length = self._point(x, staves[-1].bottom + 2.5 * SPACE).y() - head.y()
        colour = QColor(self._theme.text)
        line = QRectF(round(head.x()) - 0.25, head.y(), 1.5, length)  # exactly one full pixel
        self._painter.fillRect(line, colour)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        self._painter.drawPolygon(_TRIANGLE.translated(head))

    def loop(self, region: tuple[float, float] | None) -> None:
        first, last = region or (0, 0)
        box = self._box([*Voice], int(first), int(last))
        if box is None:
            return
        top = self._point(0, self._system.staves[0].top - _LOOP_TOP * SPACE).y()
        height = (_LOOP_TOP - _LOOP_FOOT) * self._space
        bar, colour = QRectF(box.x(), top, box.width(), height), QColor(self._theme.accent)
        self._painter.fillRect(bar, translucent(self._theme.accent, _HALO))
        for x, visible in (
            (bar.left(), first >= self._system.start),
            (bar.right() - _LOOP_END, last <= self._system.stop),
        ):
            if visible:
                self._painter.fillRect(QRectF(x, bar.top(), _LOOP_END, bar.height()), colour)

    def letters(self, chosen: Selection) -> None:
        box = self._box(chosen.voices, chosen.start, chosen.stop)
        for place, voice in enumerate(chosen.voices):
            if box is not None and chosen.start >= self._system.start:
                self._letter(voice, box.topLeft() + QPointF(1 + place * _CHIP, 1))

    def cursor(self, cursor: Cursor) -> None:
        last = self._system.stop - 1
        start = min(cursor.step, last)
        stop = max(min(cursor.step + cursor.length, last + 1), start + 1)
        box = self._box((cursor.voice,), start, stop)
        if box is None:
            return
        if cursor.step > last:  # a note there adds a bar
            box.setLeft(self._point(self._system.columns[-1].x, 0).x())
            box.setWidth(2 * self._space)
        self._painter.fillRect(box, translucent(self._theme.voices[cursor.voice], 0.22))
        line = QRectF(round(box.left()), box.top(), 2, box.height())
        self._painter.fillRect(line, QColor(self._theme.voices[cursor.voice]))
        self._letter(cursor.voice, box.topLeft() - QPointF(0, _CHIP))

    def ghost(self, ghost: Ghost) -> None:
        staff, colour = ghost.staff, QColor(self._theme.accent)
        middle, reach = self._point(ghost.x, staff.y_of(ghost.degree)), QPointF(self._space, 0)
        self._painter.setPen(QPen(colour, max(self._space / 8, 1)))
        for y in staff.ledger_lines(ghost.degree):
            line = self._point(ghost.x, y)
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
        font = sized_font(self._painter.font(), 12, QFont.Weight.Bold)
        measured = QFontMetricsF(font)
        width, height = measured.horizontalAdvance(name) + 2 * 5, measured.height() + 2
        box = QRectF(left.x(), left.y() - height / 2, width, height)
        if box.right() > self.seen.width:
            box.moveRight(left.x() - 2.6 * self._space)
        fill_rounded(self._painter, box, 4, self._theme.accent)
        self._painter.setFont(font)
        self._painter.setPen(QColor(self._theme.on_accent))
        self._painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)

    def _letter(self, voice: int, corner: QPointF) -> None:
        box = QRectF(corner.x(), corner.y(), _CHIP - 1, _CHIP - 1)
        draw_letter(self._painter, box, voice, self._theme)


def marked_heads(system: System, marks: Sequence[Mark]) -> Iterator[tuple[Head, ...]]:
    """Yield the heads of each mark on a system, the highest on the page first."""
    for mark in marks:
        here = system.sounding(mark.step) if system.start <= mark.step < system.stop else ()
        if heads := [head for head in here if head.voice in mark.voices]:
            yield tuple(sorted(heads, key=lambda head: head.y))
