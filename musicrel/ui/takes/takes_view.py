"""The strip of cards, which scrolls sideways; only visible cards are painted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView

from musicrel.project.take_table import TakeRow
from musicrel.ui.takes.take_delegate import TakeDelegate
from musicrel.ui.takes.take_model import TakeModel

_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_SELECT: Final = QItemSelectionModel.SelectionFlag.Select


class TakesView(QListView):
    """The cards; arrow keys and clicks select, Enter and double clicks use a take."""

    selection_changed = Signal()
    use_requested = Signal()  # Enter was pressed, or a card double-clicked
    star_clicked = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.takes, self.cards = TakeModel(), TakeDelegate()
        self.setAccessibleName("Takes")
        self.setObjectName("takes")
        self.setModel(self.takes)
        self.setItemDelegate(self.cards)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(False)
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.selectionModel().selectionChanged.connect(lambda *_: self.selection_changed.emit())
        self.set_low(low=False)

    # ------------------------------------------------------------------ contents

    def set_low(self, *, low: bool) -> None:
        """Show low cards, or high ones."""
        self.cards.low = low
        bar = self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(self.cards.size.height() + bar)
        self.scheduleDelayedItemsLayout()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.set_low(low=self.cards.low)

    def show_rows(self, rows: Sequence[TakeRow]) -> None:
        """Show these takes; the selected ones stay selected, and the place where it is."""
        selected, scrolled = self.selected_numbers, self.horizontalScrollBar().value()
        here = self.current_row
        if not self.takes.set_rows(rows):
            return
        self.select(selected, current=here.number if here is not None else None)
        self.horizontalScrollBar().setValue(scrolled)

    def select(self, numbers: Sequence[int], *, current: int | None = None) -> None:
        """Select these takes; the keyboard continues at ``current``."""
        chosen, before = self.selectionModel(), self.blockSignals(True)
        chosen.clear()
        chosen.select(self.takes.selection_of(numbers), _SELECT)
        last = self.takes.index_of(current if current is not None else next(iter(numbers), 0))
        chosen.setCurrentIndex(last, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.blockSignals(before)
        self.selection_changed.emit()

    @property
    def selected_rows(self) -> tuple[TakeRow, ...]:
        places = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        rows = (self.takes.row_at(self.takes.index(place, 0)) for place in places)
        return tuple(row for row in rows if row is not None)

    @property
    def selected_numbers(self) -> tuple[int, ...]:
        return tuple(row.number for row in self.selected_rows)

    @property
    def current_row(self) -> TakeRow | None:
        return self.takes.row_at(self.currentIndex())

    def scroll_to(self, number: int) -> None:
        """Scroll to a take, as far as it is needed to see it."""
        self.scrollTo(self.takes.index_of(number))

    def rename(self) -> None:
        """Open the field for the name of the current take."""
        if self.currentIndex().isValid():
            self.edit(self.currentIndex())

    # ------------------------------------------------------------------ keyboard and mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        editing = self.state() == QListView.State.EditingState
        if event.key() in _ENTER and not event.modifiers():
            if not editing:
                self.use_requested.emit()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, _text: str) -> None:
        """Search nothing: letters and digits are commands."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Rate a take by a click on a star; elsewhere a click selects."""
        place = event.position().toPoint()
        index = self.indexAt(place)
        row = self.takes.row_at(index)
        star = self.cards.card(self.visualRect(index)).star_at(place) if row is not None else None
        if row is None or star is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
        else:
            self.star_clicked.emit(row.number, star)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Rename a take by a double click on its name; elsewhere it is used."""
        place = event.position().toPoint()
        index = self.indexAt(place)
        card = self.cards.card(self.visualRect(index))
        if not index.isValid() or card.rating.contains(place):
            self.mousePressEvent(event)
        elif card.name.contains(place):
            self.edit(index)
        else:
            self.use_requested.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        angle = event.angleDelta()
        if angle.x() or not angle.y():
            super().wheelEvent(event)
            return
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - angle.y() * self.cards.size.width() // 120)
        event.accept()

    def sizeHint(self) -> QSize:
        return QSize(3 * self.cards.size.width(), self.height())
