"""The places of the window, one seen at a time, and the switch at its left edge.

The sheet with the piece is shared: whichever place has room for it takes it along when it is
opened. To add a place, add a line to ``PLACES`` and hand its page over in ``main_window``.

This file knows names and pages; it knows nothing of what happens in a place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol, runtime_checkable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import icons, stylesheet

SWITCH_WIDTH: Final = 76


class Place(NamedTuple):
    """One place: the name of its page and drawing, its title, and what one does there."""

    name: str
    title: str
    says: str


PLACES: Final = (
    Place("compose", "Compose", "Write chorales"),
    Place("attention", "Attention", "See where a model looks while it writes"),
    Place("experiment", "Experiment", "Compare models that learn"),
)


@runtime_checkable
class SharesDesk(Protocol):
    """A page that has room for the sheet with the piece."""

    def take_desk(self, desk: QWidget) -> None:
        """Show the sheet here from now on."""
        ...


class PlaceSwitch(QFrame):
    """A button for each place, one below the other, the open one checked.

    Signals:
        wished: the user wants to go to a place; its name.
    """

    wished = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Places")
        self.setFixedWidth(SWITCH_WIDTH)
        self._group = QButtonGroup(self)
        self.buttons = {
            place.name: self._button(number, place) for number, place in enumerate(PLACES, start=1)
        }
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 2, 4)
        column.setSpacing(4)
        for button in self.buttons.values():
            column.addWidget(button)
        column.addStretch(1)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        for name, button in self.buttons.items():
            button.setIcon(icons.tinted(name, theme))

    def show_place(self, name: str) -> None:
        """Check the button of the place that is open."""
        self.buttons[name].setChecked(True)

    def _button(self, number: int, place: Place) -> QToolButton:
        button = QToolButton()
        button.setObjectName("place")
        button.setCheckable(True)
        button.setText(place.title)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setIconSize(QSize(24, 24))
        button.setFixedWidth(SWITCH_WIDTH - 8)
        button.setToolTip(f"{place.says} (Ctrl+{number})")
        button.setAccessibleName(f"{place.title}: {place.says}")
        stylesheet.scaled(button, 0.86)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._group.addButton(button)
        button.clicked.connect(lambda: self.wished.emit(place.name))
        return button


class Places(QWidget):
    """The switch, and beside it the page of the place that is open.

    Args:
        pages: the page of each place in ``PLACES``.
        desk: the sheet with the piece, which pages share.

    Signals:
        opened: another place is open; its name.
    """

    opened = Signal(str)

    def __init__(self, pages: Mapping[str, QWidget], desk: QWidget) -> None:
        super().__init__()
        self._pages, self._desk = dict(pages), desk
        self._stack = QStackedWidget(self)
        for place in PLACES:
            self._stack.addWidget(self._pages[place.name])
        self.switch = PlaceSwitch(self)  # after the pages: the first key press is for them
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.switch)
        row.addWidget(self._stack, 1)
        self.switch.wished.connect(self.open)
        self.switch.show_place(PLACES[0].name)

    @property
    def current(self) -> str:
        """The name of the place that is open."""
        return PLACES[self._stack.currentIndex()].name

    def set_theme(self, theme: Theme) -> None:
        """Use other colours for the switch; pages are told by whoever made them."""
        self.switch.set_theme(theme)

    def open(self, name: str) -> None:
        """Go to a place; the sheet comes along where there is room for it."""
        page = self._pages[name]
        if isinstance(page, SharesDesk):
            page.take_desk(self._desk)
        self._stack.setCurrentWidget(page)
        self.switch.show_place(name)
        self.opened.emit(name)
