"""Dialog with a model card."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from musicrel.errors import ModelError
from musicrel.model import catalogue
from musicrel.model.card import read_card
from musicrel.presentation.compose import model_card
from musicrel.ui.widgets.card_text import CardText

_ABOUT: Final = "About {name}"
_ABOUT_NONE: Final = "About the model"
_NONE_SELECTED: Final = "No model is selected."
_SIZE: Final = (640, 660)
_GUIDE_SIZE: Final = (900, 680)
_PICTURE: Final = 830
"""Greatest width of a picture in pixels: that of the text of a guide."""


class CardDialog(QDialog):
    """A dialog that shows Markdown.

    Args:
        parent: the window in front of which it opens.
        title: the window title.
        text: the widget with the text.
    """

    def __init__(self, parent: QWidget, title: str, text: QTextBrowser) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.text = text
        self.text.setAccessibleName(title)
        self.text.document().setDocumentMargin(16)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.text)
        layout.addWidget(buttons)
        self.resize(*_SIZE)


class GuideText(QTextBrowser):
    """A text whose pictures fit its width."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return what a link names; a picture at most as wide as the text, and as sharp."""
        found: object = super().loadResource(kind, name)
        if kind != QTextDocument.ResourceType.ImageResource.value or not isinstance(
            found, QByteArray
        ):
            return found
        image, widest = QImage.fromData(found), round(_PICTURE * self.devicePixelRatioF())
        if image.width() > widest:
            image = image.scaledToWidth(widest, Qt.TransformationMode.SmoothTransformation)
        image.setDevicePixelRatio(max(image.width() / _PICTURE, 1.0))
        return image


def of_guide(parent: QWidget, title: str, markdown: str, folder: Path) -> CardDialog:
    """Return a dialog with a guide.

    Args:
        parent: the window in front of which it opens.
        title: the window title.
        markdown: the text.
        folder: where its pictures and links are.
    """
    text = GuideText()
    text.setSearchPaths([str(folder)])
    text.setOpenExternalLinks(True)
    text.setMarkdown(markdown)
    dialog = CardDialog(parent, title, text)
    dialog.resize(*_GUIDE_SIZE)
    return dialog


def of_model(parent: QWidget, name: str) -> CardDialog:
    """Return a dialog with the card of a model, or with the reason why it cannot be read.

    Args:
        parent: the window in front of which it opens.
        name: the model's name; "" if none is selected.
    """
    if not name:
        return CardDialog(parent, _ABOUT_NONE, CardText(_NONE_SELECTED))
    try:
        folder = catalogue.find(name)
        text = model_card.to_markdown(read_card(folder), folder.name)
    except ModelError as reason:
        text = f"{reason}"
    return CardDialog(parent, _ABOUT.format(name=name), CardText(text))
