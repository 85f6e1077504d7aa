"""Non-blocking dialogs: for a file or folder, a confirmation, files that exist, unsaved work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QMessageBox, QWidget

from musicrel.presentation.words import names

EXISTS: Final = "“{name}” exists in this folder."
SOME_EXIST: Final = "{count} of the {files} exist in this folder."
_KEEP_NOTE: Final = "Keep both gives the new files a number."
_REPLACE, _KEEP, _CANCEL = "&Replace", "&Keep both", "Cancel"
_DISCARD: Final = "&Don't Save"


def path_dialog(parent: QWidget, title: str, mode: QFileDialog.FileMode) -> QFileDialog:
    """Return a dialog for a file or folder, not opened yet, that deletes itself when closed."""
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(mode)
    return dialog


def confirm(
    parent: QWidget, question: str, yes: str, no: str, on_confirmed: Callable[[], object]
) -> QMessageBox:
    """Open a question about a destructive action."""
    box = QMessageBox(QMessageBox.Icon.Question, "musicrel", question, parent=parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    confirm_button = box.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
    keep_button = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep_button)
    box.setEscapeButton(keep_button)
    box.buttonClicked.connect(lambda button: on_confirmed() if button is confirm_button else None)
    box.open()
    return box


def check_existing(
    parent: QWidget,
    paths: Sequence[Path],
    *,
    on_replace: Callable[[], object],
    on_keep: Callable[[], object],
) -> None:
    """Ask before files are replaced; Cancel does nothing."""
    existing = [path for path in paths if path.exists()]
    if not existing:
        on_replace()
        return
    question = SOME_EXIST.format(count=len(existing), files=names.count(len(paths), "file"))
    if len(existing) == 1:
        question = EXISTS.format(name=existing[0].name)
    box = QMessageBox(QMessageBox.Icon.Question, "musicrel", question, parent=parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setInformativeText(_KEEP_NOTE)
    replace_button = box.addButton(_REPLACE, QMessageBox.ButtonRole.DestructiveRole)
    keep_button = box.addButton(_KEEP, QMessageBox.ButtonRole.AcceptRole)
    box.setEscapeButton(box.addButton(_CANCEL, QMessageBox.ButtonRole.RejectRole))
    box.setDefaultButton(keep_button)
    _connect_answers(box, {replace_button: on_replace, keep_button: on_keep})
    box.open()


def ask_to_save(
    parent: QWidget,
    question: str,
    consequence: str,
    *,
    on_save: Callable[[], object],
    on_discard: Callable[[], object],
) -> QMessageBox:
    """Open the question what to do with unsaved work; Cancel does nothing."""
    box = QMessageBox(QMessageBox.Icon.Warning, "musicrel", question, parent=parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setInformativeText(consequence)
    save = box.addButton("&Save", QMessageBox.ButtonRole.AcceptRole)
    discard = box.addButton(_DISCARD, QMessageBox.ButtonRole.DestructiveRole)
    box.setEscapeButton(box.addButton(_CANCEL, QMessageBox.ButtonRole.RejectRole))
    box.setDefaultButton(save)
    _connect_answers(box, {save: on_save, discard: on_discard})
    box.open()
    return box


def _connect_answers(
    box: QMessageBox, answers: Mapping[QAbstractButton, Callable[[], object]]
) -> None:
    def answer() -> None:
        for button, on_clicked in answers.items():
            if box.clickedButton() is button:
                on_clicked()

    box.finished.connect(answer)
