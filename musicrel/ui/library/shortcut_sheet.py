"""The sheet of all shortcuts, which can be searched and printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from musicrel.language import tr
from musicrel.ui.actions.commands import BY_BARS, COMMANDS, key_text
from musicrel.ui.widgets import layout, stylesheet

_NOTHING: Final = tr("No shortcut has “{text}” in its keys or its name.")
_PAGE: Final = '<table width="100%" cellspacing="0"><tr>{columns}</tr></table>'
_BY: Final = BY_BARS.replace("&", "").partition("{")[0]
_WITH_CANDIDATES: Final = tr("{effect}, while candidates are shown")

_TITLE: Final = tr("Keyboard shortcuts")
_NOTE: Final = tr("Keys without Ctrl or Alt work while the view of their group has the focus.")
_SEARCH: Final = tr("Search, such as “loop” or “Ctrl+”")
_COLUMNS: Final = 3  # where they fit
_LETTERS: Final = 42  # least width of a column in letters
_HEAD_ROWS: Final = 2  # rows that a heading takes
_GROUP: Final = (
    '<p style="margin:12px 0 3px 2px; font-weight:600; color:{accent}">{title}</p>'
    '<table width="100%" cellspacing="0" cellpadding="2">{rows}</table>'
)
_ROW: Final = (
    '<tr><td style="color:{text}">{effect}</td>'
    '<td align="right" style="color:{quiet}; white-space:nowrap">{keys}</td></tr>'
)
_COLUMN: Final = '<td width="{width}%" valign="top" style="padding:0 14px">{groups}</td>'
Groups: TypeAlias = "Mapping[str, Sequence[Shortcut]]"
ROLL: Final = tr("Roll and score")
NOTE_INPUT: Final = tr("Note input")
FORM: Final = tr("Form")
PHRASES: Final = tr("Phrases above the roll")
LISTS: Final = tr("Candidates and takes")
# keys of note input, and their effect
NOTE_KEYS: Final[tuple[tuple[str, str], ...]] = (
    ("N", tr("Note input on or off")),
    (tr("A to G"), tr("Write the note nearest to the one before")),
    ("0", tr("Write a rest")),
    ("3 4 5 6 7", tr("Sixteenth, eighth, quarter, half, whole")),
    (".", tr("Dotted")),
    (tr("Backspace"), tr("Remove the note before the cursor")),
    (tr("Left, Right"), tr("Move the cursor by a note")),
    (tr("Home, End"), tr("Move the cursor to the beginning, or after the last note")),
    (tr("Up, Down"), tr("Raise or lower the note just written by a semitone")),
    (tr("Ctrl+Up, Ctrl+Down"), tr("The same by an octave")),
    ("T", tr("Tie it to another note of the chosen length")),
    (tr("Page Up, Page Down"), tr("Write the voice above or below")),
    ("Esc", tr("Leave note input")),
)
# group -> keys, and their effect while that view has the focus
KEYS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = MappingProxyType(
    {
        ROLL: (
            (tr("Left, Right"), tr("Move the selection by a step")),
            (tr("Up, Down"), tr("Select the voice above or below")),
            (tr("Shift+Left, Shift+Right"), tr("Shorten or lengthen the selection")),
            (tr("Shift+Up, Shift+Down"), tr("Add the voice above or below")),
            ("1, 2, 3, 4", tr("Select or deselect a voice")),
            ("Esc", tr("Select nothing")),
            ("+, -, 0", tr("Zoom in, zoom out, whole piece")),
        ),
        NOTE_INPUT: NOTE_KEYS,
        FORM: (("Esc", tr("Return to the sheet")),),
        PHRASES: (
            (tr("Left, Right"), tr("Select a phrase")),
            (tr("Shift+Left, Shift+Right"), tr("Move the end of the phrase by a bar")),
            (tr("Return"), tr("Cadence and other choices")),
        ),
        LISTS: (
            (tr("Up, Down"), tr("Show another candidate")),
            (tr("Left, Right"), tr("Select another take")),
            (tr("Return"), tr("Accept the candidate, use the take")),
        ),
    }
)
# commands whose keys have another meaning without candidates
_OF_CANDIDATES: Final = frozenset(
    COMMANDS[f"rewriting.{name}"].text.replace("&", "")
    for name in ("next", "previous", "accept", "back")
)


class Shortcut(NamedTuple):
    keys: str  # the keys, several alternatives separated by commas
    effect: str


def of_menus(bar: QMenuBar) -> dict[str, list[Shortcut]]:
    found = {}
    for entry in bar.actions():
        menu = entry.menu()
        if isinstance(menu, QMenu):
            found[_plain(menu.title())] = list(_lines(menu))
    return {title: lines for title, lines in found.items() if lines}


def of_views() -> dict[str, list[Shortcut]]:
    return {title: [Shortcut(*line) for line in lines] for title, lines in KEYS.items()}


def _lines(menu: QMenu, submenu: str = "") -> Iterator[Shortcut]:
    """Yield the shortcuts of a menu; those of a submenu begin with its title."""
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from _lines(inner, _plain(inner.title()))
        elif action.shortcuts():
            yield Shortcut(key_text(action.shortcuts()), _effect(_plain(action.text()), submenu))


def _effect(text: str, submenu: str) -> str:
    """Return what a command does, without the step that Undo names at the moment."""
    text = text.partition(": ")[0]
    if text in _OF_CANDIDATES:
        return _WITH_CANDIDATES.format(effect=text)
    if submenu and text.startswith(_BY):
        return f"{submenu} {text[:1].lower()}{text[1:]}"
    return f"{submenu}: {text}" if submenu else text


def _plain(text: str) -> str:
    return text.replace("&", "").removesuffix("…").rstrip()


class ShortcutSheet(QDialog):
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
        self.resize(1060, 650)
        layout.Arranger(lambda: self.filter(self.search.text()), self.text).again()

    @Slot(str)
    def filter(self, text: str) -> None:
        found = _matching(self._groups, text.strip().lower())
        if found:
            fitting = self.text.viewport().width() // (
                _LETTERS * self.fontMetrics().averageCharWidth()
            )
            self.text.setHtml(_html(found, min(max(fitting, 1), _COLUMNS)))
        else:
            self.text.setPlainText(_NOTHING.format(text=text.strip()))

    def _lay_out(self) -> None:
        head, note = layout.dialog_title(_TITLE), layout.quiet(_NOTE)
        close, self.change = QPushButton(tr("Close")), QPushButton(tr("&Change…"))
        for button in (close, self.change):
            button.setAutoDefault(False)
            button.clicked.connect(self.reject)
        stylesheet.set_least_width(self.search, 300)
        top: QVBoxLayout = layout.column(head, note, spacing=4)
        layout.column(
            layout.row((top, 1), self.search, spacing=12),
            (self.text, 1),
            layout.row(self.change, None, close),
            owner=self, spacing=12, margins=(20, 16, 20, 14),
        )  # fmt: skip


def _matching(groups: Groups, text: str) -> dict[str, list[Shortcut]]:
    found = {
        title: [line for line in lines if text in f"{title} {line.keys} {line.effect}".lower()]
        for title, lines in groups.items()
    }
    return {title: lines for title, lines in found.items() if lines}


def _html(groups: Groups, count: int) -> str:
    columns = "".join(
        _COLUMN.format(width=100 // count, groups="".join(map(_group, column)))
        for column in _in_columns(groups, count)
    )
    return _PAGE.format(columns=columns)


def _in_columns(groups: Groups, count: int) -> list[list[tuple[str, Sequence[Shortcut]]]]:
    total = sum(len(lines) + _HEAD_ROWS for lines in groups.values())
    columns: list[list[tuple[str, Sequence[Shortcut]]]] = [[] for _ in range(count)]
    done = 0.0
    for title, lines in groups.items():
        rows = len(lines) + _HEAD_ROWS
        place = min(int((done + rows / 2) * count / max(total, 1)), count - 1)
        columns[place].append((title, lines))
        done += rows
    filled = [column for column in columns if column]  # a few results begin at the left
    return filled + [[]] * (count - len(filled))


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
