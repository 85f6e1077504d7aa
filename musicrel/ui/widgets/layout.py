"""Parts of panels and dialogs: rows, columns, group headings, form rows and scroll areas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias, TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from musicrel.ui.widgets import stylesheet

# greatest blank height in pixels below the last whole row, at the usual text size
_MAX_BLANK: Final = 56
_MOST_TIMES: Final = 4  # to arrange parts where each time gives their owner another size


_Box = TypeVar("_Box", bound=QBoxLayout)

# part of a row or column: a widget or layout, the same with a stretch factor, a number of blank
# pixels, or None for blank space that takes what is left
Part: TypeAlias = QWidget | QLayout | tuple[QWidget | QLayout, int] | int | None

Margins: TypeAlias = tuple[int, int, int, int]  # pixels at the left, top, right and bottom

NO_MARGINS: Final = (0, 0, 0, 0)


def row(
    *parts: Part, owner: QWidget | None = None, spacing: int = 0, margins: Margins = NO_MARGINS
) -> QHBoxLayout:
    """Return a layout with ``parts`` side by side; it becomes the layout of ``owner``."""
    return _filled(QHBoxLayout(), parts, owner, spacing, margins)


def column(
    *parts: Part, owner: QWidget | None = None, spacing: int = 0, margins: Margins = NO_MARGINS
) -> QVBoxLayout:
    """Return a layout with ``parts`` one below the other; it becomes the layout of ``owner``."""
    return _filled(QVBoxLayout(), parts, owner, spacing, margins)


def _filled(
    box: _Box, parts: tuple[Part, ...], owner: QWidget | None, spacing: int, margins: Margins
) -> _Box:
    if owner is not None:
        owner.setLayout(box)
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    fill(box, *parts)
    return box


def fill(box: QBoxLayout, *parts: Part) -> None:
    while box.takeAt(0) is not None:
        pass
    for part in parts:
        item, stretch = part if isinstance(part, tuple) else (part, 0)
        if item is None:
            box.addStretch(1)
        elif isinstance(item, int):
            box.addSpacing(item)
        elif isinstance(item, QLayout):
            box.addLayout(item, stretch)
        else:
            box.addWidget(item, stretch)


def dialog_title(text: str) -> QLabel:
    label = QLabel(text)
    stylesheet.scale_font(label, 1.3, QFont.Weight.DemiBold)
    return label


def quiet(text: str) -> QLabel:
    label = QLabel(text, wordWrap=True)
    label.setObjectName("quiet")
    return label


def quiet_notice(text: str = "") -> QLabel:
    label = quiet(text)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return label


def heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("heading")
    stylesheet.scale_font(label, 0.92, QFont.Weight.DemiBold)
    return label


def field_label(title: str, field: QWidget) -> QLabel:
    label = _FieldLabel(title)
    label.setBuddy(field)
    return label


class _FieldLabel(QLabel):
    """A label that stays wide enough for its text when the text size changes."""

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.setMinimumWidth(_width_with_mnemonic(self))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.setMinimumWidth(_width_with_mnemonic(self))


def _width_with_mnemonic(label: QLabel) -> int:
    """Return the width of a label's text as it is painted, with one letter underlined.

    Qt paints the text before, at and after that letter separately, without kerning between them;
    ``sizeHint`` counts them as kerned, which may clip the last letter.
    """
    before, _, rest = label.text().partition("&")
    metrics = label.fontMetrics()
    return sum(metrics.horizontalAdvance(part) for part in (before, rest[:1], rest[1:]))


class Arranger(QObject):
    """Arranges parts again when an owner gets another size or its parts ask for other widths.

    A change of font is no moment to measure: parts get their fonts one after the other, in no
    fixed order, and some once more with the style sheet. Each then asks for a layout.

    It is not arranged within itself: when a part is shown, Qt lays out what is around it at once,
    which may resize the owner, and a part that is hidden while it is being shown stays in sight.
    """

    def __init__(self, arrange: Callable[[], None], *owners: QWidget) -> None:
        super().__init__(owners[0])
        self._arrange, self._busy, self._stale = arrange, False, False
        self._seen: dict[QObject, list[tuple[bool, int]]] = {owner: [] for owner in owners}
        for owner in owners:
            owner.installEventFilter(self)

    def again(self) -> None:
        self._stale = True
        if self._busy:
            return
        self._busy = True
        try:
            for _ in range(_MOST_TIMES):
                if self._stale:
                    self._stale = False
                    self._arrange()
        finally:
            self._busy = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.again()
        elif event.type() == QEvent.Type.LayoutRequest:
            if _parts_of(watched) != self._seen[watched]:
                self.again()
            self._seen[watched] = _parts_of(watched)  # with texts as they are arranged now
        return False


def _parts_of(owner: QObject) -> list[tuple[bool, int]]:
    parts = (part for part in owner.children() if isinstance(part, QWidget))
    return [(part.isHidden(), part.sizeHint().width()) for part in parts]


class Wrapped(QWidget):
    """Two parts side by side, or one below the other where both do not fit."""

    def __init__(
        self,
        first: QLayout,
        second: QLayout,
        *,
        spacing: int = 8,
        shares: tuple[int, int] = (1, 0),
    ) -> None:
        super().__init__()
        self._box = row((first, shares[0]), (second, shares[1]), owner=self, spacing=spacing)
        self._parts = (first, second)
        Arranger(self._arrange, self)

    def minimumSizeHint(self) -> QSize:
        width = max(part.minimumSize().width() for part in self._parts)
        return QSize(width, super().minimumSizeHint().height())

    def _arrange(self) -> None:
        needed = sum(part.sizeHint().width() for part in self._parts) + self._box.spacing()
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._box.setDirection(beside if needed <= self.width() else below)


class SideColumn(QFrame):
    """A frame as wide as its content needs at the present text size, or as usual."""

    def __init__(self, usual: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._usual = usual
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().expandedTo(QSize(self._usual, 0))

    def sizeHint(self) -> QSize:
        return QSize(self.minimumSizeHint().width(), super().sizeHint().height())


class ColumnScroller(QScrollArea):
    """A vertical scroll area that ends below a whole row of its content.

    It is at least as wide as the content, so that nothing is clipped at its right edge.
    """

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.inside = inside
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inside)

    def minimumSizeHint(self) -> QSize:
        width = self.inside.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._end_below_a_row()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        handled = super().eventFilter(watched, event)
        if watched is self.inside:
            if event.type() == QEvent.Type.LayoutRequest:
                self.updateGeometry()
            if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
                self._end_below_a_row()
        return handled

    def _end_below_a_row(self) -> None:
        """Leave the bottom blank where the next row does not fit."""
        blank = self.height() - self._whole_rows(self.height())
        if blank != self.viewportMargins().bottom():
            self.setViewportMargins(0, 0, 0, blank)

    def _whole_rows(self, height: int) -> int:
        """Return the lower edge of the last row that ends above ``height``."""
        if self.inside.sizeHint().height() <= height:
            return height
        parts = [part for part in self.inside.findChildren(QWidget)
                 if part.isVisibleTo(self.inside) and part.layout() is None]  # fmt: skip
        boxes = [QRect(part.mapTo(self.inside, QPoint()), part.size()) for part in parts]
        edges = [box.bottom() + 1 for box in boxes if box.bottom() < height]
        clean = [edge for edge in edges
                 if not any(box.top() < edge <= box.bottom() for box in boxes)]  # fmt: skip
        last = max(clean, default=height)
        return last if height - last <= _MAX_BLANK * stylesheet.text_scale() else height


def form_grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(9)
    grid.setColumnStretch(1, 1)
    return grid


def add_row(
    grid: QGridLayout,
    title: str,
    widget: QWidget,
    container: QHBoxLayout | None = None,
    *,
    tip: str = "",
) -> None:
    """Add a field to a form.

    Args:
        title: of the field, with "&" before the mnemonic; "": none.
        container: a layout that holds the field and others beside it; None: the field alone.
        tip: tooltip; "": unchanged.
    """
    row = grid.rowCount()
    if title:
        widget.setAccessibleName(title.replace("&", ""))
        grid.addWidget(field_label(title, widget), row, 0)
    if tip:
        widget.setToolTip(tip)
    if container is not None:
        grid.addLayout(container, row, 1)
    else:
        grid.addWidget(widget, row, 1)
