"""A walk through all pages and dialogs; ``test_translated_window.py`` runs it with other settings.

In the language ``marked`` each text that is looked up is in marks, so that the others are found.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import shiboken6
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
    QMenuBar,
    QTabWidget,
    QWidget,
)

from musicrel.analysis.corpus import melodies
from musicrel.presentation.words.pages import PAGES
from musicrel.score import json_file
from tests.conftest import LANGUAGE, MARKED
from tests.ui.shell.test_clipping import SIZE, clipped, finished_study
from tests.ui.user import User

_MARKS: Final = re.compile(r"‹[^‹›]*(›|\(|\n|$)")  # keys and lines are cut off in some tooltips
_LETTER: Final = re.compile(r"&(\w)")
_WORD: Final = re.compile(r"[A-Za-z]{3,}")
_KEYS: Final = re.compile(r"\(?\b((Ctrl|Alt|Shift)\+)*(Ctrl|Alt|Shift|Home|Left|Right|Esc)\b\)?")
# what is the same in all languages: models, files, tunes, and what Qt itself writes
_ALLOWED: Final = (
    "musicrel full plain both layers CPU Bach SoundFont Piano Chorale practice Soprano Alto Tenor "
    "Bass mid mp3 abc mxl musicxml xml json ogg pdf png svg wav MIT SHA hymns relative infill jsb "
    "vanilla Close Cancel Export ALiBi Shaw Transformer English Deutsch Space"
)
_TUNES: Final = " ".join(json_file.read(melodies.path(name)).title for name in melodies.names())
_NAMES: Final = frozenset(_WORD.findall(f"{_ALLOWED} {_TUNES}"))
_BY_ITEM: Final = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
TEXT_SIZE: Final = os.environ.get("MUSICREL_TEST_TEXT_SIZE", "100")  # in percent
_ROWS: Final = 40  # of a long list


def texts(window: QWidget) -> Iterator[str]:
    """Yield all that can be read in a window: texts, tooltips, titles, items, names for readers."""
    for widget in (window, *window.findChildren(QWidget)):
        yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
        yield from (widget.windowTitle(), *own_texts(widget))
    for action in window.findChildren(QAction):
        yield from (action.text(), action.toolTip(), action.statusTip())


def own_texts(widget: QWidget) -> Iterator[str]:
    match widget:
        case QLabel() | QAbstractButton():
            yield widget.text()
        case QLineEdit():
            yield widget.placeholderText()
        case QMenu():
            yield widget.title()
        case QTabWidget():
            yield from (widget.tabText(at) for at in range(widget.count()))
        case QComboBox():
            yield from items(widget.model())
        case QAbstractItemView() if not isinstance(widget.parent(), QComboBox):
            yield from items(widget.model())


def items(model: QAbstractItemModel | None) -> Iterator[str]:
    if model is None:
        return
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for role in _BY_ITEM:
        for column in range(columns):
            yield str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
            for row in range(min(model.rowCount(QModelIndex()), _ROWS)):
                yield str(model.index(row, column).data(role) or "")


def shared_letters(menu: QMenu | QMenuBar) -> Iterator[str]:
    """Yield the entries of a menu and of those in it that are under the letter of another one."""
    taken = dict[str, str]()
    for action in menu.actions():
        letter = _LETTER.search(action.text().replace("&&", ""))
        other = taken.setdefault(letter[1].lower(), action.text()) if letter else action.text()
        if other != action.text():
            yield f"{action.text()} and {other} have one letter"
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from shared_letters(inner)


def unmarked(text: str) -> set[str]:
    """Return the words of a text that were not looked up."""
    while _MARKS.search(text):
        text = _MARKS.sub("", text)
    return {*_WORD.findall(_KEYS.sub("", text))} - _NAMES


class Walk(QObject):
    """Looks at every dialog that opens, and closes it."""

    def __init__(self, user: User) -> None:
        super().__init__()
        self.user, self.place = user, ""
        self.problems = list[str]()
        self._timer = QTimer(self, interval=50)
        self._timer.timeout.connect(self.look_at_dialogs)
        self._timer.start()

    def look(self, window: QWidget) -> None:
        if LANGUAGE == MARKED:
            found = {text for text in texts(window) if unmarked(text)}
        else:
            with suppress(self.user.qtbot.TimeoutError):  # until it is laid out
                self.user.wait(lambda: not self.cut(window))
            found = self.cut(window)
        self.problems.extend(f"{self.place}: {one}" for one in sorted(found))

    def cut(self, window: QWidget) -> set[str]:
        """Return what is clipped, but for boxes that elide their texts."""
        return {one for one in clipped(window) if not one.startswith("ElidedBox")}

    def look_at_dialogs(self) -> None:
        self._timer.stop()
        for window in QApplication.topLevelWidgets():
            if not isinstance(window, QDialog) or not shiboken6.isValid(window):
                continue  # one that ends may take others with it
            if window.isVisible():
                if not isinstance(window, QFileDialog):  # Qt's own
                    self.look(window)
                window.reject()
        self._timer.start()

    def pages(self) -> None:
        for page in PAGES:
            self.place = page.name
            self.user.window.pages.open(page.name)
            self.user.settle()
            self.look(self.user.window)
        self.user.window.pages.open(PAGES[0].name)

    def study(self, folder: Path) -> None:
        self.place, page = "a finished study", self.user.window.experiment
        self.user.window.pages.open("experiment")
        page.show_study()
        page.study.show_study(finished_study(folder))
        self.look(self.user.window)

    def dialogs(self) -> None:
        for action in self.user.window.findChildren(QAction):
            if "…" in action.text() and action.isEnabled():
                self.place = action.text()
                action.trigger()
                self.user.settle()
                self.look_at_dialogs()


def test_walk(user: User, tmp_path: Path) -> None:
    walk, document = Walk(user), user.document
    user.app.preferences.remember(text_size=TEXT_SIZE)
    user.window.resize(*SIZE)
    walk.pages()
    user.controls.generate_button.click()
    user.wait(lambda: document.piece is not None and not document.busy)
    user.strip.rewrite.click()
    user.wait(lambda: not user.writer.busy)

    walk.pages()
    walk.dialogs()
    if LANGUAGE != MARKED:  # its names and its verdict are not looked up
        walk.study(tmp_path)
    walk.problems.extend(shared_letters(user.window.menuBar()))

    assert not walk.problems, "\n".join(walk.problems)
