"""Takes files that are dropped on the window.

This file knows drags and suffixes; it knows nothing of what stands in the files.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget


class Drops(QObject):
    """Watches one window.

    Args:
        window: where files may be dropped.

    Signals:
        dropped: the path of a piece.
    """

    dropped = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take one file of a kind that can be read, and none that was dragged from here."""
        del watched
        if isinstance(event, QDragEnterEvent | QDropEvent):
            path = None if event.source() is not None else readable(event.mimeData())
            if path is None:
                event.ignore()
                return True
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            if event.type() == QEvent.Type.Drop:
                self.dropped.emit(path)
            return True
        return False


def readable(data: QMimeData) -> Path | None:
    """The first file in ``data`` that can be opened, None where there is none."""
    from musicrel.score.files import READABLE

    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return next((path for path in paths if path.suffix.lower() in READABLE), None)
