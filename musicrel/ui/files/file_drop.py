"""Files that are dropped on the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from musicrel.ui.files import file_dialogs


class FileDrop(QObject):
    """An event filter that accepts dropped files on a window."""

    dropped = Signal(object)  # path of a project or a piece

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        del watched
        if isinstance(event, QDragEnterEvent | QDropEvent):
            path = None if event.source() is not None else first_readable(event.mimeData())
            if path is None:
                event.ignore()
                return True
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            if event.type() == QEvent.Type.Drop:
                self.dropped.emit(path)
            return True
        return False


def first_readable(data: QMimeData) -> Path | None:
    """Return the first file in ``data`` with a readable suffix; None without one."""
    suffixes = file_dialogs.readable_suffixes()
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return next((path for path in paths if path.suffix.lower() in suffixes), None)
