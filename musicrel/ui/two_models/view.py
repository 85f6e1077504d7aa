"""The view of model B below the roll of A: a row of texts and buttons, and the roll of B."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QLineF, QRect, QRectF, Qt, Slot
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontMetricsF,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from musicrel.figures.paint import fill_rounded, sized_font, translucent
from musicrel.figures.roll import RULER_HEIGHT, Roll, Viewport
from musicrel.language import tr
from musicrel.presentation.two_models import SIDES, Agreement, Side
from musicrel.score.editing.notes import Note
from musicrel.ui.actions.commands import Group, key_text
from musicrel.ui.roll.roll_overlay import LanesOverlay
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.stylesheet import current_theme

NAME: Final = tr("Piano roll of model B")
_TAKE: Final = tr("Take {bar}")
_FIRST_BAR: Final = tr("bar 1")
_MORE: Final = tr("More ▾")
_MORE_NAME: Final = tr("More about B")
_COUNTER_TIP: Final = tr(
    "A note agrees if the other piece has one of the same voice, beginning, length and pitch; "
    "it is faint in both; click to move the playhead to the first difference"
)
_WITH_KEY: Final = "{tip} ({key})"
_LETTER_WIDTH: Final = 32
_LEAST_HEIGHT: Final = 60  # least height of the roll in pixels
_SURPRISAL_TIP: Final = tr(
    "Surprisal of each piece under both models: the mean of -ln p over the sixteenths of all voices"
)
_VEIL: Final = 0.66  # opacity of the paper's colour over a note that both pieces have
_LINE: Final = 2.0
_TICK: Final = 6.0  # greatest width of the line below the beginning of a note
_CHIP: Final = 18.0
_MARGIN: Final = 4.0
_LETTERS: Final = 12
_NAME_SHARE: Final = 0.3  # greatest share of the roll that the name of a model covers


class TwoModelsView(QWidget):
    """The view.

    Attributes:
        counter: how far the pieces agree.
        pieces: those of A and B in words.
    """

    def __init__(self, above: RollView, commands: Group) -> None:
        super().__init__()
        self._commands, self._above = commands, above
        self.counter, self.pieces = ElidedLabel(), (QLabel(wordWrap=True), QLabel(wordWrap=True))
        self.below = TwinRoll(above)
        self.below.roll.setAccessibleName(NAME)
        self.marks = DifferenceMarks(above, "A"), DifferenceMarks(self.below.roll, "B")
        self.take, self._more = QToolButton(), QToolButton()
        self._menu = QMenu(self)
        layout.column(self._head(), (self.below, 1), owner=self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.set_bar(_FIRST_BAR)
        self.hide()
        for roll in (above, self.below.roll):
            roll.view_changed.connect(self._share)

    @Slot()
    def _share(self) -> None:
        around = self.parentWidget()
        column = around.layout() if around is not None else None
        if self.isHidden() or not isinstance(column, QBoxLayout):
            return
        rests = [part.height() - roll.seen.height for part, roll in self._parts()]
        lanes = (self._above.height() + self.height() - sum(rests)) // 2
        for (part, _), rest in zip(self._parts(), rests, strict=True):
            column.setStretchFactor(part, lanes + rest)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._above.crowd(on=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._above.crowd(on=False)

    def _parts(self) -> tuple[tuple[QWidget, RollView], tuple[QWidget, RollView]]:
        around = self._above.parentWidget() or self._above
        return (around, self._above), (self, self.below.roll)

    def set_bar(self, bar: str) -> None:
        text = _TAKE.format(bar=bar)
        if text != self.take.text():
            self.take.setText(text)

    def set_texts(self, counter: str, pieces: tuple[str, str], details: tuple[str, str]) -> None:
        """Show the agreement, and both pieces in words.

        Args:
            details: the surprisal of each piece, for its tooltip; "" while it is not known.
        """
        if counter != self.counter.text():
            self.counter.setText(counter)
        for label, text, detail in zip(self.pieces, pieces, details, strict=True):
            label.setText(text)
            label.setToolTip(f"{detail}\n{_SURPRISAL_TIP}" if detail else "")
            label.setVisible(bool(text))

    def _head(self) -> QVBoxLayout:
        self.counter.setToolTip(_COUNTER_TIP)
        self.counter.set_clickable(clickable=True)
        self.counter.clicked.connect(self._commands.first.trigger)
        self.counter.setObjectName("quiet")
        stylesheet.scale_font(self.counter, 0.92)
        _bind(self.take, self._commands.take_bar)
        self._commands.fill_menu(self._menu)
        self._more.setText(_MORE)
        self._more.setAccessibleName(_MORE_NAME)
        self._more.setToolTip(_MORE_NAME)
        self._more.setObjectName("flat")
        self._more.clicked.connect(self._open_menu)
        close = icons.button("close", self._commands.close.toolTip())
        close.clicked.connect(self._commands.close.trigger)
        letters = map(self._letter, (self._commands.listen_a, self._commands.listen_b), "AB")
        tools = layout.row(None, *letters, 8, self.take, self._more, close, spacing=4)
        below = layout.Wrapped(layout.row((self.counter, 1)), tools, spacing=1)
        return layout.column(*self.pieces, below, spacing=1, margins=(18, 5, 8, 5))

    def _letter(self, action: QAction, letter: str) -> QToolButton:
        button = QToolButton()
        button.setText(letter)
        button.setMinimumWidth(_LETTER_WIDTH)
        button.setCheckable(True)
        button.setObjectName("flat")
        _bind(button, action)
        return button

    @Slot()
    def _open_menu(self) -> None:
        self._menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))


def _bind(button: QToolButton, action: QAction) -> None:

    def update() -> None:
        key = key_text(action.shortcuts()[:1])
        tip = _WITH_KEY.format(tip=action.toolTip(), key=key) if key else action.toolTip()
        button.setEnabled(action.isEnabled())
        button.setChecked(action.isChecked())
        button.setToolTip(tip if action.isEnabled() else action.toolTip())

    button.setAccessibleName(action.iconText())
    button.clicked.connect(action.trigger)
    action.changed.connect(update)
    update()


class TwinRoll(QWidget):
    """A roll that shows the steps and rows that another one shows.

    The ruler is above the upper edge of this widget, where nothing of it is visible.
    """

    def __init__(self, above: RollView) -> None:
        super().__init__()
        self._above = above
        self.roll = RollView(self)
        self.roll.crowd(on=True)
        self.roll.align(above.seen)
        self.roll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        bar = above.verticalScrollBar()
        bar.rangeChanged.connect(self._match_bar)
        self._match_bar(bar.minimum(), bar.maximum())
        self.roll.selects = False
        self._aligning, self._size = False, _size(self.roll.seen)
        self.setMinimumHeight(_LEAST_HEIGHT)
        above.view_changed.connect(self._follow_above)
        self.roll.view_changed.connect(self._lead_above)

    def show_roll(self, picture: Roll) -> None:
        self._aligning = True
        if self._above.picture is not None:
            self.roll.reserve(self._above.picture.low, self._above.picture.high)
        self.roll.show_roll(picture)
        self._aligning = False
        self._follow_above()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._aligning = True
        self.roll.setGeometry(0, -RULER_HEIGHT, self.width(), self.height() + RULER_HEIGHT)
        self._aligning = False
        self._follow_above()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow_above()

    @Slot(int, int)
    def _match_bar(self, _lowest: int, highest: int) -> None:
        """Leave room for a vertical scroll bar if A has one, so that both are as wide."""
        policy = Qt.ScrollBarPolicy
        self.roll.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOn if highest else policy.ScrollBarAlwaysOff
        )

    @Slot()
    def _follow_above(self) -> None:
        if self._aligning or not self.isVisible():
            return
        self._aligning = True
        self._above.refit()
        self.roll.align(self._above.seen)
        if self.roll.seen.row_height != self._above.seen.row_height:  # this one is higher
            self._above.align(self.roll.seen, follow=True)
        self._size = _size(self.roll.seen)
        self._aligning = False

    @Slot()
    def _lead_above(self) -> None:
        """Show in A the steps and rows that the user scrolled or zoomed to here.

        In another size, as while the window is resized, nobody scrolled.
        """
        if self._aligning or not self.isVisible():
            return
        ours, theirs = self.roll.seen, self._above.seen
        if _size(ours) == self._size and _place(ours) != _place(theirs):
            self._aligning = True
            self._above.align(ours)
            self._aligning = False
        self._follow_above()


def _place(seen: Viewport) -> tuple[float, float, float, float]:
    return seen.left, seen.step_width, seen.top, seen.row_height


def _size(seen: Viewport) -> tuple[int, int, int]:
    return seen.width, seen.height, seen.rows


class DifferenceMarks(LanesOverlay):
    """The marks on the roll of one side: its letter, the notes that only it has, the first one.

    Notes that both have are faint; each that only this piece has keeps its colour and has a tick.

    Attributes:
        model: name of the model, shown beside the letter; "": neither.
    """

    def __init__(self, roll: RollView, side: Side) -> None:
        super().__init__(roll)
        self._side = SIDES.index(side)
        self.agreement: Agreement | None = None
        self.model = ""
        self.sounding = False

    @property
    def shown_name(self) -> str:
        middle, room = Qt.TextElideMode.ElideMiddle, self.width() * _NAME_SHARE
        return QFontMetricsF(self._font()).elidedText(self.model, middle, room)

    def show_marks(self, agreement: Agreement | None, model: str, *, sounding: bool) -> None:
        self.agreement, self.model, self.sounding = agreement, model, sounding
        self.rearrange()

    def has_content(self) -> bool:
        return bool(self.model)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self.agreement is not None:
                self._paint_notes(painter, self.agreement, event.rect())
                self._paint_first(painter, self.agreement)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_label(painter)

    def _paint_notes(self, painter: QPainter, agreement: Agreement, region: QRect) -> None:
        theme, only = current_theme(), agreement.only[self._side]
        veil = translucent(theme.lane, _VEIL)
        for note, box in self._boxes(region):
            if note in only:
                width, height = min(box.width(), _TICK), min(box.height() / 3, _LINE)
                tick = QRectF(box.left(), box.bottom() + 1, width, height)
                painter.fillRect(tick, QColor(theme.text))
            elif note.stop <= agreement.pieces[0].steps:
                painter.fillRect(box, veil)

    def _boxes(self, region: QRect) -> Iterator[tuple[Note, QRectF]]:
        """Yield the notes in a region with their rectangles; a moving playhead repaints a strip."""
        picture, view = self.roll.picture, self.roll.seen
        first, last = view.step_at(region.left() - 1), view.step_at(region.right() + 2)
        for note in picture.notes if picture is not None else ():
            if note.stop > first and note.start < last:
                whole = view.box(note)
                left, right = round(whole.left()) + 1, round(whole.right())
                top, bottom = round(whole.top()), round(whole.bottom())
                yield note, QRectF(left, top, max(right - left, 1), max(bottom - top, 1))

    def _paint_first(self, painter: QPainter, agreement: Agreement) -> None:
        if agreement.first is not None:
            x = round(self.roll.seen.x(agreement.first)) + 0.5
            colour = QColor(current_theme().models[self._side])
            painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine))
            painter.drawLine(QLineF(x, 0, x, self.height()))

    def _font(self) -> QFont:
        return sized_font(self.font(), _LETTERS, QFont.Weight.Bold)

    def _paint_label(self, painter: QPainter) -> None:
        theme, letter = current_theme(), SIDES[self._side]
        colour = theme.models[self._side]
        font = self._font()
        name = self.shown_name
        width = QFontMetricsF(font).horizontalAdvance(name) + _CHIP + 3 * _MARGIN
        top = self.height() - _CHIP - _MARGIN  # the sopranos are above, and basses rarely so low
        ground = QRectF(_MARGIN, top, width, _CHIP)
        fill_rounded(painter, ground, _MARGIN, colour if self.sounding else theme.field)
        chip = QRectF(_MARGIN, top, _CHIP, _CHIP)
        fill_rounded(painter, chip, _MARGIN, colour)
        painter.setFont(font)
        painter.setPen(QColor(theme.lane))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, letter)
        painter.setPen(QColor(theme.lane if self.sounding else theme.text))
        beside = ground.adjusted(_CHIP + _MARGIN, 0, 0, 0)
        painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter, name)
