"""The panel of takes below the sheet, without logic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QFont, QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from musicrel.project import take_table
from musicrel.project.take_table import TakeRow
from musicrel.ui.actions.take_commands import TakeCommands
from musicrel.ui.takes.takes_view import TakesView
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel

EMPTY: Final = "Every piece that is generated, rewritten or harmonised is kept here as a take."
NO_MATCH: Final = "No take matches: choose “All takes”"
_ICON: Final = QSize(18, 18)
_HIGH: Final = 820
"""Height in pixels of a window whose cards have all their lines."""
_CRAMPED: Final = 760
"""Height in pixels below which the window has no room for takes and mixer."""
_ROOMY: Final = 85
"""Width in letters from which the order can be chosen beside the filter."""
_FILTER: Final = "Takes to show"
_ORDER: Final = "Order of takes"
_HIDE: Final = "Hide the takes (Ctrl+T)"
_SOME: Final = "{shown:,} of {total:,}"
_COUNT: Final = "Takes  ·  {shown}"


class TakesPanel(QFrame):
    """Filter, order, commands and cards; hidden by its close button."""

    chosen = Signal()  # another filter or order was chosen
    room_changed = Signal()  # the window has another height

    def __init__(self, commands: TakeCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAccessibleName("Takes")
        self._commands = commands
        self.cramped = False
        """True in a window without room for takes and mixer."""
        self.title, self.details, self.empty = QLabel("Takes"), ElidedLabel(), ElidedLabel()
        self.filter = _box(take_table.FILTERS, _FILTER)
        self.order = _box(take_table.ORDERS, _ORDER)
        self.view = TakesView()
        self.buttons = [_button(action) for action in commands.on_panel]
        self.close_button = icons.button("close", _HIDE, 16)
        self._lay_out()
        self._connect()
        self.show_rows((), total=0)

    def set_window_height(self, height: int) -> None:
        """Take less room in a low window."""
        self.cramped = height < _CRAMPED
        if (height < _HIGH) != self.view.cards.low:
            self.view.set_low(low=height < _HIGH)
        self.room_changed.emit()

    def show_rows(self, rows: Sequence[TakeRow], *, total: int) -> None:
        shown = f"{total:,}" if len(rows) == total else _SOME.format(shown=len(rows), total=total)
        self.title.setText("Takes" if not total else _COUNT.format(shown=shown))
        self.view.show_rows(rows)
        self.view.setVisible(bool(rows))
        self.empty.setText(NO_MATCH if total else EMPTY)
        self.empty.setVisible(not rows)
        self.filter.setVisible(total > 0)
        for part in (self.details, *self.buttons):
            part.setVisible(bool(rows))
        self._arrange()

    @property
    def shown_filter(self) -> str:
        return str(self.filter.currentData())

    def show_all(self) -> None:
        """Choose the filter that every take matches, without ``chosen``."""
        before = self.filter.blockSignals(True)
        self.filter.setCurrentIndex(0)
        self.filter.blockSignals(before)

    @property
    def shown_order(self) -> str:
        return str(self.order.currentData())

    @Slot(QPoint)
    def _open_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        self._commands.fill_menu(menu)
        menu.popup(self.view.viewport().mapToGlobal(place))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        letters = self.fontMetrics().averageCharWidth()
        self.order.setVisible(self.filter.isVisibleTo(self) and self.width() >= _ROOMY * letters)

    def _lay_out(self) -> None:
        stylesheet.scale_font(self.title, 1.0, QFont.Weight.DemiBold)
        for label in (self.details, self.empty):
            label.setObjectName("quiet")
        self.details.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.empty.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.addActions(self._commands.with_keys)
        head = layout.row(
            self.title, 12, (self.details, 1), (self.empty, 1), self.filter, self.order, 4,
            *self.buttons, self.close_button, spacing=4,
        )  # fmt: skip
        layout.column(head, self.view, owner=self, spacing=4, margins=(14, 5, 8, 4))

    def _connect(self) -> None:
        self.filter.currentIndexChanged.connect(self.chosen)
        self.order.currentIndexChanged.connect(self.chosen)
        self.close_button.clicked.connect(self._commands.show.trigger)
        self.view.customContextMenuRequested.connect(self._open_menu)


def _box(titles: Mapping[str, str], name: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setToolTip(name)
    box.setObjectName("compact")
    stylesheet.scale_font(box, 0.92)
    for key, title in titles.items():
        box.addItem(title, key)
    box.setMaxVisibleItems(len(titles))
    return box


def _button(action: QAction) -> QToolButton:
    """Return a flat button for a command, without its text."""
    button = QToolButton()
    button.setObjectName("flat")
    button.setIconSize(_ICON)
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setAccessibleName(action.iconText())
    return button
