"""Dialog with a model card."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from musicrel.errors import ModelError
from musicrel.model import catalogue
from musicrel.model.card import read_card
from musicrel.presentation.compose import model_card

_ABOUT: Final = "About {name}"
_ABOUT_NONE: Final = "About the model"
_NONE_SELECTED: Final = "No model is selected."
_SIZE: Final = (640, 660)


class CardDialog(QDialog):
    """A dialog that shows Markdown.

    Args:
        parent: the window in front of which it opens.
        title: the window title.
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
    """Return a dialog with the card of a model, or with the reason why it cannot be read.

    Args:
        parent: the window in front of which it opens.
        name: the model's name; "" if none is selected.
    """
    if not name:
        return CardDialog(parent, _ABOUT_NONE, _NONE_SELECTED)
    try:
        folder = catalogue.find(name)
        text = model_card.to_markdown(read_card(folder), folder.name)
    except ModelError as reason:
        text = f"{reason}"
    return CardDialog(parent, _ABOUT.format(name=name), text)
