"""The menu commands, with their shortcuts; controllers connect them."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from musicrel.presentation.words.pages import PAGES
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.settings import THEMES
from musicrel.ui.actions.file_commands import FileCommands
from musicrel.ui.actions.play_commands import PlayCommands
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.actions.take_commands import TakeCommands

TINTS = (("voice", "&Voice"), ("surprisal", "&Surprisal"))
DEVICES = (
    ("auto", "&Automatic"),
    ("cpu", "&Processor (CPU)"),
    ("cuda", "&NVIDIA GPU (CUDA)"),
    ("mps", "A&pple GPU (Metal)"),
)


class Commands(QObject):
    """The actions of all menus."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.file = FileCommands(self)
        self.undo = self._action("&Undo", QKeySequence.StandardKey.Undo)
        self.redo = self._action("&Redo", "Ctrl+Shift+Z", "Ctrl+Y")
        self.generate = self._action("&Generate", "Ctrl+G")
        self.stop = self._action("S&top", "Esc")
        self.new_seed = self._action("New &random seed", "Ctrl+R")
        self.zoom_in = self._action("Zoom &in", "Ctrl++", "Ctrl+=")
        self.zoom_out = self._action("Zoom &out", "Ctrl+-")
        self.zoom_fit = self._action("Fit &whole piece", "Ctrl+0")
        self.score = self._toggle("&Engraved score", "Ctrl+E")
        self.four_staves = self._toggle("&Four staves", "Ctrl+Shift+E")
        self.play = PlayCommands(self)
        self.rewriting = RewriteCommands(self)
        self.takes = TakeCommands(self)
        self.about = self._action("&About musicrel")
        self.about_model = self._action("About the &model…", "Ctrl+I")
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
        self.rewriting.fill_edit(_menu(bar, "&Edit", self.undo, self.redo))
        compose = _menu(bar, "&Compose", self.generate, self.stop, self.new_seed, None)
        self.rewriting.fill_compose(compose)
        devices = compose.addMenu("De&vice")
        devices.addActions(self.devices.actions())
        self.play.fill(bar)
        self.takes.fill(bar)
        view = _menu(bar, "&View", *self.pages.actions(), None)
        view.addActions([self.zoom_in, self.zoom_out, self.zoom_fit])
        view.addSeparator()
        view.addActions([self.score, self.four_staves])
        view.addSeparator()
        view.addActions([self.takes.show, self.rewriting.marks])
        view.addMenu("Colour &notes by").addActions(self.tints.actions())
        view.addMenu("&Theme").addActions(self.themes.actions())
        _menu(bar, "&Help", self.about_model, self.about)

    def _action(self, text: str, *keys: str | QKeySequence.StandardKey) -> QAction:
        action = QAction(text, self)
        action.setShortcuts([QKeySequence(key) for key in keys])
        return action

    def _toggle(self, text: str, key: str) -> QAction:
        action = self._action(text, key)
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
