"""The sheet of all shortcuts, which can be searched and printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from musicrel.ui.library.shortcut_keys import Shortcut
from musicrel.ui.widgets import layout, stylesheet

_TITLE: Final = "Keyboard shortcuts"
_NOTE: Final = "Keys without Ctrl or Alt work while the view of their group has the focus."
_SEARCH: Final = "Search, such as “loop” or “Ctrl+”"
_NOTHING: Final = "No shortcut has “{text}” in its keys or its name."
_CLOSE: Final = "Close"
_SIZE: Final = (1060, 650)
_COLUMNS: Final = 3
_HEAD_ROWS: Final = 2
"""Rows that a heading takes."""
_GROUP: Final = (
    '<p style="margin:12px 0 3px 2px; font-weight:600; color:{accent}">{title}</p>'
    '<table width="100%" cellspacing="0" cellpadding="2">{rows}</table>'
)
_ROW: Final = (
    '<tr><td style="color:{text}">{effect}</td>'
    '<td align="right" style="color:{quiet}; white-space:nowrap">{keys}</td></tr>'
)
_COLUMN: Final = '<td width="{width}%" valign="top" style="padding:0 14px">{groups}</td>'
_PAGE: Final = '<table width="100%" cellspacing="0"><tr>{columns}</tr></table>'

Groups = Mapping[str, Sequence[Shortcut]]


class ShortcutSheet(QDialog):
    """The sheet; not shown yet."""

    def __init__(self, groups: Groups, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_TITLE)
        self._groups = groups
        self.search, self.text = QLineEdit(placeholderText=_SEARCH), QTextBrowser()
        self.text.setAccessibleName(_TITLE)
        self.search.setAccessibleName(_SEARCH)
        self.search.setClearButtonEnabled(True)
        self._lay_out()
        self.search.textChanged.connect(self.filter)
        self.filter("")
        self.resize(*_SIZE)

    @Slot(str)
    def filter(self, text: str) -> None:
        found = _matching(self._groups, text.strip().lower())
        if found:
            self.text.setHtml(_html(found))
        else:
            self.text.setPlainText(_NOTHING.format(text=text.strip()))

    def _lay_out(self) -> None:
        head, note, close = QLabel(_TITLE), QLabel(_NOTE), QPushButton(_CLOSE)
        stylesheet.scale_font(head, 1.3, QFont.Weight.DemiBold)
        note.setObjectName("quiet")
        close.setAutoDefault(False)
        close.clicked.connect(self.reject)
        self.search.setMinimumWidth(300)
        top: QVBoxLayout = layout.column(head, note, spacing=4)
        layout.column(
            layout.row((top, 1), self.search, spacing=12),
            (self.text, 1),
            layout.row(None, close),
            owner=self, spacing=12, margins=(20, 16, 20, 14),
        )  # fmt: skip


def _matching(groups: Groups, text: str) -> dict[str, list[Shortcut]]:
    """Return the shortcuts that contain ``text``; of a matching group all."""
    found = {
        title: [line for line in lines if text in f"{title} {line.keys} {line.effect}".lower()]
        for title, lines in groups.items()
    }
    return {title: lines for title, lines in found.items() if lines}


def _html(groups: Groups) -> str:
    columns = "".join(
        _COLUMN.format(width=100 // _COLUMNS, groups="".join(map(_group, column)))
        for column in _in_columns(groups)
    )
    return _PAGE.format(columns=columns)


def _in_columns(groups: Groups) -> list[list[tuple[str, Sequence[Shortcut]]]]:
    """Return the groups in columns of similar length, in order."""
    total = sum(len(lines) + _HEAD_ROWS for lines in groups.values())
    columns: list[list[tuple[str, Sequence[Shortcut]]]] = [[] for _ in range(_COLUMNS)]
    done = 0.0
    for title, lines in groups.items():
        rows = len(lines) + _HEAD_ROWS
        place = min(int((done + rows / 2) * _COLUMNS / max(total, 1)), _COLUMNS - 1)
        columns[place].append((title, lines))
        done += rows
    filled = [column for column in columns if column]  # a few results begin at the left
    return filled + [[]] * (_COLUMNS - len(filled))


def _group(group: tuple[str, Sequence[Shortcut]]) -> str:
    theme = stylesheet.current_theme()
    title, lines = group
    rows = "".join(
        _ROW.format(
            effect=escape(line.effect), keys=escape(line.keys), text=theme.text, quiet=theme.quiet
        )
        for line in lines
    )
    return _GROUP.format(title=escape(title), rows=rows, accent=theme.accent)
