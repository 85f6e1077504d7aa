"""The question what to do with a model whose name is taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

QUESTION: Final = "There is a model called {name} already."
_CHOICE: Final = "Import the new one as {free}, or replace the old one? Undo brings it back."
_ONLY_BOTH: Final = (
    "It belongs to musicrel or is writing notes, and stays. Import the new one as {free}?"
)
KEEP_BOTH: Final = "Import as {free}"
REPLACE: Final = "&Replace"
_CANCEL: Final = "Cancel"
_APP: Final = "musicrel"


def ask_about_name(
    parent: QWidget,
    name: str,
    free: str,
    *,
    on_keep_both: Callable[[], object],
    on_replace: Callable[[], object] | None,
) -> QMessageBox:
    """Open the question; Cancel does nothing.

    Args:
        on_replace: called to replace the old model; None if that is not possible.
    """
    question = QUESTION.format(name=name)
    box = QMessageBox(QMessageBox.Icon.Question, _APP, question, parent=parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setInformativeText((_CHOICE if on_replace else _ONLY_BOTH).format(free=free))
    keep = box.addButton(KEEP_BOTH.format(free=free), QMessageBox.ButtonRole.AcceptRole)
    replace = box.addButton(REPLACE, QMessageBox.ButtonRole.DestructiveRole) if on_replace else None
    box.setEscapeButton(box.addButton(_CANCEL, QMessageBox.ButtonRole.RejectRole))
    box.setDefaultButton(keep)

    def answer() -> None:
        if box.clickedButton() is keep:
            on_keep_both()
        elif replace is not None and on_replace is not None and box.clickedButton() is replace:
            on_replace()

    box.finished.connect(answer)
    box.open()
    return box
