"""The phrases above the lanes of the roll as brackets with their cadences.

The end of a phrase is dragged to another bar line. A click, Enter or the context menu offers the
cadences and what can be done with a phrase. The arrow keys select a phrase, with Shift they move
its end.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from musicrel.figures.paint import sized_font, translucent
from musicrel.figures.roll import KEYBOARD_WIDTH, NUMBERS_HEIGHT, PHRASES_HEIGHT
from musicrel.language import tr
from musicrel.presentation.compose import phrases
from musicrel.presentation.compose.phrases import CADENCE_LABELS, LEAST_TO_SPLIT, Phrase, PhraseLane
from musicrel.presentation.words.palette import Theme
from musicrel.ui.roll.roll_overlay import Overlay
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.widgets.stylesheet import current_theme

EDIT_TIP: Final = tr("Drag its end to another bar; click for its cadence, to split or to join it")
NOTES_TIP: Final = tr("Click to select it or to rewrite its lower voices")
NEXT_TIP: Final = tr("Phrases of the next piece")
NO_PHRASES: Final = tr("No phrases: the model places them. Click to draw some as in Bach.")
_ARROWS: Final = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_MENU_KEYS: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Menu)
_MENU: Final = "▾"  # the sign of a menu
_LINE: Final = 8.0  # distance of the line of a bracket from the upper edge
_GAP: Final = 2.0
_MIN_FEET: Final = 8.0  # least width in pixels of a bracket with two feet
_ROOMY: Final = 16.0  # width in pixels from which brackets are well apart
_BEHIND: Final = 8.0  # length in pixels of the line behind a label
_GRIP: Final = 5.0  # distance in pixels from which the end of a phrase can be dragged


class PhraseBrackets(Overlay):
    """The brackets; a passive widget on top of a roll.

    Attributes:
        disabled_reason: why they cannot be edited now, or "".
    """

    # the index of a phrase and the bars from the beginning to its new end
    end_moved = Signal(int, int)

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll, tr("Phrases"))
        self.lane = PhraseLane()
        self.disabled_reason = ""
        self.menu = PhraseMenu(self)
        self.selected = 0
        self._dragged: int | None = None
        self._dragged_to: int | None = None
        self._pointed: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.lower()  # below the playhead and the loop

    def show_lane(self, lane: PhraseLane) -> None:
        if lane != self.lane:
            self.lane, self._dragged = lane, None
            self._select(min(self.selected, max(len(lane.phrases) - 1, 0)))
        self.rearrange()

    def box(self, phrase: Phrase) -> QRectF:
        view = self.roll.seen
        left, right = view.x(phrase.start), view.x(phrase.stop)
        gap = _GAP if right - left >= _ROOMY else 1
        return QRectF(left + gap, 0, max(right - left - 2 * gap, 1), PHRASES_HEIGHT)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        x = event.position().x()
        self._dragged_to = None
        self._dragged = self._end_at(x)
        here = self._dragged if self._dragged is not None else self._phrase_at(x)
        if here is not None:
            self._select(here)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._dragged is None:
            self._point(x)
            return
        bar = self._bar_at(x)
        if self._dragged_to is not None or bar != self._end_of(self._dragged):
            self._dragged_to = bar
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        dragged, self._dragged = self._dragged, None
        bar, self._dragged_to = self._dragged_to, None
        if bar is not None and dragged is not None:
            self.end_moved.emit(dragged, bar)
            self.update()
        elif self.rect().contains(event.position().toPoint()):
            self._open_menu(event.globalPosition().toPoint())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            here = self._phrase_at(event.pos().x())
            self._select(self.selected if here is None else here)
        self._open_menu(event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        self._pointed = None
        self.update()
        super().leaveEvent(event)

    def tip_at(self, place: QPoint) -> str:
        here = self._phrase_at(place.x())
        if here is None:
            return "" if self.lane.phrases else self.disabled_reason or NO_PHRASES
        what = NEXT_TIP if self.lane.planned else NOTES_TIP
        return "\n".join((self.lane.describe(here), what, self.disabled_reason or EDIT_TIP))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, phrases = Qt.Key(event.key()), self.lane.phrases
        if key in _ARROWS and phrases:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._move_end(_ARROWS[key])
            else:
                self._select(min(max(self.selected + _ARROWS[key], 0), len(phrases) - 1))
        elif key in _MENU_KEYS:
            self.open_menu()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def _move_end(self, bars: int) -> None:
        if not self.disabled_reason:
            self.end_moved.emit(self.selected, self._end_of(self.selected) + bars)

    def _select(self, index: int) -> None:
        self.selected = index
        words = self.lane.describe(index) if self.lane.phrases else ""
        summary = phrases.summary(self.lane.phrases)
        self.setAccessibleDescription(f"{summary}. {words}" if words else summary)
        self.update()

    @Slot()
    def open_menu(self) -> None:
        """Open the menu of the selected phrase below its bracket."""
        self._open_menu(self.mapToGlobal(self._foot_of_selected()))

    def _open_menu(self, place: QPoint) -> None:
        can_edit = not self.disabled_reason
        self.menu.offer(self.lane, self.selected, can_edit=can_edit)
        if self.menu.isEmpty():
            QToolTip.showText(place, self.disabled_reason, self)
        else:
            self.menu.popup(place)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, view, lane = current_theme(), self.roll.seen, self.lane
        if self._dragged is not None and self._dragged_to is not None:
            lane = lane.moved(self._dragged, self._dragged_to)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.panel))
            painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), QColor(theme.line_bar))
            for index, phrase in enumerate(lane.phrases):
                if view.x(phrase.stop) > 0 and view.x(phrase.start) < view.width:
                    self._bracket(painter, index, phrase, theme)

    def _bracket(self, painter: QPainter, index: int, phrase: Phrase, theme: Theme) -> None:
        box, focused = self.box(phrase), self.hasFocus() and index == self.selected
        if focused or index == self._pointed:
            painter.fillRect(box.adjusted(0, 2, 0, -3), translucent(theme.accent, 0.12))
        colour = theme.accent if focused or self.lane.planned else theme.quiet
        style = Qt.PenStyle.DashLine if self.lane.planned else Qt.PenStyle.SolidLine
        painter.setPen(QPen(QColor(colour), 1.4, style, c=Qt.PenCapStyle.FlatCap))
        text, label = self._label(painter, index, box)
        end = label.left() - _GAP if label.isValid() else box.right()
        painter.drawLine(QPointF(box.left(), _LINE), QPointF(end, _LINE))
        painter.setPen(QPen(QColor(colour), 1.4))
        for x in (box.left(), box.right()) if box.width() >= _MIN_FEET else (box.left(),):
            painter.drawLine(QPointF(x, _LINE), QPointF(x, _LINE + 6.0))
        if label.isValid():
            painter.drawLine(QPointF(label.right() + _GAP, _LINE), QPointF(box.right(), _LINE))
            painter.setPen(QColor(theme.text if phrase.cadence else theme.quiet))
            painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)

    def _label(self, painter: QPainter, index: int, box: QRectF) -> tuple[str, QRectF]:
        """Return the longest label that fits and its place; invalid where there is no room."""
        painter.setFont(sized_font(painter.font(), 11))
        texts = self.lane.labels(index)
        for text in (*(f"{text} {_MENU}" for text in texts), *texts, _MENU):
            width = painter.fontMetrics().horizontalAdvance(text)
            if width + 2 * _MIN_FEET + _BEHIND <= box.width():
                return text, QRectF(box.right() - _BEHIND - width, 0, width, 2 * _LINE)
        return "", QRectF()

    def sizeHint(self) -> QSize:
        return QSize(self.roll.seen.width, PHRASES_HEIGHT)

    @Slot()
    def rearrange(self) -> None:
        self.setGeometry(KEYBOARD_WIDTH, NUMBERS_HEIGHT, self.roll.seen.width, PHRASES_HEIGHT)
        self.setVisible(self.roll.picture is not None)
        self.update()

    def _point(self, x: float) -> None:
        self._pointed = self._phrase_at(x)
        shape = Qt.CursorShape.PointingHandCursor
        self.setCursor(shape if self._end_at(x) is None else Qt.CursorShape.SplitHCursor)
        self.update()

    def _end_at(self, x: float) -> int | None:
        """Return the phrase whose end a press at a pixel would drag; None: of none."""
        view = self.roll.seen
        near = self.lane.end_at(view.step_at(x), _GRIP / view.step_width)
        return None if self.disabled_reason else near

    def _phrase_at(self, x: float) -> int | None:
        return self.lane.phrase_at(self.roll.seen.step_at(x))

    def _bar_at(self, x: float) -> int:
        return self.lane.bar_at(self.roll.seen.step_at(x))

    def _end_of(self, index: int) -> int:
        return self.lane.bar_at(self.lane.phrases[index].stop)

    def _foot_of_selected(self) -> QPoint:
        phrases = self.lane.phrases
        x = self.box(phrases[self.selected]).center().x() if phrases else 0
        return QPoint(min(max(round(x), 0), self.width()), self.height())


_SELECT: Final = tr("S&elect this phrase")
_REWRITE: Final = tr("&Rewrite the lower voices of this phrase")
_AS_IN_BACH: Final = tr("All phrases as in &Bach")
_AS_IN_BACH_TIP: Final = tr("Draw phrases and pickup from the seed")
_UNDO: Final = tr("&Undo all changes of phrases")
_CADENCES: Final = {
    "authentic": tr("&Authentic cadence"), "half": tr("&Half cadence"),
    "plagal": tr("&Plagal cadence"), "deceptive": tr("&Deceptive cadence"),
}  # fmt: skip
_ANY_CADENCE: Final = tr("A&ny cadence")
_SPLIT: Final = tr("&Split the phrase")
_JOIN: Final = tr("&Join with the next one")


class PhraseMenu(QMenu):
    """The menu; a passive widget.

    Attributes:
        verse: the command for the harmony of a verse, of one that the selected phrase is in.
    """

    select_wanted = Signal(int)  # the index of a phrase of the piece
    # the index of a phrase of the piece whose lower voices are to be rewritten
    rewrite_wanted = Signal(int)
    cadence_chosen = Signal(int, str)  # the index of a phrase and a kind of cadence, "" for any
    split_wanted = Signal(int)
    join_wanted = Signal(int)  # the index of a phrase that is to end with the next one
    redraw_wanted = Signal()
    undo_wanted = Signal()  # the phrases are to be as before all changes

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.can_undo = False
        self.verse: QAction | None = None
        self.setToolTipsVisible(True)

    def offer(self, lane: PhraseLane, index: int, *, can_edit: bool = True) -> None:
        """Offer what can be done with a phrase, and its changes only if they are possible now."""
        self.clear()
        if lane.phrases and not lane.planned:
            self._offer(_SELECT, self.select_wanted, index)
            self._offer(_REWRITE, self.rewrite_wanted, index)
            if self.verse is not None and self.verse.isEnabled():
                offered = self._offer(self.verse.text(), self.select_wanted, index)
                offered.triggered.connect(self.verse.trigger)
            self.addSeparator()
        if not can_edit:
            return
        if lane.phrases:
            self._offer_changes(lane, index)
        self._offer(_AS_IN_BACH, self.redraw_wanted).setToolTip(_AS_IN_BACH_TIP)
        if self.can_undo:
            self._offer(_UNDO, self.undo_wanted)

    def _offer_changes(self, lane: PhraseLane, index: int) -> None:
        phrase = lane.phrases[index]
        for kind, label in CADENCE_LABELS.items():
            title = f"{_CADENCES[kind]}\t{label}" if kind else _ANY_CADENCE
            action = self._offer(title, self.cadence_chosen, index, kind)
            action.setCheckable(True)
            action.setChecked(kind == phrase.cadence)
        self.addSeparator()
        split = self._offer(_SPLIT, self.split_wanted, index)
        split.setEnabled(phrase.bars >= LEAST_TO_SPLIT)
        join = self._offer(_JOIN, self.join_wanted, index)
        join.setEnabled(index < len(lane.phrases) - 1)
        self.addSeparator()

    def _offer(self, text: str, signal: SignalInstance, *place: object) -> QAction:
        action = self.addAction(text)
        action.triggered.connect(lambda: signal.emit(*place))
        return action
