"""The documents that were open last, shared by all windows."""

from __future__ import annotations

import json
import logging
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QMenu

from musicrel import gate, paths
from musicrel.errors import DataError, FileError

MAX_RECENT: Final = 10
NONE_YET: Final = "No document was opened yet"
NONE_YET_TIP: Final = "Documents that you open or save are listed here"
GONE: Final = "cannot find {name} in {folder}: it was removed from the list of recent documents"

_log = logging.getLogger(__name__)


def load() -> tuple[Path, ...]:
    """Return the documents, newest first; none if the list cannot be read."""
    try:
        entries = gate.parse_json(gate.read(_file(), "recent_documents"))
        return tuple(Path(entry) for entry in entries if isinstance(entry, str))[:MAX_RECENT]
    except (FileError, DataError, TypeError):
        return ()


def add(path: Path) -> None:
    """Put a document at the top of the list."""
    path = path.absolute()
    _save((path, *(other for other in load() if other != path)))


def remove(path: Path) -> None:
    """Remove a document from the list."""
    _save(tuple(other for other in load() if other != path))


def clear() -> None:
    """Empty the list."""
    _save(())


class RecentMenu(QObject):
    """The menu of the documents that were open last."""

    chosen = Signal(object)  # a document to open
    missed = Signal(str)  # the chosen document is gone; a sentence

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        self._menu = menu
        menu.aboutToShow.connect(self.fill)
        self.fill()

    @Slot()
    def fill(self) -> None:
        self._menu.clear()
        documents = load()
        for path in documents:
            action = self._menu.addAction(_text(path))
            action.setToolTip(str(path))
            action.triggered.connect(partial(self._choose, path))
        if not documents:
            none = self._menu.addAction(NONE_YET)
            none.setToolTip(NONE_YET_TIP)
            none.setEnabled(False)
            return
        self._menu.addSeparator()
        self._menu.addAction("&Clear").triggered.connect(clear)

    def _choose(self, path: Path, _checked: bool = False) -> None:
        if paths.is_file(path):
            self.chosen.emit(path)
        else:
            remove(path)
            self.missed.emit(GONE.format(name=path.name, folder=path.parent))


def _text(path: Path) -> str:
    """Return name and folder of a document, the user's own folder as ``~``."""
    folder = path.parent
    if folder.is_relative_to(Path.home()):
        folder = Path("~") / folder.relative_to(Path.home())
    return f"{path.name}  –  {folder}".replace("&", "&&")


def _file() -> Path:
    return paths.data() / "recent.json"


def _save(documents: tuple[Path, ...]) -> None:
    try:
        paths.write_text(_file(), json.dumps([str(path) for path in documents[:MAX_RECENT]]))
    except FileError as reason:
        _log.warning("the list of recent documents cannot be saved: %s", reason)
