"""Drags the piece out of the window as a MIDI file, as often as wanted.

Each drag is a fresh file in a folder of its own, so that the name stays plain and no program finds
its file changed; all are kept until the app ends. This file knows files and the mouse.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, cast

import shiboken6
from PySide6.QtCore import QMimeData, QPoint, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDrag, QGuiApplication, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolButton, QWidget

from musicrel.chorale import Chorale
from musicrel.presentation.words.palette import Theme
from musicrel.ui.files import file_dialogs
from musicrel.ui.widgets import icons

_TIP: Final = (
    "Drag the piece into a folder or another program as a MIDI file; a click copies it, to paste"
)
_ICON: Final = 18
_EDGES: Final = 24


class DragFolder:
    """A folder for dragged files, made when the first is needed."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self._count = 0

    def fresh(self, piece: Chorale) -> Path:
        """Write ``piece`` as a new MIDI file and tell where.

        Raises:
            MusicrelError: the piece or the folder does not allow it.
        """
        from musicrel.score import files

        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="musicrel-")
        self._count += 1
        name = file_dialogs.file_name(piece.title, ".mid")
        path = Path(self._folder.name) / str(self._count) / name
        files.write(piece, path)
        return path

    def remove(self) -> None:
        """Delete all of them."""
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()


class DragHandle(QToolButton):
    """A button that is dragged; a click is told like any button's.

    Signals:
        pulled: the user drags it; whoever listens calls ``drag``.
    """

    pulled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pressed: QPoint | None = None
        self._copied: QMimeData | None = None
        self._theme: Theme | None = None
        self.setObjectName("handle")
        self.setText("Drag MIDI")
        self.setAccessibleName("Drag or copy the piece as a MIDI file")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setIconSize(QSize(_ICON, _ICON))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._theme = theme
        self.setIcon(icons.tinted("drag", theme))

    def set_obstacle(self, reason: str) -> None:
        """Why there is nothing to drag; "" where there is."""
        self.setEnabled(not reason)
        self.setToolTip(reason or _TIP)
        self.setCursor(Qt.CursorShape.ArrowCursor if reason else Qt.CursorShape.OpenHandCursor)

    def drag(self, path: Path) -> None:
        """Drag the file ``path``; returns when it is dropped."""
        drag = QDrag(self)
        drag.setMimeData(payload(path))
        if self._theme is not None:
            drag.setPixmap(icons.pixmap("drag", 32, self._theme.accent))
        drag.exec(Qt.DropAction.CopyAction)

    def copy(self, path: Path) -> None:
        """Put the file ``path`` on the clipboard."""
        self._copied = payload(path)
        QGuiApplication.clipboard().setMimeData(self._copied)

    def forget_copy(self) -> None:
        """Take the file off the clipboard, where it is still there, before it is deleted.

        The clipboard deletes what it no longer holds. Whether it is ours is not asked of it: the
        answer is no on platforms that share it with nobody.
        """
        copied, self._copied = self._copied, None
        if copied is None or not shiboken6.isValid(copied):
            return
        # declared never to be None, and None all the same where the clipboard is empty
        held = cast("QMimeData | None", QGuiApplication.clipboard().mimeData())
        if held is not None and held.urls() == copied.urls():
            QGuiApplication.clipboard().clear()

    def sizeHint(self) -> QSize:
        """Room for icon and words, whether or not there is that much."""
        words = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(words + _ICON + _EDGES, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Room for the icon alone."""
        return QSize(_ICON + _EDGES // 2, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the words out where there is no room for them."""
        super().resizeEvent(event)
        style = Qt.ToolButtonStyle
        roomy = self.width() >= self.sizeHint().width()
        self.setToolButtonStyle(
            style.ToolButtonTextBesideIcon if roomy else style.ToolButtonIconOnly
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a drag may begin."""
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Begin to drag once the mouse is far enough; that is no click then."""
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        way = (event.position().toPoint() - self._pressed).manhattanLength()
        if way >= QApplication.startDragDistance():
            self._pressed = None
            self.setDown(False)
            self.pulled.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self._pressed = None
        super().mouseReleaseEvent(event)


def payload(path: Path) -> QMimeData:
    """A file as it is handed to other programs."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    return data
