"""Non-blocking dialogs: for a file or folder, and for a confirmation."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget


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
