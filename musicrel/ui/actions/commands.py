"""The menu commands, with their shortcuts; controllers connect them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from musicrel.presentation.words.pages import PAGES
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.settings import THEMES
from musicrel.ui.actions.edit_commands import EditCommands
from musicrel.ui.actions.file_commands import FileCommands
from musicrel.ui.actions.library_commands import LibraryCommands
from musicrel.ui.actions.play_commands import PlayCommands
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.actions.rule_commands import RuleCommands
from musicrel.ui.actions.take_commands import TakeCommands
from musicrel.ui.actions.twin_commands import TwinCommands

TINTS: Final = (("voice", "&Voice"), ("surprisal", "&Surprisal"))
DEVICES: Final = (
    ("auto", "&Automatic"),
    ("cpu", "&Processor (CPU)"),
    ("cuda", "&NVIDIA GPU (CUDA)"),
    ("mps", "A&pple GPU (Metal)"),
)
_KEYS: Final = QKeySequence.StandardKey
_TEXTS: Final[Mapping[str, tuple[str, tuple[str | QKeySequence.StandardKey, ...]]]] = (
    MappingProxyType(
        {
            "undo": ("&Undo", (_KEYS.Undo,)),
            "redo": ("&Redo", ("Ctrl+Shift+Z", "Ctrl+Y")),
            "generate": ("&Generate", ("Ctrl+G",)),
            "stop": ("S&top", ("Esc",)),
            "new_seed": ("New &random seed", ("Ctrl+R",)),
            "zoom_in": ("Zoom &in", ("Ctrl++", "Ctrl+=")),
            "zoom_out": ("Zoom &out", ("Ctrl+-",)),
            "zoom_fit": ("Fit &whole piece", ("Ctrl+0",)),
            "score": ("&Engraved score", ("Ctrl+E",)),
            "four_staves": ("&Four staves", ("Ctrl+Shift+E",)),
            "numerals": ("Roman &numerals", ("Ctrl+Shift+H",)),
            "next_part": ("Form, sheet or ta&kes", ("F6",)),
            "about": ("&About musicrel", ()),
            "about_model": ("About the &model…", ("Ctrl+I",)),
        }
    )
)
"""Name of a command -> its text and keys."""
_EDIT: Final = "&Edit"
_COMPOSE: Final = "&Compose"
_VIEW: Final = "&View"
_HELP: Final = "&Help"
_DEVICE: Final = "De&vice"
_THEME: Final = "&Theme"
_COLOUR_BY: Final = "Colour &notes by"


class Commands(QObject):
    """The actions of all menus."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.file = FileCommands(self)
        self.undo = self._action("undo")
        self.redo = self._action("redo")
        self.edit = EditCommands(self)
        self.generate = self._action("generate")
        self.stop = self._action("stop")
        self.new_seed = self._action("new_seed")
        self.zoom_in = self._action("zoom_in")
        self.zoom_out = self._action("zoom_out")
        self.zoom_fit = self._action("zoom_fit")
        self.score = self._toggle("score")
        self.four_staves = self._toggle("four_staves")
        self.numerals = self._toggle("numerals")
        self.play, self.takes = PlayCommands(self), TakeCommands(self)
        self.rewriting, self.rules = RewriteCommands(self), RuleCommands(self)
        self.library, self.twin = LibraryCommands(self), TwinCommands(self)
        self.next_part = self._action("next_part")
        self.about = self._action("about")
        self.about_model = self._action("about_model")
        self.themes = self._group([(name, f"&{name.capitalize()}") for name in THEMES])
        self.devices = self._group(DEVICES)
        self.tints = self._group(TINTS)
        self.pages = self._group([(page.name, f"&{page.title}") for page in PAGES])
        for number, page in enumerate(self.pages.actions(), start=1):
            page.setShortcut(QKeySequence(f"Ctrl+{number}"))

    @property
    def layout(self) -> Layout:
        """Return the layout of scores: one staff per voice, or two voices on each staff."""
        return "parts" if self.four_staves.isChecked() else "staves"

    def fill(self, bar: QMenuBar) -> None:
        """Add all commands to the menus of ``bar``."""
        self.file.fill(bar)
        edit = _menu(bar, _EDIT, self.undo, self.redo)
        self.edit.fill(edit, self.rewriting.draw)
        self.rewriting.fill_edit(edit)
        edit.addSeparator()
        edit.addAction(self.library.preferences)
        compose = _menu(bar, _COMPOSE, self.generate, self.stop, self.new_seed, None)
        self.rewriting.fill_compose(compose)
        compose.insertAction(self.rewriting.next, self.rules.rewrite)
        self.twin.fill(compose)
        devices = compose.addMenu(_DEVICE)
        devices.addActions(self.devices.actions())
        compose.addAction(self.library.models)
        self.play.fill(bar)
        self.takes.fill(bar)
        self._fill_view(bar)
        help_menu = _menu(bar, _HELP)
        self.library.fill_help(help_menu)
        help_menu.addActions([self.about_model, self.about])
        for menu in bar.findChildren(QMenu):
            menu.setToolTipsVisible(True)  # they give the reasons of disabled commands

    def _fill_view(self, bar: QMenuBar) -> None:
        view = _menu(bar, _VIEW, *self.pages.actions(), None)
        view.addActions([self.next_part, self.zoom_in, self.zoom_out, self.zoom_fit])
        view.addSeparator()
        view.addActions([self.score, self.four_staves, self.numerals])
        view.addSeparator()
        view.addActions([self.takes.show, self.rewriting.marks])
        self.rules.fill_view(view)
        view.addMenu(_COLOUR_BY).addActions(self.tints.actions())
        view.addMenu(_THEME).addActions(self.themes.actions())

    def _action(self, name: str) -> QAction:
        text, keys = _TEXTS[name]
        action = QAction(text, self)
        action.setShortcuts([QKeySequence(key) for key in keys])
        return action

    def _toggle(self, name: str) -> QAction:
        action = self._action(name)
        action.setCheckable(True)
        return action

    def _group(self, entries: list[tuple[str, str]] | tuple[tuple[str, str], ...]) -> QActionGroup:
        """Return an exclusive group of actions; the data of each is its name."""
        group = QActionGroup(self)
        for name, text in entries:
            action = group.addAction(text)
            action.setData(name)
            action.setCheckable(True)
        return group


def set_enabled(action: QAction, disabled_reason: str) -> None:
    """Enable ``action``, or disable it and give the reason in its tooltip."""
    action.setEnabled(not disabled_reason)
    action.setToolTip(disabled_reason or action.iconText())


def check(group: QActionGroup, name: str) -> None:
    """Check the action called ``name`` without triggering it."""
    for action in group.actions():
        action.setChecked(action.data() == name)


def _menu(bar: QMenuBar, title: str, *actions: QAction | None) -> QMenu:
    menu = bar.addMenu(title)
    menu.setToolTipsVisible(True)
    for action in actions:
        if action is None:
            menu.addSeparator()
        else:
            menu.addAction(action)
    return menu
