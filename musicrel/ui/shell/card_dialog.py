"""A model's card, to be read.

This file knows how text is shown; what a card says stands in ``presentation.model_card``.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from musicrel.errors import ModelError
from musicrel.model import catalogue
from musicrel.model.card import read_card
from musicrel.presentation.compose import model_card

_SIZE: Final = (640, 660)


class CardDialog(QDialog):
    """A window with Markdown.

    Args:
        parent: in front of which it opens.
        title: of the window.
        markdown: the text.
    """

    def __init__(self, parent: QWidget, title: str, markdown: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.text = QTextBrowser()
        self.text.setAccessibleName(title)
        self.text.document().setDocumentMargin(16)
        self.text.setMarkdown(markdown)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.text)
        layout.addWidget(buttons)
        self.resize(*_SIZE)


def of_model(parent: QWidget, name: str) -> CardDialog:
    """The card of a model, or why there is none to be read; not opened yet.

    Args:
        parent: in front of which it opens.
        name: of the model; "" where none is chosen.
    """
    if not name:
        return CardDialog(parent, "About the model", "No model is chosen.")
    try:
        folder = catalogue.find(name)
        text = model_card.words(read_card(folder), folder.name)
    except ModelError as reason:
        text = f"{reason}"
    return CardDialog(parent, f"About {name}", text)
