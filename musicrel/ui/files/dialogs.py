"""Questions that hold up nothing: for a file or folder, and whether something is really meant.

This file knows dialogs; it knows nothing of what is asked for.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget


def for_path(parent: QWidget, title: str, mode: QFileDialog.FileMode) -> QFileDialog:
    """A dialog for a file or folder; not opened yet, and gone when it is answered."""
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(mode)
    return dialog


def whether(parent: QWidget, question: str, yes: str, answer: Callable[[], object]) -> QMessageBox:
    """Ask whether something is meant.

    Args:
        parent: the window it belongs to.
        question: in a sentence or two.
        yes: the words of the button that means it.
        answer: called when it is meant.
    """
    box = QMessageBox(QMessageBox.Icon.Question, "musicrel", question, parent=parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    meant = box.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
    leave = box.addButton("Leave it", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(leave)
    box.setEscapeButton(leave)
    box.buttonClicked.connect(lambda button: answer() if button is meant else None)
    box.open()
    return box
