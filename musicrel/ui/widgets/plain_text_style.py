"""The style of the app: every label, question and tooltip shows its text as it is.

Qt takes a text that looks like HTML for HTML, and loads the pictures it names. Titles, names of
models and files, and messages about them come from outside.
"""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QProxyStyle

_BASE: Final = "Fusion"


class PlainTextStyle(QProxyStyle):
    """Fusion, in which a label is plain text unless its format was set to another.

    A tooltip and the texts of a question are labels, too.
    """

    def __init__(self) -> None:
        super().__init__(_BASE)

    def polish(self, target: Any) -> Any:  # Qt has an overload for each
        """Prepare a widget, before it is first shown, or a palette or the app."""
        if isinstance(target, QLabel) and target.textFormat() == Qt.TextFormat.AutoText:
            target.setTextFormat(Qt.TextFormat.PlainText)
        return super().polish(target)
