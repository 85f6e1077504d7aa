"""Drag and drop of the piece to other programs as a MIDI file.

Each drag writes a new file in a folder of its own, so that names stay plain and no program finds
its file changed; all are kept until the app ends.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, cast

import shiboken6
from PySide6.QtCore import QMimeData, QPoint, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDrag, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolButton, QWidget

from musicrel.chorale import Chorale
from musicrel.language import tr
from musicrel.ui.files import dialogs
from musicrel.ui.files.file_jobs import ExportSettings, write_file
from musicrel.ui.widgets import icons

_NAME: Final = tr("Drag or copy the piece as a MIDI file")

_TIP: Final = tr(
    "Drag {what} to a folder or another program as a MIDI file; click to copy it. Bars that are "
    "selected are dragged alone"
)
_PIECE: Final = tr("the piece")
_ICON: Final = 18
TEXT: Final = tr("Drag MIDI")
BARS: Final = tr("Drag {bars}")


class DragFolder:
    """A temporary folder for dragged files, created with the first one."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self._count = 0

    def write_new(self, piece: Chorale, settings: ExportSettings) -> Path:
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="musicrel-")
        self._count += 1
        name = dialogs.file_name(piece.title, ".mid")
        path = Path(self._folder.name) / str(self._count) / name
        for _ in write_file(piece, path, settings):
            pass  # a MIDI file is written at once, the chords of most pieces are known
        return path

    def remove(self) -> None:
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()


class DragHandle(QToolButton):
    drag_started = Signal()  # the user drags it; the receiver calls ``drag``

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pressed: QPoint | None = None
        self._copied: QMimeData | None = None
        self.caption = TEXT  # its text where there is room
        self.setObjectName("handle")
        self.setText(TEXT)
        self.setAccessibleName(_NAME)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIcon(icons.themed("drag"))
        self.setIconSize(QSize(_ICON, _ICON))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def set_disabled_reason(self, reason: str, bars: str = "") -> None:
        """Enable the handle, or show the reason; ``bars`` names those that are dragged alone."""
        self.setEnabled(not reason)
        self.caption = BARS.format(bars=bars) if bars else TEXT
        self.setToolTip(reason or _TIP.format(what=bars or _PIECE))
        self.setCursor(Qt.CursorShape.ArrowCursor if reason else Qt.CursorShape.OpenHandCursor)

    def drag(self, path: Path) -> None:
        drag = QDrag(self)
        drag.setMimeData(mime_data(path))
        drag.setPixmap(icons.themed("drag", "accent").pixmap(32, 32))
        drag.exec(Qt.DropAction.CopyAction)

    def copy(self, path: Path) -> None:
        self._copied = mime_data(path)
        QGuiApplication.clipboard().setMimeData(self._copied)

    def clear_copied(self) -> None:
        """Remove the copied file from the clipboard, if it is still there, before it is deleted.

        The clipboard deletes data that it no longer holds. ``ownsClipboard`` is no help: it is
        always False on platforms without a shared clipboard.
        """
        copied, self._copied = self._copied, None
        if copied is None or not shiboken6.isValid(copied):
            return
        # the stub excludes None, but an empty clipboard returns it
        held = cast("QMimeData | None", QGuiApplication.clipboard().mimeData())
        if held is not None and held.urls() == copied.urls():
            QGuiApplication.clipboard().clear()

    def sizeHint(self) -> QSize:
        text = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(text + _ICON + 24, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the size of icon and text: an icon alone does not show what is dragged."""
        return self.sizeHint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        distance = (event.position().toPoint() - self._pressed).manhattanLength()
        if distance >= QApplication.startDragDistance():
            self._pressed = None
            self.setDown(False)
            self.drag_started.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        super().mouseReleaseEvent(event)


def mime_data(path: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    return data
