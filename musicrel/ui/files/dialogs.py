"""Non-blocking dialogs: for a file or folder, for a confirmation, and for unsaved work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

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
    """Open a question about a destructive action.

    Args:
        parent: window of the dialog.
        question: one or two sentences.
        yes: text of the button that confirms.
        no: text of the button that changes nothing.
        on_confirmed: called after a click on it.
    """
    box = QMessageBox(QMessageBox.Icon.Question, "musicrel", question, parent=parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    confirm_button = box.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
    keep_button = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep_button)
    box.setEscapeButton(keep_button)
    box.buttonClicked.connect(lambda button: on_confirmed() if button is confirm_button else None)
    box.open()
    return box


def ask_to_save(
    parent: QWidget,
    question: str,
    consequence: str,
    *,
    on_save: Callable[[], object],
    on_discard: Callable[[], object],
) -> QMessageBox:
    """Open the question what to do with unsaved work; Cancel does nothing.

    Args:
        parent: window of the dialog.
        question: one sentence.
        consequence: one or two sentences in smaller type.
        on_save: called after a click on "Save".
        on_discard: called after a click on "Don't Save".
    """
    box = QMessageBox(QMessageBox.Icon.Warning, "musicrel", question, parent=parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setInformativeText(consequence)
    save = box.addButton("&Save", QMessageBox.ButtonRole.AcceptRole)
    discard = box.addButton(_DISCARD, QMessageBox.ButtonRole.DestructiveRole)
    box.setEscapeButton(box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole))
    box.setDefaultButton(save)

    def answer() -> None:
        if box.clickedButton() is save:
            on_save()
        elif box.clickedButton() is discard:
            on_discard()

    box.finished.connect(answer)
    box.open()
    return box
