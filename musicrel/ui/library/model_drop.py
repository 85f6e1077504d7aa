"""Models that are dropped on the window: a folder with a card, or a zip archive."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from musicrel.model.card import CARD

_ZIP: Final = ".zip"


class ModelDrop(QObject):
    """An event filter that accepts models on a window and leaves other files to it."""

    dropped = Signal(object)  # a folder or a zip archive

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        del watched
        if not isinstance(event, QDragEnterEvent | QDropEvent):
            return False
        path = model_path(event.mimeData())
        if path is None:
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if event.type() == QEvent.Type.Drop:
            self.dropped.emit(path)
        return True


def model_path(data: QMimeData) -> Path | None:
    """Return the first folder or zip archive in ``data``, a card counts as its folder."""
    for url in data.urls():
        path = Path(url.toLocalFile())
        if url.isLocalFile() and (path.is_dir() or path.suffix.lower() == _ZIP):
            return path
        if url.isLocalFile() and path.name == CARD:
            return path.parent
    return None
