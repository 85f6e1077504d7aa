"""The guides of the Help menu: shown in the app, where a copy of them is on this computer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMenu

from musicrel import paths

GUIDES: Final = {
    "cli.md": "&Command line",
    "attention.md": "&Attention and positional schemes",
    "causal_map.md": "E&ffects and muted heads",
    "two_models.md": "T&wo models side by side",
    "teaching.md": "For &teachers",
    "laboratory.md": "&Experiments",
    "accessibility.md": "&Keyboard and screen readers",
    "results.md": "&Results",
}
"""File -> title in the menu."""
ABSENT: Final = "This guide is part of the source code of musicrel and is not installed"
NO_PROGRAM: Final = "no program opens {path}: open it in a file manager"


class GuideMenu(QObject):
    """The menu of the guides.

    Args:
        menu: filled here.

    Signals:
        chosen (str, Path): title and file of a guide to show.
    """

    chosen = Signal(str, object)

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        menu.setToolTipsVisible(True)
        for name, title in GUIDES.items():
            action = menu.addAction(title)
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


def open_folder(path: Path, opens: Callable[[QUrl], bool] = QDesktopServices.openUrl) -> str:
    """Open a folder in the file manager; return why that is not possible, or ""."""
    return "" if opens(QUrl.fromLocalFile(str(path))) else NO_PROGRAM.format(path=path)
