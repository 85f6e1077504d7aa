"""The dialog in which the keys of commands are changed; a change applies at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, product
from typing import Any, Final

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from musicrel.language import tr
from musicrel.ui.actions.commands import COMMANDS, MENUS, Commands, Entries, key_text, sequences
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.fields import enable

_TITLE: Final = tr("Change keyboard shortcuts")
_NOTE: Final = tr("Select a command, click in the field below and press its new keys.")
_SEARCH: Final = tr("Search, such as “loop” or “Ctrl+”")
_KEYS: Final = tr("New &keys")
_NO_KEYS, _DEFAULT, _ALL_DEFAULTS = tr("N&o keys"), tr("&Default"), tr("&Restore defaults")
_IS_DEFAULT: Final = tr("These are the default keys")
_HAS_NONE: Final = tr("The command has no keys")
_AROUND: Final = 8  # pixels above and below each line together
_NAME: Final = Qt.ItemDataRole.UserRole
TAKEN: Final = tr(
    "{keys} is the shortcut of “{command}”: choose other keys, or change that one first."
)
TYPED: Final = tr(
    "{keys} is used in texts, lists or note input: add Ctrl, or choose a function key."
)
MENU: Final = tr("{keys} opens menus and leads to fields: add Ctrl.")
_OTHER: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier


class ShortcutEditor(QDialog):
    def __init__(self, commands: Commands, preferences: Preferences, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_TITLE)
        self._commands, self._preferences, self._window = commands, preferences, parent
        self.search = QLineEdit(placeholderText=_SEARCH, clearButtonEnabled=True)
        self.list, self.problem = QTreeWidget(), QLabel(wordWrap=True)
        self.keys = QKeySequenceEdit(maximumSequenceLength=1)
        self.no_keys, self.default = QPushButton(_NO_KEYS), QPushButton(_DEFAULT)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole.ResetRole
        self.all_defaults = self.buttons.addButton(_ALL_DEFAULTS, role)
        self._lay_out()
        menus = {name: _plain(title) for title, entries in MENUS for name in _names(entries)}
        height = QSize(0, self.fontMetrics().height() + _AROUND)
        for name, command in COMMANDS.items():
            item = QTreeWidgetItem([menus.get(name, ""), _plain(command.text), ""])
            item.setData(0, _NAME, name)
            item.setSizeHint(1, height)  # of the column that is as wide as there is room
            self.list.addTopLevelItem(item)
        self._connect()
        self._show_keys()
        self.choose(next(iter(COMMANDS)))

    @property
    def _chosen(self) -> dict[str, str]:
        return dict(self._preferences.keys)

    @property
    def _name(self) -> str:
        item = self.list.currentItem()
        return str(item.data(0, _NAME)) if item is not None else ""

    def choose(self, name: str) -> None:
        """Select a command by its name in the table of commands."""
        for row in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(row)
            if item is not None and item.data(0, _NAME) == name:
                self.list.setCurrentItem(item)

    @Slot()
    def _show_keys(self) -> None:
        for row in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(row)
            if item is not None:
                (action,) = self._commands.named(item.data(0, _NAME))
                item.setText(2, key_text(action.shortcuts()))
        self._show_command()

    @Slot()
    def _show_command(self) -> None:
        self.problem.hide()
        if self._name:
            (action,) = self._commands.named(self._name)
            self.keys.setKeySequence(action.shortcut())
            enable(self.no_keys, "" if action.shortcuts() else _HAS_NONE)
        enable(self.default, "" if self._name in self._preferences.keys else _IS_DEFAULT)

    @Slot()
    def _change(self) -> None:
        name, pressed = self._name, self.keys.keySequence()
        (action,) = self._commands.named(name)
        if pressed == action.shortcut():
            self.problem.hide()
        elif not self._refuse(self._problem(name, pressed)):
            self._store(self._chosen | {name: pressed.toString()})

    @Slot()
    def _remove(self) -> None:
        self._store(self._chosen | {self._name: ""})

    def _refuse(self, problem: str) -> bool:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        return bool(problem)

    def _problem(self, name: str, pressed: QKeySequence) -> str:
        """Return the reason why a command cannot have these keys, or ""."""
        command = COMMANDS[name]
        if pressed not in sequences(command.keys):
            sentence = _reserved(pressed, local=command.local)
            if sentence:
                return sentence.format(keys=key_text([pressed]))
        return self._taken(name, pressed)

    def _taken(self, name: str, pressed: QKeySequence) -> str:
        """Return which other command has keys, in a sentence, or "".

        Some share their default keys, such as Esc: one at most is possible at a time.
        """
        (own,) = self._commands.named(name)
        sharing = [one for one in COMMANDS if pressed in sequences(COMMANDS[one].keys)]
        sharing = [name, *(sharing if name in sharing else ())]
        allowed = {action for one in sharing for action in self._commands.named(one)}
        others = (
            action.text()
            for action in self._commands.actions
            if action not in allowed and pressed in action.shortcuts() and _meet(own, action)
        )
        buttons = (
            button.toolTip().partition(" (")[0]
            for button in self._window.findChildren(QAbstractButton)
            if button.shortcut() == pressed
        )
        command = next(chain(others, buttons), "")
        return TAKEN.format(keys=key_text([pressed]), command=_plain(command)) if command else ""

    @Slot()
    def _restore(self) -> None:
        keys = sequences(COMMANDS[self._name].keys)
        taken = next(filter(None, (self._taken(self._name, key) for key in keys)), "")
        if not self._refuse(taken):
            self._store({name: keys for name, keys in self._chosen.items() if name != self._name})

    def _store(self, chosen: Mapping[str, str]) -> None:
        lines = "\n".join(f"{name}={keys}" for name, keys in chosen.items())
        self._preferences.remember(keys=lines)
        self._show_keys()

    @Slot(str)
    def _filter(self, text: str) -> None:
        for row in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(row)
            if item is not None:
                shown = " ".join(item.text(column) for column in range(3)).lower()
                item.setHidden(text.strip().lower() not in shown)

    def _lay_out(self) -> None:
        self.list.setHeaderLabels([tr("Menu"), tr("Command"), tr("Keys", "keyboard")])
        self.list.setRootIsDecorated(False)
        self.list.setAccessibleName(tr("Commands"))
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.search.setAccessibleName(_SEARCH)
        self.problem.setObjectName("problem")
        for button in (self.no_keys, self.default, self.all_defaults, *self.buttons.buttons()):
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)
        grid = layout.form_grid()
        row = layout.row((self.keys, 1), self.no_keys, self.default, spacing=6)
        layout.add_row(grid, _KEYS, self.keys, row)
        layout.column(
            layout.dialog_title(_TITLE), layout.quiet(_NOTE), self.search, (self.list, 1), grid,
            self.problem, self.buttons, owner=self, spacing=10, margins=(20, 16, 20, 14),
        )  # fmt: skip
        self.resize(560, 640)

    def _connect(self) -> None:
        for signal, slot in (
            (self.search.textChanged, self._filter),
            (self.list.currentItemChanged, self._show_command),
            (self.keys.editingFinished, self._change),
            (self.no_keys.clicked, self._remove),
            (self.default.clicked, self._restore),
            (self.all_defaults.clicked, lambda: self._store({})),
            (self.buttons.rejected, self.reject),
        ):
            signal.connect(slot)


def _reserved(pressed: QKeySequence, *, local: bool) -> str:
    """Return a sentence why no command, or none of the whole window, can have keys, or ""."""
    if pressed.isEmpty():
        return ""
    combinations: Any = pressed  # its type is not that of a sequence
    key, held = combinations[0].key(), combinations[0].keyboardModifiers()
    if held & _OTHER:
        return ""
    if held & Qt.KeyboardModifier.AltModifier:
        return MENU if Qt.Key.Key_A <= key <= Qt.Key.Key_Z else ""
    is_free = Qt.Key.Key_F1 <= key <= Qt.Key.Key_F35 or key >= Qt.Key.Key_Back
    leads_on = key in {Qt.Key.Key_Tab, Qt.Key.Key_Backtab}
    return "" if is_free or (local and not leads_on) else TYPED


def _meet(one: QAction, other: QAction) -> bool:
    """Return whether two commands with the same keys would get in each other's way."""
    if Qt.ShortcutContext.WindowShortcut in {one.shortcutContext(), other.shortcutContext()}:
        return True
    pairs = product(_views(one), _views(other))
    return any(a is b or a.isAncestorOf(b) or b.isAncestorOf(a) for a, b in pairs)


def _views(action: QAction) -> list[QWidget]:
    """Return the views in which a command has its keys."""
    parts = action.associatedObjects()
    return [part for part in parts if isinstance(part, QWidget) and not isinstance(part, QMenu)]


def _names(entries: Entries) -> Iterator[str]:
    """Yield the names in a menu and in its submenus."""
    for entry in entries:
        if isinstance(entry, tuple):
            yield from _names(entry[1])
        elif entry is not None:
            yield entry


def _plain(text: str) -> str:
    return text.replace("&", "").removesuffix("…").rstrip().partition(": ")[0]
