"""The pages of the window, one visible at a time, and the switch at its left edge.

The workspace with the piece is shared: a page that can host it gets it when it is opened. To add a
page, add a row to ``presentation.words.places`` and pass its page in ``main_window``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol, runtime_checkable

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
from musicrel.presentation.words.places import PLACES, Place
from musicrel.ui.widgets import icons, stylesheet

SWITCH_WIDTH: Final = 76


@runtime_checkable
class HostsWorkspace(Protocol):
    """A page that can show the workspace with the piece."""

    def set_workspace(self, workspace: QWidget) -> None:
        """Show ``workspace`` on this page."""
        ...


class PlaceSwitch(QFrame):
    """A column of buttons, one for each page; that of the open page is checked.

    Signals:
        place_chosen: the user clicked a button; the name of its page.
    """

    place_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Pages")
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
        """Use the colours of ``theme``."""
        for name, button in self.buttons.items():
            button.setIcon(icons.tinted(name, theme))

    def show_place(self, name: str) -> None:
        """Check the button of the open page."""
        self.buttons[name].setChecked(True)

    def _button(self, number: int, place: Place) -> QToolButton:
        button = QToolButton()
        button.setObjectName("place")
        button.setCheckable(True)
        button.setText(place.title)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setIconSize(QSize(24, 24))
        button.setFixedWidth(SWITCH_WIDTH - 8)
        button.setToolTip(f"{place.description} (Ctrl+{number})")
        button.setAccessibleName(f"{place.title}: {place.description}")
        stylesheet.scale_font(button, 0.86)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._group.addButton(button)
        button.clicked.connect(lambda: self.place_chosen.emit(place.name))
        return button


class Places(QWidget):
    """The switch, and beside it the open page.

    Args:
        pages: widget of each page in ``PLACES``.
        workspace: the sheet with the piece, which pages share.

    Signals:
        opened: a page was opened; its name.
    """

    opened = Signal(str)

    def __init__(self, pages: Mapping[str, QWidget], workspace: QWidget) -> None:
        super().__init__()
        self._pages, self._workspace = dict(pages), workspace
        self._stack = QStackedWidget(self)
        for place in PLACES:
            self._stack.addWidget(self._pages[place.name])
        self.switch = PlaceSwitch(self)  # after the pages, which get the focus first
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.switch)
        row.addWidget(self._stack, 1)
        self.switch.place_chosen.connect(self.open)
        self.switch.show_place(PLACES[0].name)

    @property
    def current(self) -> str:
        """Return the name of the open page."""
        return PLACES[self._stack.currentIndex()].name

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme`` for the switch; pages are themed by their owner."""
        self.switch.set_theme(theme)

    def open(self, name: str) -> None:
        """Open a page, which gets the workspace if it can host it."""
        page = self._pages[name]
        if isinstance(page, HostsWorkspace):
            page.set_workspace(self._workspace)
        self._stack.setCurrentWidget(page)
        self.switch.show_place(name)
        self.opened.emit(name)
