"""Dialog with a model card."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from musicrel import gate
from musicrel.errors import FileError, ModelError
from musicrel.model import catalogue
from musicrel.model.card import read_card
from musicrel.presentation.compose import model_card
from musicrel.ui.widgets.card_text import CardText

_ABOUT: Final = "About {name}"
_ABOUT_NONE: Final = "About the model"
_NONE_SELECTED: Final = "No model is selected."
_BACK: Final = "&Back"
_SIZE: Final = (640, 660)
_GUIDE_SIZE: Final = (900, 680)
_PICTURE: Final = 830
"""Greatest width of a picture in pixels: that of the text of a guide."""


class CardDialog(QDialog):
    def __init__(self, parent: QWidget, title: str, text: QTextBrowser) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.text = text
        self.text.setAccessibleName(title)
        self.text.document().setDocumentMargin(16)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.text)
        layout.addWidget(self.buttons)
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


def of_guide(parent: QWidget, title: str, path: Path) -> CardDialog:
    """Return a dialog with a guide, or with the reason why it cannot be read.

    Its links to other guides open in the dialog, and a button leads back.

    Args:
        path: the file of the guide; its pictures and links are beside it.
    """
    text = GuideText()
    text.setOpenExternalLinks(True)
    try:
        gate.read(path, "guide")
        text.setSource(QUrl.fromLocalFile(str(path)))
    except FileError as reason:
        text.setPlainText(f"{reason}")
    dialog = CardDialog(parent, title, text)
    back = dialog.buttons.addButton(_BACK, QDialogButtonBox.ButtonRole.ActionRole)
    back.setEnabled(False)
    back.clicked.connect(text.backward)
    text.backwardAvailable.connect(back.setEnabled)
    dialog.resize(*_GUIDE_SIZE)
    return dialog


def of_model(parent: QWidget, name: str) -> CardDialog:
    """Return a dialog with the card of a model, or with the reason why it cannot be read.

    Args:
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
