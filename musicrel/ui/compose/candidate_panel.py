"""The panel of ranked candidates beside the sheet, each a passage to see, to read and to play.

The measures of the ranking and their weights are columns that can be opened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import (
    QEvent,
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
    SignalInstance,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QToolTip,
    QWidget,
)

from musicrel.figures import roll
from musicrel.figures.paint import draw_numeral, sized_font, spread_numerals
from musicrel.language import tr
from musicrel.presentation.compose.candidate_table import COLUMNS, Music, Row
from musicrel.presentation.words.keys import with_keys
from musicrel.ui.compose.controls import WIDTH
from musicrel.ui.compose.form_fields import WeightFields
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.fields import Fold
from musicrel.ui.widgets.stylesheet import current_theme

ACCEPT_TIP: Final = tr(
    "Replace the piece with this candidate; Undo restores it ({key[rewriting.accept]})"
)
ACCEPT_WAITS: Final = tr("Wait until the candidates are finished, then select one")
RETRY: Final = tr("Try again")
RETRY_TIP: Final = tr("Write other candidates of this passage, with more of its voices")
PLAY_TIP: Final = tr(
    "Play the passage in a loop, with the bar before it ({key[rewriting.play_passage]})"
)
_FINE: Final = 1000
_HEADER_SCALE: Final = 0.85
# width in pixels of a header section beside its title: padding and the gap to the next one
_HEADER_EDGES: Final = 7
_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_CLOSE: Final = tr("Close the candidates ({key[rewriting.back]})")
_TABLE: Final = tr("Candidates, the original first, then the best")
_MORE: Final = tr("More columns")
_MORE_TIP: Final = tr("The measures that rank the candidates, and their weights")
_ORIGINAL: Final = tr("Original")
_CANDIDATE: Final = tr("Candidate {number}")


class CandidatePanel(QFrame):
    chosen = Signal(int)  # the user selected a candidate; its number
    pointed_at = Signal(int)  # the mouse is on the row of a candidate; its number

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAccessibleName(tr("Candidates"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.title, self.detail, self.note = QLabel(tr("Candidates")), QLabel(), QLabel()
        self.remark = QLabel()  # A remark on all candidates
        self.close_button = icons.button("close", _CLOSE, 16)
        self.progress = QProgressBar(textVisible=False, maximum=_FINE)
        self.table = CandidateTable()
        self.weights = WeightFields()
        self.more = Fold(_MORE, _MORE_TIP, self.weights)
        self.accept = QPushButton(tr("Accept"))
        # requests others for the same passage; hidden unless a rule is to be avoided
        self.retry = QPushButton(RETRY)
        self._lay_out()
        self.table.currentCellChanged.connect(partial(self._emit, self.chosen))
        self.table.cellEntered.connect(partial(self._emit, self.pointed_at))
        self.more.opened.connect(self.table.show_columns)

    def show_columns(self, *, on: bool) -> None:
        """Show the measures of the candidates and their weights, or only the music."""
        self.more.set_open(on=on)
        self.table.show_columns(on)

    def minimumSizeHint(self) -> QSize:
        size = super().minimumSizeHint()
        return QSize(max(size.width(), WIDTH), size.height())

    def begin(self, detail: str, remark: str = "") -> None:
        self.table.show_rows((), None)
        self.detail.setText(detail)
        self.set_remark(remark)
        self.set_accept_enabled(False)
        self.retry.hide()
        self.set_note("")
        self.set_progress(0.0)

    def set_progress(self, share: float | None) -> None:
        """Show the progress, 0 to 1; None hides it."""
        self.progress.setVisible(share is not None)
        self.progress.setValue(round((share or 0.0) * _FINE))

    def set_accept_enabled(self, enabled: bool) -> None:
        self.accept.setEnabled(enabled)
        self.accept.setToolTip(with_keys(ACCEPT_TIP) if enabled else ACCEPT_WAITS)

    def set_remark(self, sentence: str) -> None:
        self.remark.setText(sentence)
        self.remark.setVisible(bool(sentence))

    def set_note(self, sentence: str) -> None:
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))

    def _emit(self, signal: SignalInstance, row: int, *_: object) -> None:
        number = self.table.number_at(row)
        if number is not None:
            signal.emit(number)

    def _lay_out(self) -> None:
        stylesheet.scale_font(self.title, 1.15, QFont.Weight.DemiBold)
        for label in (self.detail, self.remark, self.note):
            label.setObjectName("quiet")
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setObjectName("problem")
        self.progress.setAccessibleName(tr("Progress"))
        self.accept.setObjectName("main")
        self.accept.setMinimumHeight(34)
        self.retry.setToolTip(RETRY_TIP)
        self.retry.hide()
        head = layout.row((self.title, 1), self.close_button, spacing=8)
        layout.column(
            head, self.detail, self.remark, self.progress, (self.table, 1), self.note, self.retry,
            self.accept, self.more, owner=self, spacing=8, margins=(10, 12, 10, 12),
        )  # fmt: skip


Index = QModelIndex | QPersistentModelIndex
_EDGE: Final = 7  # pixels around the parts of a passage
_THUMBNAIL: Final = 40
_NUMERALS: Final = 18
_NUMERAL_SIZE: Final = 12.0
_BASELINE: Final = 13.0
_BUTTON: Final = 30
_LEAST_MUSIC: Final = 176  # least width of the passage where columns are shown


class Passages(QStyledItemDelegate):
    """A painter of passages: picture, Roman numerals, a sentence and a button that plays it."""

    def __init__(self, table: CandidateTable) -> None:
        super().__init__(table)
        self._table = table

    def height(self) -> int:
        line = QFontMetrics(self._table.font()).height()
        return _THUMBNAIL + _NUMERALS + line + 2 * _EDGE

    def button(self, cell: QRect) -> QRect:
        """Return the place of the button in the cell of a passage."""
        top = cell.top() + _EDGE + (_THUMBNAIL - _BUTTON) // 2
        return QRect(cell.right() - _EDGE - _BUTTON, top, _BUTTON, _BUTTON)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, number = current_theme(), int(index.data(Qt.ItemDataRole.UserRole))
        music, cell = self._table.music.get(number), option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.fillRect(cell, QColor(theme.accent))
        ink = theme.on_accent if chosen else theme.text
        width = cell.width() - _BUTTON - 3 * _EDGE
        picture = QRect(cell.left() + _EDGE, cell.top() + _EDGE, width, _THUMBNAIL)
        painter.fillRect(picture, QColor(theme.lane))
        if music is not None:
            self._picture(painter, music, picture)
            below = QRect(picture.left(), picture.bottom() + 1, width, _NUMERALS)
            painter.setPen(QColor(ink))
            self._numerals(painter, music, below)
        painter.setPen(QColor(ink))
        self._sentence(painter, music, str(index.data()), cell)
        if music is not None:
            self._button(painter, self.button(cell), chosen=chosen)
        painter.restore()

    def _picture(self, painter: QPainter, music: Music, box: QRect) -> None:
        theme, wide = current_theme(), box.width() / (music.stop - music.start)
        for line in music.piece.bar_line_steps():
            if music.start < line < music.stop:
                x = box.left() + round((line - music.start) * wide)
                painter.fillRect(x, box.top(), 1, box.height(), QColor(theme.line_beat))
        painter.translate(box.left(), box.top() + 3)
        size = QSize(box.width(), box.height() - 6).toSizeF()
        part = (music.start, music.stop)
        roll.draw_thumbnail(painter, music.piece, size, theme, changed=music.new, part=part)
        painter.translate(-box.left(), -box.top() - 3)

    def _numerals(self, painter: QPainter, music: Music, box: QRect) -> None:
        font = sized_font(painter.font(), _NUMERAL_SIZE, QFont.Weight.Medium)
        wide = box.width() / (music.stop - music.start)
        placed = spread_numerals(
            music.numerals or (),
            lambda step: box.left() + (step - music.start) * wide,
            lambda text: draw_numeral(None, QPointF(), text, font),
            lambda one: bool(music.piece.fermatas[one.start : one.stop].any()),
        )
        for one, left in placed:
            if left + draw_numeral(None, QPointF(), one.text, font) <= box.right() + 1:
                draw_numeral(painter, QPointF(left, box.top() + _BASELINE), one.text, font)

    def _sentence(self, painter: QPainter, music: Music | None, number: str, cell: QRect) -> None:
        font = QFont(self._table.font())
        line = QFontMetrics(font).height()
        box = QRect(cell.left() + _EDGE, 0, cell.width() - 2 * _EDGE, line)
        box.moveBottom(cell.bottom() - _EDGE + 2)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        title = _ORIGINAL if number == "0" else number
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, title)
        left = painter.fontMetrics().horizontalAdvance(f"{title}  ")
        painter.setFont(self._table.font())
        box.setLeft(box.left() + left)
        text = music.sentence if music is not None else ""
        elide = Qt.TextElideMode.ElideRight
        shown = painter.fontMetrics().elidedText(text, elide, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)

    def _button(self, painter: QPainter, box: QRect, *, chosen: bool) -> None:
        theme = current_theme()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.on_accent if chosen else theme.accent))
        painter.drawEllipse(QRectF(box))
        name = "pause" if chosen and self._table.playing else "play"
        icon = icons.themed(name, "accent" if chosen else "on_accent")
        icon.paint(painter, box.adjusted(7, 7, -7, -7))


class CandidateTable(QTableWidget):
    """The rows.

    Attributes:
        music: number of a candidate -> its passage.
        playing: whether the passage of the chosen one is being played.
    """

    accept_requested = Signal()  # Enter was pressed, or a row double-clicked
    left = Signal()  # the mouse has left the rows
    play_clicked = Signal(int)  # the button that plays a passage; number of the candidate

    def __init__(self) -> None:
        super().__init__(0, len(COLUMNS))
        self.music: Mapping[int, Music] = {}
        self.playing = False
        self._passages = Passages(self)
        self.setItemDelegateForColumn(0, self._passages)
        self.setObjectName("dense")
        self.setAccessibleName(_TABLE)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setShowGrid(False)
        stylesheet.scale_font(self, 0.92)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self._passages.height())
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._fill_header()
        self.show_columns(on=False)
        self.cellDoubleClicked.connect(self.accept_requested)
        self.viewportEntered.connect(self.left)

    def _fill_header(self) -> None:
        # an item keeps its font when the style sheet is set again; the header does not
        font = stylesheet.scaled_font(_HEADER_SCALE)
        for place, column in enumerate(COLUMNS):
            head = QTableWidgetItem(column.title)
            head.setToolTip(column.tooltip)
            head.setData(Qt.ItemDataRole.AccessibleTextRole, column.full_title)
            head.setTextAlignment(_RIGHT)
            head.setFont(font)
            self.setHorizontalHeaderItem(place, head)
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(20)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def show_columns(self, on: bool) -> None:
        for column in range(1, len(COLUMNS)):
            self.setColumnHidden(column, not on)
        self.horizontalHeader().setVisible(on)
        self._distribute_width()
        self.updateGeometry()

    def show_music(self, music: Mapping[int, Music], *, playing: bool) -> None:
        self.music, self.playing = music, playing
        self._name_rows()
        self.viewport().update()

    def _name_rows(self) -> None:
        for place in range(self.rowCount()):
            number, item = self.number_at(place), self.item(place, 0)
            known = self.music.get(-1 if number is None else number)
            if item is not None and known is not None:
                name = _CANDIDATE.format(number=number) if number else _ORIGINAL
                spoken = f"{name}: {known.sentence}"
                item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)

    def show_rows(self, rows: Sequence[Row], chosen: int | None) -> None:
        with QSignalBlocker(self):
            self.setCurrentCell(-1, -1)
            self.setRowCount(len(rows))
            for place, row in enumerate(rows):
                for column, text in enumerate(row.cells):
                    item = QTableWidgetItem(text)
                    item.setData(Qt.ItemDataRole.UserRole, row.number)
                    item.setToolTip(row.details)
                    item.setTextAlignment(_RIGHT)
                    self.setItem(place, column, item)
                if row.number == chosen:
                    self.setCurrentCell(place, 0)
        self._name_rows()
        self._distribute_width()
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(sum(self._widths()) + bar, super().minimumSizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.verticalHeader().setDefaultSectionSize(self._passages.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._distribute_width()
        self.scrollTo(self.currentIndex())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows, with lines between them."""
        super().paintEvent(event)
        painter, width = QPainter(self.viewport()), self.viewport().width()
        for row in range(self.rowCount()):
            foot = self.rowViewportPosition(row) + self.rowHeight(row) - 1
            painter.fillRect(0, foot, width, 1, QColor(current_theme().edge))
        painter.end()

    def _widths(self) -> list[int]:
        metrics = QFontMetrics(stylesheet.scaled_font(_HEADER_SCALE))
        titles = [
            max(metrics.horizontalAdvance(line) for line in column.title.splitlines())
            for column in COLUMNS
        ]
        shown = [
            0 if self.isColumnHidden(at) else max(title + _HEADER_EDGES, self.sizeHintForColumn(at))
            for at, title in enumerate(titles)
        ]
        return [_LEAST_MUSIC, *shown[1:]]

    def _distribute_width(self) -> None:
        music, *widths = self._widths()
        for column, width in enumerate(widths, start=1):
            self.setColumnWidth(column, width)
        self.setColumnWidth(0, max(self.viewport().width() - sum(widths), music))

    def number_at(self, row: int) -> int | None:
        item = self.item(row, 0)
        return None if item is None else int(item.data(Qt.ItemDataRole.UserRole))

    def move_by(self, rows: int) -> None:
        row = min(max(self.currentRow() + rows, 0), self.rowCount() - 1)
        if row >= 0:
            self.setCurrentCell(row, 0)

    def select_number(self, number: int) -> None:
        rows = [row for row in range(self.rowCount()) if self.number_at(row) == number]
        if rows:
            self.setCurrentCell(rows[0], 0)

    def _button_at(self, place: QPoint) -> int | None:
        """Return the number of the candidate whose button is at a point, if any."""
        index = self.indexAt(place)
        if index.column() != 0 or not self._passages.button(self.visualRect(index)).contains(place):
            return None
        number = self.number_at(index.row())
        return number if number in self.music else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._button_at(event.position().toPoint())
        if number is not None and event.button() == Qt.MouseButton.LeftButton:
            self.play_clicked.emit(number)
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._button_at(event.position().toPoint()) is None:
            super().mouseDoubleClickEvent(event)
        else:
            self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        on_button = self._button_at(event.position().toPoint()) is not None
        shapes = Qt.CursorShape
        self.viewport().setCursor(shapes.PointingHandCursor if on_button else shapes.ArrowCursor)
        super().mouseMoveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self._button_at(event.pos()) is not None:
            QToolTip.showText(event.globalPos(), with_keys(PLAY_TIP), self)
            return True
        if event.type() == QEvent.Type.Leave:
            self.left.emit()
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and not event.modifiers():
            self.accept_requested.emit()
        else:
            super().keyPressEvent(event)


_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
