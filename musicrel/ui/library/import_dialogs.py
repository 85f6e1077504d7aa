"""The dialogs for the model to import: its file, or its folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QFileDialog, QWidget

from musicrel.model.card import CARD
from musicrel.ui.files import dialogs

TITLE: Final = "Import a model"
_FILTER: Final = "Models (*.zip {card})"


def ask_for_file(parent: QWidget, on_chosen: Callable[[Path], None]) -> None:
    """Ask for a zip archive or a card, which stands for its folder."""
    dialog = dialogs.path_dialog(parent, TITLE, QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilter(_FILTER.format(card=CARD))
    dialog.fileSelected.connect(lambda file: on_chosen(_model(Path(file))))
    dialog.open()


def ask_for_folder(parent: QWidget, on_chosen: Callable[[Path], None]) -> None:
    dialog = dialogs.path_dialog(parent, TITLE, QFileDialog.FileMode.Directory)
    dialog.fileSelected.connect(lambda folder: on_chosen(Path(folder)))
    dialog.open()


def _model(file: Path) -> Path:
    return file.parent if file.name == CARD else file
