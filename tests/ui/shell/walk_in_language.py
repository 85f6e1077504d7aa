"""A walk through all pages, menus and dialogs; ``test_languages.py`` runs it in other languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QObject, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QTabWidget,
    QTextEdit,
    QWidget,
)

from musicrel.presentation.words.pages import PAGES
from tests.ui.shell.test_clipping import SIZE, clipped
from tests.ui.user import User

MARKED = "marked"
"""The language in which each text that is looked up is put into marks."""
_MARKS = re.compile(r"‹[^‹›]*›")
_WORD = re.compile(r"[A-Za-zäöü]{3,}")
# what is the same in all languages: names of models, schemes and files, keys of the keyboard
_NAMES: Final = frozenset[str]()


def texts(window: QWidget) -> Iterator[str]:
    """Yield what a window shows and says: texts, tooltips, titles, items, names for readers."""
    for widget in (window, *window.findChildren(QWidget)):
        if isinstance(widget, QFileDialog) or isinstance(widget.window(), QFileDialog):
            continue
        yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
        yield widget.windowTitle()
        if isinstance(widget, (QLabel, QAbstractButton)):
            yield widget.text()
        if isinstance(widget, QLineEdit):
            yield widget.placeholderText()
        if isinstance(widget, QTextEdit):
            yield widget.placeholderText()
        if isinstance(widget, QMenu):
            yield widget.title()
        if isinstance(widget, QTabWidget):
            yield from (widget.tabText(at) for at in range(widget.count()))
        if isinstance(widget, QComboBox):
            yield from items(widget.model())
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from items(widget.model())
    for action in window.findChildren(QAction):
        yield from (action.text(), action.toolTip(), action.statusTip())


def items(model: QAbstractItemModel) -> Iterator[str]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    for role in roles:
        for row in range(min(model.rowCount(QModelIndex()), 60)):
            for column in range(columns):
                yield str(model.index(row, column).data(role) or "")
        for column in range(columns):
            yield str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")


def unmarked(text: str) -> str:
    while _MARKS.search(text):
        text = _MARKS.sub("", text)
    return text


class Walk(QObject):
    """Looks at every dialog that opens, and closes it."""

    def __init__(self, user: User) -> None:
        super().__init__()
        self.user = user
        self.seen: dict[str, list[str]] = {}
        self.cut: dict[str, list[str]] = {}
        self.at = ""
        self._timer = QTimer(self, interval=50)
        self._timer.timeout.connect(self.look_at_dialogs)
        self._timer.start()

    def look(self, window: QWidget) -> None:
        self.seen.setdefault(self.at, []).extend(filter(None, texts(window)))
        self.cut.setdefault(self.at, []).extend(clipped(window))

    def look_at_dialogs(self) -> None:
        for window in QApplication.topLevelWidgets():
            if isinstance(window, QDialog) and window.isVisible():
                self.look(window)
                window.reject()

    def whole(self) -> None:
        window = self.user.window
        window.resize(*SIZE)
        for page in PAGES:
            self.at = f"{page.name} without a piece"
            window.pages.open(page.name)
            self.look(window)
        window.pages.open("compose")
        self.user.controls.generate_button.click()
        document = self.user.document
        self.user.wait(lambda: document.piece is not None and not document.busy)
        for page in PAGES:
            self.at = page.name
            window.pages.open(page.name)
            self.user.settle()
            self.look(window)
        window.pages.open("compose")
        for action in window.findChildren(QAction):
            if "…" in action.text() and action.isEnabled():
                self.at = action.text()
                action.trigger()
                QApplication.processEvents()
                self.look_at_dialogs()


def test_walk(user: User) -> None:
    walk = Walk(user)
    walk.whole()
    found = {
        at: sorted({t for t in ts if _WORD.search(unmarked(t))}) for at, ts in walk.seen.items()
    }
    with open("/tmp/walk.txt", "w") as file:
        done = set()
        for at, ts in found.items():
            new = [t for t in ts if t not in done]
            done |= set(new)
            if new:
                print(f"== {at}", *new, sep="\n", file=file)
        for at, ts in walk.cut.items():
            if ts:
                print(f"## {at}", *ts, sep="\n", file=file)
