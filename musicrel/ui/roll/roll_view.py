"""The piano roll on the screen: draws a picture and describes the note under the mouse.

Two layers are cached as pixmaps, the paper and the notes. A new picture redraws only the columns in
which it differs from the one before, so that a piece can grow thirty times a second. The write
position is drawn on top at every paint event.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from PySide6.QtCore import QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
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
from PySide6.QtWidgets import QScrollBar, QWidget

from musicrel.chorale import Flags, Voice, spans
from musicrel.figures.paint import fill_rounded, translucent
from musicrel.figures.roll import (
    HIT,
    KEYBOARD_WIDTH,
    LEGIBLE_ROW,
    LOWEST_ROW,
    RULER_HEIGHT,
    Roll,
    RollPainter,
    Unison,
    Viewport,
)
from musicrel.interpretability.surprisal import NoteColours
from musicrel.language import tr
from musicrel.meter_beats import written_unit
from musicrel.presentation.marks import Mark, descriptions
from musicrel.presentation.words import names
from musicrel.presentation.words.keys import with_keys
from musicrel.presentation.words.palette import Theme
from musicrel.score.editing.note_input import Cursor
from musicrel.score.editing.notes import GRID, Note
from musicrel.score.editing.selection import Selection
from musicrel.ui.roll.roll_overlay import (
    LOOP_HEIGHT,
    InputCursor,
    LoopBar,
    NoteOutline,
    Playhead,
    SelectionOutline,
)
from musicrel.ui.widgets.sheet_view import Press, SheetView
from musicrel.ui.widgets.stylesheet import current_theme

NAME: Final = tr("Piano roll")
RULER_TIP: Final = tr(
    "Click to place the playhead, drag to set the loop or move an end of it, double-click to "
    "select the bar; click the loop at the top to remove it"
)

_NO_ROWS: Final = (127, 0)
_MIDDLE: Final = 59.0  # pitch in the middle of the four voices
_CURSOR_ROOM: Final = 3
_LOCKED: Final = tr("Locked against rewriting: unlock the selection ({key[rewriting.lock]})")
_ARROW_STEP: Final = 24
_HANDLE: Final = 6  # distance in pixels from an end of the loop within which it is dragged
_EDGE: Final = 7.0  # width in pixels of the right edge of a note, by which its end is dragged
# greatest share of a note that is its edge, so that a short note can be moved, too
_EDGE_SHARE: Final = 0.35


class RollView(SheetView):
    """A view of one picture at a time, with separate zoom factors for time and pitch."""

    view_changed = Signal()  # the visible part or its appearance changed
    playhead_moved = Signal(object)  # the step of the playhead; None if it was removed
    loop_shown = Signal(object)  # first and last step of the loop that is on; None: none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture: Roll | None = None
        self._least = _NO_ROWS
        self.step: float | None = None
        self.loop: tuple[float, float] | None = None
        self.loop_on = False
        self.selection: Selection | None = None
        self.ghost: tuple[Note, ...] = ()
        self.setAccessibleName(NAME)
        self.layers = RollLayers()
        self._locked: Flags | None = None
        self._marks: tuple[Mark, ...] = ()
        self.seen = Viewport()
        self._fits = self._fits_rows = self._follows = True
        self._whole = False  # whether what fits is the whole piece, not its beginning
        self._least_row = LEGIBLE_ROW
        self._sets_bars = False
        self._dragged_from: QPoint | None = None
        self._outline = SelectionOutline(self)
        self._loop_bar, self._playhead = LoopBar(self), Playhead(self)
        self._input, self._dragged_notes = InputCursor(self), NoteOutline(self)
        self.horizontalScrollBar().actionTriggered.connect(self._stop_following)
        self.view_changed.connect(self.viewport().update)

    def follow(self, step: float, *, resume: bool = False) -> None:
        """Scroll by a page if ``step`` is not visible, unless the user has scrolled away."""
        self._follows = self._follows or resume
        if self._follows:
            self._look_at(self.seen.showing(step))

    def crowd(self, *, on: bool) -> None:
        """Fit all pitches, in however low rows, as beside another roll."""
        self._least_row = LOWEST_ROW if on else LEGIBLE_ROW
        self.refit()

    def refit(self) -> None:
        """Fit again what the user has not zoomed, after another roll has changed it."""
        self._look_at(self._fitting(self.seen))

    def align(self, other: Viewport, *, follow: bool = False) -> None:
        if not follow:
            self._fits = False
            self._fits_rows = self._fits_rows and other.row_height == self.seen.row_height
        self._look_at(self.seen.beside(other))

    def reach(self, place: QPoint) -> None:
        """Scroll a little if a point that the mouse drags to is at or beyond an edge."""
        port = self.viewport()
        ends = ((place.x(), KEYBOARD_WIDTH, port.width()), (place.y(), RULER_HEIGHT, port.height()))
        dx, dy = (
            _ARROW_STEP if at >= last - 1 else -_ARROW_STEP if at < first else 0
            for at, first, last in ends
        )
        if dx or dy:
            self._scroll_by(dx, dy)

    def zoom(self, factor: float) -> None:
        self._zoom_at(factor, self.seen.width / 2)

    def stretch(self, factor: float) -> None:
        self._stretch_at(factor, self.seen.height / 2)

    @Slot()
    def fit(self) -> None:
        self._show_from_start(whole=True)

    @Slot()
    def show_beginning(self) -> None:
        """Show the beginning, at a size at which notes can be read and hit."""
        self._show_from_start(whole=False)

    def _show_from_start(self, *, whole: bool) -> None:
        self._whole = whole
        self._fits = self._fits_rows = self._follows = True
        self._look_at(self._fitting(replace(self.seen, left=0.0, row_height=0.0)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        size = self.viewport().size()
        width, height = size.width() - KEYBOARD_WIDTH, size.height() - RULER_HEIGHT
        over = (self.seen.height - height) / 2 if self._fits_rows else 0.0  # the middle stays
        top = self.seen.top + over
        view = replace(self.seen, width=max(width, 1), height=max(height, 1), top=top)
        self._look_at(self._fitting(view.clipped()))
        super().resizeEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        del dx, dy
        if self._sets_bars:
            return
        left, top = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        view = self.seen
        self._scroll_to(
            view.left if left == round(view.left) else left,
            view.top if top == round(view.top) else top,
        )

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = (event.angleDelta().y() or event.angleDelta().x()) / 120
        place = event.position() - QPointF(KEYBOARD_WIDTH, RULER_HEIGHT)
        modifiers = event.modifiers()
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            factor = self.zoom_step**notches
            if modifiers & Qt.KeyboardModifier.ShiftModifier or place.x() < 0:
                self._stretch_at(factor, place.y())
            else:
                self._zoom_at(factor, place.x())
        else:
            self._wheel(event)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Home:
                self._scroll_to(0, self.seen.top)
            case Qt.Key.Key_End:
                self._scroll_to(self.seen.content_width, self.seen.top)
            case _:
                super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._dragged_from = event.position().toPoint()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        here = event.position().toPoint()
        if self._dragged_from is None:
            self._show_pointer(here, held=bool(event.buttons()))
            return
        delta, self._dragged_from = self._dragged_from - here, here
        self._scroll_by(delta.x(), delta.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._dragged_from = None
            self.viewport().unsetCursor()

    def _look_at(self, view: Viewport) -> None:
        if view != self.seen:
            self.seen = view
            self.view_changed.emit()
        self._sets_bars = True
        _show(self.horizontalScrollBar(), view.left, view.width, view.content_width)
        _show(self.verticalScrollBar(), view.top, view.height, view.content_height)
        self._sets_bars = False

    def _fitting(self, view: Viewport) -> Viewport:
        if self._fits:
            fitted = view.fitted() if self._whole else view.opened()
            view = replace(view, step_width=fitted.step_width)
        if not self._fits_rows:
            return view.clipped()
        pitches = [note.pitch for note in self.picture.notes] if self.picture is not None else []
        middle = (min(pitches) + max(pitches)) / 2 if pitches else _MIDDLE
        return view.with_fitted_rows(self._least_row, middle)

    def _zoom_at(self, factor: float, x: float) -> None:
        self._fits = False
        self._look_at(self.seen.zoomed(factor, max(x, 0)))

    def _stretch_at(self, factor: float, y: float) -> None:
        self._fits_rows = False
        self._look_at(self.seen.stretched(factor, y))

    def _wheel(self, event: QWheelEvent) -> None:
        delta = event.angleDelta()
        tall = self.seen.content_height > self.seen.height + 1
        sideways = event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not tall
        dx = delta.x() or (delta.y() if sideways else 0)
        self._scroll_by(-dx, 0 if sideways else -delta.y())

    def _scroll_by(self, dx: int, dy: int) -> None:
        """Scroll by pixels; a horizontal move stops following."""
        self._follows = self._follows and not dx
        self._scroll_to(self.seen.left + dx, self.seen.top + dy)

    def _scroll_to(self, left: float, top: float) -> None:
        self._look_at(replace(self.seen, left=left, top=top).clipped())

    @Slot()
    def _stop_following(self) -> None:
        self._follows = False

    def reserve(self, low: int = _NO_ROWS[0], high: int = _NO_ROWS[1]) -> None:
        """Show at least the rows of these pitches, as beside another roll; by default none."""
        self._least = (low, high)
        if self.picture is not None and (self.picture.low > low or self.picture.high < high):
            self.show_roll(self.picture)

    def show_roll(self, roll: Roll) -> None:
        """Show ``roll``; only the columns that differ from the previous picture are redrawn."""
        low, high = self._least
        roll = replace(roll, low=min(roll.low, low), high=max(roll.high, high))
        before, self.picture = self.picture, roll
        self._follows = self._follows or not roll.written  # a piece that begins is followed
        if before is None or _paper(before) != _paper(roll):
            bar = roll.meter.steps
            view = replace(self.seen, steps=roll.steps, low=roll.low, high=roll.high, bar=bar)
            self.layers.forget()
            self.layers.decor = self._decor(roll)
            view = self._fitting(view.clipped())
            is_begun = self._follows and roll.written < roll.steps
            self._look_at(view.showing(roll.written) if is_begun else view)
            self.view_changed.emit()
            return
        first = changed_from(before, roll)
        if first is not None:
            self.layers.decor = self._decor(roll)
            self._redraw(roll, first)
            self._update_columns(first, roll.steps)
        if before.written != roll.written:
            for step in (before.written, roll.written):
                self._update_columns(step, step)
            if self._follows:
                self._look_at(self.seen.showing(roll.written))

    def set_heat(self, heat: NoteColours | None) -> None:
        """Colour the notes by a value; None: by voice."""
        self.layers.heat = heat
        if self.picture is not None:
            self._redraw(self.picture, 0)
        self.viewport().update()

    def set_locked(self, cells: Flags | None) -> None:
        if cells is not self._locked:
            self._locked = cells
            self._decorate()

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        self._marks = marks
        self._decorate()

    def set_step(self, step: float | None) -> None:
        moves, self.step = step != self.step, step
        self._playhead.rearrange()
        if moves:
            self.playhead_moved.emit(step)

    def set_loop(self, region: tuple[float, float] | None, *, on: bool) -> None:
        self.loop, self.loop_on = region, on
        self._loop_bar.update()
        self._loop_bar.rearrange()
        self.loop_shown.emit(region if on else None)

    def set_selection(self, selection: Selection | None) -> None:
        self.selection = selection
        self._outline.rearrange()

    def set_input_cursor(self, cursor: Cursor | None) -> None:
        super().set_input_cursor(cursor)
        self._input.rearrange()

    def set_ghost(self, notes: Sequence[Note]) -> None:
        if tuple(notes) != self.ghost:
            self.ghost = tuple(notes)
            self._dragged_notes.rearrange()

    def clear_ghost(self) -> None:
        self.set_ghost(())

    def note_at(self, place: QPoint) -> Note | None:
        if self.picture is None or not self.paper().contains(place):
            return None
        y = place.y() - RULER_HEIGHT
        exact = self.picture.note_at(self._step(place), *self.seen.pitch_at(y))
        if exact is not None:
            return exact
        near = (
            (away, note)
            for note in self.picture.notes
            if (away := self.seen.distance(note, place.x() - KEYBOARD_WIDTH, y)) is not None
        )
        return min(near, default=(0.0, None))[1]

    def step_at(self, place: QPoint) -> float:
        return min(max(self._step(place), 0.0), float(self.seen.steps))

    def cell_at(self, place: QPoint) -> tuple[float, int]:
        """Return step and pitch at a point, which may be beyond the edges."""
        return self._step(place), self.seen.pitch_at(place.y() - RULER_HEIGHT)[0]

    def height_at(self, place: QPoint) -> float:
        """Return the pitch at a point, with a fraction: differences count, not its size."""
        pitch, depth = self.seen.pitch_at(place.y() - RULER_HEIGHT)
        return pitch - depth

    def grid(self, *, free: bool) -> int:
        """Return the steps between two places to which a drag snaps: eighths, or else beats."""
        if free or self.picture is None:
            return 1
        return GRID if GRID * self.seen.step_width >= HIT else written_unit(self.picture.meter)

    def is_on_edge(self, note: Note, place: QPoint) -> bool:
        width = note.length * self.seen.step_width
        from_end = self.seen.x(note.stop) - (place.x() - KEYBOARD_WIDTH)
        return from_end <= min(_EDGE, width * _EDGE_SHARE)

    def paper(self) -> QRect:
        if self.picture is None:
            return QRect()
        return QRect(QPoint(KEYBOARD_WIDTH, RULER_HEIGHT), self.viewport().size())

    def in_band(self, one: QPoint, other: QPoint, *, free: bool) -> Selection | None:
        if self.picture is None:
            return None
        (first, low), (last, high) = self.cell_at(one), self.cell_at(other)
        return self.picture.in_band((first, last), (low, high), self.grid(free=free))

    def bar_at(self, place: QPoint) -> Selection | None:
        picture = self.picture if _in_ruler(place) else None
        return picture.bar_at(self._step(place)) if picture else None

    def loop_anchor(self, place: QPoint) -> float | None:
        if self.picture is None or not _in_ruler(place):
            return None
        end = self._loop_end_at(place)
        return self.step_at(place) if end is None or not self.loop else self.loop[1 - end]

    def click(self, press: Press, *, extends: bool) -> None:
        place = press.place
        if press.note is not None and self.selects:
            self.chosen.emit(Selection.of_note(press.note), extends)
        elif self.picture is not None and place.x() >= KEYBOARD_WIDTH and press.note is None:
            first, last = self.loop or (math.inf, math.inf)
            if 0 <= place.y() < LOOP_HEIGHT and first <= self._step(place) <= last:
                self.loop_clicked.emit()
            else:
                self.seek_requested.emit(self.step_at(place), _in_ruler(place))

    def _step(self, place: QPoint) -> float:
        return self.seen.step_at(place.x() - KEYBOARD_WIDTH)

    def _loop_end_at(self, place: QPoint) -> int | None:
        """Return 0 or 1 near the first or last step of the loop."""
        ends = [abs(place.x() - KEYBOARD_WIDTH - self.seen.x(step)) for step in self.loop or ()]
        return next((end for end in (0, 1) if ends and ends[end] == min(ends) <= _HANDLE), None)

    def _show_pointer(self, place: QPoint, *, held: bool) -> None:
        """Let the pointer show what a click would do."""
        shape: Qt.CursorShape | None = None
        note = self.note_at(place)
        if _in_ruler(place):
            near = held or self._loop_end_at(place) is not None
            shape = Qt.CursorShape.SplitHCursor if near else None
        elif self.input_cursor is not None and self.editable:
            inside = self.paper().contains(place)
            shape = Qt.CursorShape.CrossCursor if inside else Qt.CursorShape.ArrowCursor
        elif held:
            return
        elif note is None:
            shape = Qt.CursorShape.IBeamCursor if self._seeks_at(place) else None
        elif self.editable:
            at_edge = self.is_on_edge(note, place)
            shape = Qt.CursorShape.SizeHorCursor if at_edge else Qt.CursorShape.SizeAllCursor
        else:
            shape = Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor if shape is None else shape)

    def _seeks_at(self, place: QPoint) -> bool:
        """Return whether a click between notes moves the playhead: within a piece."""
        has_notes = self.picture is not None and bool(self.picture.notes)
        return has_notes and self.paper().contains(place) and self._step(place) < self.seen.steps

    def describe(self, note: Note) -> str:
        heat, roll = self.layers.heat, self.picture
        lines = [roll.describe(note) if roll else "", heat.describe(note) if heat else ""]
        lines += descriptions(self._marks, note)
        parts = self.layers.decor.locked
        if any(p.voice == note.voice and note.start <= p.start < note.stop for p in parts):
            lines.append(with_keys(_LOCKED))
        return "\n".join(line for line in lines if line)

    def tip_at(self, place: QPoint) -> str:
        if self.picture is not None and _in_ruler(place):
            return RULER_TIP
        note = self.note_at(place)
        if note is None:
            return ""
        return "\n".join(filter(None, (self.describe(note), self.note_tip)))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        with QPainter(self.viewport()) as painter:
            painter.setClipRect(event.rect())
            if self.picture is None:
                painter.fillRect(event.rect(), QColor(theme.panel))
                return
            scale = self.viewport().devicePixelRatioF()
            shown = ViewState(self.seen, theme, self.font(), scale)
            paper, notes = self.layers.pixmaps(self.picture, shown)
            painter.drawPixmap(0, 0, paper)
            painter.drawPixmap(KEYBOARD_WIDTH, RULER_HEIGHT, notes)
            lanes = QRect(KEYBOARD_WIDTH, RULER_HEIGHT, self.seen.width, self.seen.height)
            if 0 < self.picture.written < self.picture.steps:
                x = KEYBOARD_WIDTH + round(self.seen.x(self.picture.written))
                painter.fillRect(x, RULER_HEIGHT, 2, self.seen.height, QColor(theme.accent))
            if not self.picture.notes and not self.picture.written:
                self.draw_hint(painter, lanes)

    def _decor(self, roll: Roll) -> Decor:
        """Return the locks and marks of a picture; locks of another length are ignored."""
        locked = self._locked
        fits = locked is not None and len(locked) == roll.steps
        return decor_of(roll, locked if fits else None, self._marks)

    def _decorate(self) -> None:
        if self.picture is None:
            return
        decor = self._decor(self.picture)
        if decor != self.layers.decor:
            self.layers.decor = decor
            self._redraw(self.picture, 0)
            self.viewport().update()

    def _redraw(self, roll: Roll, first: int) -> None:
        """Draw the notes again from a step on; a hidden roll is drawn when it is seen."""
        if self.isVisible():
            self.layers.redraw_notes(roll, first)
        else:
            self.layers.forget()

    def _update_columns(self, first: int, last: int) -> None:
        left = KEYBOARD_WIDTH + int(self.seen.x(first)) - _CURSOR_ROOM
        right = KEYBOARD_WIDTH + int(self.seen.x(last)) + _CURSOR_ROOM
        self.viewport().update(QRect(left, 0, right - left, self.viewport().height()))


def _in_ruler(place: QPoint) -> bool:
    return place.y() < RULER_HEIGHT and place.x() >= KEYBOARD_WIDTH


def _show(bar: QScrollBar, hidden: float, seen: int, whole: float) -> None:
    bar.setPageStep(seen)
    bar.setSingleStep(_ARROW_STEP)
    rest = round(whole - seen)
    bar.setRange(0, rest if rest > 1 else 0)  # a pixel is from rounding: no bar for it
    bar.setValue(round(hidden))


def _paper(roll: Roll) -> Roll:
    """Return a picture without its notes, and the key that their names depend on."""
    return replace(roll, notes=(), unisons=(), written=0, key=None)


def changed_from(before: Roll, after: Roll) -> int | None:
    """Return the first step where the notes of two rolls differ; None if they agree."""
    parts: set[Note | Unison] = {*before.notes, *before.unisons}
    parts ^= {*after.notes, *after.unisons}
    if before.key != after.key:
        parts |= {note for note in after.notes if _name(note, before) != _name(note, after)}
    return min((part.start for part in parts), default=None)


def _name(note: Note, roll: Roll) -> str:
    return names.pitch(note.pitch, roll.key)


class ViewState(NamedTuple):
    """Everything the layers depend on besides the notes."""

    view: Viewport  # the visible part of the roll
    theme: Theme
    font: QFont
    scale: float  # device pixels per logical pixel


class RollLayers:
    """A cache of the two layers; each is drawn on demand."""

    def __init__(self) -> None:
        # colours of the notes from the next drawing on; None: by voice
        self.heat: NoteColours | None = None
        self.decor = Decor()  # locks and marks drawn on the notes from the next drawing on
        self._shown: ViewState | None = None
        self._paper, self._notes = QPixmap(), QPixmap()

    def forget(self) -> None:
        self._shown = None

    def pixmaps(self, roll: Roll, shown: ViewState) -> tuple[QPixmap, QPixmap]:
        if shown != self._shown:
            self._shown = shown
            view = shown.view
            whole = QSize(view.width + KEYBOARD_WIDTH, view.height + RULER_HEIGHT)
            self._paper = _blank(whole, shown.scale)
            with QPainter(self._paper) as painter:
                painter.setFont(shown.font)
                RollPainter(painter, roll, view, shown.theme).backdrop()
            self._notes = _blank(QSize(view.width, view.height), shown.scale)
            self.redraw_notes(roll, 0)
        return self._paper, self._notes

    def redraw_notes(self, roll: Roll, first: int) -> None:
        if self._shown is None:
            return
        view = self._shown.view
        left = round(view.x(first))
        columns = QRectF(left, 0, view.width - left, view.height)
        with QPainter(self._notes) as painter:
            painter.setFont(self._shown.font)
            painter.setClipRect(columns)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.fillRect(columns, Qt.GlobalColor.transparent)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
            colours = self.heat.tint if self.heat else None
            strokes = RollPainter(painter, roll, view, self._shown.theme, colours)
            strokes.notes(first)
            decorate(painter, strokes, self.decor, self._shown)


def _blank(size: QSize, scale: float) -> QPixmap:
    pixmap = QPixmap((size.toSizeF() * scale).toSize())
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


_LOCK_WIDTH, _LOCK_HEIGHT = 6.0, 7.5
_ROOM: Final = 24.0  # least width of a note with its letter and a padlock
_MIN_STEP_WIDTH: Final = 4.0  # below this width a note is marked with a dot
_DOT: Final = 3.0


class Link(NamedTuple):
    """A line between the voices of a mark, from the highest to the lowest pitch at a step."""

    step: int
    high: int
    low: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decor:
    locked: tuple[Note, ...] = ()  # the locked parts of notes
    marked: tuple[Note, ...] = ()  # the notes of rule violations
    links: tuple[Link, ...] = ()


def decor_of(picture: Roll, locked: Flags | None, marks: tuple[Mark, ...]) -> Decor:
    """Return the locks and marks of a picture, from locked cells, bool (T, 4)."""
    locks = [spans(locked[:, voice]) if locked is not None else [] for voice in Voice]
    parts = (
        note._replace(start=max(note.start, start), stop=min(note.stop, stop))
        for note in picture.notes
        for start, stop in locks[note.voice]
        if note.start < stop and note.stop > start
    )
    sounding = {
        (note.voice, step): note
        for note in (picture.notes if marks else ())
        for step in range(note.start, note.stop)
    }
    marked: set[Note] = set()
    links: set[Link] = set()
    for mark in marks:
        places = [(int(voice), mark.step) for voice in mark.voices]
        found = [sounding[place] for place in places if place in sounding]
        marked.update(found)
        if len(found) > 1:
            pitches = [note.pitch for note in found]
            links.add(Link(mark.step, max(pitches), min(pitches)))
    return Decor(locked=tuple(parts), marked=tuple(sorted(marked)), links=tuple(sorted(links)))


def decorate(painter: QPainter, strokes: RollPainter, decor: Decor, shown: ViewState) -> None:
    """Draw locks and marks, the origin at the corner of the lanes."""
    seen, box = shown.view.seen_steps, strokes.box
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for part in decor.locked:
        if part.stop > seen.start and part.start < seen.stop:
            _locked(painter, box(part), shown.theme)
    for step, high, low in decor.links if shown.view.step_width >= _MIN_STEP_WIDTH else ():
        upper, lower = (box(Note(step, step + 1, pitch, 0)) for pitch in (high, low))
        painter.setPen(QPen(QColor(shown.theme.on_warning), 1.4, Qt.PenStyle.DotLine))
        x = upper.left() + 2.5
        painter.drawLine(QLineF(x, upper.bottom(), x, lower.top()))
    for note in decor.marked:
        if note.stop > seen.start and note.start < seen.stop:
            _triangle(painter, box(note), shown.theme)


def _locked(painter: QPainter, box: QRectF, theme: Theme) -> None:
    ink = QColor(theme.text)
    if box.width() < _MIN_STEP_WIDTH:
        painter.fillRect(box, ink)
        return
    inside = box.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.setPen(QPen(ink, 1.6))
    painter.setBrush(QBrush(translucent(theme.on_voice, 0.236), Qt.BrushStyle.BDiagPattern))
    radius = min(3.0, box.height() / 3)
    painter.drawRoundedRect(inside, radius, radius)
    if box.width() >= _ROOM and box.height() >= _LOCK_HEIGHT:
        corner = QPointF(box.right() - _LOCK_WIDTH - 4, box.center().y() - _LOCK_HEIGHT / 2)
        padlock(painter, corner, theme.on_voice)


def padlock(painter: QPainter, corner: QPointF, colour: str) -> None:
    middle = _LOCK_HEIGHT * 0.45
    painter.setPen(QPen(QColor(colour), 1.3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    bow = QRectF(corner.x() + 1.2, corner.y(), _LOCK_WIDTH - 2.4, middle * 2)
    painter.drawArc(bow, 0, 180 * 16)
    body = QRectF(corner.x(), corner.y() + middle, _LOCK_WIDTH, _LOCK_HEIGHT - middle)
    fill_rounded(painter, body, 1, colour)


def _triangle(painter: QPainter, box: QRectF, theme: Theme) -> None:
    size = max(min(9.0, box.height()), 5.0)
    left, foot = box.left() - 1.5, box.top() + 2
    if box.width() < _MIN_STEP_WIDTH:
        painter.fillRect(QRectF(left, foot - _DOT, _DOT, _DOT), QColor(theme.on_warning))
        return
    corners = (
        QPointF(left, foot), QPointF(left + size, foot), QPointF(left + size / 2, foot - size * 0.9)
    )  # fmt: skip
    painter.setPen(QPen(QColor(theme.lane), 1))
    painter.setBrush(QColor(theme.on_warning))
    painter.drawPolygon(QPolygonF(corners))
