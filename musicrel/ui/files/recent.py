"""The documents that were open last, shared by all windows."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QMenu

from musicrel import paths, untrusted
from musicrel.errors import DataError, FileError
from musicrel.language import tr

NONE_YET_TIP: Final = tr("Documents that you open or save are listed here")

MAX_RECENT: Final = 10
NONE_YET: Final = tr("No document was opened yet")
GONE: Final = tr("cannot find {name} in {folder}: it was removed from the list of recent documents")

_log = logging.getLogger(__name__)


def load() -> tuple[Path, ...]:
    """Return the documents, newest first; none if the list cannot be read."""
    try:
        entries = untrusted.parse_json(untrusted.read(_file(), "recent_documents"))
        return tuple(Path(entry) for entry in entries if isinstance(entry, str))[:MAX_RECENT]
    except (FileError, DataError, TypeError):
        return ()


def add(path: Path) -> None:
    path = path.absolute()
    _save((path, *(other for other in load() if other != path)))


def remove(path: Path) -> None:
    _save(tuple(other for other in load() if other != path))


def follow(
    menu: QMenu, open_path: Callable[[Path], object], report: Callable[[str], object]
) -> None:
    """Fill a menu with the documents when it opens; one that is gone is reported."""

    def choose(path: Path, _checked: bool = False) -> None:
        if paths.is_file(path):
            open_path(path)
        else:
            remove(path)
            report(GONE.format(name=path.name, folder=path.parent))

    def fill() -> None:
        menu.clear()
        documents = load()
        for path in documents:
            action = menu.addAction(_text(path))
            action.setToolTip(str(path))
            action.triggered.connect(partial(choose, path))
        if not documents:
            none = menu.addAction(NONE_YET)
            none.setToolTip(NONE_YET_TIP)
            none.setEnabled(False)
            return
        menu.addSeparator()
        menu.addAction(tr("&Clear")).triggered.connect(lambda: _save(()))

    menu.aboutToShow.connect(fill)
    fill()


def _text(path: Path) -> str:
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
