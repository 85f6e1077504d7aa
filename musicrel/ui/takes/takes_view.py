"""The strip of cards, which scrolls sideways; only visible cards are painted.

Here are the painter of the cards, too, and the field in which a take is renamed.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPixmap,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from musicrel.figures import roll
from musicrel.language import decimal, tr
from musicrel.presentation import changes
from musicrel.presentation.words.keys import with_keys
from musicrel.project import take_table
from musicrel.project.contents import MAX_RATING
from musicrel.project.take_table import TakeRow
from musicrel.ui.actions.commands import Group
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.elided_label import ElidedBox, ElidedLabel
from musicrel.ui.widgets.fields import FoldHeading, add_entries
from musicrel.ui.widgets.stylesheet import current_theme, scaled_font

ROW: Final = Qt.ItemDataRole.UserRole  # role of the ``TakeRow``
Index = QModelIndex | QPersistentModelIndex
_CURRENT = tr("current")
_ROUND = 6
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
# widths at the usual height of a line; a card in a low window has thumbnail, name and rating
_WIDTH, _LOW_WIDTH = 204, 180
GAP: Final = 8  # pixels between two cards
_EDGE: Final = 6
_STAR: Final = 14
_THUMBNAIL: Final = 44
_LOW_THUMBNAIL: Final = 32
_POINTS: Final = 5
_INNER: Final = 0.45  # inner radius of a star as a share of the outer one
# thumbnails that are kept, 40 kilobytes each: those on the screen, and some to scroll back to
MAX_KEPT: Final = 64
EMPTY: Final = tr("Every piece that is generated, rewritten or harmonised is kept here as a take.")
NO_MATCH: Final = tr("No take matches: choose “All takes”")
_HIGH: Final = 820  # height in pixels of a window whose cards have all their lines
_CRAMPED: Final = 760  # height in pixels below which the window has no room for takes and mixer
_ROOMY: Final = 85  # width in letters from which the order can be chosen beside the filter
_TEXT_STRETCH: Final = 100  # share of a text in spare width, where the blank after it has 1
_FILTER: Final = tr("Takes to show")
_ORDER: Final = tr("Order of takes")
_HIDE: Final = tr("Close the takes ({key[takes.show]})")
_SHOW: Final = tr("Open the takes: all pieces and candidates so far ({key[takes.show]})")
_SOME: Final = tr("{shown:,} of {total:,}")
_COUNT: Final = tr("Takes  ·  {shown}")


class TakeDelegate(QStyledItemDelegate):
    def __init__(self) -> None:
        super().__init__()
        self.low = False
        self.thumbnails = Thumbnails()

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return self.size + QSize(GAP, 0)

    @property
    def size(self) -> QSize:
        return card_size(_metrics(), low=self.low)

    def card(self, cell: QRect) -> TakeCard:
        return TakeCard(cell, _metrics(), low=self.low)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: TakeRow = index.data(ROW)
        card = self.card(option.rect)
        size, ratio = card.thumbnail.size(), painter.device().devicePixelRatioF()
        picture = self.thumbnails.picture(row, size, ratio)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _frame(painter, card, option)
        painter.fillRect(card.thumbnail, QColor(current_theme().lane))
        painter.drawPixmap(card.thumbnail.topLeft(), picture.pixmap)
        _rating(painter, card, row.rating)
        self._texts(painter, card, row, picture.changes)
        if row.current:
            _badge(painter, card)
        painter.restore()

    def _texts(self, painter: QPainter, card: TakeCard, row: TakeRow, changes: str) -> None:
        theme, quiet = current_theme(), scaled_font(0.86)
        weight = QFont.Weight.DemiBold if row.current else QFont.Weight.Medium
        name = scaled_font(0.94, weight)
        front, middle = Qt.TextElideMode.ElideLeft, Qt.TextElideMode.ElideMiddle
        lines = [(card.name, row.name, name, theme.text, front)]  # names differ at their ends
        if not card.low:
            origin = "  ·  ".join(part for part in (row.action, changes) if part)
            lines.append((card.origin, origin, quiet, theme.quiet, middle))
            lines.append((card.source, row.source, quiet, theme.quiet, middle))
        for place, text, font, colour, mode in lines:
            shown = QFontMetrics(font).elidedText(text, mode, place.width())
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(place, _LEFT, shown)

    # ------------------------------------------------------------------ renaming

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, _index: Index
    ) -> None:
        card = self.card(option.rect)
        height = editor.sizeHint().height()
        top = card.name.center().y() - height // 2
        editor.setGeometry(card.frame.left(), top, card.frame.width(), height)


def _frame(painter: QPainter, card: TakeCard, option: QStyleOptionViewItem) -> None:
    theme, state = current_theme(), option.state
    selected = bool(state & QStyle.StateFlag.State_Selected)
    hovered = bool(state & QStyle.StateFlag.State_MouseOver)
    painter.setBrush(QColor(theme.hover if hovered or selected else theme.field))
    pen = painter.pen()
    focused = bool(state & QStyle.StateFlag.State_HasFocus)
    pen.setColor(QColor(theme.accent if selected or focused else theme.edge))
    pen.setWidth(2 if selected else 1)
    painter.setPen(pen)
    painter.drawRoundedRect(card.frame.adjusted(1, 1, -1, -1), _ROUND, _ROUND)


def _rating(painter: QPainter, card: TakeCard, rating: int) -> None:
    theme = current_theme()
    for number, star in enumerate(card.stars(), start=1):
        filled = number <= rating
        painter.setPen(QColor(theme.accent if filled else theme.faint))
        painter.setBrush(QColor(theme.accent) if filled else Qt.BrushStyle.NoBrush)
        painter.drawPolygon(star)


def _badge(painter: QPainter, card: TakeCard) -> None:
    theme = current_theme()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.accent))
    font = scaled_font(0.76, QFont.Weight.DemiBold)
    place = card.badge(QFontMetrics(font), _CURRENT)
    painter.drawRoundedRect(place, 4, 4)
    painter.setPen(QColor(theme.on_accent))
    painter.setFont(font)
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, _CURRENT)


def _metrics() -> QFontMetrics:
    return QFontMetrics(scaled_font(1.0))


class TakeCard:
    def __init__(self, cell: QRect, metrics: QFontMetrics, *, low: bool) -> None:
        size = card_size(metrics, low=low)
        self.low = low
        self.frame = QRect(cell.topLeft(), size)
        inner = self.frame.adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        height = _LOW_THUMBNAIL if low else _THUMBNAIL
        self.thumbnail = QRect(inner.topLeft(), QSize(inner.width(), height))
        stars = MAX_RATING * _STAR
        step = _line(metrics)
        line = QRect(inner.left(), self.thumbnail.bottom() + 4, inner.width(), step)
        self.origin = line.translated(0, step)
        self.source = line.translated(0, 2 * step)
        rated = line if low else self.source  # beside the shortest text that there is
        self.rating = QRect(rated.right() + 1 - stars, rated.top(), stars, step)
        rated.setRight(rated.right() - stars - 6)
        self.name = line

    def star_at(self, place: QPoint) -> int | None:
        if not self.rating.contains(place):
            return None
        return min((place.x() - self.rating.left()) // _STAR + 1, MAX_RATING)

    def stars(self) -> list[QPolygonF]:
        middle = self.rating.center().y() + 0.5
        lefts = [self.rating.left() + number * _STAR for number in range(MAX_RATING)]
        return [_star(QPointF(left + _STAR / 2, middle)) for left in lefts]

    def badge(self, metrics: QFontMetrics, text: str) -> QRectF:
        width = metrics.horizontalAdvance(text) + 2 * 5
        right, top = self.thumbnail.right() - 1, self.thumbnail.top() + 1
        return QRectF(right - width, top, width, metrics.height())


def card_size(metrics: QFontMetrics, *, low: bool) -> QSize:
    lines, thumbnail = (1, _LOW_THUMBNAIL) if low else (3, _THUMBNAIL)
    width = (_LOW_WIDTH if low else _WIDTH) * metrics.height() // 17
    height = 2 * _EDGE + thumbnail + 2 + lines * _line(metrics)
    return QSize(max(width, _LOW_WIDTH if low else _WIDTH), height)


def _line(metrics: QFontMetrics) -> int:
    return max(metrics.height(), 18)


def _star(middle: QPointF) -> QPolygonF:
    outer, points = _STAR / 2 - 1, []
    for corner in range(2 * _POINTS):
        radius = outer * (_INNER if corner % 2 else 1)
        angle = math.pi * corner / _POINTS
        offset = QPointF(radius * math.sin(angle), -radius * math.cos(angle))
        points.append(middle + offset)
    return QPolygonF(points)


class Picture(NamedTuple):
    """A thumbnail, and what differs from the piece before, as '12 notes changed', or ""."""

    pixmap: QPixmap
    changes: str


class Thumbnails:
    def __init__(self) -> None:
        # number of a take -> what its picture was painted for, and the picture
        self._kept: OrderedDict[int, tuple[tuple[object, ...], Picture]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def picture(self, row: TakeRow, size: QSize, ratio: float) -> Picture:
        look = (row.piece, row.before, size.toTuple(), ratio, current_theme().name)
        kept = self._kept.pop(row.number, None)
        if kept is None or kept[0] != look:
            kept = look, _painted(row, size, ratio)
        self._kept[row.number] = kept
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return kept[1]


def _painted(row: TakeRow, size: QSize, ratio: float) -> Picture:
    made = changes.compare(row.piece, row.before) if row.before is not None else None
    pixmap = QPixmap(size * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        changed = made.new if made is not None else None
        roll.draw_thumbnail(painter, row.piece, size.toSizeF(), current_theme(), changed=changed)
    return Picture(pixmap, made.describe() if made is not None else "")


_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_NO_PARENT: Final = QModelIndex()


class TakeModel(QAbstractListModel):
    renamed = Signal(int, str)  # the user entered a name; number of the take and name

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[TakeRow, ...] = ()
        self._places: dict[int, int] = {}

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def row_at(self, index: Index) -> TakeRow | None:
        return self._rows[index.row()] if index.isValid() else None

    def index_of(self, number: int) -> QModelIndex:
        return self.index(self._places.get(number, -1), 0)

    def selection_of(self, numbers: Iterable[int]) -> QItemSelection:
        places = sorted({self._places[number] for number in numbers if number in self._places})
        selection = QItemSelection()
        for _, pairs in groupby(enumerate(places), lambda pair: pair[1] - pair[0]):
            stretch = [place for _, place in pairs]
            selection.select(self.index(stretch[0], 0), self.index(stretch[-1], 0))
        return selection

    def set_rows(self, rows: Sequence[TakeRow]) -> bool:
        """Show these takes; return False if the same ones stay in the same order."""
        before, after = self._rows, tuple(rows)
        if [row.number for row in before] == [row.number for row in after]:
            self._rows = after
            for place, (old, new) in enumerate(zip(before, after, strict=True)):
                if old != new:
                    index = self.index(place, 0)
                    self.dataChanged.emit(index, index)
            return False
        self.beginResetModel()
        self._rows = after
        self._places = {row.number: place for place, row in enumerate(after)}
        self.endResetModel()
        return True

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return row.name
            case Qt.ItemDataRole.AccessibleTextRole:
                return row.spoken
            case Qt.ItemDataRole.ToolTipRole:
                return f"{row.name}\n{row.details}"
        return row if role == ROW else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row_at(index)
        if row is None or role != Qt.ItemDataRole.EditRole:
            return False
        self.renamed.emit(row.number, str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        own = Qt.ItemFlag.ItemIsEditable if index.isValid() else Qt.ItemFlag.NoItemFlags
        return super().flags(index) | own


class TakesView(QListView):
    selection_changed = Signal()
    use_requested = Signal()  # Enter was pressed, or a card double-clicked
    star_clicked = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.takes, self.cards = TakeModel(), TakeDelegate()
        self.setAccessibleName(tr("Takes"))
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
        chosen.select(self.takes.selection_of(numbers), QItemSelectionModel.SelectionFlag.Select)
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

    def rename(self) -> None:
        self._rename(self.currentIndex())

    def _rename(self, index: Index) -> None:
        if index.isValid() and not self._editing:
            self.edit(index)

    @property
    def _editing(self) -> bool:
        return self.state() == QListView.State.EditingState

    # ------------------------------------------------------------------ keyboard and mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and not event.modifiers():
            if not self._editing:
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
            self._rename(index)
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


class TakesPanel(QFrame):
    room_changed = Signal()  # the window has another height

    def __init__(self, commands: Group, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAccessibleName(tr("Takes"))
        self._commands = commands
        self.cramped = False  # true in a window without room for takes and mixer
        self.heading = FoldHeading(tr("Takes"), with_keys(_SHOW))
        self.details, self.empty = ElidedLabel(), ElidedLabel()
        self.filter = _box(take_table.FILTERS, _FILTER)
        self.order = _box(take_table.ORDERS, _ORDER)
        self.view = TakesView()
        on_panel = (
            commands.play, commands.play_change, commands.use, commands.export, commands.delete
        )  # fmt: skip
        self.buttons = [_button(action) for action in on_panel]
        self._total = 0
        self._lay_out()
        self._connect()
        self.show_rows((), total=0)

    def set_open(self, *, on: bool) -> None:
        """Show the cards, or only a line that opens them."""
        self.heading.setChecked(on)
        self.heading.setToolTip(with_keys(_HIDE if on else _SHOW))
        self._update()

    def set_window_height(self, height: int) -> None:
        self.cramped = height < _CRAMPED
        if (height < _HIGH) != self.view.cards.low:
            self.view.set_low(low=height < _HIGH)
        self.room_changed.emit()

    def show_rows(self, rows: Sequence[TakeRow], *, total: int) -> None:
        all_of_them = len(rows) == total
        shown = decimal(total, ",") if all_of_them else _SOME.format(shown=len(rows), total=total)
        self.heading.setText(tr("Takes") if not total else _COUNT.format(shown=shown))
        self.view.show_rows(rows)
        self.empty.setText(NO_MATCH if total else EMPTY)
        self._total = total
        self._update()

    def _update(self) -> None:
        on, some = self.heading.isChecked(), self.view.takes.rowCount() > 0
        self.empty.setVisible(not some and (on or not self._total))
        self.filter.setVisible(on and self._total > 0)
        for part in (self.view, self.details, *self.buttons):
            part.setVisible(on and some)
        self._arranger.again()

    def show_all(self) -> None:
        with QSignalBlocker(self.filter):
            self.filter.setCurrentIndex(0)

    def _arrange(self) -> None:
        letters = self.fontMetrics().averageCharWidth()
        self.order.setVisible(self.filter.isVisibleTo(self) and self.width() >= _ROOMY * letters)

    def _lay_out(self) -> None:
        stylesheet.scale_font(self.heading, 1.0, QFont.Weight.DemiBold)
        for label in (self.details, self.empty):
            label.setObjectName("quiet")
        self.details.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.empty.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._commands.offer_on(self.view)
        texts = ((label, _TEXT_STRETCH) for label in (self.details, self.empty))
        head = layout.row(
            self.heading, 12, *texts, None, self.filter, self.order, 4, *self.buttons, spacing=4,
        )  # fmt: skip
        layout.column(head, self.view, owner=self, spacing=4, margins=(10, 3, 8, 3))
        self._arranger = layout.Arranger(self._arrange, self)

    def _connect(self) -> None:
        self.heading.clicked.connect(self._commands.show.trigger)
        self.view.customContextMenuRequested.connect(partial(self._commands.open_menu, self.view))


def _box(titles: Mapping[str, str], name: str) -> QComboBox:
    box = ElidedBox()
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setMinimumContentsLength(0)
    box.setAccessibleName(name)
    box.setToolTip(name)
    box.setObjectName("compact")
    stylesheet.scale_font(box, 0.92)
    add_entries(box, ((title, key) for key, title in titles.items()))
    box.setMaxVisibleItems(len(titles))
    return box


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setObjectName("flat")
    button.setIconSize(QSize(18, 18))
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setAccessibleName(action.iconText())
    return button
