"""The dialog for the folder and the formats of several takes, without logic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from musicrel.ui.files import dialogs
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.elided_label import ElidedLabel

_TITLE: Final = "Export takes"
_FOLDER: Final = "Folder"
_BROWSE: Final = "&Browse…"
_BROWSE_TITLE: Final = "Folder for the takes"
_FORMATS: Final = "Formats"
_EXPORT: Final = "&Export"
_NO_FORMAT: Final = "Choose at least one format"
_NO_FOLDER: Final = "Choose a folder"
_NO_PLACE: Final = "There is no such folder: choose another one"
_COLUMNS: Final = 2
_WIDTH: Final = 520


class TakesDialog(QDialog):
    """The dialog; not shown yet."""

    changed = Signal()  # another folder or other formats were chosen
    export_clicked = Signal()

    def __init__(self, formats: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.heading, self.names = QLabel(), ElidedLabel()
        self.folder_field, self.browse = QLineEdit(), QPushButton(_BROWSE)
        self.folder_field.setAccessibleName(_FOLDER)
        self.formats = {suffix: QCheckBox(title) for suffix, title in formats.items()}
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.export_button = self.buttons.addButton(_EXPORT, QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out()
        self._connect()

    # ------------------------------------------------------------------ state

    def set_choice(self, folder: str, suffixes: Sequence[str]) -> None:
        """Select folder and formats."""
        self.folder_field.setText(folder)
        for suffix, box in self.formats.items():
            box.setChecked(suffix in suffixes)
        self._update()

    def show_names(self, heading: str, names: str) -> None:
        """Show how many takes are exported, and the names of their files."""
        self.heading.setText(heading)
        self.names.setText(names)
        self.names.setToolTip(names)

    @property
    def folder(self) -> Path:
        return Path(self.folder_field.text().strip()).expanduser()

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Return the chosen formats in their order."""
        return tuple(suffix for suffix, box in self.formats.items() if box.isChecked())

    @property
    def _reason(self) -> str:
        """Return the reason why nothing can be exported now, or ""."""
        if not self.folder_field.text().strip():
            return _NO_FOLDER
        if not self.folder.is_dir():
            return _NO_PLACE
        return "" if self.suffixes else _NO_FORMAT

    # ------------------------------------------------------------------ widgets

    @Slot()
    def _update(self) -> None:
        self.export_button.setEnabled(not self._reason)
        self.export_button.setToolTip(self._reason)
        self.changed.emit()

    @Slot()
    def _browse_folders(self) -> None:
        dialog = dialogs.path_dialog(self, _BROWSE_TITLE, QFileDialog.FileMode.Directory)
        dialog.setDirectory(str(self.folder))
        dialog.fileSelected.connect(self.folder_field.setText)
        dialog.open()

    def _lay_out(self) -> None:
        self.names.setObjectName("quiet")
        boxes = QGridLayout()
        boxes.setVerticalSpacing(6)
        for place in range(_COLUMNS):
            boxes.setColumnStretch(place, 1)
        for place, box in enumerate(self.formats.values()):
            boxes.addWidget(box, place // _COLUMNS, place % _COLUMNS)
        layout.column(
            self.heading, self.names, 8,
            layout.heading(_FOLDER),
            layout.row((self.folder_field, 1), self.browse, spacing=6), 8,
            layout.heading(_FORMATS), boxes, 8,
            None, self.buttons,
            owner=self, spacing=4, margins=(16, 16, 16, 12),
        )  # fmt: skip
        self.setFixedWidth(_WIDTH)
        self.export_button.setDefault(True)

    def _connect(self) -> None:
        self.folder_field.textChanged.connect(self._update)
        for box in self.formats.values():
            box.toggled.connect(self._update)
        self.browse.clicked.connect(self._browse_folders)
        self.buttons.accepted.connect(self.export_clicked)
        self.buttons.rejected.connect(self.reject)
