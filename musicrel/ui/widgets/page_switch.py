"""The pages of the window, one visible at a time, and the switch at its left edge.

The workspace with the piece is shared: a page that can host it gets it when it is opened. To add a
page, add a row to ``presentation.words.pages`` and pass its page in ``main_window``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias, cast, runtime_checkable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from musicrel.language import tr
from musicrel.presentation.words.pages import PAGES, Page
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.layout import SideColumn

_TIP: Final = tr("{} (Ctrl+{})")


@runtime_checkable
class HostsWorkspace(Protocol):
    """A page that can show the workspace with the piece."""

    def set_workspace(self, workspace: QWidget) -> None: ...


class PageSwitch(SideColumn):
    page_chosen = Signal(str)  # the user clicked a button; the name of its page

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(76, parent)
        self.setAccessibleName(tr("Pages"))
        self._group = QButtonGroup(self)
        self.buttons = {
            page.name: self._button(number, page) for number, page in enumerate(PAGES, start=1)
        }
        layout.column(*self.buttons.values(), None, owner=self, spacing=4, margins=(6, 4, 2, 4))

    def show_page(self, name: str) -> None:
        self.buttons[name].setChecked(True)

    def _button(self, number: int, page: Page) -> QToolButton:
        button = icons.button(page.name, _TIP.format(page.description, number), 24)
        button.setObjectName("page")
        button.setCheckable(True)
        button.setText(page.title)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setAccessibleName(f"{page.title}: {page.description}")
        stylesheet.scale_font(button, 0.86)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._group.addButton(button)
        button.clicked.connect(lambda: self.page_chosen.emit(page.name))
        return button


PageOrMaker: TypeAlias = QWidget | Callable[[], QWidget]
"""A page, or a function that makes it when it is first asked for."""


class Pages(QWidget):
    opened = Signal(str)
    made = Signal(str)  # a page that was not made at the start, before it is opened

    def __init__(self, pages: Mapping[str, PageOrMaker], workspace: QWidget) -> None:
        super().__init__()
        self._pages, self._workspace = dict(pages), workspace
        self._stack = QStackedWidget(self)
        for row in PAGES:
            page = self._pages[row.name]
            self._stack.addWidget(page if isinstance(page, QWidget) else QWidget())
        self.switch = PageSwitch(self)  # after the pages, which get the focus first
        layout.row(self.switch, (self._stack, 1), owner=self)
        self.switch.page_chosen.connect(self.open)
        self.switch.show_page(PAGES[0].name)

    @property
    def current(self) -> str:
        return PAGES[self._stack.currentIndex()].name

    def page(self, name: str) -> QWidget:
        """Return a page; make it first if that has not been done."""
        page = self._pages[name]
        if isinstance(page, QWidget):
            return page
        made = self._pages[name] = page()
        index = [row.name for row in PAGES].index(name)
        self._stack.insertWidget(index, made)
        placeholder = cast("QWidget", self._stack.widget(index + 1))
        self._stack.removeWidget(placeholder)
        placeholder.deleteLater()
        self.made.emit(name)
        return made

    def is_made(self, name: str) -> bool:
        return isinstance(self._pages[name], QWidget)

    def open(self, name: str) -> None:
        page = self.page(name)
        if isinstance(page, HostsWorkspace):
            page.set_workspace(self._workspace)
        self._stack.setCurrentWidget(page)
        self.switch.show_page(name)
        self.opened.emit(name)
