"""Selection on the piano roll by mouse and keyboard.

A click on a note selects it, a rubber band selects voices over time, a double click on a bar number
the bar; Shift extends the selection. Arrow keys move a selection of one cell, with Shift its end;
1 to 4 toggle a voice; Escape cancels a rubber band, or clears. Clicks between notes are handled by
``roll_playhead``, drags of notes by ``editing.roll_drag``.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QRubberBand

from musicrel.editing.selection import Selection
from musicrel.figures.paint import draw_letter, translucent
from musicrel.figures.roll import KEYBOARD_WIDTH, NUMBERS_HEIGHT, RULER_HEIGHT
from musicrel.presentation.roll.roll import bar_at, in_band, parts_in
from musicrel.ui.roll.roll_overlay import CHIP, LanesOverlay, Overlay
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.widgets.stylesheet import current_theme

_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_OTHER_COMMANDS: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
_VOICE_KEYS: Final = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4)


class RollSelection(QObject):
    selection_changed = Signal(object)  # the Selection; None if it was cleared

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll)
        self._roll = roll
        self._outline = _Outline(roll)
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, roll.viewport())
        self._bands: bool | None = None
        self._cancelled = False
        roll.installEventFilter(self)
        roll.viewport().installEventFilter(self)
        roll.clicked.connect(self._on_click)
        roll.dragged.connect(self._on_drag)
        roll.dropped.connect(self._on_drop)

    @property
    def selection(self) -> Selection | None:
        return self._outline.selection

    def select(self, selection: Selection | None) -> None:
        if selection == self.selection:
            return
        self._outline.selection = selection
        self._outline.rearrange()
        self.selection_changed.emit(selection)

    # ------------------------------------------------------------------ the mouse

    @Slot(QPoint, bool)
    def _on_click(self, place: QPoint, extends: bool) -> None:
        note = self._roll.note_at(place)
        if note is not None:
            self._select_or_extend(Selection.of_note(note), extends=extends)

    @Slot(QPoint, QPoint)
    def _on_drag(self, start: QPoint, place: QPoint) -> None:
        if self._begins_band(start) and not self._cancelled:
            lanes = QRect(QPoint(KEYBOARD_WIDTH, RULER_HEIGHT), self._roll.viewport().size())
            self._band.setGeometry(QRect(start, place).normalized() & lanes)
            self._band.show()

    @Slot(QPoint, QPoint, bool)
    def _on_drop(self, start: QPoint, place: QPoint, extends: bool) -> None:
        """Select the voices under the rubber band; an empty one clears the selection."""
        self._band.hide()
        view, picture = self._roll.seen, self._roll.picture
        bands = self._begins_band(start) and not self._cancelled
        self._bands, self._cancelled = None, False
        if picture is None or not bands:
            return
        first, last = (view.step_at(point.x() - KEYBOARD_WIDTH) for point in (start, place))
        one, other = (view.pitch_at(point.y() - RULER_HEIGHT)[0] for point in (start, place))
        self._select_or_extend(in_band(picture, (first, last), (one, other)), extends=extends)

    def _begins_band(self, start: QPoint) -> bool:
        """Return whether a drag began on empty paper; the roll may have changed since."""
        if self._bands is None:
            self._bands = on_paper(start) and self._roll.note_at(start) is None
        return self._bands

    def _select_or_extend(self, found: Selection | None, *, extends: bool) -> None:
        before = self.selection
        self.select(before.joined(found) if extends and before and found else found)

    # ------------------------------------------------------------------ the keyboard

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return watched is self._roll and self._key(event)
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonDblClick:
            return watched is self._roll.viewport() and self._double_click(event)
        return False

    def _double_click(self, event: QMouseEvent) -> bool:
        """Select the bar whose number is there."""
        place, picture = event.position().toPoint(), self._roll.picture
        in_ruler = place.y() < RULER_HEIGHT and place.x() >= KEYBOARD_WIDTH
        if picture is None or not in_ruler or event.button() != Qt.MouseButton.LeftButton:
            return False
        bar = bar_at(picture, self._roll.seen.step_at(place.x() - KEYBOARD_WIDTH))
        extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._select_or_extend(bar, extends=extends)
        return True

    def _key(self, event: QKeyEvent) -> bool:
        picture = self._roll.picture
        if picture is None or not picture.notes or event.modifiers() & _OTHER_COMMANDS:
            return False
        key, selected = event.key(), self.selection
        if key in _ARROWS:
            extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._arrow(*_ARROWS[Qt.Key(key)], picture.steps, extends=extends)
        elif key in _VOICE_KEYS:
            voice = _VOICE_KEYS.index(Qt.Key(key))
            self.select(selected.toggled(voice) if selected else self._first(voice))
        elif key == Qt.Key.Key_Escape and self._band.isVisible():
            self._cancelled = True
            self._band.hide()
        elif key == Qt.Key.Key_Escape and selected is not None:
            self.select(None)
        else:
            return False
        return True

    def _arrow(self, steps: int, voices: int, length: int, *, extends: bool) -> None:
        before = self.selection
        if before is None:
            after = self._first(0)
        elif not extends:
            after = before.moved(steps, voices, length)
        elif steps:
            after = before.stretched(steps, length)
        else:
            after = before.joined(before.moved(0, voices, length))
        self.select(after)
        self._roll.follow(after.stop - 1 if extends else after.start, resume=True)

    def _first(self, voice: int) -> Selection:
        step = self._roll.seen.seen_steps.start
        return Selection(voices=(voice,), start=step, stop=step + 1)


class _Outline(LanesOverlay):
    selection: Selection | None = None

    def has_content(self) -> bool:
        return self.selection is not None

    def paintEvent(self, _event: QPaintEvent) -> None:
        selected, picture, view = self.selection, self.roll.picture, self.roll.seen
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
            for note in parts_in(picture, selected):
                width = (note.stop - note.start) * view.step_width
                box = QRectF(view.x(note.start), view.y(note.pitch), width, view.row_height)
                painter.drawRoundedRect(box.adjusted(-0.5, -1, 1, 1), 4, 4)
            room = self.width() - CHIP * len(selected.voices) - 2
            for place, voice in enumerate(selected.voices):
                box = QRectF(min(left + 1, room) + place * CHIP, 1, CHIP - 1, CHIP - 1)
                draw_letter(painter, box, voice, theme)


def on_paper(place: QPoint) -> bool:
    """Return whether a point of the viewport is among the lanes."""
    return place.x() >= KEYBOARD_WIDTH and place.y() >= RULER_HEIGHT


# width of the playhead's triangle, and of its widget: odd, so that it has a middle
_PLAYHEAD_WIDTH: Final = 13
_BAND: Final = 10
_HANDLE: Final = 6  # distance in pixels from an end of the loop within which it is dragged
_GRIP: Final = 3


class RollPlayhead(QObject):
    # a fractional step for the playhead; True if the ruler was clicked
    seek_requested = Signal(float, bool)
    loop_dragged = Signal(float, float)  # first and last step of a drag in the ruler
    loop_clicked = Signal()
    loop_shown = Signal(object)  # first and last step of the loop that is on; None: none
    playhead_moved = Signal(object)  # the step of the playhead; None if it was removed

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll)
        self._roll = roll
        self._band, self._playhead = _Band(roll), _Playhead(roll)
        self._drag: tuple[QPoint, float] | None = None
        roll.clicked.connect(self._on_click)
        roll.dragged.connect(self._on_drag)
        roll.dropped.connect(self._on_drop)
        roll.viewport().installEventFilter(self)

    def set_step(self, step: float | None) -> None:
        moves, self._playhead.step = step != self._playhead.step, step
        self._playhead.rearrange()
        if moves:
            self.playhead_moved.emit(step)

    def set_loop(self, region: tuple[float, float] | None, *, on: bool) -> None:
        """Show the loop.

        Args:
            region: first and last step; None hides the loop.
            on: True if playback repeats the region.
        """
        self._band.region, self._band.on = region, on
        self._band.update()
        self._band.rearrange()
        self.loop_shown.emit(region if on else None)

    @property
    def step(self) -> float | None:
        return self._playhead.step

    @property
    def region(self) -> tuple[float, float] | None:
        return self._band.region

    @Slot(QPoint)
    def _on_click(self, place: QPoint) -> None:
        if self._roll.picture is None or place.x() < KEYBOARD_WIDTH:
            return
        if self._is_on_bar(place):
            self.loop_clicked.emit()
        elif _in_ruler(place) or self._roll.note_at(place) is None:
            self.seek_requested.emit(self._step_at(place), _in_ruler(place))

    @Slot(QPoint, QPoint)
    def _on_drag(self, start: QPoint, place: QPoint) -> None:
        if self._roll.picture is None or start.x() < KEYBOARD_WIDTH or not _in_ruler(start):
            return
        if self._drag is None or self._drag[0] != start:
            end = self._end_at(start)
            anchor = self._step_at(start) if end is None else (self.region or (0.0, 0.0))[1 - end]
            self._drag = (start, anchor)
        self.loop_dragged.emit(self._drag[1], self._step_at(place))

    @Slot()
    def _on_drop(self) -> None:
        self._drag = None

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            place = event.position().toPoint()
            if _in_ruler(place) and (self._drag is not None or self._end_at(place) is not None):
                self._roll.viewport().setCursor(Qt.CursorShape.SplitHCursor)
            elif _in_ruler(place):
                self._roll.viewport().unsetCursor()
        return False

    def _end_at(self, place: QPoint) -> int | None:
        """Return 0 or 1 near the first or last step of the loop; None elsewhere."""
        if self.region is None:
            return None
        distances = [
            abs(place.x() - KEYBOARD_WIDTH - self._roll.seen.x(step)) for step in self.region
        ]
        nearest = distances.index(min(distances))
        return nearest if distances[nearest] <= _HANDLE else None

    def _is_on_bar(self, place: QPoint) -> bool:
        """Return True on the bar of the loop."""
        if self.region is None or not 0 <= place.y() < _BAND:
            return False
        first, last = self.region
        return first <= self._roll.seen.step_at(place.x() - KEYBOARD_WIDTH) <= last

    def _step_at(self, place: QPoint) -> float:
        step = self._roll.seen.step_at(place.x() - KEYBOARD_WIDTH)
        return min(max(step, 0.0), float(self._roll.seen.steps))


class _Playhead(Overlay):
    """The playhead: a vertical line below a triangle in the ruler."""

    step: float | None = None

    @Slot()
    def rearrange(self) -> None:
        view = self.roll.seen
        x = view.x(self.step) if self.step is not None else -1.0
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


class _Band(Overlay):
    """The loop: a bar in the ruler, with a tint and two lines below it while it is on."""

    region: tuple[float, float] | None = None
    on = False

    @Slot()
    def rearrange(self) -> None:
        view = self.roll.seen
        first, last = self.region or (0.0, 0.0)
        left, right = max(round(view.x(first)), 0), min(round(view.x(last)), view.width)
        height = RULER_HEIGHT + view.height
        self.setGeometry(KEYBOARD_WIDTH + left, 0, right - left + 1, height)
        self.setVisible(left < right)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, on = current_theme(), self.on
        colour = theme.accent if on else theme.quiet
        strong = translucent(colour, 0.353 if on else 0.236)
        with QPainter(self) as painter:
            painter.fillRect(QRectF(0, 0, self.width(), _BAND), strong)
            for left in (0, self.width() - _GRIP):
                painter.fillRect(QRectF(left, 0, _GRIP, _BAND), QColor(colour))
            for x in (0, self.width() - 1):
                line = QRectF(x, 0, 1, self.height() if on else RULER_HEIGHT)
                painter.fillRect(line, QColor(colour))
            if on:
                below = QRectF(0, RULER_HEIGHT, self.width(), self.height())
                painter.fillRect(below, translucent(colour, 0.063))


def _in_ruler(place: QPoint) -> bool:
    return place.y() < RULER_HEIGHT
