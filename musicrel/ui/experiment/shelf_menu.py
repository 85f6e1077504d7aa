"""The menu that renames, archives and deletes the shown study."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

RENAME_TIP: Final = "Give the study another name; its files stay as they are"
ARCHIVE_TIP: Final = "Take the study off the list; it is kept, and Show archived lists it again"
BACK_TIP: Final = "List the study among the others again"
DELETE_TIP: Final = "Move the study to the trash"
_TITLE: Final = "&More"
_TIP: Final = "Rename, archive or delete the study"
_RENAME: Final = "Re&name…"
_ARCHIVE: Final = "&Archive"
_BACK: Final = "Take from the &archive"
_DELETE: Final = "&Delete"


class ShelfMenu(QPushButton):
    """A button with a menu; a passive widget."""

    rename_requested = Signal()  # give the study another name
    archive_requested = Signal()  # move it to the archive, or back
    delete_requested = Signal()  # move it to the trash

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_TITLE, parent)
        self.setToolTip(_TIP)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        self.rename = menu.addAction(_RENAME)
        self.archive = menu.addAction(_ARCHIVE)
        menu.addSeparator()
        self.delete = menu.addAction(_DELETE)
        self.setMenu(menu)
        for action, signal in (
            (self.rename, self.rename_requested),
            (self.archive, self.archive_requested),
            (self.delete, self.delete_requested),
        ):
            action.triggered.connect(signal)
        self.set_state(disabled_reason="", archived=False)

    def set_state(self, *, disabled_reason: str, archived: bool) -> None:
        """Set whether the study is archived, and why it cannot be moved now, or ""."""
        self.archive.setText(_BACK if archived else _ARCHIVE)
        tips: tuple[tuple[QAction, str], ...] = (
            (self.rename, RENAME_TIP),
            (self.archive, BACK_TIP if archived else ARCHIVE_TIP),
            (self.delete, DELETE_TIP),
        )
        for action, tip in tips:
            action.setEnabled(not disabled_reason)
            action.setToolTip(disabled_reason or tip)
