"""The guides of the Help menu: in the app, or as web pages, where they are on this computer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeySequence
from PySide6.QtWidgets import QMenu

from musicrel import paths

GUIDES: Final = {
    "guide/README.md": "&User guide",
    "cli.md": "&Command line",
    "attention.md": "&Attention and positional schemes",
    "causal_map.md": "E&ffects and muted heads",
    "two_models.md": "T&wo models side by side",
    "teaching.md": "For &teachers",
    "laboratory.md": "&Experiments",
    "accessibility.md": "&Keyboard and screen readers",
    "results.md": "&Results",
    "how_it_works.md": "&How it works",
    "formats.md": "File f&ormats",
    "reference/commands.md": "Reference of co&mmands",
    "reference/python.md": "Reference of &Python",
}
"""File -> title in the menu."""
KEYS: Final = {"guide/README.md": "F1"}
ABSENT: Final = "This guide is part of the source code of musicrel and is not installed"
NO_PAGES: Final = "there are no web pages here: python packaging/build_docs.py makes them"
NO_PROGRAM: Final = "no program opens {path}: open it in a file manager"

_FIRST: Final = "index.html"


class GuideMenu(QObject):
    chosen = Signal(str, object)  # title and file of a guide to show

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        menu.setToolTipsVisible(True)
        for name, title in GUIDES.items():
            action = menu.addAction(title)
            action.setShortcut(QKeySequence(KEYS.get(name, "")))
            path = folder() / name
            action.setEnabled(path.is_file())
            action.setToolTip("" if path.is_file() else ABSENT)
            action.triggered.connect(partial(self._choose, title.replace("&", ""), path))

    def _choose(self, title: str, path: Path, _checked: bool = False) -> None:
        self.chosen.emit(title, path)


def folder() -> Path:
    """Return the folder of the guides: in the wheel, or in the source tree."""
    inside = paths.assets() / "docs"
    return inside if inside.is_dir() else paths.assets().parent / "docs"


def first_page() -> Path:
    """Return the first of the web pages: in the wheel, or where ``build_docs.py`` writes it."""
    inside = paths.assets() / "manual" / _FIRST
    return inside if inside.is_file() else paths.assets().parent / "dist" / "docs" / _FIRST


def open_page(page: Path, opens: Callable[[QUrl], bool] = QDesktopServices.openUrl) -> str:
    """Open a web page in the browser; return why that is not possible, or ""."""
    return open_outside(page, opens) if page.is_file() else NO_PAGES


def open_outside(path: Path, opens: Callable[[QUrl], bool] = QDesktopServices.openUrl) -> str:
    """Open a folder or file in the system's program for it; return why not, or ""."""
    return "" if opens(QUrl.fromLocalFile(str(path))) else NO_PROGRAM.format(path=path)
